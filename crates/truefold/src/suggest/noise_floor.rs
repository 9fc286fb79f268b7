//! The number of dimensions of noisy data: those that grow with the neighborhoods, above a floor that does not.
//!
//! In a neighborhood of radius r the variance along the surface is about r^2 / (d + 2), that of noise is s^2 in every
//! direction, and curvature adds a multiple of r^4. Where r is no more than a few s, charts see noise as dimensions. They
//! are told from dimensions by wider neighborhoods: of noise, the spread along the first d axes rises over that along the
//! next one until curvature or another sheet stops it, and the axes past d are of one length. Of data that fill their
//! dimensions nothing rises. Letters: d dimensions, l_1 >= l_2 >= ... the variances along the axes of a chart, m its
//! neighbors. A d is taken if, at the size at which the geometric mean over the charts of l_d / l_(d+1) is largest,
//!
//! - that mean is at least 2.25,
//! - ((l_1 + ... + l_d) / d) / (l_(d+1) m / (m - d)) is at least 1.25 times its least value at smaller sizes,
//! - l_(d+1) is at most 2.5 times the first of the variances that small charts do not count as dimensions, which noise would fill
//!   too, or, where there is none, the last that they do.
//!
//! Of several d the one that stands out most is taken. Sizes go up to a sixteenth of the points, so that what is found does
//! not depend on their number: in wider neighborhoods any ring looks like a curve. Of many points an even part is
//! examined. Cost: charts of some hundred points. When it fails: a slab that is thin beside its extent is taken for a
//! surface with noise, which it is not told from, and so is a ribbon in the plane for a curve; noise of a quarter of the radius of curvature counts as a dimension.

use super::sample::{NeighborSample, Spectrum, even, median};
use crate::{Metric, Result, Run};

/// The least spread along the surface relative to that of the noise: less is met with in data that fill their dimensions.
const LEAST_GAP: f64 = 2.25;
/// The least rise: small charts of solid data only fall.
const LEAST_RISE: f64 = 1.25;
/// Directions of one noise differ by no more than this factor in a chart, by chance.
const MOST_UNEVEN: f64 = 2.5;
/// The smallest neighborhoods that are compared, and the largest as a part of all points.
const SMALLEST: usize = 12;
const LARGEST_PART: usize = 16;
/// Of more points than this an even part is examined.
const MANY: usize = 4096;
/// Charts of this part.
const CHARTS: usize = 500;

/// Dimensions above a floor of noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NoiseFloor {
    /// Their number.
    pub(super) dim: usize,
    /// The size of the neighborhoods in which they stand out most.
    pub(super) size: usize,
    /// The spread along them there, relative to that of the noise.
    pub(super) gap: f64,
    /// The deviation of the noise in each direction: the median of what is off the axes there, some of it curvature.
    pub(super) deviation: f64,
}

/// The dimensions above the noise, if small charts see `charted` dimensions (0 where they cannot tell) and fewer
/// of them are above a floor of noise.
pub(super) fn find(
    sample: &NeighborSample<'_>,
    metric: Metric,
    charted: usize,
    run: &Run,
) -> Result<Option<NoiseFloor>> {
    let points = sample.points;
    if charted < 2 || points.len() <= MANY {
        return Ok(stands_out(sample, charted));
    }
    let part = points.select(&even(points.len(), MANY));
    Ok(stands_out(&NeighborSample::new(&part, metric, CHARTS, run)?, charted))
}

/// The dimensions below `charted` that stand out most.
fn stands_out(sample: &NeighborSample<'_>, charted: usize) -> Option<NoiseFloor> {
    let columns = sample.points.dim();
    let (least, most) = (SMALLEST.max(2 * (charted + 1)), sample.points.len() / LARGEST_PART);
    let sizes: Vec<(usize, &[Spectrum])> = sample
        .sizes
        .iter()
        .zip(&sample.spectra)
        .filter(|(size, _)| (least..=most).contains(*size))
        .map(|(&size, spectra)| (size, spectra.as_slice()))
        .collect();
    let last = charted.min(columns - 1);
    let found = (1..charted).filter_map(|dim| above_noise(&sizes, dim, last, columns));
    found.reduce(|best, one| if one.gap > best.gap { one } else { best })
}

/// The floor under `dim` dimensions of points with so many `columns`, if there is one; noise fills the axes up to the one at
/// `last`.
fn above_noise(sizes: &[(usize, &[Spectrum])], dim: usize, last: usize, columns: usize) -> Option<NoiseFloor> {
    let mean = |spectra: &[Spectrum], ratio: &dyn Fn(&Spectrum) -> f64| {
        let logs = spectra.iter().filter(|one| one.total > 0.0).map(|one| ratio(one).ln());
        (logs.sum::<f64>() / spectra.len().max(1) as f64).exp()
    };
    let (mut least, mut best) = (f64::INFINITY, None::<(NoiseFloor, f64, f64)>);
    for &(size, spectra) in sizes {
        let gap = mean(spectra, &|one| one.axis(dim - 1) / one.axis(dim));
        // What m points leave off their own d axes is too small by the factor (m - d) / m.
        let free = (size - dim) as f64 / size as f64;
        let along = |one: &Spectrum| (0..dim).map(|at| one.axis(at)).sum::<f64>() / dim as f64;
        let contrast = mean(spectra, &|one| along(one) * free / one.axis(dim));
        let uneven = mean(spectra, &|one| one.axis(dim) / one.axis(last));
        least = least.min(contrast);
        if best.is_none_or(|best| gap > best.0.gap) {
            let directions = ((size - dim) * (columns - dim)) as f64;
            let deviation = median(spectra.iter().map(|one| one.beyond(dim) / directions).collect()).sqrt();
            best = Some((NoiseFloor { dim, size, gap, deviation }, contrast / least, uneven));
        }
    }
    let (floor, rise, uneven) = best?;
    (floor.gap >= LEAST_GAP && rise >= LEAST_RISE && uneven <= MOST_UNEVEN).then_some(floor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Points;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, StandardNormal, Uniform};

    fn found(rows: &[[f64; 3]]) -> Option<NoiseFloor> {
        found_below(rows, 3)
    }

    fn found_below(rows: &[[f64; 3]], charted: usize) -> Option<NoiseFloor> {
        let points = Points::from_rows(rows).unwrap();
        let run = Run::new();
        let sample = NeighborSample::new(&points, Metric::Euclidean, 300, &run).unwrap();
        find(&sample, Metric::Euclidean, charted, &run).unwrap()
    }

    /// A box of these sides, with noise.
    fn noisy_box(count: usize, sides: [f64; 3], noise: f64, unit: f64) -> Vec<[f64; 3]> {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let even = Uniform::new(0.0, 1.0).unwrap();
        let mut draw = || {
            sides.map(|side| {
                let normal: f64 = StandardNormal.sample(&mut random);
                unit * (side * even.sample(&mut random) + noise * normal)
            })
        };
        (0..count).map(|_| draw()).collect()
    }

    #[test]
    fn a_plane_and_a_line_rise_above_their_noise_in_any_unit() {
        for unit in [1e-3, 1.0, 1e3] {
            for count in [1500, 6000] {
                let plane = found(&noisy_box(count, [20.0, 20.0, 0.0], 0.8, unit));
                assert_eq!(plane.map(|floor| floor.dim), Some(2), "{unit} {count}");
                let line = found(&noisy_box(count, [60.0, 0.0, 0.0], 0.4, unit));
                assert_eq!(line.map(|floor| floor.dim), Some(1), "{unit} {count}");
                for (floor, noise) in [(plane, 0.8), (line, 0.4)] {
                    let times = floor.unwrap().deviation / (noise * unit);
                    assert!((0.8..1.2).contains(&times), "{unit} {count}: {times}");
                }
            }
        }
    }

    #[test]
    fn what_fills_its_dimensions_has_no_floor() {
        for count in [500, 2500, 6000] {
            assert_eq!(found(&noisy_box(count, [1.0, 1.0, 1.0], 0.0, 1.0)), None, "cube of {count}");
            assert_eq!(found(&noisy_box(count, [0.0; 3], 1.0, 1.0)), None, "cloud of {count}");
            assert_eq!(found(&noisy_box(count, [3.0, 3.0, 1.0], 0.0, 1.0)), None, "block of {count}");
        }
    }

    #[test]
    fn a_strip_is_no_curve_with_noise() {
        // Across the strip there is much more than in the direction off it, which noise would not leave out.
        let strip = found(&noisy_box(2500, [100.0, 3.0, 0.1], 0.0, 1.0));
        assert_ne!(strip.map(|floor| floor.dim), Some(1));
        // Without noise charts see two dimensions, and there is nothing in the third.
        for (length, count) in [(40.0, 3000), (20.0, 12000)] {
            assert_eq!(found_below(&noisy_box(count, [length, 1.0, 0.0], 0.0, 1.0), 2), None, "{length} {count}");
        }
    }
}
