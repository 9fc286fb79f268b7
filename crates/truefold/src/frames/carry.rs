//! The walk down a tree that carries what belongs to the root: the value of each point is made from that of the point
//! before it.
//!
//! For frames the value of a point i is the orthogonal O_i with O_j = polar(P_j'P_i) O_i for the step from i to j, the
//! identity at the root, so that the frames P_i O_i agree along the tree as well as they can. Errors add up along its
//! branches. Cost: one pass over the tree.

/// Fills `values`, `size` numbers a point, from the root down: for each step (point, the point before it, what leads from
/// there) `turn` writes the numbers of the point from those of the one before. A point comes after the one before it.
#[inline(always)]
pub(super) fn carry<E>(
    values: &mut [f64],
    size: usize,
    steps: impl Iterator<Item = (u32, u32, E)>,
    mut turn: impl FnMut(E, &[f64], &mut [f64]),
) {
    let mut from = vec![0.0; size];
    for (point, before, edge) in steps {
        from.copy_from_slice(&values[before as usize * size..][..size]);
        turn(edge, &from, &mut values[point as usize * size..][..size]);
    }
}
