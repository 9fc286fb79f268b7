//! What chance gives: the map with its rows in random order, a few times.
//!
//! Such a map has the places of Y and nothing to do with X. The value of a measure that has no closed form there is the
//! mean over draws, with the standard error of that mean.

use super::{Chance, Evaluation};
use crate::Points;
use rand::SeedableRng;
use rand::seq::SliceRandom;

/// Draws: enough to tell how far they spread, few enough to cost no more than the measure.
pub(super) const DRAWS: usize = 4;

/// The embedding with its rows in random order, once for each draw.
pub(super) fn embeddings(evaluation: &Evaluation<'_>) -> [Points; DRAWS] {
    let embedding = evaluation.embedding();
    let mut rows: Vec<u32> = (0..embedding.len() as u32).collect();
    // A stream of its own: the sample of points is drawn with the seed as it is.
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(evaluation.run().seed());
    rng.set_stream(1);
    std::array::from_fn(|_| {
        rows.shuffle(&mut rng);
        embedding.select(&rows)
    })
}

/// The mean over the draws, and its standard error.
pub(super) fn chance(values: [f64; DRAWS]) -> Chance {
    let count = DRAWS as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Chance { value: mean, error: Some((squares / (count - 1.0) / count).sqrt()) }
}
