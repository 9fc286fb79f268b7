//! What must hold of the Procrustes measures for any data.

use proptest::prelude::*;
use truefold::Input;
use truefold::local::procrustes;
use truefold::measure::{Evaluation, MEASURES, Options, Sampling, Score, find};
use truefold::{Neighborhoods, Points, Run};

/// A case: X in q dimensions, Y in d <= q, and k.
#[derive(Debug, Clone)]
struct Case {
    x: Points,
    y: Points,
    k: usize,
}

fn cases() -> impl Strategy<Value = Case> {
    (8_usize..30, 1_usize..6, 1_usize..6, 2_usize..7)
        .prop_flat_map(|(n, a, b, k)| {
            let (q, d) = (a.max(b), a.min(b));
            let cells = |columns: usize| prop::collection::vec(-1.0..1.0_f64, n * columns);
            (Just((n, q, d, k)), cells(q), cells(d))
        })
        .prop_map(|((n, q, d, k), x, y)| Case { x: Points::new(n, q, x).unwrap(), y: Points::new(n, d, y).unwrap(), k })
}

fn scores(case: &Case) -> Vec<Score> {
    let run = Run::new();
    let neighborhoods = Neighborhoods::nearest(&case.x, case.k, &run).unwrap();
    let evaluation =
        Evaluation::new(Input::Points(&case.x), &case.y, &neighborhoods, Options::default(), &run).unwrap();
    ["r", "r_n", "r_pca", "r_c", "r_a"].map(|name| find(name).unwrap().score(&evaluation).unwrap()).into()
}

/// An orthogonal matrix, row by row: plane rotations by `angles` and a reflection.
fn orthogonal(dim: usize, angles: &[f64]) -> Vec<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = (0..dim).map(|a| (0..dim).map(|b| f64::from(u8::from(a == b))).collect()).collect();
    rows[0][0] = -1.0;
    for (step, angle) in angles.iter().enumerate() {
        let (a, b) = (step % dim, (step + 1) % dim);
        if a != b {
            let (first, second) = (rows[a].clone(), rows[b].clone());
            rows[a] = first.iter().zip(&second).map(|(u, v)| angle.cos() * u - angle.sin() * v).collect();
            rows[b] = first.iter().zip(&second).map(|(u, v)| angle.sin() * u + angle.cos() * v).collect();
        }
    }
    rows
}

fn moved(points: &Points, angles: &[f64], shift: f64, scale: f64) -> Points {
    let turn = orthogonal(points.dim(), angles);
    let rows: Vec<Vec<f64>> = points
        .rows()
        .map(|row| {
            turn.iter().map(|axis| scale * axis.iter().zip(row).map(|(a, b)| a * b).sum::<f64>() + shift).collect()
        })
        .collect();
    Points::from_rows(&rows).unwrap()
}

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) + 1e-13
}

proptest! {
    #[test]
    fn relaxations_are_ordered_and_nothing_beats_its_bound(case in cases()) {
        let [r, r_n, r_pca, r_c, r_a] = <[Score; 5]>::try_from(scores(&case)).unwrap();
        for ((rigid, conformal), linear) in
            r_n.per_point.as_ref().unwrap().iter().zip(r_c.per_point.as_ref().unwrap()).zip(r_a.per_point.as_ref().unwrap())
        {
            prop_assert!(conformal <= &(rigid + 1e-12) && linear <= &(conformal + 1e-12));
        }
        for score in [&r, &r_n, &r_c, &r_a] {
            for (value, bound) in score.per_point.as_ref().unwrap().iter().zip(score.per_point_bound.as_ref().unwrap()) {
                prop_assert!(*value >= bound - 1e-12);
            }
        }
        // A rotation may use the directions that the local PCA leaves out: G(X, Y) - bound <= G(XP, Y).
        prop_assert!(r_pca.value >= r.value - r.lower_bound.unwrap() - 1e-12);
    }

    #[test]
    fn motions_and_scales_change_only_what_is_promised(
        case in cases(), a in prop::collection::vec(0.0..6.0_f64, 8), b in prop::collection::vec(0.0..6.0_f64, 8),
        shift in -5.0..5.0_f64, scale in 0.1..10.0_f64,
    ) {
        let before = scores(&case);
        let both = Case { x: moved(&case.x, &a, shift, 1.0), y: moved(&case.y, &b, -shift, 1.0), k: case.k };
        for (old, new) in before.iter().zip(scores(&both)) {
            prop_assert!(same(old.value, new.value), "{} {}", old.value, new.value);
            prop_assert!(same(old.lower_bound.unwrap(), new.lower_bound.unwrap()));
        }
        let scaled = scores(&Case { y: moved(&case.y, &[], 0.0, scale), ..case.clone() });
        prop_assert!(same(before[3].value, scaled[3].value) && same(before[4].value, scaled[4].value));
        let alike = scores(&Case {
            x: moved(&case.x, &[], 0.0, scale), y: moved(&case.y, &[], 0.0, scale), k: case.k,
        });
        prop_assert!(same(before[1].value, alike[1].value));
        prop_assert!(same(before[0].value * scale * scale, alike[0].value));
    }

    #[test]
    fn an_isometric_copy_has_no_error(
        case in cases(), angles in prop::collection::vec(0.0..6.0_f64, 8), shift in -1e3..1e3_f64,
    ) {
        // X is Y, moved inside a space with more dimensions.
        let mut rows: Vec<Vec<f64>> = case.y.rows().map(<[f64]>::to_vec).collect();
        rows.iter_mut().for_each(|row| row.resize(case.x.dim() + 12, 0.0));
        let x = moved(&Points::from_rows(&rows).unwrap(), &angles, shift, 1.0);
        for score in scores(&Case { x, y: case.y, k: case.k }) {
            prop_assert!(score.value < 1e-12, "{}", score.value);
        }
    }

    #[test]
    fn a_permuted_input_gives_the_permuted_values(case in cases(), seed in any::<u64>()) {
        let n = case.x.len();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|&row| (row as u64 + 1).wrapping_mul(seed | 1));
        let pick = |points: &Points| {
            Points::from_rows(&order.iter().map(|&row| points.row(row)).collect::<Vec<_>>()).unwrap()
        };
        let permuted = scores(&Case { x: pick(&case.x), y: pick(&case.y), k: case.k });
        for (old, new) in scores(&case).iter().zip(permuted) {
            let (old, new) = (old.per_point.as_ref().unwrap(), new.per_point.unwrap());
            for (place, &row) in order.iter().enumerate() {
                prop_assert!(same(old[row], new[place]));
            }
        }
    }

    #[test]
    fn no_motion_beats_the_procrustes_fit(case in cases(), a in prop::collection::vec(0.0..6.0_f64, 8)) {
        let fit = procrustes(&case.x, &case.y).unwrap();
        let (q, d) = (case.x.dim(), case.y.dim());
        for first in 0..d {
            for second in 0..d {
                let product: f64 =
                    (0..q).map(|row| fit.rotation[row * d + first] * fit.rotation[row * d + second]).sum();
                prop_assert!((product - f64::from(u8::from(first == second))).abs() < 1e-12);
            }
        }
        let residual = |rotation: &dyn Fn(usize, usize) -> f64, scale: f64, shift: &[f64]| -> f64 {
            case.x.rows().zip(case.y.rows()).map(|(x, y)| {
                (0..q).map(|row| {
                    let image: f64 = (0..d).map(|column| rotation(row, column) * y[column]).sum();
                    (x[row] - scale * image - shift[row]).powi(2)
                }).sum::<f64>()
            }).sum()
        };
        let own = residual(&|row, column| fit.rotation[row * d + column], 1.0, &fit.translation);
        prop_assert!(same(own, fit.residual));
        prop_assert!(fit.conformal_residual <= fit.residual + 1e-12);
        let other = orthogonal(q, &a);
        let mean = |points: &Points, column: usize| points.rows().map(|row| row[column]).sum::<f64>() / points.len() as f64;
        let shift: Vec<f64> = (0..q)
            .map(|row| mean(&case.x, row) - (0..d).map(|column| other[row][column] * mean(&case.y, column)).sum::<f64>())
            .collect();
        prop_assert!(residual(&|row, column| other[row][column], 1.0, &shift) >= fit.residual - 1e-12);
    }
}

#[test]
fn values_do_not_depend_on_the_unit() {
    let cells = |count: usize, step: f64| (0..count).map(|at| (at as f64 * step).sin()).collect::<Vec<_>>();
    for (q, d) in [(3, 2), (40, 3)] {
        let (x, y) =
            (Points::new(60, q, cells(60 * q, 0.37)).unwrap(), Points::new(60, d, cells(60 * d, 0.71)).unwrap());
        let plain = scores(&Case { x: x.clone(), y: y.clone(), k: 8 });
        for scale in [1e-130, 1e-81, 1e-60, 1e60, 1e100, 1e130] {
            let case = Case { x: moved(&x, &[], 0.0, scale), y: moved(&y, &[], 0.0, scale), k: 8 };
            for (at, (old, new)) in plain.iter().zip(scores(&case)).enumerate() {
                let unit = if at == 0 || at == 2 { scale * scale } else { 1.0 };
                assert!(same(old.value, new.value / unit), "{scale:e}: {} {}", old.value, new.value / unit);
                assert!(same(old.lower_bound.unwrap(), new.lower_bound.unwrap() / unit), "{scale:e}");
            }
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let cells = |count: usize, step: f64| (0..count).map(|at| (at as f64 * step).sin()).collect::<Vec<_>>();
    let (x, y) = (Points::new(3000, 4, cells(12000, 0.37)).unwrap(), Points::new(3000, 2, cells(6000, 0.71)).unwrap());
    let all = |threads: usize| -> Vec<Score> {
        let run = Run::new().with_seed(3).with_threads(threads).unwrap();
        let neighborhoods = Neighborhoods::nearest(&x, 9, &run).unwrap();
        let options = Options { sample: Sampling::Points(500), ..Options::default() };
        let evaluation = Evaluation::new(Input::Points(&x), &y, &neighborhoods, options, &run).unwrap();
        MEASURES.iter().map(|measure| measure.score(&evaluation).unwrap()).collect()
    };
    let bits = |scores: &[Score]| -> Vec<u64> {
        scores
            .iter()
            .flat_map(|score| score.per_point.iter().flatten().chain([&score.value]).map(|value| value.to_bits()))
            .collect()
    };
    let one = bits(&all(1));
    assert_eq!(one, bits(&all(2)));
    assert_eq!(one, bits(&all(8)));
}

#[test]
fn coinciding_neighborhoods_are_left_out_and_coinciding_points_refused() {
    let mut rows = vec![[0.0, 0.0]; 5];
    rows.extend((0..10).map(|at| [f64::from(at) + 5.0, f64::from(at * at)]));
    let x = Points::from_rows(&rows).unwrap();
    let case = Case { x: x.clone(), y: x, k: 3 };
    let r_n = &scores(&case)[1];
    assert_eq!(r_n.left_out, 5);
    assert!(r_n.value < 1e-12 && r_n.per_point.as_ref().unwrap()[0].is_nan());

    let equal = Points::new(6, 2, vec![1.0; 12]).unwrap();
    let neighborhoods = Neighborhoods::nearest(&equal, 3, &Run::new()).unwrap();
    let error = truefold::measure::evaluate(&equal, &equal, &neighborhoods, &["r_n"]).unwrap_err();
    assert!(error.to_string().contains("all 6 points coincide"), "{error}");
}

#[test]
fn more_dimensions_than_neighbors_complete_the_rotation_and_say_so() {
    let cells = |count: usize, step: f64| (0..count).map(|at| (at as f64 * step).sin()).collect::<Vec<_>>();
    let (x, y) = (Points::new(40, 12, cells(480, 0.3)).unwrap(), Points::new(40, 6, cells(240, 0.7)).unwrap());
    let run = Run::new();
    let neighborhoods = Neighborhoods::nearest(&x, 3, &run).unwrap();
    let evaluation = Evaluation::new(Input::Points(&x), &y, &neighborhoods, Options::default(), &run).unwrap();
    let score = find("r").unwrap().score(&evaluation).unwrap();
    assert_eq!(evaluation.undetermined().unwrap(), 40);
    assert!(score.value.is_finite() && score.lower_bound.unwrap() < 1e-12);
}
