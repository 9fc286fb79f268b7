//! Neighborhoods by radius: lists of any length, and what is said when some are empty or all are too long.

use super::shortlist::Emit;
use super::{Neighborhoods, Origin};
use crate::{Error, Result};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most memberships that are kept: 8 GB of row numbers.
const MOST: u64 = 1 << 31;

/// Neighborhoods of all lengths, which `search` brings in any order.
///
/// Where a point stays alone, `nearest` tells the distance from each point to its nearest.
pub(super) fn within(
    count: usize,
    radius: f64,
    origin: Origin,
    search: impl FnOnce(Emit) -> Result<()>,
    nearest: impl FnOnce() -> Result<Vec<f64>>,
) -> Result<Neighborhoods> {
    let lists: Vec<OnceLock<Box<[u32]>>> = (0..count).map(|_| OnceLock::new()).collect();
    let total = AtomicU64::new(0);
    search(&|row, list| {
        let so_far = total.fetch_add(list.len() as u64 + 1, Ordering::Relaxed);
        if so_far > MOST {
            return Err(Error::parameter(
                "radius",
                radius,
                format!("is too large: it makes more than {MOST} memberships of {count} points"),
                "choose a smaller radius or a number of neighbors k",
            ));
        }
        lists[row as usize].get_or_init(|| list.iter().map(|candidate| candidate.1).collect());
        Ok(())
    })?;
    let list = |row: usize| lists[row].get().map_or(&[][..], |list| list);
    if let Some(first) = (0..count).find(|&row| list(row).is_empty()) {
        let lonely = (first..count).filter(|&row| list(row).is_empty()).count();
        let needed = nearest()?.into_iter().fold(0.0, f64::max);
        let who = if lonely == 1 {
            format!("1 point, row {},", first + 1)
        } else {
            format!("{lonely} points, row {} the first,", first + 1)
        };
        return Err(Error::parameter(
            "radius",
            radius,
            format!("is too small: {who} would have no neighbor"),
            format!("from {needed} on every point has one; choose that, or a number of neighbors k"),
        ));
    }
    let mut offsets = Vec::with_capacity(count + 1);
    let mut members = Vec::with_capacity(total.into_inner() as usize);
    offsets.push(0);
    for row in 0..count {
        members.push(row as u32);
        members.extend_from_slice(list(row));
        offsets.push(members.len());
    }
    Ok(Neighborhoods::from_parts(offsets, members, origin))
}
