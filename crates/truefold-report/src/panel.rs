//! One embedding of a report: its points, what is known of each of them, and how to draw it.

use std::borrow::Cow;
use truefold::{Points, Tear};

/// A number for each point of an embedding, such as a measure of the point's own neighborhood.
///
/// ```
/// use truefold_report::Channel;
///
/// let channel = Channel::new("R_C", vec![0.6, 0.7]).between(0.59, 0.85);
/// assert_eq!((channel.best, channel.chance), (Some(0.59), Some(0.85)));
/// assert!(!channel.is_better_when_large());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Channel<'a> {
    /// What it is; a channel of the same name in other panels is colored with it.
    pub name: String,
    /// One value per point of the embedding; NaN where it is not known.
    pub values: Cow<'a, [f64]>,
    /// The best that is possible.
    pub best: Option<f64>,
    /// What an embedding that has nothing to do with the data would have.
    pub chance: Option<f64>,
}

impl<'a> Channel<'a> {
    /// Values under a name; colors run over the powers of ten that they cover.
    pub fn new(name: impl Into<String>, values: impl Into<Cow<'a, [f64]>>) -> Self {
        Self { name: name.into(), values: values.into(), best: None, chance: None }
    }

    /// Colors run from the best possible value to that of chance.
    #[must_use]
    pub fn between(mut self, best: f64, chance: f64) -> Self {
        (self.best, self.chance) = (Some(best), Some(chance));
        self
    }

    /// The best value and that of chance, where both are known and differ.
    pub(crate) fn ends(&self) -> Option<(f64, f64)> {
        self.best.zip(self.chance).filter(|(best, chance)| best != chance)
    }

    /// Whether large values are good ones, as those of a skill.
    pub fn is_better_when_large(&self) -> bool {
        self.ends().is_some_and(|(best, chance)| best > chance)
    }

    /// The points from the worst to the best; those of unknown value come last.
    pub(crate) fn worst_first(&self) -> Vec<u32> {
        let sign = if self.is_better_when_large() { 1.0 } else { -1.0 };
        let key = |row: u32| {
            let value = self.values[row as usize];
            if value.is_nan() { f64::INFINITY } else { sign * value }
        };
        let mut order: Vec<u32> = (0..self.values.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
        order
    }
}

/// What was found about each point of an embedding: one of a few classes.
///
/// Classes have colors by their place: faithful, shape lost, false neighbors, neighbors missing, not told from chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdicts<'a> {
    /// The place of each point's class among the names.
    pub codes: Cow<'a, [u8]>,
    /// The names of the classes, five at most.
    pub names: Vec<String>,
}

/// One embedding of a report.
///
/// ```
/// use truefold::Points;
/// use truefold_report::{Channel, Panel};
///
/// let points = Points::from_rows(&[[0.0, 0.0], [1.0, 2.0]])?;
/// let channels = vec![Channel::new("R_N", vec![0.1, 0.2])];
/// let panel = Panel { caption: "How R_N = 0.15 is spread.".into(), channels, ..Panel::new("psa", &points) };
/// assert_eq!((panel.title.as_str(), panel.channels.len()), ("psa", 1));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Panel<'a> {
    /// Its name, as in the tables.
    pub title: String,
    /// One sentence about it.
    pub caption: String,
    /// Its points: of one or two coordinates drawn flat, of more the first three in space.
    pub points: &'a Points,
    /// The input row of each point, where not all input points were embedded.
    pub rows: Option<&'a [u32]>,
    /// What is known of each point, the most telling first: that is what the page is colored by when it opens.
    pub channels: Vec<Channel<'a>>,
    /// What was found about each point.
    pub verdicts: Option<Verdicts<'a>>,
    /// For an embedding in the plane the entries xx, xy and yy of a symmetric matrix S for each point y: it has the ellipse
    /// of all y + S u with |u| = 1.
    pub ellipses: Option<Vec<[f64; 3]>>,
    /// What was torn, its rows those of the points: either side of the seam gets the colors of its places along it.
    pub seam: Option<&'a Tear>,
}

impl<'a> Panel<'a> {
    /// Points under a name, and nothing more.
    pub fn new(title: impl Into<String>, points: &'a Points) -> Self {
        Self {
            title: title.into(),
            caption: String::new(),
            points,
            rows: None,
            channels: Vec::new(),
            verdicts: None,
            ellipses: None,
            seam: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_come_first_whichever_way_is_good() {
        let values = vec![0.2, f64::NAN, 0.9, 0.5];
        assert_eq!(Channel::new("R_N", values.clone()).worst_first(), [2, 3, 0, 1]);
        assert_eq!(Channel::new("skill", values.clone()).between(1.0, 0.0).worst_first(), [0, 3, 2, 1]);
        assert_eq!(Channel::new("R_C", values).between(0.1, 0.1).ends(), None);
    }
}
