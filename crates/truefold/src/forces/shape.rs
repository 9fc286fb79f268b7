//! How far neighborhoods are from their shape in the data, and the force that brings it back.
//!
//! With K_i = H X_i X_i' H / |H X_i|^2 and M_i = Y_i' K_i Y_i, d x d, R_C of neighborhood i is 1 - t^2 / s, t = tr
//! M_i^(1/2), s = |H Y_i|^2: each neighborhood has its own scale and direction. Its gradient by Y_i is g_i = 2 (t^2 / s^2 H
//! Y_i - t / s K_i Y_i M_i^(-1/2)). K_i does not depend on the map and is kept. Goldberg and Ritov, section 3.
//!
//! g_i grows like one over the extent of the neighborhood in the map, so that the smallest would rule all others. What pulls
//! is therefore v_i g_i with v_i = s u / (s + u) / 2 m for m members and u the usual s: for neighborhoods of usual size, the
//! distances of the members from the places that the shape in the data would give them, in the units of the map; and larger
//! ones, whose members the map has taken apart, count no more than the usual ones. Cost: O(m^2 d) a neighborhood; memory: 4
//! m^2 bytes, and 4 d + 8 a member.

use super::roots::roots;
use super::units::Units;
use crate::data::Input;
use crate::linalg::{products_between, square};
use crate::local::Chart;
use crate::{Neighborhoods, Points, Result, Run};
use rayon::prelude::*;
use std::ops::Range;

/// Neighborhoods of one task.
const TASK: usize = 512;
/// Rows of a kept matrix begin at multiples of this.
const LANES: usize = 8;
/// The square of the rounding of a coordinate, relative to its size.
const ROUNDING: f64 = 64.0 * f64::EPSILON * f64::EPSILON;

/// Where shapes are read: the data, and the row of each point there, where points have an order of their own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(super) input: Input<'a>,
    pub(super) rows: Option<&'a [u32]>,
}

impl<'a> From<Input<'a>> for Source<'a> {
    fn from(input: Input<'a>) -> Self {
        Self { input, rows: None }
    }
}

/// The shapes in the data of neighborhoods of data or map.
pub(crate) struct Shapes {
    /// Where the members of each neighborhood begin.
    starts: Vec<usize>,
    members: Vec<u32>,
    /// K_i, row by row, of the neighborhoods of each task.
    grams: Vec<Vec<f32>>,
    /// For each point where its memberships begin, and their places among all members.
    own_starts: Vec<usize>,
    own: Vec<u32>,
}

/// How strongly a point is pulled by each neighborhood that it is a member of.
#[derive(Default)]
pub(crate) struct Pulls<const D: usize>(Vec<[f32; D]>);

impl Shapes {
    /// The shapes that the neighborhoods have in the data.
    pub(crate) fn new(source: Source<'_>, neighborhoods: &Neighborhoods, run: &Run) -> Result<Self> {
        let count = neighborhoods.len();
        let grams = run.chunks("shapes", count, TASK, |range| grams(source, neighborhoods, range))?;
        let starts: Vec<usize> =
            (0..count).map(|index| neighborhoods.places(index).start).chain([neighborhoods.memberships()]).collect();
        let members: Vec<u32> = (0..count).flat_map(|index| neighborhoods.members(index)).copied().collect();
        let mut own_starts = vec![0; count + 1];
        members.iter().for_each(|&member| own_starts[member as usize + 1] += 1);
        for row in 0..count {
            own_starts[row + 1] += own_starts[row];
        }
        let (mut next, mut own) = (own_starts.clone(), vec![0; members.len()]);
        for (place, &member) in (0_u32..).zip(&members) {
            own[next[member as usize]] = place;
            next[member as usize] += 1;
        }
        Ok(Self { starts, members, grams, own_starts, own })
    }

    fn members(&self, index: usize) -> &[u32] {
        &self.members[self.starts[index]..self.starts[index + 1]]
    }

    /// The median of |H Y_i|^2.
    pub(crate) fn usual_extent<const D: usize>(&self, places: &[[f32; D]], run: &Run) -> Result<f64> {
        let count = self.starts.len() - 1;
        let parts = run.quiet().chunks("extents", count, TASK, |range| {
            let mut lists: [Vec<f32>; D] = std::array::from_fn(|_| Vec::new());
            let one = |index: usize| {
                let members = self.members(index);
                gather(members, places, members.len(), &mut lists)
            };
            Ok(range.map(one).collect::<Vec<_>>())
        })?;
        let mut extents = parts.concat();
        let middle = count / 2;
        Ok(*extents.select_nth_unstable_by(middle, f64::total_cmp).1)
    }

    /// Adds `weight` / n times the pulls to `gradient`, with `usual` the usual extent; gives the mean of R_C over
    /// the neighborhoods that have an extent in the data.
    pub(crate) fn add_pulls<const D: usize>(
        &self,
        places: &[[f32; D]],
        (weight, usual): (f64, f64),
        gradient: &mut [[f64; D]],
        pulls: &mut Pulls<D>,
        run: &Run,
    ) -> Result<f64> {
        let count = self.starts.len() - 1;
        pulls.0.resize(self.members.len(), [0.0; D]);
        let mut tasks = Vec::with_capacity(self.grams.len());
        let mut rest = &mut pulls.0[..];
        for (task, grams) in self.grams.iter().enumerate() {
            let range = task * TASK..((task + 1) * TASK).min(count);
            let (part, after) = rest.split_at_mut(self.starts[range.end] - self.starts[range.start]);
            rest = after;
            tasks.push((range, grams, part));
        }
        let sums: Vec<(f64, usize)> = run.install(|| {
            let sum = |(range, grams, pulls): (Range<usize>, &Vec<f32>, &mut [[f32; D]])| {
                run.check()?;
                let members = |index: usize| self.members(index);
                Ok(pulp::Arch::new().dispatch(Task { members, places, usual, range, grams, pulls }))
            };
            tasks.into_par_iter().map(sum).collect::<Result<_>>()
        })?;
        let (share, pulls) = (weight / count as f64, &pulls.0);
        run.install(|| {
            gradient.par_chunks_mut(TASK).enumerate().for_each(|(task, gradient)| {
                for (row, gradient) in (task * TASK..).zip(gradient) {
                    let mut sum = [0.0_f32; D];
                    for &place in &self.own[self.own_starts[row]..self.own_starts[row + 1]] {
                        sum.iter_mut().zip(&pulls[place as usize]).for_each(|(sum, pull)| *sum += pull);
                    }
                    gradient.iter_mut().zip(sum).for_each(|(to, sum)| *to += share * f64::from(sum));
                }
            });
        });
        Ok(mean_of(&sums))
    }
}

/// The mean of R_C over these neighborhoods in a map of up to three dimensions; none in more.
pub(crate) fn mean_r_c(
    input: &Input<'_>,
    neighborhoods: &Neighborhoods,
    map: &Points,
    run: &Run,
) -> Result<Option<f64>> {
    match map.dim() {
        1 | 2 => mean_in::<2>(input, neighborhoods, map, run).map(Some),
        3 => mean_in::<3>(input, neighborhoods, map, run).map(Some),
        _ => Ok(None),
    }
}

/// The same in a space that holds the map; matrices are kept no longer than they are needed.
fn mean_in<const D: usize>(input: &Input<'_>, neighborhoods: &Neighborhoods, map: &Points, run: &Run) -> Result<f64> {
    let row = |row: &[f64]| std::array::from_fn(|axis| row.get(axis).map_or(0.0, |at| *at as f32));
    let places: Vec<[f32; D]> = Units::of(map).1.chunks_exact(map.dim()).map(row).collect();
    let members = |index: usize| neighborhoods.members(index);
    let sums = run.chunks("shapes", neighborhoods.len(), TASK, |range| {
        let grams = grams((*input).into(), neighborhoods, range.clone())?;
        let mut pulls = vec![[0.0; D]; range.clone().map(|index| members(index).len()).sum()];
        let task = Task { members, places: &places, usual: 1.0, range, grams: &grams, pulls: &mut pulls };
        Ok(pulp::Arch::new().dispatch(task))
    })?;
    Ok(mean_of(&sums))
}

/// The mean of sums over some each.
fn mean_of(sums: &[(f64, usize)]) -> f64 {
    let counted = sums.iter().map(|sum| sum.1).sum::<usize>().max(1);
    sums.iter().map(|sum| sum.0).sum::<f64>() / counted as f64
}

/// K_i, row by row, of some neighborhoods.
fn grams(source: Source<'_>, neighborhoods: &Neighborhoods, range: Range<usize>) -> Result<Vec<f32>> {
    let (mut room, mut part, mut named) = (Room::default(), Vec::new(), Vec::new());
    for index in range {
        let mut members = neighborhoods.members(index);
        if let Some(rows) = source.rows {
            named.clear();
            named.extend(members.iter().map(|&member| rows[member as usize]));
            members = &named;
        }
        room.fill(&source.input, members)?;
        room.append(neighborhoods.members(index).len(), &mut part);
    }
    part.shrink_to_fit();
    Ok(part)
}

/// The work space of one matrix.
#[derive(Default)]
struct Room {
    lists: Vec<f64>,
    row: Vec<f64>,
    chart: Chart,
    matrix: Vec<f64>,
    /// A trace up to this is rounding.
    rounding: f64,
}

impl Room {
    /// H X X' H of some members.
    fn fill(&mut self, input: &Input<'_>, members: &[u32]) -> Result<()> {
        self.lists.clear();
        let width = match input {
            Input::Points(points) => {
                members.iter().for_each(|&member| self.lists.extend(points.row_in(member as usize, &mut self.row)));
                points.dim()
            }
            Input::Distances(_) => {
                self.chart.fill(input, members)?;
                let (width, columns) = (self.chart.width(), self.chart.columns());
                let at = |member: usize, column: usize| columns[column * self.chart.stride() + member];
                (0..members.len()).for_each(|member| self.lists.extend((0..width).map(|column| at(member, column))));
                width
            }
        };
        if width == 0 {
            self.rounding = 0.0;
            self.matrix.clear();
            self.matrix.resize(members.len() * members.len(), 0.0);
            return Ok(());
        }
        self.rounding = square(&self.lists) * ROUNDING;
        let mut mean = vec![0.0; width];
        for list in self.lists.chunks_exact(width) {
            mean.iter_mut().zip(list).for_each(|(mean, value)| *mean += value / members.len() as f64);
        }
        for list in self.lists.chunks_exact_mut(width) {
            list.iter_mut().zip(&mean).for_each(|(value, mean)| *value -= mean);
        }
        products_between(&mut self.matrix, &self.lists, width);
        Ok(())
    }

    /// Appends the matrix in units of its trace, in rows that are filled up.
    fn append(&self, size: usize, part: &mut Vec<f32>) {
        let trace: f64 = (0..size).map(|at| self.matrix[at * size + at]).sum();
        let unit = if trace > self.rounding { 1.0 / trace } else { 0.0 };
        for row in self.matrix.chunks_exact(size) {
            part.extend(row.iter().map(|value| (unit * value) as f32));
            part.resize(part.len().next_multiple_of(LANES), 0.0);
        }
    }
}

/// Some neighborhoods, and where the pulls of their members go.
struct Task<'a, const D: usize, M> {
    /// The members of a neighborhood.
    members: M,
    places: &'a [[f32; D]],
    usual: f64,
    range: Range<usize>,
    grams: &'a [f32],
    pulls: &'a mut [[f32; D]],
}

impl<'m, const D: usize, M: Fn(usize) -> &'m [u32]> pulp::WithSimd for Task<'_, D, M> {
    /// The sum of R_C, and over how many.
    type Output = (f64, usize);

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> (f64, usize) {
        let Self { members, places, usual, range, grams, pulls } = self;
        let (mut gram, mut first, mut sum, mut counted) = (0, 0, 0.0, 0);
        let mut lists: [Vec<f32>; D] = std::array::from_fn(|_| Vec::new());
        let mut images: [Vec<f32>; D] = std::array::from_fn(|_| Vec::new());
        for index in range {
            let members = members(index);
            let (size, stride) = (members.len(), members.len().next_multiple_of(LANES));
            let (matrix, pulls) = (&grams[gram..gram + size * stride], &mut pulls[first..first + size]);
            if (0..size).any(|at| matrix[at * stride + at] > 0.0) {
                let square = gather(members, places, stride, &mut lists);
                multiply(matrix, stride, &lists, &mut images);
                sum += pull(square, usual, &lists, &images, pulls);
                counted += 1;
            } else {
                pulls.fill([0.0; D]);
            }
            (gram, first) = (gram + size * stride, first + size);
        }
        (sum, counted)
    }
}

/// Writes H Y, axis by axis, and gives |H Y|^2.
#[inline(always)]
fn gather<const D: usize>(members: &[u32], places: &[[f32; D]], stride: usize, lists: &mut [Vec<f32>; D]) -> f64 {
    let mut square = 0.0;
    for (axis, list) in lists.iter_mut().enumerate() {
        list.clear();
        list.resize(stride, 0.0);
        let mut mean = 0.0;
        for (value, &member) in list.iter_mut().zip(members) {
            *value = places[member as usize][axis];
            mean += *value;
        }
        mean /= members.len() as f32;
        for value in &mut list[..members.len()] {
            *value -= mean;
            square += f64::from(*value * *value);
        }
    }
    square
}

/// Writes K Y, axis by axis.
#[inline(always)]
fn multiply<const D: usize>(gram: &[f32], stride: usize, lists: &[Vec<f32>; D], images: &mut [Vec<f32>; D]) {
    for (list, image) in lists.iter().zip(images) {
        image.clear();
        image.resize(stride, 0.0);
        for (row, &value) in gram.chunks_exact(stride).zip(list) {
            for (to, from) in image.as_chunks_mut::<LANES>().0.iter_mut().zip(row.as_chunks::<LANES>().0) {
                for lane in 0..LANES {
                    to[lane] += value * from[lane];
                }
            }
        }
    }
}

/// Writes the gradient of R_C by each member, and gives R_C; zero and 1 where the map has no extent there.
#[inline(always)]
fn pull<const D: usize>(
    square: f64,
    usual: f64,
    lists: &[Vec<f32>; D],
    images: &[Vec<f32>; D],
    pulls: &mut [[f32; D]],
) -> f64 {
    let mut matrix = [[0.0; D]; D];
    for (row, image) in matrix.iter_mut().zip(images) {
        for (cell, list) in row.iter_mut().zip(lists) {
            *cell = image.iter().zip(list).map(|(image, value)| f64::from(image * value)).sum();
        }
    }
    let (trace, inverse) = roots(matrix);
    if !(square > 0.0 && trace > 0.0) {
        pulls.fill([0.0; D]);
        return 1.0;
    }
    let unit = usual * square / ((usual + square) * 2.0 * pulls.len() as f64);
    let (out, back) = ((unit * 2.0 * trace * trace / (square * square)) as f32, unit * 2.0 * trace / square);
    let turn = inverse.map(|row| row.map(|cell| (back * cell) as f32));
    for (member, pull) in pulls.iter_mut().enumerate() {
        for (axis, pull) in pull.iter_mut().enumerate() {
            *pull = out * lists[axis][member];
            for (turn, image) in turn[axis].iter().zip(images) {
                *pull -= turn * image[member];
            }
        }
    }
    1.0 - trace * trace / square
}
