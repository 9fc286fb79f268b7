//! The ellipses of all maps of a report: what balls of one size in the data become in each.

use crate::Report;
use truefold::local::ellipses;
use truefold::{Input, Neighborhoods, Part, Result, Run};

impl Report<'_> {
    /// Finds the ellipses of every embedding of two dimensions, by the linear fits on these neighborhoods of `input`.
    ///
    /// The page can show them, and a figure draws them.
    ///
    /// ```
    /// use truefold::{Input, Neighborhoods, Run, dataset};
    /// use truefold_report::{Panel, Report};
    ///
    /// let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(300))?;
    /// let neighborhoods = Neighborhoods::nearest(&roll.points, 10, &Run::new())?;
    /// let mut report = Report { panels: vec![Panel::new("laid flat", &roll.truth)], ..Report::default() };
    /// report.find_ellipses(Input::Points(&roll.points), &neighborhoods, &Run::new())?;
    /// assert_eq!(report.panels[0].ellipses.as_ref().map(Vec::len), Some(300));
    /// assert!(report.figure()?.svg().contains("<polyline"));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn find_ellipses(&mut self, input: Input<'_>, neighborhoods: &Neighborhoods, run: &Run) -> Result<()> {
        for panel in self.panels.iter_mut().filter(|panel| panel.points.dim() == 2) {
            let found = match panel.rows {
                None => ellipses(input, panel.points, neighborhoods, run)?,
                Some(rows) => {
                    let part = Part::new(&input, neighborhoods, rows);
                    ellipses(part.input(), panel.points, part.neighborhoods(), run)?
                }
            };
            panel.ellipses = found.planar();
        }
        Ok(())
    }
}
