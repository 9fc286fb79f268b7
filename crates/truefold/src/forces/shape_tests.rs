//! Pulls and means against the definition of R_C.

use super::shape::{Pulls, Shapes, mean_r_c};
use crate::data::Input;
use crate::local::procrustes;
use crate::{Neighborhoods, Points, Run};

fn places<const D: usize>(count: usize) -> Vec<[f32; D]> {
    (0..count).map(|at| std::array::from_fn(|axis| ((at * 31 + axis * 17) % 97) as f32 / 9.0)).collect()
}

/// R_C of a neighborhood and |H Y|^2, by their definitions.
fn of_definition<const D: usize>(x: &Points, members: &[u32], places: &[[f32; D]]) -> (f64, f64) {
    let row = |&row: &u32| places[row as usize].iter().map(|at| f64::from(*at)).collect::<Vec<_>>();
    let (x, y) = (x.select(members), Points::from_rows(&members.iter().map(row).collect::<Vec<_>>()).unwrap());
    let extent = |points: &Points| {
        let mean = |at: usize| points.rows().map(|row| row[at]).sum::<f64>() / points.len() as f64;
        let means: Vec<f64> = (0..points.dim()).map(mean).collect();
        points.rows().flat_map(|row| row.iter().zip(&means).map(|(a, b)| (a - b).powi(2))).sum::<f64>()
    };
    (procrustes(&x, &y).unwrap().conformal_residual / extent(&x), extent(&y))
}

fn check<const D: usize>() {
    let values = (0..480).map(|at| f64::from(at * 7919 % 1009)).collect();
    let (x, run) = (Points::new(120, 4, values).unwrap(), Run::new());
    let neighborhoods = Neighborhoods::nearest(&x, 9, &run).unwrap();
    let shapes = Shapes::new(Input::Points(&x).into(), &neighborhoods, &run).unwrap();
    let (places, mut pulls) = (places::<D>(120), Pulls::default());
    let each: Vec<(f64, f64)> =
        (0..120).map(|index| of_definition(&x, neighborhoods.members(index), &places)).collect();
    let mut extents: Vec<f64> = each.iter().map(|one| one.1).collect();
    extents.sort_by(f64::total_cmp);
    let usual = shapes.usual_extent(&places, &run).unwrap();
    assert!((usual / extents[60] - 1.0).abs() < 1e-5);
    let mut gradient = vec![[0.0; D]; 120];
    let mean = shapes.add_pulls(&places, (120.0, usual), &mut gradient, &mut pulls, &run).unwrap();
    let defined = each.iter().map(|one| one.0).sum::<f64>() / 120.0;
    // Single precision under a root.
    assert!((mean - defined).abs() < 1e-4, "{mean} {defined}");
    // The slopes along the coordinates of some points, each neighborhood by its weight.
    for (row, axis) in [(0, 0), (7, D - 1), (60, 0), (119, 1)] {
        let moved = |by: f32| {
            let mut moved = places.clone();
            moved[row][axis] += by;
            let of = |index: usize| of_definition(&x, neighborhoods.members(index), &moved).0;
            (0..120).map(|index| of(index) * each[index].1 * usual / (each[index].1 + usual) / 20.0).sum::<f64>()
        };
        let slope = (moved(0.01) - moved(-0.01)) / 0.02;
        let error = (gradient[row][axis] - slope).abs();
        assert!(error < 1e-3 * slope.abs() + 1e-5, "{row} {axis}: {} {slope}", gradient[row][axis]);
    }
    let mut again = vec![[0.0; D]; 120];
    let two = Run::new().with_threads(2).unwrap();
    assert_eq!(shapes.add_pulls(&places, (120.0, usual), &mut again, &mut pulls, &two).unwrap(), mean);
    assert_eq!(again, gradient);
}

#[test]
fn pulls_are_gradients_of_r_c_by_its_definition() {
    check::<2>();
    check::<3>();
}

#[test]
fn places_without_extent_pull_nothing() {
    let (x, run) = (Points::new(6, 2, vec![1.0; 12]).unwrap(), Run::new());
    let lists: Vec<Vec<i64>> = (0..6).map(|row| (0..6).filter(|other| *other != row).collect()).collect();
    let neighborhoods = Neighborhoods::from_lists(&lists).unwrap();
    let shapes = Shapes::new(Input::Points(&x).into(), &neighborhoods, &run).unwrap();
    for places in [vec![[0.0, 0.0]; 6], places::<2>(6)] {
        let mut gradient = vec![[0.0; 2]; 6];
        let mean = shapes.add_pulls(&places, (1.0, 1.0), &mut gradient, &mut Pulls::default(), &run).unwrap();
        assert_eq!((mean, gradient), (0.0, vec![[0.0; 2]; 6]));
    }
    // Of equal points in the map alone nothing is known but that they are wrong.
    let x = Points::new(6, 2, (0..12).map(|at| f64::from(at * 5 % 7)).collect()).unwrap();
    let shapes = Shapes::new(Input::Points(&x).into(), &neighborhoods, &run).unwrap();
    let mut gradient = vec![[0.0; 2]; 6];
    let mean = shapes.add_pulls(&[[3.0; 2]; 6], (1.0, 1.0), &mut gradient, &mut Pulls::default(), &run).unwrap();
    assert_eq!((mean, gradient), (1.0, vec![[0.0; 2]; 6]));
}

#[test]
fn the_mean_alone_has_the_bits_of_the_mean_beside_pulls() {
    // Neighborhoods of several tasks.
    let values = (0..6_000).map(|at| f64::from(at * 7919 % 10_007)).collect();
    let (x, run) = (Points::new(1_500, 4, values).unwrap(), Run::new());
    let neighborhoods = Neighborhoods::nearest(&x, 9, &run).unwrap();
    let input = Input::Points(&x);
    let map = Points::new(1_500, 2, x.rows().flat_map(|row| [row[0] / 1e4, row[2] / 1e4]).collect()).unwrap();
    let places: Vec<[f32; 2]> = {
        let values = super::Units::of(&map).1;
        values.chunks_exact(2).map(|row| [row[0] as f32, row[1] as f32]).collect()
    };
    let shapes = Shapes::new(input.into(), &neighborhoods, &run).unwrap();
    let mut gradient = vec![[0.0; 2]; 1_500];
    let beside = shapes.add_pulls(&places, (0.0, 1.0), &mut gradient, &mut Pulls::default(), &run).unwrap();
    for threads in [1, 3] {
        let run = Run::new().with_threads(threads).unwrap();
        let alone = mean_r_c(&input, &neighborhoods, &map, &run).unwrap().unwrap();
        assert_eq!(alone.to_bits(), beside.to_bits());
    }
    let of = |index: usize| of_definition(&x, neighborhoods.members(index), &places).0;
    let defined = (0..1_500).map(of).sum::<f64>() / 1_500.0;
    assert!((beside - defined).abs() < 1e-4, "{beside} {defined}");
}
