//! Isotonic regression: the nondecreasing values nearest to weighted means, min sum_b w_b (m_b - f_b)^2 over f_1 <= f_2
//! <= ...
//!
//! w_b is the weight of group b and m_b its mean. Neighboring groups whose means fall are pooled until none do (pool
//! adjacent violators; Kruskal, Psychometrika 29, 1964). Cost: linear, as every pooling removes a block.

/// The fitted value of each group from `[weight, weighted sum]`; a group without weight has that of the next group
/// with one, and past the last such group its value.
pub(crate) fn fit(groups: &[[f64; 2]]) -> Vec<f64> {
    struct Block {
        weight: f64,
        sum: f64,
        end: usize,
    }
    let mut blocks: Vec<Block> = Vec::new();
    for (index, &[weight, sum]) in groups.iter().enumerate() {
        if weight == 0.0 {
            continue;
        }
        let mut block = Block { weight, sum, end: index + 1 };
        while let Some(last) = blocks.pop_if(|last| last.sum * block.weight >= block.sum * last.weight) {
            block.weight += last.weight;
            block.sum += last.sum;
        }
        blocks.push(block);
    }
    let mut fitted = Vec::with_capacity(groups.len());
    for block in &blocks {
        fitted.resize(block.end, block.sum / block.weight);
    }
    let last = fitted.last().copied().unwrap_or(0.0);
    fitted.resize(groups.len(), last);
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falling_means_are_pooled_by_weight() {
        // Means 1, 5, 2, 3, 2: 5 and 2 (twice) pool to 3, which is not above 3 and 2 pooled.
        let groups = [[1.0, 1.0], [1.0, 5.0], [2.0, 4.0], [1.0, 3.0], [0.0, 0.0], [1.0, 2.0], [0.0, 0.0]];
        let fitted = fit(&groups);
        assert_eq!(fitted[0], 1.0);
        for value in &fitted[1..] {
            assert!((value - 14.0 / 5.0).abs() < 1e-15, "{fitted:?}");
        }
        assert_eq!(fit(&[[0.0, 0.0], [2.0, 2.0], [1.0, 3.0]]), [1.0, 1.0, 3.0]);
        assert_eq!(fit(&[[0.0, 0.0]]), [0.0]);
    }

    #[test]
    fn the_fit_is_the_max_of_min_means() {
        let means = [3.0, 1.0, 4.0, 1.5, 5.0, 9.0, 2.0, 6.0, 5.0, 3.5];
        let weights = [1.0, 2.0, 1.0, 3.0, 1.0, 1.0, 4.0, 1.0, 2.0, 1.0];
        let groups: Vec<[f64; 2]> = means.iter().zip(weights).map(|(m, w)| [w, m * w]).collect();
        let mean = |from: usize, to: usize| {
            let (w, s) = groups[from..=to].iter().fold((0.0, 0.0), |(w, s), group| (w + group[0], s + group[1]));
            s / w
        };
        for (at, value) in fit(&groups).into_iter().enumerate() {
            let best = (0..=at)
                .map(|from| (at..10).map(|to| mean(from, to)).fold(f64::INFINITY, f64::min))
                .fold(f64::NEG_INFINITY, f64::max);
            assert!((value - best).abs() < 1e-12);
        }
    }
}
