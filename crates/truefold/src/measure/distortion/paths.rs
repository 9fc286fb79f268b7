//! Paths from sources, the same edges with their lengths in X and in Y, and the ratios of their lengths.

use super::Distortion;
use super::median::{Group, median};
use crate::data::Input;
use crate::error::Advice;
use crate::graph::{LengthGraph, RENUMBER_FROM, ShortestPaths, spatial_order};
use crate::measure::{Evaluation, Sampling};
use crate::{Error, Result};
use std::sync::{Mutex, PoisonError};

/// Pairs of a source and a point that are looked at by themselves: some seconds.
const PAIRS: usize = 32_000_000;

/// The fewest sources drawn from a component by themselves.
const FEWEST: usize = 16;

/// What was found, and the distortion of every point.
#[derive(Debug)]
pub(in crate::measure) struct Found {
    pub(in crate::measure) distortion: Distortion,
    /// NaN at points that coincide with all others of their component.
    pub(in crate::measure) per_point: Vec<f64>,
}

/// The largest and the smallest of some ratios.
#[derive(Debug, Clone, Copy)]
struct Extremes {
    high: f64,
    low: f64,
}

impl Extremes {
    const NONE: Self = Self { high: 0.0, low: f64::INFINITY };

    #[inline(always)]
    fn add(&mut self, ratio: f64) {
        (self.high, self.low) = (self.high.max(ratio), self.low.min(ratio));
    }

    fn merge(self, other: Self) -> Self {
        Self { high: self.high.max(other.high), low: self.low.min(other.low) }
    }

    /// The largest over the smallest; nothing where there is none.
    fn distortion(self) -> Option<f64> {
        (self.high > 0.0).then(|| (self.high / self.low).min(f64::MAX))
    }
}

/// The ratio of two lengths; nothing where one of them is zero, or both are infinite.
#[inline(always)]
fn ratio(in_map: f64, in_data: f64) -> Option<f64> {
    let ratio = in_map / in_data;
    (ratio > 0.0 && ratio.is_finite()).then_some(ratio)
}

/// What the pairs of one source with all points of its component say.
struct Source {
    component: usize,
    extremes: Extremes,
    coinciding: usize,
    merged: usize,
}

/// The sources of each component, in the order of the rows of the graph.
struct Sources {
    of_components: Vec<Vec<u32>>,
}

impl Sources {
    /// Drawn from each component: all points, so many, or as many as take some seconds. `place` tells where a row is.
    fn new(evaluation: &Evaluation<'_>, place: &[u32]) -> Self {
        let count = place.len();
        let sampling = match evaluation.options().sample {
            Sampling::Automatic => Sampling::Points((PAIRS / count).max(FEWEST)),
            asked => asked,
        };
        let components = evaluation.neighborhoods().components();
        let mut members: Vec<Vec<u32>> = components.sizes().iter().map(|&size| Vec::with_capacity(size)).collect();
        components.of().iter().zip(place).for_each(|(&of, &place)| members[of as usize].push(place));
        for (members, number) in members.iter_mut().zip(0..) {
            if let Some(rows) = sampling.rows(members.len(), evaluation.run().seed().wrapping_add(number)) {
                *members = rows.iter().map(|&row| members[row as usize]).collect();
            }
        }
        Self { of_components: members }
    }

    /// Rounds, each with at most one source of every component: as components do not touch, one search serves all.
    fn rounds(&self) -> usize {
        self.of_components.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The sources of a round.
    fn of(&self, round: usize) -> Vec<u32> {
        self.of_components.iter().filter_map(|sources| sources.get(round).copied()).collect()
    }
}

/// The neighborhood graph with both lengths; a large one is in an order in which near points are near in memory.
struct Paths<'a> {
    evaluation: &'a Evaluation<'a>,
    /// The row of each point of the graph.
    order: Vec<u32>,
    in_data: LengthGraph,
    in_map: LengthGraph,
    sources: Sources,
    /// The component of each point of the graph.
    components: Vec<u32>,
}

impl Found {
    pub(in crate::measure) fn new(evaluation: &Evaluation<'_>) -> Result<Self> {
        Paths::new(evaluation)?.find()
    }
}

impl<'a> Paths<'a> {
    fn new(evaluation: &'a Evaluation<'a>) -> Result<Self> {
        let (count, run) = (evaluation.input().len(), evaluation.run());
        let order: Vec<u32> = if count < RENUMBER_FROM {
            (0..count as u32).collect()
        } else {
            run.install(|| spatial_order(evaluation.embedding()))
        };
        let mut place = vec![0; count];
        order.iter().zip(0..).for_each(|(&row, at)| place[row as usize] = at);
        let renumbered = (count >= RENUMBER_FROM).then(|| evaluation.neighborhoods().restricted(&order));
        let neighborhoods = renumbered.as_ref().unwrap_or(evaluation.neighborhoods());
        let row = |at: usize| order[at] as usize;
        let in_data = LengthGraph::in_parallel(neighborhoods, run, |a, b| evaluation.input().distance(row(a), row(b)))?;
        drop(renumbered);
        let apart = |a: usize, b: usize| evaluation.embedding().squared_distance(row(a), row(b)).sqrt();
        let mut in_map = in_data.with_lengths(run, apart)?;
        if let Some(torn) = evaluation.torn() {
            let is_torn = |a: usize, b: usize| {
                let (a, b) = (order[a], order[b]);
                torn.binary_search(&(a.min(b), a.max(b))).is_ok()
            };
            let scale = typical(&in_data, &in_map, is_torn);
            in_map = in_data.with_lengths(run, |a, b| {
                if is_torn(a, b) { scale * evaluation.input().distance(row(a), row(b)) } else { apart(a, b) }
            })?;
        }
        let sources = Sources::new(evaluation, &place);
        let of = evaluation.neighborhoods().components().of();
        let components = order.iter().map(|&row| of[row as usize]).collect();
        Ok(Self { evaluation, order, in_data, in_map, sources, components })
    }

    fn find(&self) -> Result<Found> {
        let (run, rounds) = (self.evaluation.run(), self.sources.rounds());
        let each = Mutex::new(self.of_edges());
        let size = (rounds / 64).clamp(1, 8);
        let found = run.chunks("distortion", rounds, size, |range| {
            let mut paths = [ShortestPaths::default(), ShortestPaths::default()];
            let mut found = Vec::new();
            for round in range {
                run.check()?;
                let sources = self.sources.of(round);
                let [in_data, in_map] = &mut paths;
                let lengths = [in_data.nearest_of(&self.in_data, &sources), in_map.nearest_of(&self.in_map, &sources)];
                // The largest and the smallest are the same in whichever order rounds come.
                let mut each = each.lock().unwrap_or_else(PoisonError::into_inner);
                found.extend(self.compared(lengths, &sources, &mut each));
            }
            Ok(found)
        })?;
        self.summed(
            &found.into_iter().flatten().collect::<Vec<_>>(),
            each.into_inner().unwrap_or_else(PoisonError::into_inner),
        )
    }

    /// The ratios of the edges of each point, where every edge is the shortest path between its ends.
    fn of_edges(&self) -> Vec<Extremes> {
        let mut each = vec![Extremes::NONE; self.order.len()];
        if matches!(self.evaluation.input(), Input::Points(_)) && self.evaluation.torn().is_none() {
            for (point, extremes) in each.iter_mut().enumerate() {
                let lengths = self.in_map.lengths(point).iter().zip(self.in_data.lengths(point));
                lengths.filter_map(|(&in_map, &in_data)| ratio(in_map, in_data)).for_each(|ratio| extremes.add(ratio));
            }
        }
        each
    }

    /// What the pairs of the sources of one round say of these sources, and into `each` what they say of all points.
    fn compared(&self, [in_data, in_map]: [&[f64]; 2], sources: &[u32], each: &mut [Extremes]) -> Vec<Source> {
        let mut place = vec![usize::MAX; self.sources.of_components.len()];
        let mut found: Vec<Source> = Vec::with_capacity(sources.len());
        for (at, &source) in sources.iter().enumerate() {
            let component = self.components[source as usize] as usize;
            place[component] = at;
            // The source itself is not a pair.
            found.push(Source { component, extremes: Extremes::NONE, coinciding: 0, merged: 0 });
        }
        for (point, (&in_data, &in_map)) in in_data.iter().zip(in_map).enumerate() {
            let Some(source) = found.get_mut(place[self.components[point] as usize]) else { continue };
            match ratio(in_map, in_data) {
                Some(ratio) => {
                    source.extremes.add(ratio);
                    each[point].add(ratio);
                }
                None if in_data == 0.0 => source.coinciding += 1,
                None => source.merged += 1,
            }
        }
        found.iter_mut().for_each(|source| source.coinciding -= 1);
        found
    }

    fn summed(&self, found: &[Source], each: Vec<Extremes>) -> Result<Found> {
        let sizes = self.evaluation.neighborhoods().components().sizes();
        let drawn = self.sources.of_components.iter().map(Vec::len);
        let mut groups: Vec<Group> =
            sizes.iter().zip(drawn).map(|(&size, drawn)| Group { size, drawn, values: Vec::new() }).collect();
        for source in found {
            groups[source.component].values.extend(source.extremes.distortion());
        }
        let Some((median, error)) = median(&groups) else {
            let problem = "no path has a length both in X and in Y, so the distortion cannot be told";
            return Err(Error::data(
                problem,
                Advice::mend_data("give a map that does not put all points in one place"),
            ));
        };
        let of_sources = found.iter().fold(Extremes::NONE, |all, source| all.merge(source.extremes));
        let all = each.iter().fold(of_sources, |all, &one| all.merge(one));
        let mut per_point = vec![f64::NAN; each.len()];
        for (&row, extremes) in self.order.iter().zip(&each) {
            per_point[row as usize] = extremes.distortion().unwrap_or(f64::NAN);
        }
        let largest = groups.iter().flat_map(|group| &group.values).chain(&per_point).fold(1.0, |a: f64, &b| a.max(b));
        let distortion = Distortion {
            median,
            error,
            largest,
            stretch: all.high,
            shrink: (1.0 / all.low).min(f64::MAX),
            sources: found.len(),
            coinciding: found.iter().map(|source| source.coinciding).sum(),
            merged: found.iter().map(|source| source.merged).sum(),
        };
        Ok(Found { distortion, per_point })
    }
}

/// The median ratio of the edges that are not torn; 1 where none has a ratio.
fn typical(in_data: &LengthGraph, in_map: &LengthGraph, is_torn: impl Fn(usize, usize) -> bool) -> f64 {
    let mut ratios = Vec::new();
    for point in 0..in_data.len() {
        let lengths = in_map.lengths(point).iter().zip(in_data.lengths(point));
        for (&end, (&in_map, &in_data)) in in_data.ends(point).iter().zip(lengths) {
            if point < end as usize && !is_torn(point, end as usize) {
                ratios.extend(ratio(in_map, in_data));
            }
        }
    }
    let middle = ratios.len() / 2;
    if ratios.is_empty() { 1.0 } else { *ratios.select_nth_unstable_by(middle, f64::total_cmp).1 }
}
