//! A chart of a report: curves over a common axis, as those of a sweep.

/// An axis of a chart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Axis {
    /// What it measures.
    pub title: String,
    /// Whether it is logarithmic; values that are not positive are then left out.
    pub log: bool,
}

/// One curve.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its points in order, x and y; where y is not finite the curve has a gap.
    pub points: Vec<(f64, f64)>,
    /// The place of a point to mark, such as the recommended one.
    pub marked: Option<usize>,
    /// Whether it is drawn dashed, as bounds are.
    pub dashed: bool,
    /// What each point may vary between, low and high, drawn as a band; nothing, or one pair per point.
    pub band: Vec<(f64, f64)>,
}

/// Curves over a common axis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// How to read it, or nothing.
    pub caption: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves.
    pub series: Vec<Series>,
}
