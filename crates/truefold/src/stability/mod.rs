//! Stability: where maps of the same data disagree, point by point, beside chance.
//!
//! For two maps Y_a and Y_b and the neighborhood of point i *in the data*, the disagreement in shape is the conformal
//! Procrustes residual of one image of the neighborhood onto the other, 1 - (tr L)^2 / (|H Y_a|^2 |H Y_b|^2) with
//! (H Y_a)'(H Y_b) = U L V'. It is the same in both directions, 0 for images that are similar and at most 1. The
//! disagreement in neighbors is 1 - |N_a and N_b| / m: N_a and N_b are the m nearest of i in the two maps, among the
//! points that both have, and m the number of neighbors that it has in the data. Both are means over pairs of maps.
//!
//! Chance for shape is the same residual with the positions of one image permuted, by draws with their error; chance for
//! neighbors is 1 - m / (n - 1), exactly. Skill is (chance - value) / (chance - best): 1 for identical maps, 0 for
//! unrelated ones. Beside them stands R_C of the maps against the data, with its bound and its chance. So a point is
//! *unstable* where the maps do not agree on the shape of its neighborhood or on who is near it, *stable and faithful*
//! where they agree and are right, and *stable but wrong* where they agree on a distortion. Neighbors count too because one
//! member that lies far off in both maps makes any two shapes alike.
//!
//! Up to nine maps all pairs are compared, beyond that each map with the four after it in a circle. Cost: O(n M) local
//! fits and a neighbor search in each map. When it fails: maps that share fewer than three points of a neighborhood say
//! nothing about it, and maps that were made from one start agree for that reason alone.

mod map;
mod point;
mod standing;
#[cfg(test)]
mod tests;

pub use map::Map;
pub use standing::Standing;

use crate::data::Input;
use crate::error::{Advice, Bound, Limit};
use crate::judgment::NeighborhoodFacts;
use crate::memory::{self, Need};
use crate::{Error, Neighborhoods, Result, Run};
use map::Placed;
use point::{Comparer, Found, Tally, Work};
use std::ops::Range;

/// Each map is compared with this many after it; the pairs grow in proportion to the maps.
const AFTER: usize = 4;

/// How maps are compared.
///
/// ```
/// use truefold::stability::{Kind, Map, Stability};
/// use truefold::{Input, Neighborhoods, Points, Run, dataset};
///
/// let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(400))?;
/// let larger = Points::new(400, 2, roll.truth.values().iter().map(|value| 3.0 * value).collect())?;
/// let neighborhoods = Neighborhoods::nearest(&roll.points, 10, &Run::new())?;
/// let maps = [Map::new(&roll.truth), Map::new(&larger)];
/// let found = Stability::default().run(Input::Points(&roll.points), &neighborhoods, &maps, &Run::new())?;
/// assert!(found.shape.value < 1e-12 && found.neighbors.value == 0.0);
/// // In so few points some neighborhoods reach to the next turn of the roll.
/// assert!(found.count(Kind::Faithful) >= 390);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stability {
    /// The skill from which a point counts as stable, and as faithful: halfway between chance and the best by default.
    pub level: f64,
}

impl Default for Stability {
    fn default() -> Self {
        Self { level: 0.5 }
    }
}

/// What can be said about the place of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The maps agree, and keep the shape of the neighborhood in the data.
    Faithful,
    /// The maps agree on a shape that is not that of the data.
    Wrong,
    /// The maps do not agree in shape, or not in neighbors: what one of them shows is chance.
    Unstable,
    /// Too few points are shared, or the neighborhood has no extent.
    Unknown,
}

impl Kind {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Faithful, Self::Wrong, Self::Unstable, Self::Unknown];

    /// The name used by the tool, in JSON and in Python.
    pub fn name(self) -> &'static str {
        match self {
            Self::Faithful => "faithful",
            Self::Wrong => "wrong",
            Self::Unstable => "unstable",
            Self::Unknown => "unknown",
        }
    }
}

/// Where maps of the same data agree.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Agreement {
    /// The dimension of the data, where they have coordinates.
    pub input_dim: Option<usize>,
    /// The points and the dimension of each map.
    pub maps: Vec<(usize, usize)>,
    /// The number of pairs of maps that were compared.
    pub pairs: usize,
    /// The neighborhoods of the data.
    pub neighborhoods: NeighborhoodFacts,
    /// The skill from which a point counts as stable, and as faithful.
    pub level: f64,
    /// The disagreement of the maps in shape.
    pub shape: Standing,
    /// The disagreement of the maps in neighbors.
    pub neighbors: Standing,
    /// R_C of the maps against the data, the mean over the maps.
    pub distortion: Standing,
    /// What can be said about each point.
    pub kinds: Vec<Kind>,
}

impl Agreement {
    /// The number of points of a kind.
    pub fn count(&self, kind: Kind) -> usize {
        self.kinds.iter().filter(|&&one| one == kind).count()
    }

    /// The `count` rows where the maps disagree most in shape, the worst first, with their disagreement.
    pub fn worst(&self, count: usize) -> Vec<(usize, f64)> {
        let values = &self.shape.per_point;
        let mut rows: Vec<(usize, f64)> = values.iter().copied().enumerate().filter(|one| !one.1.is_nan()).collect();
        rows.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        rows.truncate(count);
        rows
    }
}

impl Stability {
    /// Compares maps of `input` on its neighborhoods.
    pub fn run(
        &self,
        input: Input<'_>,
        neighborhoods: &Neighborhoods,
        maps: &[Map<'_>],
        run: &Run,
    ) -> Result<Agreement> {
        self.check(&input, neighborhoods, maps)?;
        self.check_memory(neighborhoods, maps)?;
        let placed = maps.iter().map(|map| Placed::new(map, neighborhoods, run)).collect::<Result<Vec<_>>>()?;
        let pairs = pairs(maps.len());
        let comparer = Comparer::new(input, neighborhoods, &placed, &pairs);
        let task = format!("comparing {} maps of {} points", maps.len(), input.len());
        let mut found: Vec<Found> = memory::room(input.len(), task, "give fewer points")?;
        let some = |range: Range<usize>| {
            let mut work = Work::default();
            range.map(|point| comparer.compare(point, run.seed(), &mut work)).collect::<Result<Vec<Found>>>()
        };
        run.waves("stability", input.len(), 256, some, |some| found.extend(some))?;
        let members = neighborhoods.memberships() as f64 / neighborhoods.len() as f64;
        let standing = |pick: fn(&Found) -> &Tally| Standing::new(found.iter().map(pick), members);
        let [shape, neighbors, distortion] =
            [standing(|found| &found.shape), standing(|found| &found.neighbors), standing(|found| &found.distortion)];
        Ok(Agreement {
            input_dim: input.dim(),
            maps: maps.iter().map(|map| (map.points.len(), map.points.dim())).collect(),
            pairs: pairs.len(),
            neighborhoods: NeighborhoodFacts::of(neighborhoods),
            level: self.level,
            kinds: (0..input.len())
                .map(|point| self.kind([&shape, &neighbors, &distortion].map(|standing| standing.skill_at(point))))
                .collect(),
            shape,
            neighbors,
            distortion,
        })
    }

    /// An error if what is found at all points, and the neighbors in every map of all, need more memory than there is.
    fn check_memory(&self, neighborhoods: &Neighborhoods, maps: &[Map<'_>]) -> Result<()> {
        let of_all = maps.iter().filter(|map| map.rows.is_none()).count();
        let need = Need::of(size_of::<Found>() as f64, (size_of::<u32>() * of_all) as f64);
        let (points, members) = (neighborhoods.len(), neighborhoods.memberships());
        need.check(format!("comparing {} maps of {points} points", maps.len()), (points, members))
    }

    /// What the skills in shape, in neighbors and against the data say.
    fn kind(&self, skills: [Option<f64>; 3]) -> Kind {
        match skills {
            [Some(shape), Some(neighbors), _] if shape.min(neighbors) < self.level => Kind::Unstable,
            [Some(_), Some(_), Some(faithfulness)] if faithfulness < self.level => Kind::Wrong,
            [Some(_), Some(_), Some(_)] => Kind::Faithful,
            _ => Kind::Unknown,
        }
    }

    fn check(&self, input: &Input<'_>, neighborhoods: &Neighborhoods, maps: &[Map<'_>]) -> Result<()> {
        if !(self.level > 0.0 && self.level < 1.0) {
            let advice = Advice::change("level", "choose a {level} in between, such as 0.5");
            return Err(Error::parameter("level", self.level, Bound::Between(0.0, 1.0), advice));
        }
        if maps.len() < 2 {
            let limit = Limit::because(Bound::AtLeast(2.0), "agreement needs two maps");
            return Err(Error::parameter("maps", maps.len(), limit, Advice::mend_data("give more maps of X")));
        }
        neighborhoods.check_len(input.len())?;
        maps.iter().enumerate().try_for_each(|(at, map)| map.check(at, input))
    }
}

/// The pairs of `count` maps that are compared, the first of each before the second.
fn pairs(count: usize) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = (0..count)
        .flat_map(|one| (1..=AFTER).map(move |after| (one, (one + after) % count)))
        .filter(|(one, other)| one != other)
        .map(|(one, other)| (one.min(other), one.max(other)))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
