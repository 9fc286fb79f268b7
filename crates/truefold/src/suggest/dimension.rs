//! The number of dimensions of the data, by two well-known estimators and by the spectra of the charts.
//!
//! - Maximum likelihood (Levina and Bickel 2004), with the mean taken of the inverses (MacKay and Ghahramani 2005):
//!   1/d = mean over points of sum_{j<k} ln(r_k / r_j) / (k - 1), r_j the distance to the j-th neighbor; averaged over
//!   k from 10 to 20.
//! - Two nearest neighbors (Facco, d'Errico, Rodriguez, Laio 2017): the slope through zero of -ln(1 - F) over ln(r_2 /
//!   r_1), F the share of points with a smaller ratio; the largest tenth is left out.
//! - Charts: the smallest d for which the share of a chart past its first d axes is too small for one more dimension.
//!   Where charts of no size show such a d, there are more dimensions than they can tell, and no estimate.

use super::reason::Reason;
use super::sample::{NeighborSample, Spectrum, median};
use serde::Serialize;

/// An estimate with its 95 % confidence interval, if its model is right.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Estimate {
    /// The estimator: `maximum-likelihood`, `two-nearest` or `charts`.
    pub name: &'static str,
    /// The estimate; only `charts` gives whole numbers, and none where they show only that there are at least `low`.
    pub value: Option<f64>,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end; none where there is no estimate.
    pub high: Option<f64>,
}

/// The smallest and the largest charts that are used.
const SMALLEST: usize = 8;
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
        value: Some(1.0 / mean),
        low: 1.0 / (mean + error),
        high: Some(1.0 / (mean - error).max(1e-3)),
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
    Estimate { name: "two-nearest", value: Some(value), low: (value - error).max(0.0), high: Some(value + error) }
}

/// The number of dimensions by the spectra of the charts: the least that any size of neighborhoods gives.
///
/// In small neighborhoods noise looks like dimensions, in large ones curvature does; a size in between shows neither.
/// Charts of m neighbors have m axes, so what they do not show to be less than m may be any number from m on.
pub(super) fn charts(sample: &NeighborSample<'_>) -> Estimate {
    let sizes = sample.sizes.iter().zip(&sample.spectra).filter(|(size, _)| (SMALLEST..=LARGEST).contains(*size));
    let most = sample.points.dim();
    let of_size = |(&size, spectra): (&usize, &Vec<Spectrum>)| {
        let mean = |dim: usize| spectra.iter().map(|one| one.share_beyond(dim)).sum::<f64>() / spectra.len() as f64;
        let least = |share: &dyn Fn(usize) -> f64| {
            let shown = (1..most.min(size)).find(|&dim| is_small(share(dim), dim, size));
            // Points that leave no coordinate out have as many dimensions as coordinates.
            shown.or((most <= size).then_some(most))
        };
        let value = least(&mean)?;
        let mut votes: Vec<usize> =
            spectra.iter().map(|one| least(&|dim| one.share_beyond(dim)).unwrap_or(size)).collect();
        votes.sort_unstable();
        let at = |share: f64| votes[((votes.len() - 1) as f64 * share).round() as usize];
        Some((value, at(0.025).min(value), at(0.975).max(value)))
    };
    let least = sizes.clone().filter_map(of_size).min_by_key(|found| found.0);
    let smallest = sizes.map(|(&size, _)| size).next().unwrap_or(1).min(most);
    match least {
        Some((value, low, high)) => {
            Estimate { name: "charts", value: Some(value as f64), low: low as f64, high: Some(high as f64) }
        }
        None => Estimate { name: "charts", value: None, low: smallest as f64, high: None },
    }
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
/// Charts that cannot tell have no vote, but what they rule out is not suggested.
pub(super) fn together(estimates: &[Estimate], most: usize) -> (usize, Reason) {
    let known = || estimates.iter().filter_map(|estimate| estimate.value);
    let middle = median(known().collect()).round();
    let charts = estimates.iter().find(|estimate| estimate.name == "charts");
    if let Some(at_least) = charts.filter(|charts| charts.value.is_none()).map(|charts| charts.low) {
        let dim = (middle.max(at_least) as usize).clamp(1, most);
        return (dim, Reason::DistancesAlone { at_least: at_least as usize });
    }
    let charts = charts.and_then(|charts| charts.value).unwrap_or(middle);
    let dim = (middle.min(charts) as usize).clamp(1, most);
    let agree = known().filter(|value| value.round() as usize == dim).count();
    let reason = match agree {
        _ if agree == estimates.len() => Reason::EstimatesAgree,
        _ if charts < middle => Reason::FewerByLocalPca,
        _ if agree > 0 => Reason::MedianEstimate,
        _ => Reason::LimitedByData,
    };
    (dim, reason)
}
