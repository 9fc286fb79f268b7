//! Global coordination: a mixture of factor analyzers whose inner coordinates agree.
//!
//! The model and the bound are those of `coordination/mod.rs` with nothing in M_s, V_s and the diagonal Psi_s fixed:
//! M_s = C_xg C_gg^-1, V_s = C_gg, Psi_s = diag(C_xx - M_s C_gx) for the weighted moments of `coordination/analyzer.rs`.
//! With loadings L_s, x = mu_s + L_s z, and g = kappa_s + A_s z this is M_s = L_s A_s^-1, V_s = A_s A_s'. The bound is the
//! same for any linear map of g, so Y is stretched until the M_s keep lengths on average. One analyzer is factor
//! analysis. Roweis, Saul and Hinton, "Global coordination of local linear models" (2002). Cost: `coordination/mod.rs`.
//!
//! When it fails: a start that is folded or bent stays so, since analyzers follow it; analyzers wider than the bends of the
//! surface cut them short.
//!
//! Differs from the paper: it begins at a spectral map, not at random, and a point may be explained only by analyzers around
//! it on the neighborhood graph; M_s and V_s stand for L_s and A_s.

use super::coordination::{Analysis, Bounds, CoordinationStart, Moments, Parameters, Settings, rebuilt};
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::linalg::{SymmetricEigen, dot};
use crate::{Fit, Points, Problem, Result};
use serde::{Deserialize, Serialize};

/// Global coordination of factor analyzers.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::GlobalCoordination, fit, measure};
///
/// let run = Run::new();
/// let curve = dataset::find("s-curve")?.sample(&Request::new().with_points(600))?;
/// let neighborhoods = Neighborhoods::nearest(&curve.points, 12, &run)?;
/// let problem = Problem::new(&curve.points, &neighborhoods, 2)?;
/// let embedding = fit(&GlobalCoordination::default(), &problem, Pieces::Error, &run)?;
/// let r_a = &measure::evaluate(&curve.points, &embedding.points, &neighborhoods, &["r_a"])?[0];
/// assert!(r_a.value < 0.1);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GlobalCoordination {
    /// The number of analyzers. None is one for 8 (d + 1) points, at most 200.
    pub analyzers: Option<usize>,
    /// The map in which it begins.
    pub start: CoordinationStart,
    /// The most sweeps over the points.
    pub iterations: usize,
    /// The least gain of the mean bound of a point, at which the sweeps end.
    pub tolerance: f64,
}

impl Default for GlobalCoordination {
    fn default() -> Self {
        Self { analyzers: None, start: CoordinationStart::default(), iterations: 300, tolerance: 1e-4 }
    }
}

impl GlobalCoordination {
    fn settings(&self) -> Settings {
        let Self { analyzers, start, iterations, tolerance } = *self;
        Settings { analyzers, start, iterations, tolerance }
    }
}

/// The parameters of both coordinations.
pub(super) const PARAMETERS: &[ParameterInfo] = &[
    ParameterInfo::new(
        "analyzers",
        &[Values::Whole(1, usize::MAX), Values::Null],
        "the number of local models; null is one per 8 (dim + 1) points, at most 200",
    ),
    ParameterInfo::new("start", &[Values::Names(CoordinationStart::NAMES)], "the map in which it begins"),
    ParameterInfo::new("iterations", &[Values::Whole(2, usize::MAX)], "the most sweeps over the points"),
    ParameterInfo::new(
        "tolerance",
        &[Values::Above(0.0)],
        "ends where a sweep raises the mean bound of the log-likelihood of a point by less",
    ),
];

impl Recipe for GlobalCoordination {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "global-coordination",
        title: "Global coordination of local linear models",
        summary: "factor analyzers around landmarks whose coordinates are made to agree by a bound of the likelihood",
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
        self.settings().coordinate(problem, coordinates(problem)?, &Free, fit)
    }
}

fn coordinates<'a>(problem: &Problem<'a>) -> Result<&'a Points> {
    problem.coordinates(
        "global-coordination fits models of coordinates, and distances alone have none",
        "use llc, which aligns local models of distances",
    )
}

/// Analyzers of which nothing is fixed.
pub(super) struct Free;

impl Analysis for Free {
    fn fitted(&self, moments: &Moments, bounds: &Bounds) -> Parameters {
        let dim = moments.within.len().isqrt();
        let mut eigen = SymmetricEigen::default();
        eigen.decompose(&moments.within, dim);
        let least = |at: usize| eigen.values()[at].max(bounds.spread);
        let (spread, inverse) = (rebuilt(&eigen, dim, least), rebuilt(&eigen, dim, |at| 1.0 / least(at)));
        let mut map = Vec::with_capacity(moments.cross.len());
        let mut noise = Vec::with_capacity(moments.squares.len());
        for ((cross, square), least) in moments.cross.chunks_exact(dim).zip(&moments.squares).zip(&bounds.noise) {
            let row: Vec<f64> = inverse.chunks_exact(dim).map(|inverse| dot(inverse, cross)).collect();
            let explained: f64 =
                moments.within.chunks_exact(dim).zip(&row).map(|(within, a)| a * dot(within, &row)).sum();
            noise.push((square - 2.0 * dot(&row, cross) + explained).max(*least));
            map.extend(row);
        }
        Parameters { map, noise, spread }
    }
}
