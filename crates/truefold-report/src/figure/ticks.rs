//! Round numbers along an axis, and how they are written.

/// Round numbers from `low` to `high`, about `wanted` of them.
pub(super) fn linear(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let step = round_step((high - low) / wanted.max(1) as f64);
    if !(step > 0.0 && step.is_finite()) {
        return vec![low];
    }
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|place| place as f64 * step).collect()
}

/// 1, 2 or 5 times a power of ten, at least `least`.
pub(super) fn round_step(least: f64) -> f64 {
    if !(least > 0.0 && least.is_finite()) {
        return 0.0;
    }
    let power = 10_f64.powf(least.log10().floor());
    let factor = least / power;
    let rounded = [1.0, 2.0, 5.0, 10.0].into_iter().find(|&step| factor <= step * (1.0 + 1e-9)).unwrap_or(10.0);
    rounded * power
}

/// The powers of ten from `low` to `high`; where there are fewer than three, also 2 and 5 times them.
pub(super) fn powers(low: f64, high: f64) -> Vec<f64> {
    let exponents = (low.log10() - 1e-9).floor() as i32..=(high.log10() + 1e-9).ceil() as i32;
    let inside = |value: &f64| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(value);
    let tens: Vec<f64> = exponents.clone().map(|exponent| 10_f64.powi(exponent)).filter(inside).collect();
    if tens.len() >= 3 {
        let every = tens.len().div_ceil(8);
        return tens.into_iter().step_by(every).collect();
    }
    exponents.flat_map(|exponent| [1.0, 2.0, 5.0].map(|factor| factor * 10_f64.powi(exponent))).filter(inside).collect()
}

/// A tick's number in as few letters as say it.
pub(super) fn written(value: f64) -> String {
    // What a step leaves of zero.
    if value.abs() < 1e-12 {
        return "0".to_owned();
    }
    let size = value.abs();
    if !(1e-4..1e6).contains(&size) {
        let text = format!("{value:.2e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        return format!("{digits}e{exponent}");
    }
    let decimals = (4 - size.log10().floor() as i32).clamp(0, 8) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(linear(0.0, 10.0, 5), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(linear(-0.31, 0.33, 4), [-0.2, 0.0, 0.2]);
        assert_eq!(linear(3.0, 3.0, 4), [3.0]);
        assert_eq!(powers(0.001, 1.0), [0.001, 0.01, 0.1, 1.0]);
        assert_eq!(powers(0.03, 0.4), [0.05, 0.1, 0.2]);
        assert!(powers(1e-12, 1e12).len() <= 8);
    }

    #[test]
    fn numbers_are_short() {
        let shown: Vec<String> = [0.0, 0.30000000000000004, 20.0, 1e-6, 250_000.0, -1.5, 1e300].map(written).into();
        assert_eq!(shown, ["0", "0.3", "20", "1e-6", "250000", "-1.5", "1e300"]);
    }
}
