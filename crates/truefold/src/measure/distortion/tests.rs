//! Torn maps in both readings, a large problem in another order, and pairs without a length.

use super::*;
use crate::data::Input;
use crate::graph::RENUMBER_FROM;
use crate::measure::{Options, Sampling};
use crate::{Neighborhoods, Points, Run};

const AROUND: usize = 12;
const UP: usize = 5;

/// A cylinder as a lattice: each point is joined with the next around and the next above, at distance 1.
fn cylinder() -> (Points, Neighborhoods) {
    let radius = 0.5 / (std::f64::consts::PI / AROUND as f64).sin();
    let mut rows = Vec::new();
    let mut lists = Vec::new();
    for at in 0..AROUND * UP {
        let (around, up) = (at % AROUND, at / AROUND);
        let angle = std::f64::consts::TAU * around as f64 / AROUND as f64;
        rows.push([radius * angle.cos(), radius * angle.sin(), up as f64]);
        let mut list = vec![(up * AROUND + (around + 1) % AROUND) as i64];
        list.extend((up + 1 < UP).then_some((at + AROUND) as i64));
        lists.push(list);
    }
    (Points::from_rows(&rows).unwrap(), Neighborhoods::from_lists(&lists).unwrap())
}

/// The same cut open and laid flat, `scale` times as large.
fn flat(scale: f64) -> Points {
    let place = |at: usize| [scale * (at % AROUND) as f64, scale * (at / AROUND) as f64];
    Points::from_rows(&(0..AROUND * UP).map(place).collect::<Vec<_>>()).unwrap()
}

/// The pairs that the cut separates.
fn seam() -> Vec<(u32, u32)> {
    (0..UP).map(|up| ((up * AROUND) as u32, (up * AROUND + AROUND - 1) as u32)).collect()
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-12 * expected
}

#[test]
fn a_torn_cylinder_is_perfect_beside_its_seam_and_with_its_seam_glued() {
    let (x, whole) = cylinder();
    let run = Run::new();
    for scale in [1.0, 7.0] {
        let y = flat(scale);
        let of = |neighborhoods: &Neighborhoods, glued: Option<&[(u32, u32)]>| {
            let evaluation = Evaluation::new(Input::Points(&x), &y, neighborhoods, Options::default(), &run).unwrap();
            let evaluation = match glued {
                Some(pairs) => evaluation.glued(pairs),
                None => evaluation,
            };
            distortion(&evaluation).unwrap().clone()
        };
        // Two banks of the seam are one step apart in the data and eleven in the map.
        let torn = of(&whole, None);
        assert!(near(torn.stretch, 11.0 * scale) && near(torn.shrink, 1.0 / scale), "{torn:?}");
        assert!(near(torn.largest, 11.0) && torn.median > 1.5, "{torn:?}");
        let rest = whole.without(&seam());
        for (found, name) in [(of(&rest, None), "apart"), (of(&whole, Some(&seam())), "glued")] {
            assert!(near(found.median, 1.0) && near(found.largest, 1.0), "{name}: {found:?}");
            assert!(near(found.stretch, scale) && near(found.shrink, 1.0 / scale), "{name}: {found:?}");
        }
        // Glued alone is not enough: with the map's left half at twice the width, paths have two scales.
        let wide: Vec<[f64; 2]> = y.rows().map(|row| [row[0] + row[0].min(6.0 * scale), row[1]]).collect();
        let wide = Points::from_rows(&wide).unwrap();
        let evaluation =
            Evaluation::new(Input::Points(&x), &wide, &whole, Options::default(), &run).unwrap().glued(&[]);
        assert!(distortion(&evaluation).unwrap().median > 1.5);
        let pairs = seam();
        let evaluation =
            Evaluation::new(Input::Points(&x), &wide, &whole, Options::default(), &run).unwrap().glued(&pairs);
        let found = distortion(&evaluation).unwrap();
        assert!(near(found.largest, 2.0) && near(found.stretch, 2.0 * scale), "{found:?}");
    }
}

#[test]
fn a_large_problem_in_another_order_gives_every_point_its_own_value() {
    // A line, its points in mixed order; the map has twice the scale beyond the middle.
    let count = RENUMBER_FROM + 21;
    let place = |row: usize| (row * 7 % count) as f64;
    let middle = (count / 2) as f64;
    let mapped = |x: f64| x + (x - middle).max(0.0);
    let x = Points::new(count, 1, (0..count).map(place).collect()).unwrap();
    let y = Points::new(count, 1, (0..count).map(|row| mapped(place(row))).collect()).unwrap();
    let run = Run::new().with_seed(4);
    let neighborhoods = Neighborhoods::nearest(&x, 2, &run).unwrap();
    let options = Options { sample: Sampling::Points(3), ..Options::default() };
    let evaluation = Evaluation::new(Input::Points(&x), &y, &neighborhoods, options, &run).unwrap();
    let score = PathDistortion.score(&evaluation).unwrap();
    let values = score.per_point.unwrap();
    let sources = Sampling::Points(3).rows(count, 4).unwrap();
    for row in [0, 1, 2, 777, 30_000, count - 1] {
        let near = [-2.0, -1.0, 1.0, 2.0].map(|step| place(row) + step);
        let ends = near.into_iter().filter(|at| (0.0..count as f64).contains(at));
        // The ends of the line have neighbors two steps away, and are such neighbors.
        let is_joined = |at: f64| {
            (at - place(row)).abs() < 1.5 || [at, place(row)].iter().any(|&end| end == 0.0 || end == count as f64 - 1.0)
        };
        let ends = ends.filter(|&at| is_joined(at)).chain(sources.iter().map(|&source| place(source as usize)));
        let ratios: Vec<f64> = ends
            .filter(|&at| at != place(row))
            .map(|at| (mapped(at) - mapped(place(row))) / (at - place(row)))
            .collect();
        let (high, low) =
            (ratios.iter().fold(0.0_f64, |a, &b| a.max(b)), ratios.iter().fold(9.0_f64, |a, &b| a.min(b)));
        assert!((values[row] - high / low).abs() < 1e-9, "{row}: {} {}", values[row], high / low);
    }
    let found = distortion(&evaluation).unwrap();
    assert_eq!((found.stretch, found.shrink, found.sources), (2.0, 1.0, 3));
    assert!(found.error.is_some() && score.standard_error == found.error);
}

#[test]
fn pairs_without_a_length_are_left_out_and_counted() {
    let run = Run::new();
    // Rows 0 and 1 coincide in X and in Y, rows 3 and 4 in Y alone.
    let x = Points::new(5, 1, vec![0.0, 0.0, 1.0, 2.0, 3.0]).unwrap();
    let y = Points::new(5, 1, vec![0.0, 0.0, 1.0, 2.0, 2.0]).unwrap();
    let neighborhoods = Neighborhoods::from_lists(&[[1], [2], [3], [4], [3]]).unwrap();
    let evaluation = Evaluation::new(Input::Points(&x), &y, &neighborhoods, Options::default(), &run).unwrap();
    let found = distortion(&evaluation).unwrap();
    assert_eq!((found.coinciding, found.merged, found.sources), (2, 2, 5));
    // From row 4: 2 / 3, 2 / 3 and 1 / 2.
    assert!((found.shrink - 2.0).abs() < 1e-12 && found.stretch == 1.0 && found.error.is_none());
    assert!(PathDistortion.score(&evaluation).unwrap().per_point.unwrap().iter().all(|value| value.is_finite()));
    let flat = Points::new(5, 1, vec![2.5; 5]).unwrap();
    let evaluation = Evaluation::new(Input::Points(&x), &flat, &neighborhoods, Options::default(), &run).unwrap();
    let error = distortion(&evaluation).unwrap_err().to_string();
    assert!(error.contains("no path has a length both in X and in Y"), "{error}");
    // A component in one place has no value; the other one has.
    let y = Points::new(5, 1, vec![0.0, 0.0, 1.0, 7.0, 7.0]).unwrap();
    let pieces = Neighborhoods::from_lists(&[[1], [2], [1], [4], [3]]).unwrap();
    let evaluation = Evaluation::new(Input::Points(&x), &y, &pieces, Options::default(), &run).unwrap();
    let score = PathDistortion.score(&evaluation).unwrap();
    assert_eq!((score.value, score.left_out, score.standard_error), (1.0, 2, None));
}
