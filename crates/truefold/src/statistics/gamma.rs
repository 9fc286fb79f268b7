//! The upper tail of a gamma distribution, Q(a, x) = (1 / Gamma(a)) integral from x to infinity of t^(a-1) e^-t dt.
//!
//! Below x = a + 1 the series of the lower tail, sum over j of x^j / ((a + 1) ... (a + j)), is subtracted from 1; above
//! it the continued fraction of the upper tail is evaluated by Lentz's method, so that small tails keep their digits.
//! Cost: some dozen terms for the shapes that occur here; about sqrt(a) for large ones.

/// A term below this share of the sum changes nothing.
const SMALL: f64 = 1e-15;
/// More terms than any shape below 10^8 needs.
const TERMS: usize = 100_000;

/// The chance that a gamma variable of this shape, with scale 1, is at least `x`.
pub(crate) fn gamma_tail(shape: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let front = (shape * x.ln() - x - libm::lgamma(shape)).exp();
    let tail = if x < shape + 1.0 { 1.0 - front * lower_series(shape, x) } else { front * upper_fraction(shape, x) };
    tail.clamp(0.0, 1.0)
}

fn lower_series(shape: f64, x: f64) -> f64 {
    let mut term = 1.0 / shape;
    let mut sum = term;
    for step in 1..TERMS {
        term *= x / (shape + step as f64);
        sum += term;
        if term < sum * SMALL {
            break;
        }
    }
    sum
}

fn upper_fraction(shape: f64, x: f64) -> f64 {
    let tiny = f64::MIN_POSITIVE / SMALL;
    let guarded = |value: f64| if value.abs() < tiny { tiny } else { value };
    let mut b = x + 1.0 - shape;
    let mut d = 1.0 / guarded(b);
    let mut c = 1.0 / tiny;
    let mut fraction = d;
    for step in 1..TERMS {
        let a = -(step as f64) * (step as f64 - shape);
        b += 2.0;
        d = 1.0 / guarded(a * d + b);
        c = guarded(b + a / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < SMALL {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_whole_and_half_numbers_have_their_closed_forms() {
        for x in [1e-3, 0.2, 1.0, 3.0, 12.0, 40.0, 300.0] {
            // Q(m, x) = e^-x sum over j < m of x^j / j!.
            let mut term = 1.0;
            let mut sum = 0.0;
            for m in 1..=20 {
                sum += term;
                term *= x / f64::from(m);
                let (expected, found) = (sum * (-x).exp(), gamma_tail(f64::from(m), x));
                assert!((found - expected).abs() <= 1e-12 * expected.max(1e-3), "{m} {x} {found} {expected}");
                if expected < 1e-6 {
                    assert!((found / expected - 1.0).abs() < 1e-10, "{m} {x} {found} {expected}");
                }
            }
            let half = libm::erfc(x.sqrt());
            assert!((gamma_tail(0.5, x) - half).abs() <= 1e-12 * half.max(1e-3), "{x}");
        }
        assert_eq!((gamma_tail(2.0, 0.0), gamma_tail(2.0, -1.0)), (1.0, 1.0));
    }

    #[test]
    fn the_tail_falls_from_one_to_zero() {
        for shape in [1e-3, 0.7, 5.0, 1e3, 1e6] {
            let tails: Vec<f64> = (0..200).map(|at| gamma_tail(shape, shape * f64::from(at) / 50.0)).collect();
            assert!(tails.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12), "{shape}");
            assert!((0.0..=1.0).contains(&tails[199]));
        }
        // The median of a gamma variable is a little below its mean.
        assert!((gamma_tail(1e4, 1e4 - 1.0 / 3.0) - 0.5).abs() < 1e-4);
    }
}
