//! The torus: the skin of a ring, curved both ways.
//!
//! x = ((R + r cos b) cos a, (R + r cos b) sin a, r sin b), with a around the ring and b around the tube, both from 0
//! to 2 pi. The area element is r (R + r cos b): the outside of the ring has more room than the inside. The truth is
//! (R a, r b): length along the core of the ring, and around the tube.

use super::drawing::{Drawing, Random};
use super::setting::{Chosen, Setting};
use super::{Dataset, DatasetInfo, Isometric};
use crate::error::{Advice, Name, Text};
use crate::{Error, Result};
use std::f64::consts::TAU;

/// From the center of the ring to the core of its tube; for the Klein bottle and the solid torus too.
pub(super) const RADIUS: Setting =
    Setting::number("radius", 2.0, (0.001, 1000.0), "from the center of the ring to the core of its tube");

/// The radius of the tube; for these too.
pub(super) const TUBE: Setting = Setting::number("tube", 1.0, (0.001, 1000.0), "radius of the tube, less than radius");

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "torus",
        summary: "the skin of a ring in space",
        input_dim: 3,
        intrinsic_dim: 2,
        truth: &["along", "around"],
        truth_summary: "length along the core of the ring, and around the tube from its outer side",
        isometric: Isometric::No,
        closed: true,
        default_points: 2000,
        settings: &[RADIUS, TUBE],
    },
    draw,
};

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let (radius, tube) = radii(chosen)?;
    Drawing::of(points, || {
        let (a, b) = random.by_area(
            radius + tube,
            |random| (random.between(0.0, TAU), random.between(0.0, TAU)),
            |(_, b)| radius + tube * b.cos(),
        );
        (surface(radius, tube, a, b), [radius * a, tube * b])
    })
}

/// Both radii, where the tube does not run into itself.
pub(super) fn radii(chosen: &Chosen) -> Result<(f64, f64)> {
    let (radius, tube) = (chosen.number(&RADIUS), chosen.number(&TUBE));
    if tube < radius {
        return Ok((radius, tube));
    }
    Err(Error::parameter(
        Name::setting(TUBE.name),
        tube,
        Text::of("is not less than {set radius}").and(format!(" = {radius}, so the tube would run into itself")),
        Advice::change(Name::setting(TUBE.name), "choose a smaller {set tube} or a larger {set radius}"),
    ))
}

pub(super) fn surface(radius: f64, tube: f64, a: f64, b: f64) -> [f64; 3] {
    let out = radius + tube * b.cos();
    [out * a.cos(), out * a.sin(), tube * b.sin()]
}

#[cfg(test)]
mod tests {
    use super::super::Request;
    use super::super::shape_tests::{assert_by_area, assert_charted, sample};
    use super::*;

    #[test]
    fn every_point_is_on_the_torus() {
        for x in sample(&DATASET, 2000, &[("radius", "3")]).points.rows() {
            let off = x[0].hypot(x[1]) - 3.0;
            assert!((off * off + x[2] * x[2] - 1.0).abs() < 1e-12, "{x:?}");
        }
    }

    #[test]
    fn the_skin_is_covered_evenly() {
        let sample = sample(&DATASET, 20_000, &[]);
        let chart = |u: f64, v: f64| surface(2.0, 1.0, u / 2.0, v);
        assert_charted(&sample, chart);
        assert_by_area(&sample, (0.0, 2.0 * TAU), (0.0, TAU), chart);
    }

    #[test]
    fn a_tube_too_thick_is_refused() {
        let error = DATASET.sample(&Request::new().with_setting("tube", 2)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "tube = 2 is not less than radius = 2, so the tube would run into itself; \
             choose a smaller tube or a larger radius"
        );
    }
}
