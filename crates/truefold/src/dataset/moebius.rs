//! The Moebius strip: a band with a half twist, which has one side.
//!
//! x = ((r + v cos(a/2)) cos a, (r + v cos(a/2)) sin a, v sin(a/2)), with a from 0 to 2 pi along the band and v from
//! -w/2 to w/2 across it. The two directions are orthogonal, so the area element is sqrt((r + v cos(a/2))^2 + v^2 / 4).
//! The truth is (r a, v): length along the middle line, and offset from it. Across the seam (2 pi r, v) meets (0, -v).

use super::drawing::{Drawing, Random};
use super::setting::{Chosen, Setting};
use super::{Dataset, DatasetInfo, Isometric};
use crate::error::{Advice, Name, Text};
use crate::{Error, Result};
use std::f64::consts::TAU;

const RADIUS: Setting = Setting::number("radius", 1.0, (0.001, 1000.0), "radius of the middle line");
const WIDTH: Setting = Setting::number("width", 1.0, (0.001, 1000.0), "width of the band, less than 2 radius");

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "moebius",
        summary: "a band with a half twist, which has one side and one edge",
        input_dim: 3,
        intrinsic_dim: 2,
        truth: &["along", "offset"],
        truth_summary: "length along the middle line, and offset from it, which changes sign across the seam",
        isometric: Isometric::No,
        closed: false,
        default_points: 2000,
        settings: &[RADIUS, WIDTH],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let (radius, width) = (chosen.number(&RADIUS), chosen.number(&WIDTH));
    if width >= 2.0 * radius {
        return Err(Error::parameter(
            Name::setting(WIDTH.name),
            width,
            Text::of("is not less than twice {set radius}")
                .and(format!(" = {radius}, so the band would run into itself")),
            Advice::change(Name::setting(WIDTH.name), "choose a smaller {set width} or a larger {set radius}"),
        ));
    }
    let half = width / 2.0;
    Drawing::of(points, || {
        let (a, v) = random.by_area(
            (radius + half).hypot(half / 2.0),
            |random| (random.between(0.0, TAU), random.between(-half, half)),
            |(a, v)| (radius + v * (a / 2.0).cos()).hypot(v / 2.0),
        );
        (surface(radius, a, v), [radius * a, v])
    })
}

fn surface(radius: f64, a: f64, v: f64) -> [f64; 3] {
    let out = radius + v * (a / 2.0).cos();
    [out * a.cos(), out * a.sin(), v * (a / 2.0).sin()]
}

#[cfg(test)]
mod tests {
    use super::super::Request;
    use super::super::shape_tests::{assert_by_area, assert_charted, sample};
    use super::*;

    #[test]
    fn every_point_is_on_the_strip() {
        let sample = sample(&DATASET, 2000, &[("radius", "2"), ("width", "1.5")]);
        for (x, z) in sample.points.rows().zip(sample.truth.rows()) {
            // In the half plane at angle a the strip is a line through the core at angle a/2; doubling that angle makes
            // the condition free of the seam.
            let a = x[1].atan2(x[0]);
            let (out, up) = (x[0].hypot(x[1]) - 2.0, x[2]);
            let square = out * out + up * up;
            assert!((out * out - up * up - square * a.cos()).abs() < 1e-12, "{x:?}");
            assert!((2.0 * out * up - square * a.sin()).abs() < 1e-12, "{x:?}");
            assert!((square.sqrt() - z[1].abs()).abs() < 1e-12 && z[1].abs() <= 0.75, "{x:?} {z:?}");
        }
    }

    #[test]
    fn the_band_is_covered_evenly() {
        let sample = sample(&DATASET, 20_000, &[("width", "1.9")]);
        let chart = |u, v| surface(1.0, u, v);
        assert_charted(&sample, chart);
        assert_by_area(&sample, (0.0, TAU), (-0.95, 0.95), chart);
    }

    #[test]
    fn the_ends_meet_with_a_twist() {
        let (end, start) = (surface(1.0, TAU, 0.3), surface(1.0, 0.0, -0.3));
        assert!(end.iter().zip(start).all(|(a, b)| (a - b).abs() < 1e-12), "{end:?} {start:?}");
    }

    #[test]
    fn a_band_too_wide_is_refused() {
        let error = DATASET.sample(&Request::new().with_setting("width", 2)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "width = 2 is not less than twice radius = 1, so the band would run into itself; \
             choose a smaller width or a larger radius"
        );
    }
}
