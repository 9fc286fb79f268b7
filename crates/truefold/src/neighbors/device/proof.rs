//! Whether the list of a device holds all true neighbors of a row: the last neighbor decides.
//!
//! A list holds columns j with a lower bound l_i + t_ij of the value of each pair; whoever is in no list has t_ij at or above
//! the threshold. The values of the nearest by bound are summed in double precision as everywhere else. If the k-th
//! smallest of these is below the bound that the threshold stands for, no other column can be among the first k, nor tie
//! with the last. If not, the row stays open, and the k-th value limits what a further pass must look at. Cost: a few
//! values more than k.

use super::operands::Operands;
use crate::neighbors::shortlist::{Candidate, order};

/// What is known of a row after a pass.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome {
    /// These are its neighbors.
    Proven(Vec<Candidate>),
    /// The values of its neighbors are at most this.
    Open(f64),
}

/// One row with its list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) id: u32,
    /// l of the row.
    pub(super) lowered: f32,
    pub(super) threshold: f32,
    /// The bits of t, and the column.
    pub(super) entries: &'a [[u32; 2]],
}

/// Settles the `k` nearest of a row.
pub(super) fn settle(operands: &Operands, row: &Row, k: usize) -> Outcome {
    let mut entries: Vec<(f32, u32)> = row.entries.iter().map(|entry| (f32::from_bits(entry[0]), entry[1])).collect();
    if entries.len() < k {
        return Outcome::Open(f64::INFINITY);
    }
    entries.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut found, mut values) = (Vec::with_capacity(entries.len()), Vec::new());
    let mut measure = |entries: &[(f32, u32)], found: &mut Vec<Candidate>| {
        let columns: Vec<u32> = entries.iter().map(|entry| entry.1).collect();
        operands.space().values_to(row.id as usize, &columns, &mut values);
        found.extend(values.iter().copied().zip(columns));
        found.sort_unstable_by(order);
    };
    measure(&entries[..k], &mut found);
    // A smaller value can only lower the limit: what is beyond the first one stays beyond.
    let limit = threshold_for(operands, row.lowered, found[k - 1].0);
    let more = entries.partition_point(|entry| entry.0 < limit).max(k);
    measure(&entries[k..more], &mut found);
    found.truncate(k);
    let limit = threshold_for(operands, row.lowered, found[k - 1].0);
    if limit <= row.threshold { Outcome::Proven(found) } else { Outcome::Open(found[k - 1].0) }
}

/// Above the t of every column whose value, summed in double precision, is at most `value`.
pub(super) fn threshold_for(operands: &Operands, lowered: f32, value: f64) -> f32 {
    if value == f64::INFINITY {
        return f32::INFINITY;
    }
    // The sum of q squares errs by a share of (q + 2) 2^-53 at the most, of the value itself and of the others.
    let errs = 4.0 * (operands.space().dim() + 2) as f64 * f64::EPSILON;
    let limit = operands.scaled(value) * (1.0 + errs) - f64::from(lowered);
    let rounding = 4.0 * f64::EPSILON * (operands.scaled(value) + f64::from(lowered.abs()));
    ((limit + rounding) as f32).next_up().next_up()
}
