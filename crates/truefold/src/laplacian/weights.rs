//! How much each neighborhood counts, and whether an old factor still fits new weights.

use crate::error::{Advice, Place};
use crate::{Error, Result};

/// How much each neighborhood counts in the sum of squares that is minimized.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Weights {
    /// All alike, with weight one: least R.
    #[default]
    Uniform,
    /// One positive weight per neighborhood; one over the neighborhood's squared size gives least R_N.
    Each(Vec<f64>),
}

impl Weights {
    /// The weights of `count` neighborhoods, checked to be positive and finite.
    pub(super) fn into_checked(self, count: usize) -> Result<Vec<f64>> {
        let weights = match self {
            Self::Uniform => return Ok(vec![1.0; count]),
            Self::Each(weights) => weights,
        };
        if weights.len() != count {
            return Err(Error::data(
                format!("{} weights were given for {count} neighborhoods", weights.len()),
                Advice::mend_data("give exactly one each"),
            ));
        }
        if let Some(at) = weights.iter().position(|&weight| !(weight.is_normal() && weight > 0.0)) {
            let advice = Advice::mend_data("every weight must be a positive number");
            return Err(Error::data(format!("has the weight {}", weights[at]), advice).at(Place::row(at)));
        }
        Ok(weights)
    }
}

/// The largest ratio of new to old weights over the least: it bounds what an old factor loses in condition.
pub(super) fn spread(new: &[f64], old: &[f64]) -> f64 {
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for (new, old) in new.iter().zip(old) {
        least = least.min(new / old);
        most = most.max(new / old);
    }
    most / least
}
