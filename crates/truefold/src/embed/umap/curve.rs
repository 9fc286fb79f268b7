//! The curve by which links weaken with distance in the map: 1 / (1 + a r^(2 b)).

/// The two numbers of the curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Curve {
    pub(super) a: f64,
    pub(super) b: f64,
}

/// Places at which the curve is fitted, from 0 to three times the spread.
const PLACES: usize = 300;
/// Steps of the fit, at the most.
const STEPS: usize = 200;

impl Curve {
    /// The nearest, by least squares, to a curve that is 1 up to `min_dist` and then falls like exp(-(r - min_dist) /
    /// spread): Levenberg's and Marquardt's steps in the logarithms of a and b.
    pub(super) fn fit(min_dist: f64, spread: f64) -> Self {
        let places: Vec<(f64, f64)> = (1..PLACES)
            .map(|at| 3.0 * spread * at as f64 / (PLACES - 1) as f64)
            .map(|r| (r, if r < min_dist { 1.0 } else { (-(r - min_dist) / spread).exp() }))
            .collect();
        let error = |curve: Self| places.iter().map(|(r, wanted)| (curve.at(*r) - wanted).powi(2)).sum::<f64>();
        let mut curve = Self { a: 1.0 / (spread * spread), b: 1.0 };
        let (mut least, mut caution) = (error(curve), 1e-3);
        for _ in 0..STEPS {
            let (mut matrix, mut right) = ([0.0; 3], [0.0; 2]);
            for &(r, wanted) in &places {
                let value = curve.at(r);
                // By the logarithm of a, and of b.
                let slope = -value * (1.0 - value);
                let slopes = [slope, slope * 2.0 * curve.b * r.ln()];
                matrix[0] += slopes[0] * slopes[0];
                matrix[1] += slopes[0] * slopes[1];
                matrix[2] += slopes[1] * slopes[1];
                right[0] -= slopes[0] * (value - wanted);
                right[1] -= slopes[1] * (value - wanted);
            }
            let [one, across, two] = [matrix[0] * (1.0 + caution), matrix[1], matrix[2] * (1.0 + caution)];
            let whole = one * two - across * across;
            let step = [(two * right[0] - across * right[1]) / whole, (one * right[1] - across * right[0]) / whole];
            let next = Self { a: curve.a * step[0].exp(), b: curve.b * step[1].exp() };
            let reached = error(next);
            if reached < least {
                let gained = least - reached;
                (curve, least, caution) = (next, reached, caution / 4.0);
                if gained < 1e-14 * least.max(1e-12) {
                    break;
                }
            } else {
                caution *= 8.0;
                if caution > 1e12 {
                    break;
                }
            }
        }
        curve
    }

    fn at(self, r: f64) -> f64 {
        1.0 / (1.0 + self.a * r.powf(2.0 * self.b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_curve_has_the_numbers_that_are_known() {
        let curve = Curve::fit(0.1, 1.0);
        assert!((curve.a - 1.5769).abs() < 1e-3 && (curve.b - 0.8951).abs() < 1e-3, "{curve:?}");
    }

    #[test]
    fn no_nearby_curve_fits_better() {
        for (min_dist, spread) in [(0.0, 1.0), (0.5, 1.0), (1.0, 1.0), (0.05, 3.0), (0.3, 0.4)] {
            let curve = Curve::fit(min_dist, spread);
            let error = |curve: Curve| -> f64 {
                let places = (1..PLACES).map(|at| 3.0 * spread * at as f64 / (PLACES - 1) as f64);
                let wanted = |r: f64| if r < min_dist { 1.0 } else { (-(r - min_dist) / spread).exp() };
                places.map(|r| (curve.at(r) - wanted(r)).powi(2)).sum()
            };
            for (a, b) in [(1.01, 1.0), (0.99, 1.0), (1.0, 1.01), (1.0, 0.99), (1.01, 0.99)] {
                assert!(error(Curve { a: curve.a * a, b: curve.b * b }) > error(curve), "{min_dist} {spread}");
            }
        }
    }
}
