//! Powers in single precision by sums and products alone: fast on vectors, and the same bits on every machine.

/// x^p for a positive, normal x; the relative error is below 3e-6 where |p log2 x| < 20.
#[inline(always)]
pub(crate) fn power(x: f32, p: f32) -> f32 {
    exp2(p * log2(x))
}

/// The logarithm to base 2 of a positive, normal number.
#[inline(always)]
fn log2(x: f32) -> f32 {
    // x = 2^e m with m between 1/sqrt(2) and sqrt(2); log m by the series in (m - 1) / (m + 1).
    let bits = x.to_bits();
    let exponent = bits.wrapping_sub(0x3F35_04F3) as i32 >> 23;
    let mantissa = f32::from_bits(bits.wrapping_sub((exponent << 23) as u32));
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let t = s * s;
    let series = 2.885_39 + t * (0.961_796_7 + t * (0.577_078 + t * 0.412_198_6));
    exponent as f32 + s * series
}

/// 2^y, and zero or a large number beyond the range of normal numbers.
#[inline(always)]
fn exp2(y: f32) -> f32 {
    let y = y.clamp(-126.0, 126.0);
    // Adding and taking off this number rounds to the nearest whole one.
    let round = 12_582_912.0;
    let whole = (y + round) - round;
    let f = (y - whole) * std::f32::consts::LN_2;
    let series =
        1.0 + f * (1.0 + f * (0.5 + f * (0.166_666_67 + f * (0.041_666_65 + f * (0.008_333_4 + f * 0.001_388_9)))));
    f32::from_bits((series.to_bits() as i32 + ((whole as i32) << 23)) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_right_to_five_digits() {
        for step in -400..400 {
            let x = 1.07_f32.powi(step / 2) * 1.3;
            for p in [0.5, 0.79, 0.895, 1.0, 1.3, 2.0_f32] {
                let exact = f64::from(x).powf(f64::from(p));
                let size = (f64::from(p) * f64::from(x).log2()).abs();
                assert!((f64::from(power(x, p)) / exact - 1.0).abs() < 2e-6 + 1e-7 * size, "{x} {p}");
            }
        }
    }
}
