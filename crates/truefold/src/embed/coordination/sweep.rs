//! One sweep: the parameters of all analyzers, then the global coordinates, then which analyzer explains what.
//!
//! With P_s = V_s^-1 + M_s'Psi_s^-1 M_s and m_ns the mean of g given x_n and s, the best g_n and Sigma_n are
//! Sigma_n^-1 = sum_s q_ns P_s, g_n = Sigma_n sum_s q_ns P_s m_ns, and the best q_ns ~ exp(e_ns), sum_s q_ns = 1, with
//! e_ns = log p(x_n, s) + (log |P_s| - (g_n - m_ns)'P_s (g_n - m_ns) - tr(P_s Sigma_n)) / 2. The bound of a point is
//! sum_s q_ns (e_ns - log q_ns) + (log |Sigma_n| + d) / 2. Each step is the best one for what the others are, so the bound
//! never falls.

use super::State;
use super::analyzer::{Analysis, Analyzer, Bounds, analyze, inverted};
use super::memberships::Memberships;
use crate::linalg::{SymmetricEigen, add_scaled, dot};
use crate::{Result, Run};
use std::ops::Range;

/// Points per task.
const CHUNK: usize = 512;

/// Whether points may go over to other analyzers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shares {
    /// As the cover of the graph gives them.
    Held,
    /// The best for the bound.
    Free,
}

/// The data and the analyzers of a coordination.
pub(super) struct Coordination<'a> {
    /// The points about their mean, n rows of q numbers.
    pub(super) values: &'a [f64],
    pub(super) width: usize,
    pub(super) memberships: &'a Memberships,
    pub(super) bounds: Bounds,
}

/// What a sweep gives.
pub(super) struct Swept {
    pub(super) state: State,
    /// The mean bound of a point.
    pub(super) bound: f64,
    /// sum_s p_s M_s'M_s.
    pub(super) metric: Vec<f64>,
}

impl Coordination<'_> {
    /// The analyzers that fit a state best.
    pub(super) fn analyzers(&self, state: &State, analysis: &dyn Analysis, run: &Run) -> Result<Vec<Analyzer>> {
        let data = (self.values, self.width);
        let fitted = run.chunks("analyzers", self.memberships.analyzers(), 1, |range| {
            Ok(analyze(range.start, self.memberships, data, state, analysis, &self.bounds))
        })?;
        Ok(fitted)
    }

    /// One sweep from a state.
    pub(super) fn sweep(&self, state: &State, analysis: &dyn Analysis, shares: Shares, run: &Run) -> Result<Swept> {
        let analyzers = self.analyzers(state, analysis, run)?;
        let metric = metric_of(&analyzers, state.dim);
        // The slots of an analyzer are numbered from its first.
        let mut firsts = vec![0];
        firsts.extend(analyzers.iter().enumerate().scan(0, |sum, (index, _)| {
            *sum += self.memberships.of_analyzer(index).count();
            Some(*sum)
        }));
        let count = self.memberships.points();
        let parts = run
            .chunks("coordinates", count, CHUNK, |range| Ok(self.placed(range, state, &analyzers, &firsts, shares)))?;
        let mut next = State { coordinates: Vec::new(), uncertainty: Vec::new(), shares: Vec::new(), dim: state.dim };
        let mut bound = 0.0;
        for (part, some) in parts {
            next.coordinates.extend(part.coordinates);
            next.uncertainty.extend(part.uncertainty);
            next.shares.extend(part.shares);
            bound += some;
        }
        Ok(Swept { state: next, bound: bound / count as f64, metric })
    }

    /// The coordinates and shares of some points, and the sum of their bounds.
    fn placed(
        &self,
        range: Range<usize>,
        state: &State,
        analyzers: &[Analyzer],
        firsts: &[usize],
        shares: Shares,
    ) -> (State, f64) {
        let dim = state.dim;
        let mut part = State { coordinates: Vec::new(), uncertainty: Vec::new(), shares: Vec::new(), dim };
        let (mut eigen, mut precision, mut pull) = (SymmetricEigen::default(), vec![0.0; dim * dim], vec![0.0; dim]);
        let (mut gains, mut sum) = (Vec::new(), 0.0);
        for point in range {
            let places =
                self.memberships.of_point(point).filter(|&(_, owner, _)| !analyzers[owner].evidence.is_empty());
            precision.fill(0.0);
            pull.fill(0.0);
            for (place, owner, slot) in places.clone() {
                let (own, mean) = (&analyzers[owner].precision, analyzers[owner].mean(slot - firsts[owner], dim));
                add_scaled(&mut precision, state.shares[place], own);
                for (pull, row) in pull.iter_mut().zip(own.chunks_exact(dim)) {
                    *pull += state.shares[place] * dot(row, mean);
                }
            }
            let (uncertainty, log_precision) = inverted(&precision, dim, &mut eigen);
            let at: Vec<f64> = uncertainty.chunks_exact(dim).map(|row| dot(row, &pull)).collect();
            gains.clear();
            gains.extend(
                self.memberships
                    .of_point(point)
                    .map(|(_, owner, slot)| analyzers[owner].gain(slot - firsts[owner], &at, &uncertainty)),
            );
            let before = self.memberships.of_point(point).map(|(place, _, _)| state.shares[place]);
            sum += match shares {
                Shares::Held => {
                    part.shares.extend(before.clone());
                    before.zip(&gains).filter(|(q, _)| *q > 0.0).map(|(q, gain)| q * (gain - q.ln())).sum::<f64>()
                }
                Shares::Free => {
                    let most = gains.iter().fold(f64::NEG_INFINITY, |most, gain| most.max(*gain));
                    let total: f64 = gains.iter().map(|gain| (gain - most).exp()).sum();
                    part.shares.extend(gains.iter().map(|gain| (gain - most).exp() / total));
                    most + total.ln()
                }
            };
            sum += 0.5 * (dim as f64 - log_precision);
            part.coordinates.extend_from_slice(&at);
            part.uncertainty.extend_from_slice(&uncertainty);
        }
        (part, sum)
    }
}

impl Analyzer {
    /// The mean of g given its member and itself.
    fn mean(&self, member: usize, dim: usize) -> &[f64] {
        &self.means[member * dim..][..dim]
    }

    /// e_ns for its member at these coordinates.
    fn gain(&self, member: usize, at: &[f64], uncertainty: &[f64]) -> f64 {
        let Some(evidence) = self.evidence.get(member) else { return f64::NEG_INFINITY };
        let dim = at.len();
        let off: Vec<f64> = at.iter().zip(self.mean(member, dim)).map(|(a, b)| a - b).collect();
        let form: f64 = self.precision.chunks_exact(dim).zip(&off).map(|(row, a)| a * dot(row, &off)).sum();
        evidence - 0.5 * (form + dot(&self.precision, uncertainty))
    }
}

/// sum_s p_s M_s'M_s.
pub(super) fn metric_of(analyzers: &[Analyzer], dim: usize) -> Vec<f64> {
    let mut metric = vec![0.0; dim * dim];
    for analyzer in analyzers.iter().filter(|analyzer| !analyzer.evidence.is_empty()) {
        add_scaled(&mut metric, 1.0, &analyzer.metric);
    }
    metric
}
