//! The charts of all neighborhoods: centered coordinates whose Gram matrices are those of the X_i.
//!
//! Where X has no more dimensions than a neighborhood has members, a chart is gathered from X on demand. Otherwise every
//! chart is computed once and stored, n m r numbers, and X is not read again.

use super::chart::Chart;
use super::patch::gather_centered;
use crate::data::Input;
use crate::memory;
use crate::{Neighborhoods, Result, Run};

/// The charts of all neighborhoods of an input.
#[derive(Debug)]
pub(crate) struct Charts<'a> {
    input: Input<'a>,
    neighborhoods: &'a Neighborhoods,
    stored: Option<Vec<StoredCharts>>,
}

/// The charts of [`PART`] neighborhoods, one after the other, each coordinate by coordinate.
#[derive(Debug)]
struct StoredCharts {
    /// Where each chart begins, and where the last one ends.
    offsets: Vec<usize>,
    columns: Vec<f64>,
}

/// Charts that are stored together.
const PART: usize = 256;

impl<'a> Charts<'a> {
    /// Prepares the charts of all neighborhoods, centers included.
    pub(crate) fn new(input: Input<'a>, neighborhoods: &'a Neighborhoods, run: &Run) -> Result<Self> {
        // A point without neighbors has no chart in either case.
        let sizes = (0..neighborhoods.len()).map(|index| neighborhoods.members(index).len());
        let least = sizes.filter(|&size| size > 1).min().unwrap_or(0);
        if input.dim().is_some_and(|dim| dim <= least) {
            return Ok(Self { input, neighborhoods, stored: None });
        }
        let stored = run.chunks("charts", neighborhoods.len(), PART, |range| {
            let mut chart = Chart::default();
            // Of m members in q dimensions there are at most m - 1 coordinates, and q.
            let most = |index: usize| {
                let members = neighborhoods.members(index).len();
                members * input.dim().unwrap_or(0).min(members - 1)
            };
            let task = format!("the charts of {} neighborhoods", neighborhoods.len());
            let mut columns = memory::room(range.clone().map(most).sum(), task, "give fewer points")?;
            let mut offsets = Vec::with_capacity(range.len() + 1);
            offsets.push(0);
            for index in range {
                chart.fill(&input, neighborhoods.members(index))?;
                columns.extend(chart.values());
                offsets.push(columns.len());
            }
            columns.shrink_to_fit();
            Ok(StoredCharts { offsets, columns })
        })?;
        Ok(Self { input, neighborhoods, stored: Some(stored) })
    }

    /// Puts the chart of neighborhood `index` into `columns`, coordinate by coordinate, and returns their number.
    ///
    /// There are at least `least` coordinates; those that the neighborhood does not fill are zero.
    #[inline(always)]
    pub(crate) fn gather(&self, index: usize, least: usize, columns: &mut Vec<f64>) -> usize {
        let members = self.neighborhoods.members(index);
        match (&self.stored, &self.input) {
            (Some(stored), _) => {
                let (part, at) = (&stored[index / PART], index % PART);
                columns.clear();
                columns.extend_from_slice(&part.columns[part.offsets[at]..part.offsets[at + 1]]);
            }
            (None, Input::Points(points)) => gather_centered(columns, points, members, members.len()),
            // Charts of distances are always stored.
            (None, Input::Distances(_)) => columns.clear(),
        }
        let width = (columns.len() / members.len()).max(least);
        columns.resize(width * members.len(), 0.0);
        width
    }

    /// Puts the first `dim` coordinates of neighborhood `index` along its principal axes into `columns`.
    ///
    /// Those that the neighborhood does not fill are zero.
    #[inline(always)]
    pub(crate) fn gather_principal(
        &self,
        index: usize,
        dim: usize,
        chart: &mut Chart,
        columns: &mut Vec<f64>,
    ) -> Result<()> {
        let members = self.neighborhoods.members(index);
        if self.stored.is_some() {
            self.gather(index, dim, columns);
        } else {
            chart.fill(&self.input, members)?;
            columns.clear();
            columns.extend(chart.values());
        }
        columns.resize(dim * members.len(), 0.0);
        Ok(())
    }

    /// The input.
    pub(crate) fn input(&self) -> &Input<'a> {
        &self.input
    }

    /// The neighborhoods.
    pub(crate) fn neighborhoods(&self) -> &'a Neighborhoods {
        self.neighborhoods
    }
}
