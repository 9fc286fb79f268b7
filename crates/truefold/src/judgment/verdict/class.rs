//! The class of a point: what, if anything, is wrong around it.

use super::neighbors::AtPoint;

/// From this share of what chance gives on, neighbors count as false or missing: a point on a seam has about half of its
/// neighbors on the other side, and a point near it fewer.
const SHARE: f64 = 0.25;
/// Below half of the way from chance to the best possible, the shape counts as lost.
const HALF: f64 = 0.5;

/// What is said of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Its neighbors are there, they are real, and their shape is kept.
    Faithful,
    /// Its neighbors are there and real, but at least half of their shape is lost.
    ShapeLost,
    /// The neighbors that the map shows are strangers in the data at least a quarter as often as random points.
    FalseNeighbors,
    /// Its neighbors are strangers in the map at least a quarter as often as random points.
    NeighborsMissing,
    /// What the map shows around it could be chance.
    Chance,
}

impl Class {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 5] =
        [Self::Faithful, Self::ShapeLost, Self::FalseNeighbors, Self::NeighborsMissing, Self::Chance];

    /// The name, for programs.
    ///
    /// ```
    /// assert_eq!(truefold::Class::FalseNeighbors.name(), "false_neighbors");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Faithful => "faithful",
            Self::ShapeLost => "shape_lost",
            Self::FalseNeighbors => "false_neighbors",
            Self::NeighborsMissing => "neighbors_missing",
            Self::Chance => "chance",
        }
    }

    /// The place in [`ALL`](Self::ALL).
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// How many points are of each class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts([usize; 5]);

impl Counts {
    pub(super) fn of(classes: &[Class]) -> Self {
        let mut counts = [0; 5];
        classes.iter().for_each(|class| counts[class.code() as usize] += 1);
        Self(counts)
    }

    /// How many points are of this class.
    pub fn of_class(&self, class: Class) -> usize {
        self.0[class.code() as usize]
    }

    /// Every class with its number of points.
    pub fn iter(&self) -> impl Iterator<Item = (Class, usize)> {
        Class::ALL.into_iter().zip(self.0)
    }
}

/// The class of a point that was told from chance, or was not; `chance` are the shares of strangers in data and map among
/// random points, on average.
pub(super) fn class_of(at: &AtPoint, chance: [f64; 2], is_told: bool) -> Class {
    if !is_told {
        return Class::Chance;
    }
    let [is_false, missing] = [(at.false_share, chance[0]), (at.missing_share, chance[1])]
        .map(|(share, chance)| if chance > 0.0 { share / chance } else { 0.0 });
    if is_false.max(missing) >= SHARE {
        // Strangers are worse than gaps where both are as many.
        return if is_false >= missing { Class::FalseNeighbors } else { Class::NeighborsMissing };
    }
    if at.skill < HALF { Class::ShapeLost } else { Class::Faithful }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_follow_what_is_worst() {
        let fine = AtPoint {
            neighbors: 12,
            kept: 10,
            false_share: 0.1,
            missing_share: 0.1,
            farther_in_data: 1.0,
            farther_in_map: 1.0,
            skill: 0.9,
        };
        let class = |at: &AtPoint, is_told| class_of(at, [1.0; 2], is_told);
        assert_eq!(class(&fine, true), Class::Faithful);
        assert_eq!(class(&fine, false), Class::Chance);
        assert_eq!(class(&AtPoint { skill: 0.49, ..fine }, true), Class::ShapeLost);
        // Too few neighbors to have a shape: nothing is lost.
        assert_eq!(class(&AtPoint { skill: f64::NAN, ..fine }, true), Class::Faithful);
        assert_eq!(class(&AtPoint { false_share: 0.25, ..fine }, true), Class::FalseNeighbors);
        assert_eq!(class(&AtPoint { missing_share: 0.25, ..fine }, true), Class::NeighborsMissing);
        let both = AtPoint { false_share: 0.5, missing_share: 0.6, ..fine };
        assert_eq!(class(&both, true), Class::NeighborsMissing);
        assert_eq!(class(&AtPoint { false_share: 0.6, ..both }, true), Class::FalseNeighbors);
        // Where random points are strangers as rarely, a small share is as bad as it can be.
        let crowded = AtPoint { false_share: 0.2, ..fine };
        assert_eq!(class_of(&crowded, [0.2, 1.0], true), Class::FalseNeighbors);
        assert_eq!(class_of(&crowded, [0.0, 0.0], true), Class::Faithful);
        let counts = Counts::of(&[Class::Chance, Class::Faithful, Class::Chance]);
        assert_eq!((counts.of_class(Class::Chance), counts.iter().map(|(_, count)| count).sum::<usize>()), (2, 3));
    }
}
