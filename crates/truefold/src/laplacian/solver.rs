//! The solver of the closed form, L Y = B with L = sum_i w_i H_i.
//!
//! Conjugate gradients on L, which is never stored, preconditioned by a factor of it: the exact Cholesky factor for
//! small problems; beyond, groups of points, approximate elimination where these do not serve, or the diagonal alone where the
//! neighborhoods of many dimensions reach every point in a few steps. Unless a solve is rough, the residual is recomputed from the values returned.
//! The factor is kept across changes of the weights as long as that pays (see [`LaplacianSolver::reweight`]). The paper's
//! equation for Y in PSA and in refinement. Cost: see `docs/solver.md`. When it fails: [`LaplacianSolver::solve`].

use super::conjugate_gradient::{Limits, LinearSystem, Preconditioner, conjugate_gradient};
use super::factor::Factor;
use super::matrix::Coefficients;
use super::memberships::Memberships;
use super::right_hand_side::right_hand_side;
use super::weights::{Weights, spread};
use crate::error::{Advice, Bound, Name};
use crate::linalg::dot;
use crate::memory::{Need, release};
use crate::points::first_not_finite;
use crate::{Error, Neighborhoods, Result, Run};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU32, Ordering};

/// The most steps of a solve.
const STEPS: usize = 1_000;
/// The most steps of a rough solve.
const ROUGH_STEPS: usize = 60;
/// A residual above this is an error, unless the solve is rough.
const USEFUL: f64 = 1e-3;
/// The factor is recomputed when a change of weights may worsen the condition by more than this.
const SPREAD: f64 = 16.0;

/// How the Laplacian is factored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// The exact factor for small problems, an approximate one beyond.
    #[default]
    Auto,
    /// The exact sparse factor, whatever its memory.
    Cholesky,
    /// Groups of points or approximate elimination, or neither where the diagonal is enough.
    Iterative,
}

/// How much is done for factors and solves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// For many digits, or for many solves with one factor.
    Full,
    /// For few solves to few digits: groups of points are not tried before they are used, and a solve that takes long ends early,
    /// as near as it is.
    Rough,
}

impl Effort {
    fn limits(self, tolerance: f64) -> Limits {
        match self {
            Self::Full => Limits::new(tolerance, STEPS),
            Self::Rough => Limits::new(tolerance, ROUGH_STEPS).carried(),
        }
    }

    fn factor(
        self,
        memberships: &Memberships<'_>,
        (coefficients, weights): (&Coefficients, &[f64]),
        (strategy, seed): (Strategy, u64),
        run: &Run,
    ) -> Result<Factor> {
        let new = match self {
            Self::Full => Factor::new,
            Self::Rough => Factor::rough,
        };
        new(memberships, coefficients, weights, strategy, seed, run)
    }
}

/// The solution of a Laplacian system.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// One row per point; each column has mean zero in each connected component.
    pub values: Vec<f64>,
    /// The steps taken.
    pub iterations: usize,
    /// The largest relative residual of a column, computed from `values`, each point scaled by its diagonal entry:
    /// |B - L Y| / |B| with |r|^2 = sum_j r_j^2 / L_jj.
    pub residual: f64,
}

/// A factored Laplacian of neighborhoods, sum_i w_i H_i, for any number of right-hand sides.
///
/// ```
/// use truefold::laplacian::{LaplacianSolver, Strategy, Weights};
/// use truefold::{Neighborhoods, Points, Run};
///
/// let run = Run::new();
/// let points = Points::new(5, 1, vec![-3.0, -1.0, 0.0, 1.0, 3.0])?;
/// let neighborhoods = Neighborhoods::nearest(&points, 2, &run)?;
/// let solver = LaplacianSolver::new(&neighborhoods, Weights::Uniform, Strategy::Auto, 0, &run)?;
///
/// // Every neighborhood asks for its own points as they are, so the solution is the points.
/// let rhs = solver.right_hand_side(1, |index, target| {
///     for (row, &member) in target.iter_mut().zip(neighborhoods.members(index)) {
///         *row = points.row(member as usize)[0];
///     }
/// }, &run)?;
/// let solution = solver.solve(&rhs, 1, None, 1e-12, &run)?;
/// assert!(solution.values.iter().zip(points.values()).all(|(y, x)| (y - x).abs() < 1e-10));
/// assert_eq!(solver.strategy(), Strategy::Cholesky);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug)]
pub struct LaplacianSolver<'a> {
    neighborhoods: &'a Neighborhoods,
    memberships: Memberships<'a>,
    /// In the solver's numbering, like everything below.
    weights: Vec<f64>,
    coefficients: Coefficients,
    strategy: Strategy,
    seed: u64,
    effort: Effort,
    pub(super) factor: Factor,
    /// The weights of the factor.
    factored: Vec<f64>,
    /// Hundredths of a step per digit of the residual: with the factor's own weights, and in the last solve.
    fresh_pace: AtomicU32,
    last_pace: AtomicU32,
}

impl<'a> LaplacianSolver<'a> {
    /// Factors the Laplacian of `neighborhoods`; the same seed gives the same bits on any number of threads.
    pub fn new(
        neighborhoods: &'a Neighborhoods,
        weights: Weights,
        strategy: Strategy,
        seed: u64,
        run: &Run,
    ) -> Result<Self> {
        Self::with(neighborhoods, weights, (strategy, seed), Effort::Full, run)
    }

    /// The same with this effort for factors and solves.
    pub(crate) fn with(
        neighborhoods: &'a Neighborhoods,
        weights: Weights,
        (strategy, seed): (Strategy, u64),
        effort: Effort,
        run: &Run,
    ) -> Result<Self> {
        let given = weights.into_checked(neighborhoods.len())?;
        run.check()?;
        check_memory(neighborhoods)?;
        let memberships = Memberships::new(neighborhoods, neighborhoods.components());
        let mut weights = vec![0.0; given.len()];
        run.install(|| memberships.inward(&mut weights, &given, 1));
        let coefficients = run.install(|| Coefficients::new(&memberships, &weights));
        let factor = effort.factor(&memberships, (&coefficients, &weights), (strategy, seed), run)?;
        release(16 * neighborhoods.memberships());
        Ok(Self {
            neighborhoods,
            memberships,
            factored: weights.clone(),
            weights,
            coefficients,
            strategy,
            seed,
            effort,
            factor,
            fresh_pace: AtomicU32::new(0),
            last_pace: AtomicU32::new(0),
        })
    }

    /// B = sum_i w_i H_i T_i for n x `columns` unknowns, with the solver's weights.
    ///
    /// `fill` writes T_i for neighborhood i: one row per member, in the order of the neighborhood's list.
    pub fn right_hand_side(
        &self,
        columns: usize,
        fill: impl Fn(usize, &mut [f64]) + Sync,
        run: &Run,
    ) -> Result<Vec<f64>> {
        check_columns(columns)?;
        right_hand_side(self.neighborhoods, &self.memberships, &self.weights, columns, fill, run)
    }

    /// Solves L Y = B for all columns of `rhs` at once, from `start` where one is given.
    ///
    /// B and Y hold one row of `columns` numbers per point. What is constant on a component of B, which L cannot
    /// produce, is dropped. A residual above `tolerance` is reported in the solution; it is [`Error::Solver`] only
    /// above 1e-3 (or above `tolerance` if that is larger), where the values would be of no use.
    pub fn solve(
        &self,
        rhs: &[f64],
        columns: usize,
        start: Option<&[f64]>,
        tolerance: f64,
        run: &Run,
    ) -> Result<Solution> {
        check_columns(columns)?;
        if !(tolerance > 0.0 && tolerance < 1.0) {
            let advice = Advice::change("tolerance", "1e-8 suits most uses");
            return Err(Error::parameter("tolerance", tolerance, Bound::Between(0.0, 1.0), advice));
        }
        let inside = run.install(|| self.inside("right-hand side", rhs, columns))?;
        let mut values = match start {
            Some(start) => run.install(|| self.inside("start", start, columns))?,
            None => vec![0.0; rhs.len()],
        };
        let laplacian = self.coefficients.laplacian(&self.memberships);
        let limits = self.effort.limits(tolerance);
        let system = LinearSystem { operator: &laplacian, preconditioner: &self.factor, rhs: &inside, columns };
        let reached = conjugate_gradient(&system, &mut values, limits, run)?;
        let is_of_use = match self.effort {
            Effort::Full => reached.residual <= tolerance.max(USEFUL),
            // Each step lowers the energy Y'LY / 2 - B'Y in exact arithmetic; what gained nothing is rounding.
            Effort::Rough => {
                reached.residual <= tolerance || (reached.residual.is_finite() && dot(&inside, &values) > 0.0)
            }
        };
        if !is_of_use {
            return Err(Error::Solver {
                task: "the Laplacian solve".into(),
                reached: reached.residual,
                wanted: tolerance,
                advice: Box::new(Advice::change(
                    Name::setting("solver"),
                    "use weights that differ less, or {set solver=cholesky}",
                )),
            });
        }
        let digits = (reached.first / reached.residual.max(1e-16)).log10();
        if reached.steps > 0 && digits > 0.0 {
            let pace = (100.0 * reached.steps as f64 / digits).min(1e9) as u32;
            self.last_pace.store(pace, Ordering::Relaxed);
            if self.weights == self.factored {
                self.fresh_pace.store(pace, Ordering::Relaxed);
            }
        }
        let mut outside = inside;
        run.install(|| self.memberships.outward(&mut outside, &values, columns));
        Ok(Solution { values: outside, iterations: reached.steps, residual: reached.residual })
    }

    /// Takes other weights, and returns whether the factor was recomputed for them.
    ///
    /// The old factor stays the preconditioner while it is good enough: it is recomputed when the ratios of new weights
    /// to those of the factor differ by more than a factor of 16 (steps grow at most by the root of that), or when the
    /// last solve took more than one step plus twice the steps per digit that the factor needs for its own weights.
    pub fn reweight(&mut self, weights: Weights, run: &Run) -> Result<bool> {
        let given = weights.into_checked(self.neighborhoods.len())?;
        run.install(|| {
            self.memberships.inward(&mut self.weights, &given, 1);
            self.coefficients = Coefficients::new(&self.memberships, &self.weights);
        });
        let (fresh, last) = (self.fresh_pace.load(Ordering::Relaxed), self.last_pace.load(Ordering::Relaxed));
        let slow = fresh > 0 && last > 2 * fresh + 100;
        if !slow && spread(&self.weights, &self.factored) <= SPREAD {
            return Ok(false);
        }
        let (strategy, seed) = (self.strategy, self.seed);
        self.factor = match &self.factor {
            Factor::Diagonal(_) if !slow => Factor::diagonal(&self.memberships, &self.coefficients),
            _ => {
                let matrix = (&self.coefficients, &self.weights[..]);
                self.effort.factor(&self.memberships, matrix, (strategy, seed), run)?
            }
        };
        self.factored.clone_from(&self.weights);
        self.fresh_pace.store(0, Ordering::Relaxed);
        self.last_pace.store(0, Ordering::Relaxed);
        Ok(true)
    }

    /// The strategy that made the factor, never [`Strategy::Auto`].
    pub fn strategy(&self) -> Strategy {
        match &self.factor {
            Factor::Exact(_) => Strategy::Cholesky,
            Factor::Approximate(_) | Factor::Grouped(_) | Factor::Diagonal(_) => Strategy::Iterative,
        }
    }

    /// The bytes that the solver holds, but for what an exact factor takes.
    pub fn bytes(&self) -> usize {
        let factor = match &self.factor {
            Factor::Exact(_) => 0,
            Factor::Approximate(factor) => factor.bytes(),
            Factor::Grouped(factor) => factor.bytes(),
            Factor::Diagonal(inverse) => size_of_val(&inverse[..]),
        };
        self.memberships.bytes() + factor + 5 * size_of_val(&self.weights[..])
    }

    /// Checks a block in the caller's numbering, renumbers it and subtracts the mean of each component.
    fn inside(&self, name: &str, values: &[f64], columns: usize) -> Result<Vec<f64>> {
        let count = self.memberships.len();
        if Some(values.len()) != count.checked_mul(columns) {
            return Err(Error::data(
                format!("the {name} has {} numbers for {count} points of {columns} columns", values.len()),
                Advice::mend_data("give one row per point"),
            ));
        }
        if let Some(at) = first_not_finite(values) {
            let problem = format!("the {name} of the positions is {} at point {}", values[at], at / columns + 1);
            let advice =
                Advice::mend_data("give finite numbers, rescale the data, or remove points that are far from all");
            return Err(Error::data(problem, advice));
        }
        let mut inside = vec![0.0; values.len()];
        self.memberships.inward(&mut inside, values, columns);
        self.memberships.center(&mut inside, columns);
        Ok(inside)
    }
}

/// The factor in the caller's numbering, as preconditioner of operators that are close to L.
impl Preconditioner for LaplacianSolver<'_> {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, scratch: &mut Vec<f64>) {
        if self.memberships.is_as_given() {
            self.factor.apply(input, output, columns, scratch);
            return;
        }
        let mut inside = vec![0.0; input.len()];
        self.memberships.inward(&mut inside, input, columns);
        self.factor.apply(&inside, output, columns, scratch);
        inside.copy_from_slice(output);
        self.memberships.outward(output, &inside, columns);
    }
}

/// An error if the memberships in both directions, and the weights with what is made of them, need more memory than there is.
fn check_memory(neighborhoods: &Neighborhoods) -> Result<()> {
    // Where each list begins; the weights given, those inside, those of the factor, and three numbers made of them.
    let (lists, numbers) = (size_of::<usize>() as f64, 6.0 * size_of::<f64>() as f64);
    let entry = size_of::<u32>() as f64;
    let need = if neighborhoods.is_near() {
        Need::of(lists + numbers, entry)
    } else {
        // The members once more in another order, and that order both ways.
        Need::of(2.0 * (lists + entry) + numbers, 2.0 * entry)
    };
    let points = neighborhoods.len();
    need.check(format!("positions of {points} points"), (points, neighborhoods.memberships()))
}

fn check_columns(columns: usize) -> Result<()> {
    if columns > 0 {
        return Ok(());
    }
    let advice = Advice::change("columns", "solve for at least one column");
    Err(Error::parameter("columns", columns, Bound::AtLeast(1.0), advice))
}
