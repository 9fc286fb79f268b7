//! The Laplacian between groups, A = P'L P: neighborhood i joins groups a and b by w_i c_a c_b / m_i, c_a of its m_i members
//! in a.
//!
//! Pairs are summed within stretches of neighborhoods, whose groups are mostly the same, then over all, always in the same
//! order. One group of each component is held at zero, and the exact sparse factor of the rest is taken, unless that costs
//! more than elimination of all points would. Cost: one pass over the members, and the factor of a graph that has one
//! vertex for about 1.6 (k + 1) points.

use crate::laplacian::elimination::{Edge, sample};
use crate::laplacian::matrix::NeighborhoodLaplacian;
use crate::laplacian::memberships::Memberships;
use crate::linalg::block::CHUNK;
use crate::linalg::{FactorLimits, SparseCholesky, Triangle};
use crate::random::Stream;
use rayon::prelude::*;

/// Neighborhoods in a stretch.
const STRETCH: usize = 16 * CHUNK;
/// Groups in one neighborhood beyond which a tree of pairs stands for all of them.
const ALL_PAIRS: usize = 32;
/// The most entries of the factor for each point, and multiplications that make it: what elimination takes.
const ENTRIES: f64 = 8.0;
const OPERATIONS: f64 = 2000.0;

/// Two groups, the lower in the upper half, and what joins them.
type Pair = (u64, f64);

/// The factor of A, or none where it would be large.
pub(super) fn factor(
    memberships: &Memberships<'_>,
    laplacian: &NeighborhoodLaplacian<'_>,
    group: &[u32],
    count: usize,
    seed: u64,
) -> Option<SparseCholesky> {
    let held = memberships.first_of_components().into_iter().map(|place| group[place as usize]);
    let matrix = triangle(&pairs(memberships, laplacian, group, seed), count, held)?;
    let points = memberships.len() as f64;
    SparseCholesky::new(&matrix, FactorLimits { entries: ENTRIES * points, operations: OPERATIONS * points }).ok()
}

/// All pairs of groups that neighborhoods join, in increasing order.
fn pairs(memberships: &Memberships<'_>, laplacian: &NeighborhoodLaplacian<'_>, group: &[u32], seed: u64) -> Vec<Pair> {
    let stretches: Vec<Vec<Pair>> = (0..memberships.len().div_ceil(STRETCH))
        .into_par_iter()
        .map(|stretch| {
            let (mut pairs, mut near, mut counts) = (Vec::new(), Vec::new(), Vec::new());
            for at in stretch * STRETCH..((stretch + 1) * STRETCH).min(memberships.len()) {
                near.clear();
                near.extend(memberships.members(at).iter().map(|&member| group[member as usize]));
                near.sort_unstable();
                counts.clear();
                counts.extend(near.chunk_by(|a, b| a == b).map(|run| Edge { to: run[0], weight: run.len() as f32 }));
                join(&mut counts, laplacian.share(at), &mut Stream::of(seed, at as u64), &mut pairs);
            }
            merged(pairs)
        })
        .collect();
    merged(stretches.concat())
}

/// Appends the pairs of groups that hold `counts` members of one neighborhood.
fn join(counts: &mut [Edge], share: f64, draw: &mut Stream, pairs: &mut Vec<Pair>) {
    let pair = |a: u32, b: u32, weight: f64| (u64::from(a.min(b)) << 32 | u64::from(a.max(b)), weight);
    if counts.len() <= ALL_PAIRS {
        for (at, a) in counts.iter().enumerate() {
            let others = counts[at + 1..].iter();
            pairs.extend(others.map(|b| pair(a.to, b.to, share * f64::from(a.weight) * f64::from(b.weight))));
        }
        return;
    }
    // Taking out the hub of a star with the counts as weights leaves c_a c_b / m; the share is w / m.
    let members: f64 = counts.iter().map(|edge| f64::from(edge.weight)).sum();
    let mut tree = Vec::new();
    sample(counts, draw, &mut tree);
    pairs.extend(tree.iter().map(|edge| pair(edge.ends[0], edge.ends[1], share * members * f64::from(edge.weight))));
}

/// The pairs in increasing order, equal ones added up in the order in which they came.
fn merged(mut pairs: Vec<Pair>) -> Vec<Pair> {
    pairs.par_sort_by_key(|pair| pair.0);
    pairs.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    pairs.shrink_to_fit();
    pairs
}

/// A by columns, below the diagonal; groups in `held` are held at zero: one more weight on the diagonal does that to
/// solutions of right-hand sides that sum to zero. None if there are more pairs than 32 bits count.
fn triangle(pairs: &[Pair], count: usize, held: impl Iterator<Item = u32>) -> Option<Triangle> {
    let ends = |pair: u64| ((pair >> 32) as usize, pair as u32 as usize);
    u32::try_from(pairs.len() + count).ok()?;
    let mut diagonal = vec![0.0; count];
    for pair in pairs {
        let (a, b) = ends(pair.0);
        diagonal[a] += pair.1;
        diagonal[b] += pair.1;
    }
    let most = diagonal.iter().copied().fold(0.0, f64::max);
    held.for_each(|group| diagonal[group as usize] += if most > 0.0 { most } else { 1.0 });
    let mut matrix = Triangle { offsets: Vec::with_capacity(count + 1), ..Triangle::default() };
    let mut left = pairs.iter().peekable();
    for (column, &diagonal) in diagonal.iter().enumerate() {
        matrix.offsets.push(matrix.rows.len() as u32);
        matrix.rows.push(column as u32);
        matrix.values.push(diagonal);
        while let Some(pair) = left.next_if(|pair| ends(pair.0).0 == column) {
            matrix.rows.push(ends(pair.0).1 as u32);
            matrix.values.push(-pair.1);
        }
    }
    matrix.offsets.push(matrix.rows.len() as u32);
    Some(matrix)
}

#[cfg(test)]
mod tests {
    use super::super::groups;
    use super::*;
    use crate::laplacian::matrix::Coefficients;
    use crate::random::uniform;
    use crate::{Neighborhoods, Points, Run};

    /// P'L P of its definition, off the diagonal.
    fn defined(memberships: &Memberships<'_>, weights: &[f64], group: &[u32], count: usize) -> Vec<f64> {
        let mut matrix = vec![0.0; count * count];
        for (at, weight) in weights.iter().enumerate() {
            let members = memberships.members(at);
            for &a in members {
                for &b in members {
                    let (a, b) = (group[a as usize] as usize, group[b as usize] as usize);
                    if a != b {
                        matrix[a * count + b] += weight / members.len() as f64;
                    }
                }
            }
        }
        matrix
    }

    #[test]
    fn the_matrix_of_groups_is_the_laplacian_between_them() {
        let points = Points::new(3000, 2, (0..6000).map(|at| uniform(2, at)).collect()).unwrap();
        let neighborhoods = Neighborhoods::nearest(&points, 9, &Run::new()).unwrap();
        let memberships = Memberships::new(&neighborhoods, neighborhoods.components());
        let weights: Vec<f64> = (0..3000).map(|at| 0.5 + uniform(3, at)).collect();
        let (group, count) = groups::groups(&memberships);
        let coefficients = Coefficients::new(&memberships, &weights);
        let laplacian = coefficients.laplacian(&memberships);
        let matrix = triangle(&pairs(&memberships, &laplacian, &group, 0), count, [7].into_iter()).unwrap();
        let wanted = defined(&memberships, &weights, &group, count);
        let mut entries = 0;
        for column in 0..count {
            let own = matrix.offsets[column] as usize..matrix.offsets[column + 1] as usize;
            let rows = &matrix.rows[own.clone()];
            assert!(rows[0] as usize == column && rows.windows(2).all(|pair| pair[0] < pair[1]));
            let total: f64 = wanted[column * count..][..count].iter().sum();
            let more = matrix.values[own.start] - total;
            assert!(if column == 7 { more > 0.0 } else { more.abs() < 1e-9 * total }, "{column}: {more}");
            for (&row, value) in rows.iter().zip(&matrix.values[own]).skip(1) {
                assert!((value + wanted[column * count + row as usize]).abs() < 1e-9);
                entries += 2;
            }
        }
        assert_eq!(entries, wanted.iter().filter(|&&weight| weight > 0.0).count());
    }

    #[test]
    fn trees_of_large_neighborhoods_have_all_pairs_as_their_mean() {
        let (groups, draws) = (ALL_PAIRS + 4, 20_000);
        let counts: Vec<Edge> = (0..groups).map(|to| Edge { to: to as u32, weight: (1 + to % 3) as f32 }).collect();
        let mut mean = vec![0.0; groups * groups];
        for seed in 0..draws {
            let mut pairs = Vec::new();
            join(&mut counts.clone(), 0.25, &mut Stream::of(seed, 1), &mut pairs);
            assert_eq!(pairs.len(), groups - 1);
            pairs.iter().for_each(|pair| mean[(pair.0 >> 32) as usize * groups + pair.0 as u32 as usize] += pair.1);
        }
        for (a, at) in counts.iter().zip(0..) {
            for (b, to) in counts.iter().zip(0..).skip(at + 1) {
                let wanted = 0.25 * f64::from(a.weight * b.weight);
                let found = mean[at * groups + to] / draws as f64;
                assert!((found - wanted).abs() < 0.2 * wanted + 0.05, "{at} {to}: {found} {wanted}");
            }
        }
    }
}
