//! The number of dimensions of the data, by two well-known estimators and by the spectra of the charts.
//!
//! - Maximum likelihood (Levina and Bickel 2004), with the mean taken of the inverses (MacKay and Ghahramani 2005):
//!   1/d = mean over points of sum_{j<k} ln(r_k / r_j) / (k - 1), r_j the distance to the j-th neighbor; averaged over
//!   k from 10 to 20.
//! - Two nearest neighbors (Facco, d'Errico, Rodriguez, Laio 2017): the slope through zero of -ln(1 - F) over ln(r_2 /
//!   r_1), F the share of points with a smaller ratio; the largest tenth is left out.
//! - Charts: the smallest d for which the share of a chart past its first d axes is too small for one more dimension.

use super::reason::Reason;
use super::sample::{NeighborSample, Spectrum, median};
use serde::Serialize;

/// An estimate with its 95 % confidence interval, if its model is right.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimator: `maximum-likelihood`, `two-nearest` or `charts`.
    pub name: &'static str,
    /// The estimate; only `charts` gives whole numbers.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The largest charts that are used.
const LARGEST: usize = 48;
/// The sizes over which the likelihood is averaged.
const FIRST: usize = 10;
const LAST: usize = 20;

/// The number of dimensions by the likelihood of the distances.
pub(super) fn likelihood(sample: &NeighborSample<'_>) -> Estimate {
    let last = LAST.min(sample.near.first().map_or(0, Vec::len));
    let first = FIRST.min(last);
    let count = sample.near.len() as f64;
    let (mut sum, mut error) = (0.0, 0.0);
    for size in first..=last {
        let inverses: Vec<f64> = sample.near.iter().filter_map(|near| inverse(near, size)).collect();
        let mean = inverses.iter().sum::<f64>() / inverses.len().max(1) as f64;
        let spread = inverses.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / inverses.len().max(1) as f64;
        sum += mean;
        // Neighborhoods that share points are not independent: one in `size` counts.
        error += (spread / (count / size as f64).max(1.0)).sqrt();
    }
    let sizes = (last - first + 1) as f64;
    let (mean, error) = ((sum / sizes).max(1e-3), 1.96 * error / sizes);
    Estimate {
        name: "maximum-likelihood",
        value: 1.0 / mean,
        low: 1.0 / (mean + error),
        high: 1.0 / (mean - error).max(1e-3),
    }
}

/// 1/d at one point, from its `size` nearest.
pub(super) fn inverse(near: &[(f64, u32)], size: usize) -> Option<f64> {
    let reach = near.get(size.checked_sub(1)?)?.0;
    let ratio = |one: &(f64, u32)| (reach / one.0).ln();
    let inverse = near[..size - 1].iter().map(ratio).sum::<f64>() / (size.max(2) - 1) as f64;
    inverse.is_finite().then_some(inverse)
}

/// The number of dimensions by the ratio of the two nearest distances.
pub(super) fn two_nearest(sample: &NeighborSample<'_>) -> Estimate {
    let mut logs: Vec<f64> =
        sample.near.iter().filter(|near| near.len() > 1).map(|near| (near[1].0 / near[0].0).ln()).collect();
    logs.retain(|log| log.is_finite());
    logs.sort_unstable_by(f64::total_cmp);
    let count = logs.len() as f64;
    let kept = logs.len() * 9 / 10;
    let (mut products, mut squares) = (0.0, 0.0);
    for (at, log) in logs[..kept].iter().enumerate() {
        products += log * -(1.0 - (at as f64 + 0.5) / count).ln();
        squares += log * log;
    }
    let value = if squares > 0.0 { products / squares } else { 0.0 };
    let error = 1.96 * value / count.max(1.0).sqrt();
    Estimate { name: "two-nearest", value, low: (value - error).max(0.0), high: value + error }
}

/// The number of dimensions by the spectra of the charts: the least that any size of neighborhoods gives.
///
/// In small neighborhoods noise looks like dimensions, in large ones curvature does; a size in between shows neither.
pub(super) fn charts(sample: &NeighborSample<'_>) -> Estimate {
    let sizes = sample.sizes.iter().zip(&sample.spectra).filter(|(size, _)| (8..=LARGEST).contains(*size));
    let most = sample.points.dim();
    let of_size = |(&size, spectra): (&usize, &Vec<Spectrum>)| {
        let mean = |beyond: &dyn Fn(&Spectrum) -> f64| spectra.iter().map(beyond).sum::<f64>() / spectra.len() as f64;
        let value = (1..most.min(size)).find(|&dim| is_small(mean(&|one| one.share_beyond(dim)), dim, size));
        let votes =
            spectra.iter().map(|one| (1..most.min(size)).find(|&dim| is_small(one.share_beyond(dim), dim, size)));
        let mut votes: Vec<usize> = votes.map(|vote| vote.unwrap_or(most.min(size))).collect();
        votes.sort_unstable();
        let at = |share: f64| votes[((votes.len() - 1) as f64 * share).round() as usize] as f64;
        (value.unwrap_or(most.min(size)), at(0.025), at(0.975))
    };
    let best = sizes.map(of_size).min_by_key(|found| found.0).unwrap_or((most, 1.0, most as f64));
    let value = best.0 as f64;
    Estimate { name: "charts", value, low: best.1.min(value), high: best.2.max(value) }
}

/// Whether a share past the first `dim` axes is less than half of what one more dimension would contribute.
///
/// Of m points drawn evenly in D dimensions the shortest axis holds about (1 - sqrt(D / m))^2 / D of the whole.
pub(super) fn is_small(share: f64, dim: usize, size: usize) -> bool {
    let (more, members) = ((dim + 1) as f64, (size + 1) as f64);
    let shortest = (1.0 - (more / members).sqrt()).powi(2) / more;
    share < 0.5 * shortest
}

/// The number of dimensions that the estimates together suggest, with the reason.
///
/// The median, unless the charts say fewer: noise adds dimensions to distances, and nothing removes them from charts.
pub(super) fn together(estimates: &[Estimate], most: usize) -> (usize, Reason) {
    let middle = median(estimates.iter().map(|estimate| estimate.value).collect()).round();
    let charts = estimates.iter().find(|estimate| estimate.name == "charts").map_or(middle, |estimate| estimate.value);
    let dim = (middle.min(charts) as usize).clamp(1, most);
    let agree = estimates.iter().filter(|estimate| estimate.value.round() as usize == dim).count();
    let reason = match agree {
        _ if agree == estimates.len() => Reason::EstimatesAgree,
        _ if charts < middle => Reason::FewerByLocalPca,
        _ if agree > 0 => Reason::MedianEstimate,
        _ => Reason::LimitedByData,
    };
    (dim, reason)
}
