//! What happens to the neighbors of each point: kept, false, missing, how much farther away, and the shape of the rest.
//!
//! Two points are near each other in a neighbor graph if they have a neighbor in common, themselves included. This is
//! wider than the lists and has no number to choose: the 13th neighbor of 12 is no stranger. A neighbor in the map is
//! false if the two are not near each other in the data; a neighbor in the data is missing if they are not near each
//! other in the map. The shape is judged on the neighbors that are not missing, so that a stranger or a tear does not
//! count twice. Cost: O(k^2 log k) comparisons and O(k q) for distances, and one more fit where something is missing.

use crate::data::Input;
use crate::graph::CommonNeighbors;
use crate::linalg::distance;
use crate::local::{Fit, Fitter};
use crate::measure::distances::Distances;
use crate::measure::{Evaluation, draws_of};
use crate::{Neighborhoods, Result};
use std::ops::Range;

/// Points that share work space.
const BLOCK: usize = 256;

/// What happens around one point.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct AtPoint {
    /// The number of its neighbors, in the data and in the map alike.
    pub(super) neighbors: u32,
    /// How many are neighbors in both.
    pub(super) kept: u32,
    pub(super) false_share: f64,
    pub(super) missing_share: f64,
    pub(super) farther_in_data: f64,
    pub(super) farther_in_map: f64,
    /// The skill of R_C on the neighbors that are not missing; NaN where they are too few to have a shape.
    pub(super) skill: f64,
}

/// What happens around every point.
#[derive(Debug)]
pub(super) struct AtPoints {
    pub(super) at: Vec<AtPoint>,
    /// The mean shares of random points that are not near a point in the data and in the map.
    pub(super) chance: [f64; 2],
}

/// What happens around every point.
pub(super) fn at_points(evaluation: &Evaluation<'_>) -> Result<AtPoints> {
    // Everything that blocks share is made before them.
    evaluation.forward()?;
    evaluation.embedded_neighbors()?;
    let distances = Distances::new(evaluation.input(), evaluation.metric())?;
    let (arch, count) = (pulp::Arch::new(), evaluation.neighborhoods().len());
    let walk = evaluation.neighborhoods().walk().or(evaluation.embedded_neighbors()?.walk());
    let row_at = |place: usize| walk.map_or(place, |walk| walk[place] as usize);
    let some = |range: Range<usize>| {
        let mut around = Around::new(evaluation, &distances)?;
        let (mut found, mut chances) = (Vec::with_capacity(range.len()), Vec::new());
        let (filled, drawn) = (&mut found, &mut chances);
        // Moving the work space in makes the closure part of the code that is compiled for the machine's vector width; so
        // does a loop, where an adapter would be a function of its own.
        arch.dispatch(
            #[inline(always)]
            move || {
                for place in range {
                    filled.push(around.at(row_at(place), drawn)?);
                }
                Ok(())
            },
        )?;
        Ok((found, chances))
    };
    let mut all = vec![AtPoint::default(); count];
    let (mut sums, mut compared) = ([0.0; 2], 0_usize);
    let mut rows = (0..count).map(row_at);
    evaluation.run().waves("verdicts", count, BLOCK, some, |(found, chances)| {
        found.into_iter().zip(&mut rows).for_each(|(at, row)| all[row] = at);
        for shares in &chances {
            sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
        }
        compared += chances.len();
    })?;
    Ok(AtPoints { at: all, chance: sums.map(|sum| sum / compared.max(1) as f64) })
}

/// The two graphs and work space.
struct Around<'a> {
    evaluation: &'a Evaluation<'a>,
    data: &'a Neighborhoods,
    map: &'a Neighborhoods,
    /// The distances by which neighbors in the data are ranked.
    distances: &'a Distances<'a>,
    near: CommonNeighbors,
    present: Vec<u32>,
    fitter: Fitter,
}

impl<'a> Around<'a> {
    fn new(evaluation: &'a Evaluation<'a>, distances: &'a Distances<'a>) -> Result<Self> {
        Ok(Self {
            evaluation,
            data: evaluation.neighborhoods(),
            map: evaluation.embedded_neighbors()?,
            distances,
            near: CommonNeighbors::default(),
            present: Vec::new(),
            fitter: Fitter::default(),
        })
    }

    /// What happens around one point; `chances` gets the shares of strangers among random points where it is compared with some.
    #[inline(always)]
    fn at(&mut self, row: usize, chances: &mut Vec<[f64; 2]>) -> Result<AtPoint> {
        let (data, map) = (self.data.neighbors(row), self.map.neighbors(row));
        let share = |count: usize| if data.is_empty() { 0.0 } else { count as f64 / data.len() as f64 };
        let kept = map.iter().filter(|&&other| data.contains(&other)).count();
        // Where both have the same neighbors there is nothing more to look for.
        if kept == data.len() && kept == map.len() && !CommonNeighbors::is_compared(self.data, row) {
            let skill = self.skill(row, 0)?;
            let same = AtPoint { farther_in_data: 1.0, farther_in_map: 1.0, skill, ..AtPoint::default() };
            return Ok(AtPoint { neighbors: kept as u32, kept: kept as u32, ..same });
        }
        self.near.look_from(self.data, row);
        let strangers = map.iter().filter(|&&other| !self.near.has(self.data, other)).count();
        let false_by_chance = self.near.strangers_by_chance(self.data, row);
        self.near.look_from(self.map, row);
        let missing_by_chance = self.near.strangers_by_chance(self.map, row);
        chances.extend(false_by_chance.zip(missing_by_chance).map(|(one, other)| [one, other]));
        self.present.clear();
        if self.evaluation.options().center {
            self.present.push(row as u32);
        }
        self.present.extend(data.iter().filter(|&&other| self.near.has(self.map, other)));
        let present = self.present.len() - usize::from(self.evaluation.options().center);
        let (distances, embedding) = (&self.distances, self.evaluation.embedding());
        let in_data = |other: &u32| distances.distance(distances.value(row, *other as usize));
        let in_map = |other: &u32| distance(embedding.row(row), embedding.row(*other as usize));
        Ok(AtPoint {
            neighbors: data.len() as u32,
            kept: kept as u32,
            false_share: share(strangers),
            missing_share: share(data.len() - present),
            farther_in_data: times_farther(map.iter().map(in_data), data.iter().map(in_data)),
            farther_in_map: times_farther(data.iter().map(in_map), map.iter().map(in_map)),
            skill: self.skill(row, data.len() - present)?,
        })
    }

    /// The skill of R_C on what is present.
    #[inline(always)]
    fn skill(&mut self, row: usize, missing: usize) -> Result<f64> {
        let evaluation = self.evaluation;
        if missing == 0 {
            let forward = evaluation.forward()?;
            return Ok(skill(&forward.fits[row], forward.chances[row].conformal.mean));
        }
        // A simplex has the same shape in whatever order.
        if self.present.len() < evaluation.embedding().dim() + 2 {
            return Ok(f64::NAN);
        }
        let input: &Input<'_> = evaluation.input();
        self.present.sort_unstable();
        let fit = self.fitter.fit(input, evaluation.embedding(), &self.present)?;
        Ok(skill(&fit, self.fitter.conformal_by_chance(&fit, draws_of(evaluation.run().seed(), row as u64))))
    }
}

/// How far R_C of one neighborhood is from chance towards its bound; NaN where there is no room between the two.
#[inline(always)]
fn skill(fit: &Fit, chance: f64) -> f64 {
    let room = chance - fit.bound;
    if room > 1e-9 * fit.extent { (chance - fit.conformal) / room } else { f64::NAN }
}

/// The root mean square of some distances over that of others; 1 where both are zero, NaN where one has no value.
fn times_farther(some: impl Iterator<Item = f64>, others: impl Iterator<Item = f64>) -> f64 {
    let squares = |distances: &mut dyn Iterator<Item = f64>| distances.map(|distance| distance * distance).sum::<f64>();
    let (some, others) = (squares(&mut { some }), squares(&mut { others }));
    match (some > 0.0, others > 0.0) {
        (_, true) => (some / others).sqrt(),
        (false, false) => 1.0,
        (true, false) => f64::NAN,
    }
}
