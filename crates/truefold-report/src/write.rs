//! From a report to files.

use crate::{Report, Written};
use std::io::Write;
use std::path::Path;
use truefold::{Result, Run, io};

/// The most points that a page shows; of more it shows a sample.
const MOST_SHOWN: usize = 200_000;

impl Report<'_> {
    /// The page as HTML. `run` brings the threads and the way to stop.
    pub fn html(&self, run: &Run) -> Result<String> {
        run.check()?;
        self.check_parts()?;
        Ok(self.page())
    }

    /// Writes the page to `path`, whole or not at all.
    ///
    /// Where there are more points than a page shows, the values of all of them go to a Parquet file beside it.
    pub fn write(&self, path: impl AsRef<Path>, run: &Run) -> Result<Written> {
        let path = path.as_ref();
        self.check(path)?;
        let html = self.html(run)?;
        io::atomic(path, |out| out.write_all(html.as_bytes()))?;
        let points = self.count().unwrap_or(0);
        Ok(Written { files: vec![(path.to_owned(), html.len() as u64)], points, shown: points.min(MOST_SHOWN) })
    }

    /// The number of points there are: those of the input, or else of the first panel that has all of them.
    pub(crate) fn count(&self) -> Option<usize> {
        let whole = || self.panels.iter().find(|panel| panel.rows.is_none());
        let most = || self.panels.iter().filter_map(|panel| panel.rows?.iter().max()).max();
        self.input
            .map(|input| input.len())
            .or_else(|| whole().map(|panel| panel.points.len()))
            .or_else(|| most().map(|&row| row as usize + 1))
    }

    /// Whether the page shows a sample of the points.
    pub(crate) fn is_sampled(&self) -> bool {
        self.count().is_some_and(|count| count > MOST_SHOWN)
    }
}
