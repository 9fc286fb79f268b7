//! The penalty on distant points that are embedded as near as neighbors: P = mean over i of the sum over j
//! of (1 - |y_i - y_j| / (1.25 r_i))^2, over the points j nearer than 1.25 r_i and at least s steps away on the graph.
//!
//! Measures of single neighborhoods do not notice a sheet that lies on itself; this does. Goldberg and Ritov suggest such
//! a penalty in their discussion, for pairs at least s apart on the neighborhood graph, and leave its form open. Here
//! distant means the same as for the measure collapse, and r_i is the median embedded distance from y_i to its own
//! neighbors, so that P does not change with the scale of Y. The measure counts the pairs nearer than r_i; pushing begins
//! farther out, so that sheets that end up next to each other are not counted. Two points in the same place have no
//! direction in which to separate; other points move them. Cost: a search around every point, and a walk of s - 1 steps
//! around those with a distant point nearby; of each search at most [`MOST_NEAR`] points are used.

use super::sweep::Slope;
use crate::graph::{BallCount, LengthGraph, LocalRadius, Radius, StepBall};
use crate::linalg::{add_scaled, distance, squared_distance};
use crate::measure::Options;
use crate::{Neighborhoods, Points, Result, Run};

/// Where pushing begins, in local radii.
const REACH: f64 = 1.25;

/// The most near points that are used around each.
const MOST_NEAR: usize = 256;

/// The penalty of one neighborhood graph.
pub(super) struct Penalty<'a> {
    neighborhoods: &'a Neighborhoods,
    graph: &'a LengthGraph,
    steps: usize,
    weight: f64,
}

/// What a task found: its part of the sum, and pushes of single rows.
#[derive(Default)]
struct Task {
    sum: f64,
    rows: Vec<u32>,
    pushes: Vec<f64>,
    ball: StepBall,
    local: LocalRadius,
    inside: Vec<u32>,
}

impl<'a> Penalty<'a> {
    pub(super) fn new(neighborhoods: &'a Neighborhoods, graph: &'a LengthGraph, weight: f64) -> Self {
        Self { neighborhoods, graph, steps: Options::default().steps, weight }
    }

    /// Adds `unit` times the weighted penalty of `y` and its slope, where the slope is that of a mean over `counted`.
    pub(super) fn add(&self, y: &Points, counted: f64, unit: f64, slope: &mut Slope, run: &Run) -> Result<()> {
        let tree = BallCount::new(y);
        // At most 64 parts, as each may mark the points it has met in a list of all.
        let size = y.len().div_ceil(64).max(256);
        let tasks = run.chunks("collapsed pairs", y.len(), size, |range| {
            let mut task = Task::default();
            range.for_each(|point| task.visit(self, &tree, y, point));
            Ok(task)
        })?;
        let (dim, weight) = (y.dim(), unit * self.weight);
        for task in &tasks {
            slope.penalty += task.sum / counted;
            for (&row, push) in task.rows.iter().zip(task.pushes.chunks_exact(dim)) {
                add_scaled(&mut slope.downhill[row as usize * dim..][..dim], weight, push);
            }
        }
        slope.value += weight * slope.penalty;
        Ok(())
    }
}

impl Task {
    fn visit(&mut self, penalty: &Penalty<'_>, tree: &BallCount, y: &Points, point: usize) {
        let neighbors = penalty.neighborhoods.neighbors(point);
        let Some(radius) = self.local.find(y, point, neighbors) else { return };
        let radius = Radius { length: REACH * radius.length, ..radius };
        tree.list(y.row(point), |square| radius.holds(square), MOST_NEAR, &mut self.inside);
        let ends = penalty.graph.ends(point);
        self.inside.retain(|row| *row != point as u32 && ends.binary_search(row).is_err());
        if self.inside.is_empty() {
            return;
        }
        self.ball.around(penalty.graph, point, penalty.steps);
        let ball = &self.ball;
        self.inside.retain(|&row| !ball.met(point, row));
        // The tree has an order of its own, and sums should not depend on it.
        self.inside.sort_unstable();
        let mut narrowing = 0.0;
        let inside = std::mem::take(&mut self.inside);
        for &other in &inside {
            let length = distance(y.row(point), y.row(other as usize));
            if length == 0.0 {
                self.sum += 1.0;
                continue;
            }
            let nearness = 1.0 - length / radius.length;
            self.sum += nearness * nearness;
            self.push(y, point as u32, other, nearness / radius.length);
            narrowing += nearness * length / (radius.length * radius.length);
        }
        self.narrow(y, point as u32, &radius, REACH * narrowing);
        self.inside = inside;
    }

    /// Pushes two points away from each other.
    fn push(&mut self, y: &Points, one: u32, other: u32, force: f64) {
        let (from, to) = (y.row(other as usize), y.row(one as usize));
        let scale = force / distance(from, to);
        self.rows.push(one);
        self.pushes.extend(to.iter().zip(from).map(|(to, from)| scale * (to - from)));
        self.rows.push(other);
        self.pushes.extend(to.iter().zip(from).map(|(to, from)| scale * (from - to)));
    }

    /// A smaller radius holds less: draws in the neighbors that determine it.
    fn narrow(&mut self, y: &Points, point: u32, radius: &Radius, force: f64) {
        if force > 0.0 {
            for middle in radius.middle {
                if squared_distance(y.row(point as usize), y.row(middle as usize)) > 0.0 {
                    self.push(y, point, middle, -0.5 * force);
                }
            }
        }
    }
}
