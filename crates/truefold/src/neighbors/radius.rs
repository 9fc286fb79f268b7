//! Neighborhoods by radius: lists of any length; an error if one is empty or if all are too long.

use super::shortlist::Emit;
use super::{Neighborhoods, Origin};
use crate::error::{Advice, Bound, Limit, Text};
use crate::{Error, Result};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most memberships: 8 GB of row numbers.
const MOST: u64 = 1 << 31;

/// Neighborhoods of any length; `search` finds them in any order.
///
/// If a point has no neighbor, `nearest` gives the distance from each point to its nearest, for the message.
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
                format!("is too large: {count} points have more than {MOST} neighbors in all"),
                Advice::change("radius", "choose a smaller {radius} or a number of neighbors {k}"),
            ));
        }
        lists[row as usize].get_or_init(|| list.iter().map(|candidate| candidate.1).collect());
        Ok(())
    })?;
    let list = |row: usize| lists[row].get().map_or(&[][..], |list| list);
    if let Some(first) = (0..count).find(|&row| list(row).is_empty()) {
        let alone = (first..count).filter(|&row| list(row).is_empty()).count();
        let needed = nearest()?.into_iter().fold(0.0, f64::max);
        let who = if alone == 1 {
            format!("row {} has no neighbor within it", first + 1)
        } else {
            format!("{alone} points have no neighbor within it, the first is row {}", first + 1)
        };
        let advice = Text::of("choose a {radius} of at least ").and(format!("{needed}, or a number of neighbors "));
        return Err(Error::parameter(
            "radius",
            radius,
            Limit::because(Bound::AtLeast(needed), who),
            Advice::change("radius", advice.name("k")),
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
