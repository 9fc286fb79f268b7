//! Coordinated principal component analyzers: local models that keep angles, with one scale each, and agree on coordinates.
//!
//! The model and the bound are those of `coordination/mod.rs` with M_s = a_s Q_s, Q_s'Q_s = I, Psi_s = s_s^2 I and V_s =
//! v_s I, so that data given s have one variance outside the plane of Q_s and one within it. For the weighted moments of
//! `coordination/analyzer.rs` the bound is greatest at
//! v_s = tr(C_gg) / d, Q_s = U W' where C_xg = U D W', a_s = tr(D) / (d v_s), s_s^2 = (tr(C_xx) - a_s^2 d v_s) / q:
//! the sum over w_n of |x - mu - a Q (g - kappa)|^2 is tr(C_xx) - 2 a tr(Q'C_xg) + a^2 tr(C_gg), greatest tr(Q'C_xg) is
//! tr(D), and the rest is a parabola in a. P_s is a multiple of the identity, and so is Sigma_n. Verbeek, Vlassis and
//! Krose, "Coordinating principal component analyzers" (2002). Cost: `coordination/mod.rs`.
//!
//! When it fails: a start that is folded or bent stays so; where the surface cannot be flat, scales change from place to
//! place; analyzers wider than the bends of the surface cut them short.
//!
//! Differs from the paper: it begins at a spectral map, and a point may be explained only by analyzers around it on the
//! neighborhood graph.

use super::coordination::{Analysis, Bounds, CoordinationStart, Moments, Parameters, Settings};
use super::global_coordination::PARAMETERS;
use super::{EmbedderInfo, GraphUse, Recipe};
use crate::linalg::Polar;
use crate::{Fit, Points, Problem, Result};
use serde::{Deserialize, Serialize};

/// Coordinated principal component analyzers.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::CoordinatedPca, fit, measure};
///
/// let run = Run::new();
/// let curve = dataset::find("s-curve")?.sample(&Request::new().with_points(600))?;
/// let neighborhoods = Neighborhoods::nearest(&curve.points, 12, &run)?;
/// let problem = Problem::new(&curve.points, &neighborhoods, 2)?;
/// let embedding = fit(&CoordinatedPca::default(), &problem, Pieces::Error, &run)?;
/// let r_c = &measure::evaluate(&curve.points, &embedding.points, &neighborhoods, &["r_c"])?[0];
/// assert!(r_c.value < 0.1);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CoordinatedPca {
    /// The number of analyzers. None is one for 8 (d + 1) points, at most 200.
    pub analyzers: Option<usize>,
    /// The map in which it begins.
    pub start: CoordinationStart,
    /// The most sweeps over the points.
    pub iterations: usize,
    /// The least gain of the mean bound of a point, at which the sweeps end.
    pub tolerance: f64,
}

impl Default for CoordinatedPca {
    fn default() -> Self {
        Self { analyzers: None, start: CoordinationStart::default(), iterations: 300, tolerance: 1e-4 }
    }
}

impl CoordinatedPca {
    fn settings(&self) -> Settings {
        let Self { analyzers, start, iterations, tolerance } = *self;
        Settings { analyzers, start, iterations, tolerance }
    }
}

impl Recipe for CoordinatedPca {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "coordinated-pca",
        title: "Coordinated principal component analyzers",
        summary: "principal planes around landmarks, each with its own scale, made to agree by a bound of the likelihood",
        metric_scale: true,
        graph: GraphUse::Components,
        default: false,
        cost: "that of the start, a shortest-path search per analyzer, and time a n q d a sweep for a analyzers around a point",
        parameters: PARAMETERS,
    };

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        coordinates(problem)?;
        self.settings().check(problem)
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        self.settings().coordinate(problem, coordinates(problem)?, &Scaled, fit)
    }
}

fn coordinates<'a>(problem: &Problem<'a>) -> Result<&'a Points> {
    problem.coordinates(
        "coordinated-pca fits models of coordinates, and distances alone have none",
        "use llc, which aligns local models of distances",
    )
}

/// Analyzers that keep angles.
pub(super) struct Scaled;

impl Analysis for Scaled {
    fn fitted(&self, moments: &Moments, bounds: &Bounds) -> Parameters {
        let (dim, width) = (moments.within.len().isqrt(), moments.squares.len());
        let trace: f64 = (0..dim).map(|at| moments.within[at * (dim + 1)]).sum();
        let variance = (trace / dim as f64).max(bounds.spread);
        let by_columns: Vec<f64> = (0..width * dim).map(|at| moments.cross[at % width * dim + at / width]).collect();
        let mut polar = Polar::default();
        polar.decompose(&by_columns, width, dim);
        let scale = polar.trace() / (dim as f64 * variance);
        let map = (0..width * dim).map(|at| scale * polar.factor()[at % dim * width + at / dim]).collect();
        let all: f64 = moments.squares.iter().sum();
        let least = bounds.noise.iter().sum::<f64>() / width as f64;
        let rest = (all - 2.0 * scale * polar.trace() + scale * scale * trace) / width as f64;
        let mut spread = vec![0.0; dim * dim];
        (0..dim).for_each(|at| spread[at * (dim + 1)] = variance);
        Parameters { map, noise: vec![rest.max(least); width], spread }
    }
}
