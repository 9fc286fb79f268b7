//! The glyph: small pictures of one letter, moved about and, if asked, turned.
//!
//! A pixel at p has the brightness smooth(1/2 - D / e), where D = min over the strokes of |p - nearest point on it| - w
//! is the signed distance from p to the letter at its place, w is half the width of a stroke, e is the width of the
//! soft edge, and smooth(t) = t^2 (3 - 2 t) for t clamped to [0, 1]. A picture of m x m pixels is a point in m^2
//! dimensions, row by row from the top. The truth is the shift right and down in pixels and, with `turn`, the clockwise
//! angle in radians. Pictures are uniform in these, not by area, and the truth is not an isometry: how much a shift by
//! a pixel changes the picture depends on its direction.
//!
//! The letter is like an F, so that it equals no turned or mirrored image of itself; it never touches the border. Cost:
//! three distances per pixel.

use super::drawing::{Drawing, Random};
use super::setting::{Chosen, Setting};
use super::{Dataset, DatasetInfo, Isometric};
use crate::Result;
use std::f64::consts::FRAC_PI_4;

const SIZE: Setting = Setting::whole("size", 24, (12, 512), "side of the picture in pixels");
const EDGE: Setting = Setting::number("edge", 1.5, (0.5, 4.0), "width of the soft edge in pixels");
const TURN: Setting = Setting::switch("turn", false, "whether the letter also turns, by up to 45 degrees each way");

pub(super) static DATASET: Dataset = Dataset {
    info: DatasetInfo {
        name: "glyph",
        summary: "small pictures of a letter that moves about and, with turn, turns",
        input_dim: 576,
        intrinsic_dim: 2,
        truth: &["shift_x", "shift_y", "angle"],
        truth_summary: "shift right and down in pixels and, with turn, the clockwise angle in radians",
        isometric: Isometric::No,
        closed: false,
        default_points: 1000,
        settings: &[SIZE, EDGE, TURN],
    },
    draw,
};

/// The two ends of a stroke.
type Stroke = [[f64; 2]; 2];

/// The strokes of the letter, right and down from its middle; with [`HALF_WIDTH`] all within the unit disk.
const STROKES: [Stroke; 3] =
    [[[-0.3, -0.75], [-0.3, 0.75]], [[-0.3, -0.75], [0.38, -0.72]], [[-0.3, -0.05], [0.2, -0.05]]];

/// Half the width of a stroke, in the unit of [`STROKES`].
const HALF_WIDTH: f64 = 0.18;

/// The unit of [`STROKES`] as a share of the side of the picture.
const SCALE: f64 = 0.24;

fn draw(chosen: &Chosen, points: usize, random: &mut Random) -> Result<Drawing> {
    let picture = Picture { size: chosen.whole(&SIZE), edge: chosen.number(&EDGE) };
    let turn = chosen.switch(&TURN);
    let reach = picture.reach();
    Drawing::rows(points, picture.size * picture.size, if turn { 3 } else { 2 }, |pixels, truth| {
        truth[0] = random.between(-reach, reach);
        truth[1] = random.between(-reach, reach);
        if turn {
            truth[2] = random.between(-FRAC_PI_4, FRAC_PI_4);
        }
        picture.render([truth[0], truth[1]], truth.get(2).copied().unwrap_or(0.0), pixels);
    })
}

struct Picture {
    size: usize,
    edge: f64,
}

impl Picture {
    /// How far the letter can move each way, at any angle, before its soft edge touches the border.
    fn reach(&self) -> f64 {
        (0.5 - SCALE) * self.size as f64 - self.edge / 2.0
    }

    fn render(&self, shift: [f64; 2], angle: f64, pixels: &mut [f64]) {
        let strokes = self.strokes(shift, angle);
        for (number, pixel) in pixels.iter_mut().enumerate() {
            let center = [(number % self.size) as f64 + 0.5, (number / self.size) as f64 + 0.5];
            *pixel = self.brightness(center, &strokes);
        }
    }

    /// The strokes of the letter at its place, in pixels from the upper left corner.
    fn strokes(&self, shift: [f64; 2], angle: f64) -> [Stroke; 3] {
        let (middle, scale) = (self.size as f64 / 2.0, SCALE * self.size as f64);
        let (sin, cos) = angle.sin_cos();
        STROKES.map(|ends| {
            ends.map(|[right, down]| {
                let turned = [cos * right - sin * down, sin * right + cos * down];
                [middle + shift[0] + scale * turned[0], middle + shift[1] + scale * turned[1]]
            })
        })
    }

    fn brightness(&self, at: [f64; 2], strokes: &[Stroke]) -> f64 {
        let nearest = strokes.iter().map(|stroke| squared_distance(at, stroke)).fold(f64::INFINITY, f64::min);
        let outside = nearest.sqrt() - HALF_WIDTH * SCALE * self.size as f64;
        let inside = (0.5 - outside / self.edge).clamp(0.0, 1.0);
        inside * inside * (3.0 - 2.0 * inside)
    }
}

/// From a point to the nearest point on a stroke.
fn squared_distance(at: [f64; 2], [start, end]: &Stroke) -> f64 {
    let along = [end[0] - start[0], end[1] - start[1]];
    let to = [at[0] - start[0], at[1] - start[1]];
    let share = (to[0] * along[0] + to[1] * along[1]) / (along[0] * along[0] + along[1] * along[1]);
    let share = share.clamp(0.0, 1.0);
    let (right, down) = (to[0] - share * along[0], to[1] - share * along[1]);
    right * right + down * down
}

#[cfg(test)]
mod tests {
    use super::super::shape_tests::{assert_distributed, column, sample};
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    const PICTURE: Picture = Picture { size: 24, edge: 1.5 };

    fn render(x: f64, y: f64, angle: f64) -> Vec<f64> {
        let mut pixels = vec![0.0; 576];
        PICTURE.render([x, y], angle, &mut pixels);
        pixels
    }

    fn difference(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    }

    /// The picture whose pixel in row r and column c is that of `pixels` at `from(r, c)`.
    fn rearranged(pixels: &[f64], from: impl Fn(usize, usize) -> (usize, usize)) -> Vec<f64> {
        (0..576)
            .map(|number| {
                let (row, column) = from(number / 24, number % 24);
                pixels[row * 24 + column]
            })
            .collect()
    }

    #[test]
    fn a_shift_by_a_pixel_moves_the_picture_by_a_pixel() {
        let right = rearranged(&render(0.3, -1.2, 0.4), |r, c| (r, (c + 23) % 24));
        assert!(difference(&right, &render(1.3, -1.2, 0.4)) < 1e-12);
        let down = rearranged(&render(0.3, -1.2, 0.4), |r, c| ((r + 23) % 24, c));
        assert!(difference(&down, &render(0.3, -0.2, 0.4)) < 1e-12);
    }

    #[test]
    fn a_quarter_turn_turns_the_picture_clockwise() {
        let turned = rearranged(&render(0.0, 0.0, 0.0), |r, c| (23 - c, r));
        assert!(difference(&turned, &render(0.0, 0.0, FRAC_PI_2)) < 1e-12);
    }

    #[test]
    fn no_turn_or_mirror_image_of_the_letter_is_itself() {
        let letter = render(0.0, 0.0, 0.0);
        for angle in [FRAC_PI_2, PI, 1.5 * PI] {
            assert!(difference(&letter, &render(0.0, 0.0, angle)) > 3.0);
        }
        assert!(difference(&letter, &rearranged(&letter, |r, c| (r, 23 - c))) > 3.0);
        assert!(difference(&letter, &rearranged(&letter, |r, c| (23 - r, c))) > 3.0);
    }

    #[test]
    fn the_picture_follows_the_letter_at_an_even_pace() {
        // The step between two pictures must shrink with the step of the letter and never vanish before it does.
        for start in [(0.0, 0.0, 0.0), (2.3, -1.7, 0.5), (-5.0, 5.0, -0.7)] {
            for direction in [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 0.3)] {
                let at =
                    |t: f64| render(start.0 + t * direction.0, start.1 + t * direction.1, start.2 + t * direction.2);
                let pace = |t: f64| difference(&at(t), &at(0.0)) / t;
                assert!((1.0..8.0).contains(&pace(1e-6)), "{}", pace(1e-6));
                assert!((pace(1e-2) / pace(1e-6) - 1.0).abs() < 0.05, "{} {}", pace(1e-2), pace(1e-6));
            }
        }
    }

    #[test]
    fn the_letter_never_touches_the_border() {
        for (size, edge) in [(12, 4.0), (24, 1.5), (31, 0.5)] {
            let picture = Picture { size, edge };
            let (reach, side) = (picture.reach(), size as f64);
            assert!(reach > 1.0);
            for step in 0..32 {
                for (x, y) in [(-reach, -reach), (reach, -reach), (-reach, reach), (reach, reach)] {
                    let strokes = picture.strokes([x, y], f64::from(step) * PI / 16.0);
                    for along in (0..=10 * size).map(|tenth| tenth as f64 / 10.0) {
                        for at in [[along, 0.0], [along, side], [0.0, along], [side, along]] {
                            assert_eq!(picture.brightness(at, &strokes), 0.0, "size {size}, {at:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn turning_adds_a_dimension() {
        let turned = sample(&DATASET, 3000, &[("turn", "true"), ("size", "12")]);
        assert_eq!((turned.points.dim(), turned.truth.dim()), (144, 3));
        assert_eq!(turned.truth.columns().unwrap()[2], "angle");
        let reach = Picture { size: 12, edge: 1.5 }.reach();
        for axis in 0..2 {
            assert_distributed(column(&turned.truth, axis), |shift| (shift / reach + 1.0) / 2.0);
        }
        assert_distributed(column(&turned.truth, 2), |angle| (angle / FRAC_PI_4 + 1.0) / 2.0);
    }

    #[test]
    fn pictures_are_those_their_truth_describes() {
        let sample = sample(&DATASET, 50, &[]);
        for (pixels, z) in sample.points.rows().zip(sample.truth.rows()) {
            assert_eq!(pixels, render(z[0], z[1], 0.0));
            assert!(pixels.iter().all(|pixel| (0.0..=1.0).contains(pixel)));
        }
    }
}
