//! A color ramp from dark blue over green to yellow that is even to the eye and safe for the color-blind, and one round
//! the color wheel for places along a seam, which have to be told apart rather than ordered.

/// Anchors of the ramp at equal steps: red, green, blue.
const ANCHORS: [[f64; 3]; 6] = [
    [68.0, 1.0, 84.0],
    [65.0, 68.0, 135.0],
    [42.0, 120.0, 142.0],
    [34.0, 168.0, 132.0],
    [122.0, 209.0, 81.0],
    [253.0, 231.0, 37.0],
];

/// Anchors of the wheel at equal steps, as light and as dark in turn so that neighbors differ in more than hue.
const WHEEL: [[f64; 3]; 9] = [
    [172.0, 16.0, 40.0],
    [255.0, 122.0, 60.0],
    [205.0, 150.0, 0.0],
    [190.0, 225.0, 60.0],
    [20.0, 130.0, 60.0],
    [70.0, 210.0, 230.0],
    [25.0, 70.0, 190.0],
    [175.0, 130.0, 250.0],
    [180.0, 20.0, 140.0],
];

/// The colors of verdicts, red, green and blue: faithful, shape lost, false neighbors, neighbors missing, not told from
/// chance.
pub const VERDICTS: [[u8; 3]; 5] = [[17, 119, 51], [230, 159, 0], [170, 51, 119], [51, 187, 238], [184, 184, 184]];

/// The color at `share` of the ramp, 0 to 1: red, green, blue.
pub(super) fn ramp_color(share: f64) -> [u8; 3] {
    between(&ANCHORS, share)
}

/// The color of a place along a seam, 0 to 1.
pub(super) fn seam_color(place: f64) -> [u8; 3] {
    between(&WHEEL, place)
}

fn between(anchors: &[[f64; 3]], share: f64) -> [u8; 3] {
    let place = share.clamp(0.0, 1.0) * (anchors.len() - 1) as f64;
    let below = (place.floor() as usize).min(anchors.len() - 2);
    let part = place - below as f64;
    [0, 1, 2].map(|at| (anchors[below][at] * (1.0 - part) + anchors[below + 1][at] * part).round() as u8)
}

/// A color as `#rrggbb`.
pub(super) fn hexadecimal([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A logarithmic scale for values of local distortion.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogScale {
    low: f64,
    high: f64,
}

impl LogScale {
    /// From `low` to `high` in whole powers of ten that cover the middle 98 % of all positive values.
    pub(super) fn covering<'a>(values: impl Iterator<Item = &'a f64>) -> Self {
        let mut positive: Vec<f64> = values.copied().filter(|&value| value > 0.0 && value.is_finite()).collect();
        positive.sort_by(f64::total_cmp);
        let at = |share: f64| positive[((positive.len() - 1) as f64 * share).round() as usize];
        if positive.is_empty() {
            return Self { low: -3.0, high: 0.0 };
        }
        let high = at(0.99).log10().ceil();
        // More than six powers of ten would make everything that matters look alike.
        let low = at(0.01).log10().floor().max(high - 6.0).min(high - 1.0);
        Self { low, high }
    }

    /// The ends of the scale as powers of ten.
    pub(super) fn exponents(self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Where `value` lies on the scale, 0 to 1.
    pub(super) fn share(self, value: f64) -> f64 {
        if value > 0.0 { ((value.log10() - self.low) / (self.high - self.low)).clamp(0.0, 1.0) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ramp_runs_from_end_to_end() {
        let ramp = |share: f64| hexadecimal(ramp_color(share));
        assert_eq!([-1.0, 1.0, 0.2].map(ramp), ["#440154", "#fde725", "#414487"].map(str::to_owned));
        assert_eq!([seam_color(0.0), seam_color(1.0)], [[172, 16, 40], [180, 20, 140]]);
    }

    /// A color as eyes see it that lack one kind of cones, after Machado, Oliveira and Fernandes (2009), in CIE L*a*b*.
    fn seen(color: [u8; 3], eyes: [[f64; 3]; 3]) -> [f64; 3] {
        let linear = color.map(|part| {
            let share = f64::from(part) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        });
        let times = |matrix: [[f64; 3]; 3], vector: [f64; 3]| {
            matrix.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum::<f64>())
        };
        let light = times(eyes, linear).map(|part| part.clamp(0.0, 1.0));
        let [x, y, z] = times([[0.4339, 0.3762, 0.1899], [0.2126, 0.7152, 0.0722], [0.0177, 0.1095, 0.8730]], light)
            .map(|part| if part > 0.008856 { part.cbrt() } else { 7.787 * part + 16.0 / 116.0 });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn verdicts_are_told_apart_by_all_eyes_on_light_and_dark_paper() {
        let all_cones = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let without_red =
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]];
        let without_green =
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]];
        let without_blue =
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]];
        for eyes in [all_cones, without_red, without_green, without_blue] {
            // The papers of the page are among what has to be told apart.
            let mut colors = VERDICTS.to_vec();
            colors.extend([[255, 255, 255], [20, 23, 27]]);
            for (place, &one) in colors.iter().enumerate() {
                for &other in &colors[..place] {
                    let (a, b) = (seen(one, eyes), seen(other, eyes));
                    let apart = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                    assert!(apart > 22.0, "{one:?} {other:?} {apart}");
                }
            }
        }
    }

    #[test]
    fn the_scale_has_whole_powers_and_survives_zeros() {
        assert_eq!(LogScale::covering([0.0, 0.002, 0.5].iter()).exponents(), (-3.0, 0.0));
        assert_eq!(LogScale::covering([0.0].iter()).exponents(), (-3.0, 0.0));
        assert_eq!(LogScale::covering([0.1, 1.0, 1.0].iter()).exponents(), (-1.0, 0.0));
        let scale = LogScale::covering([0.001, 1.0].iter());
        assert_eq!([0.0, 1.0, 10.0].map(|value| scale.share(value)), [0.0, 1.0, 1.0]);
    }
}
