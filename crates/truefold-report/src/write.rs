//! From a report to files.

use crate::contents::Contents;
use crate::{Panel, Report, Written, sample, values};
use std::io::Write;
use std::path::Path;
use truefold::{Error, Result, Run, io};

impl Report<'_> {
    /// The page as HTML. `run` brings the threads and the way to stop.
    ///
    /// Of more than 200,000 points it shows a sample, and says so.
    pub fn html(&self, run: &Run) -> Result<String> {
        self.check_parts()?;
        Ok(self.page(&Contents::new(self, run)?, None))
    }

    /// Writes the page to `path`, whole or not at all.
    ///
    /// Of more than 200,000 points it shows a sample, and the values of all of them go to a Parquet file beside it.
    pub fn write(&self, path: impl AsRef<Path>, run: &Run) -> Result<Written> {
        let path = path.as_ref();
        self.check(path)?;
        let contents = Contents::new(self, run)?;
        let beside = match self.is_sampled() {
            true => values::write(self, contents.points, path)?,
            false => Vec::new(),
        };
        let name = beside.first().and_then(|file| file.file_name()).map(|name| name.to_string_lossy());
        let html = self.page(&contents, name.as_deref());
        run.check()?;
        io::atomic(path, |out| out.write_all(html.as_bytes()))?;
        let mut files = vec![(path.to_owned(), html.len() as u64)];
        for file in beside {
            let size = file.metadata().map_err(|cause| {
                Error::file(&file, format!("was written and cannot be found ({cause})"), "write the report again")
            })?;
            files.push((file, size.len()));
        }
        Ok(Written { files, points: contents.points, shown: contents.shown })
    }

    /// The number of points there are: those of the input, or else of the first panel that has all of them.
    pub(crate) fn count(&self) -> Option<usize> {
        let most = || self.panels.iter().filter_map(|panel| panel.rows?.iter().max()).max();
        self.input
            .or_else(|| self.whole_panel().map(|panel| panel.points))
            .map(|points| points.len())
            .or_else(|| most().map(|&row| row as usize + 1))
    }

    /// The first panel that has every point.
    pub(crate) fn whole_panel(&self) -> Option<&Panel<'_>> {
        self.panels.iter().find(|panel| panel.rows.is_none())
    }

    /// Whether the page shows a sample of the points.
    pub(crate) fn is_sampled(&self) -> bool {
        self.count().is_some_and(|count| count > sample::MOST)
    }
}
