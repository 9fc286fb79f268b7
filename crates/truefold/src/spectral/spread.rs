//! Eigenvectors that are spread over the points, where the smallest are held by a few.
//!
//! A point that few neighborhoods hold, or hold only at the end of a long lever, costs little wherever it lies: M_jj, the cost
//! of a coordinate that is zero but at point j, is then below that of every coordinate that tells of the others. On data of
//! more dimensions than the map such outliers take the coordinates, one each. Bounds of this kind are those of localized
//! vectors of graph Laplacians.
//!
//! A vector counts as held by (sum v^2)^2 / sum v^4 points, its participation ratio: n for constant squares, about half of n
//! for the coordinates of a surface, 1 for an outlier. One that is held by fewer points than a neighborhood has, and by less
//! than a twentieth of all, is localized. Then points count in the variance of a coordinate by b_j = M_jj over its median, at
//! most 1, so that no point alone can hold one (`weighted.rs`); and where small groups still do, their points count a
//! hundredth, a few times over. All points are placed by all neighborhoods as before. Where nothing is localized, nothing
//! changes. Cost: an eigenproblem a round.

use super::weighted::Weighted;
use super::{Sparse, Spectrum, smallest};
use crate::{Neighborhoods, Result, Run};

/// The share of a localized coordinate by which its holders are counted.
pub(crate) const MOST_OF_IT: f64 = 0.9;
/// No more than one point of so many holds a localized coordinate.
const RARE: f64 = 20.0;
/// The most rounds.
const ROUNDS: usize = 5;
/// How much less points count whose group holds a coordinate.
const LESS: f64 = 0.01;
/// The least that a point counts as its group holds a coordinate, relative to how firmly it is held.
const LEAST: f64 = 1e-4;
/// The least that a point counts by how firmly it is held.
const LOOSEST: f64 = 1e-12;

/// A coordinate that a few points hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Localized {
    /// Which, counted from zero.
    pub(crate) coordinate: usize,
    /// The fewest points that hold [`MOST_OF_IT`].
    pub(crate) points: usize,
}

/// What was found where a few points hold coordinates.
pub(crate) struct Spread {
    /// The eigenpairs, of which those in `left` are still localized.
    pub(crate) spectrum: Spectrum,
    /// The coordinates that were localized at first.
    pub(crate) first: Vec<Localized>,
    /// Those that, as they are shown, still are.
    pub(crate) left: Vec<Localized>,
    /// Points that count less than half.
    pub(crate) counted_less: usize,
}

/// The `wanted` smallest eigenpairs, as by [`smallest`], with points counted less where a few of them hold a coordinate.
pub(crate) fn spread(
    matrix: &impl Sparse,
    null: &[f64],
    wanted: usize,
    neighborhoods: &Neighborhoods,
    run: &Run,
) -> Result<Spread> {
    let spectrum = smallest(matrix, null, wanted, neighborhoods, run)?;
    let few = most_holders(neighborhoods, null.len());
    let first = localized(&spectrum.vectors, wanted, few);
    if first.is_empty() {
        return Ok(Spread { spectrum, left: Vec::new(), first, counted_less: 0 });
    }
    let by_hold = by_hold(matrix.diagonal());
    let mut weights = by_hold.clone();
    let mut best = (spectrum, first.clone(), 0);
    for _ in 0..ROUNDS {
        let (found, own) = weighted(matrix, null, wanted, &weights, neighborhoods, run)?;
        let left = localized(&own, wanted, few);
        let holders: Vec<usize> =
            left.iter().flat_map(|one| holders(&own, wanted, one.coordinate, one.points)).collect();
        if left.len() < best.1.len() || left.is_empty() {
            best = (found, left, weights.iter().filter(|&&weight| weight < 0.5).count());
        }
        if holders.is_empty() {
            break;
        }
        holders.iter().for_each(|&point| weights[point] = (LESS * weights[point]).max(LEAST * by_hold[point]));
    }
    let (mut spectrum, _, counted_less) = best;
    // As they are shown: about their mean, of the same length as any, and points that count little may lie far out.
    normalize(&mut spectrum.vectors, null, wanted);
    let left = localized(&spectrum.vectors, wanted, few);
    Ok(Spread { spectrum, first, left, counted_less })
}

/// The coordinates y = v / u that a few points hold, u the null vector.
pub(crate) fn held_by_few(
    vectors: &[f64],
    null: &[f64],
    columns: usize,
    neighborhoods: &Neighborhoods,
) -> Vec<Localized> {
    let shown = vectors.chunks_exact(columns).zip(null).flat_map(|(row, null)| row.iter().map(move |one| one / null));
    localized(&shown.collect::<Vec<_>>(), columns, most_holders(neighborhoods, null.len()))
}

/// A coordinate that fewer points hold is localized.
fn most_holders(neighborhoods: &Neighborhoods, points: usize) -> f64 {
    (neighborhoods.usual_k() as f64 + 1.0).min(points as f64 / RARE)
}

/// Makes columns orthogonal to the null vector, and their length one.
fn normalize(vectors: &mut [f64], null: &[f64], columns: usize) {
    for at in 0..columns {
        let along: f64 = vectors.iter().skip(at).step_by(columns).zip(null).map(|(value, null)| value * null).sum();
        let column = || (at..vectors.len()).step_by(columns).zip(null);
        let length = column().map(|(place, null)| (vectors[place] - along * null).powi(2)).sum::<f64>().sqrt();
        if length > 0.0 {
            column().for_each(|(place, null)| vectors[place] = (vectors[place] - along * null) / length);
        }
    }
}

/// The eigenpairs in which points count by these weights, as v, and their vectors as w.
fn weighted(
    matrix: &impl Sparse,
    null: &[f64],
    wanted: usize,
    weights: &[f64],
    neighborhoods: &Neighborhoods,
    run: &Run,
) -> Result<(Spectrum, Vec<f64>)> {
    let matrix = Weighted::new(matrix, weights);
    let mut own_null: Vec<f64> = null.iter().zip(weights).map(|(value, weight)| value * weight.sqrt()).collect();
    let length = own_null.iter().map(|value| value * value).sum::<f64>().sqrt();
    own_null.iter_mut().for_each(|value| *value /= length);
    let mut spectrum = smallest(&matrix, &own_null, wanted, neighborhoods, run)?;
    let own = spectrum.vectors.clone();
    matrix.unweight(&mut spectrum.vectors, wanted);
    Ok((spectrum, own))
}

/// How much each point counts by how firmly it is held: as usual, or less in proportion.
fn by_hold(diagonal: &[f64]) -> Vec<f64> {
    let mut sorted = diagonal.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let usual = sorted[sorted.len() / 2];
    let weight = |entry: &f64| if usual > 0.0 { (entry / usual).clamp(LOOSEST, 1.0) } else { 1.0 };
    diagonal.iter().map(weight).collect()
}

/// The columns of unit vectors that fewer than `few` points hold.
fn localized(vectors: &[f64], columns: usize, few: f64) -> Vec<Localized> {
    (0..columns)
        .filter(|&at| participation(vectors, columns, at) < few)
        .map(|coordinate| {
            let mut squares: Vec<f64> =
                vectors.iter().skip(coordinate).step_by(columns).map(|value| value * value).collect();
            squares.sort_unstable_by(|a, b| b.total_cmp(a));
            let (wanted, mut sum) = (MOST_OF_IT * squares.iter().sum::<f64>(), 0.0);
            let most = squares.iter().take_while(|&&square| {
                let more = sum < wanted;
                sum += square;
                more
            });
            Localized { coordinate, points: most.count() }
        })
        .collect()
}

/// (sum v^2)^2 / sum v^4.
fn participation(vectors: &[f64], columns: usize, at: usize) -> f64 {
    let (mut squares, mut fourths) = (0.0, 0.0);
    for value in vectors.iter().skip(at).step_by(columns) {
        squares += value * value;
        fourths += value * value * value * value;
    }
    if fourths > 0.0 { squares * squares / fourths } else { f64::INFINITY }
}

/// The `count` points with the largest entries of a column, ties by number.
fn holders(vectors: &[f64], columns: usize, at: usize, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..vectors.len() / columns).collect();
    let size = |row: usize| vectors[row * columns + at].abs();
    order.sort_unstable_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
    order.truncate(count);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Points;
    use crate::laplacian::conjugate_gradient::Operator;
    use crate::spectral::SymmetricRows;

    #[test]
    fn participation_counts_the_points_that_hold_a_vector() {
        let even = vec![0.1; 100];
        assert!((participation(&even, 1, 0) - 100.0).abs() < 1e-9);
        let line: Vec<f64> = (0..1000).map(|at| f64::from(at) - 499.5).collect();
        assert!((participation(&line, 1, 0) / 1000.0 - 5.0 / 9.0).abs() < 1e-3);
        // Two columns: the second is held by three points.
        let mut two: Vec<f64> = (0..400).flat_map(|at| [f64::from(at) - 199.5, 0.001]).collect();
        [10, 70, 300].iter().for_each(|row| two[2 * row + 1] = 5.0);
        // Shown over a null vector that is small where the first column is of use, that one is held by few too.
        let null: Vec<f64> = (0..400).map(|at| if at == 7 { 1e-9 } else { 0.05 }).collect();
        let line = Points::new(400, 1, (0..400).map(f64::from).collect()).unwrap();
        let neighborhoods = Neighborhoods::nearest(&line, 12, &Run::new()).unwrap();
        let shown = held_by_few(&two, &null, 2, &neighborhoods);
        assert_eq!(shown.iter().map(|one| (one.coordinate, one.points)).collect::<Vec<_>>(), [(0, 1), (1, 1)]);
        let found = localized(&two, 2, 13.0);
        assert_eq!(found, [Localized { coordinate: 1, points: 3 }]);
        assert_eq!(holders(&two, 2, 1, 3), [10, 70, 300]);
    }

    #[test]
    fn points_count_by_how_firmly_they_are_held_and_never_more_than_others() {
        let weights = by_hold(&[4.0, 2.0, 8.0, 4.0, 0.0, 4.0, 1.0]);
        assert_eq!(weights, [1.0, 0.5, 1.0, 1.0, LOOSEST, 1.0, 0.25]);
    }

    /// The Laplacian of a path whose `loose` last edge has this weight, and its neighborhoods.
    fn path(count: usize, loose: f64) -> (SymmetricRows, Neighborhoods) {
        let weight = |edge: usize| if edge + 2 == count { loose } else { 1.0 };
        let (mut offsets, mut columns, mut values, mut diagonal) = (vec![0], Vec::new(), Vec::new(), Vec::new());
        for row in 0..count {
            let mut sum = 0.0;
            for (other, edge) in [(row.wrapping_sub(1), row.wrapping_sub(1)), (row + 1, row)] {
                if other < count {
                    columns.push(other as u32);
                    values.push(-weight(edge));
                    sum += weight(edge);
                }
            }
            offsets.push(columns.len());
            diagonal.push(sum);
        }
        let line = Points::new(count, 1, (0..count).map(|at| at as f64).collect()).unwrap();
        let neighborhoods = Neighborhoods::nearest(&line, 2, &Run::new()).unwrap();
        (SymmetricRows::new(offsets, columns, values, diagonal), neighborhoods)
    }

    #[test]
    fn weighted_eigenpairs_are_those_of_their_definition() {
        // The dense matrix, and its factor.
        for count in [90, 400] {
            let (matrix, neighborhoods) = path(count, 1.0);
            let null = vec![1.0 / (count as f64).sqrt(); count];
            let weights: Vec<f64> = (0..count).map(|at| 0.2 + 0.8 * ((at * 37 % 101) as f64 / 100.0)).collect();
            let (found, _) = weighted(&matrix, &null, 2, &weights, &neighborhoods, &Run::new()).unwrap();
            let mut images = vec![0.0; 2 * count];
            matrix.apply(&found.vectors, &mut images, 2, &mut Vec::new());
            for at in 0..2 {
                let (mut length, mut mean) = (0.0, 0.0);
                for row in 0..count {
                    let (v, image) = (found.vectors[2 * row + at], images[2 * row + at]);
                    assert!((image - found.values[at] * weights[row] * v).abs() < 1e-9, "{count} {row}");
                    length += weights[row] * v * v;
                    mean += weights[row] * v;
                }
                assert!((length - 1.0).abs() < 1e-9 && mean.abs() < 1e-9, "{count}: {length} {mean}");
            }
        }
    }

    #[test]
    fn a_point_that_is_held_loosely_takes_no_coordinate() {
        for count in [200, 500] {
            let (null, run) = (vec![1.0 / (count as f64).sqrt(); count], Run::new());
            let (matrix, neighborhoods) = path(count, 1e-9);
            let plain = smallest(&matrix, &null, 2, &neighborhoods, &run).unwrap();
            assert!(participation(&plain.vectors, 2, 0) < 1.1);
            let found = spread(&matrix, &null, 2, &neighborhoods, &run).unwrap();
            assert_eq!(found.first, [Localized { coordinate: 0, points: 1 }]);
            assert!(found.left.is_empty() && found.counted_less > 0 && found.counted_less < 4);
            for at in 0..2 {
                let column = || found.spectrum.vectors.iter().skip(at).step_by(2);
                let (mean, length) = (column().sum::<f64>(), column().map(|value| value * value).sum::<f64>());
                assert!(mean.abs() < 1e-9 && (length - 1.0).abs() < 1e-9, "{mean} {length}");
            }
            // The others lie as without it: half a wave and a whole one.
            let wave = |row: usize, times: f64| {
                (std::f64::consts::PI * times * (row as f64 + 0.5) / (count as f64 - 1.0)).cos()
            };
            for at in 0..2 {
                let others =
                    (0..count - 1).map(|row| (found.spectrum.vectors[2 * row + at], wave(row, at as f64 + 1.0)));
                let (product, one, two) =
                    others.fold((0.0, 0.0, 0.0), |(ab, aa, bb), (a, b)| (ab + a * b, aa + a * a, bb + b * b));
                assert!(product * product > 0.999 * one * two, "{count} {at}: {}", product * product / (one * two));
            }
            // Held as usual, it changes nothing.
            let (matrix, _) = path(count, 1.0);
            let plain = smallest(&matrix, &null, 2, &neighborhoods, &run).unwrap();
            let found = spread(&matrix, &null, 2, &neighborhoods, &run).unwrap();
            assert_eq!((found.spectrum, found.counted_less), (plain, 0));
        }
    }
}
