//! The solver against dense matrices, and its promises: residuals, seeds, threads, hard cases.

use super::conjugate_gradient::{Operator, Preconditioner};
use super::factor::Factor;
use super::matrix::Coefficients;
use super::memberships::Memberships;
use super::{Effort, LaplacianSolver, Solution, Strategy, Weights};
use crate::linalg::SymmetricEigen;
use crate::memory::tests::asks_for;
use crate::{Error, Neighborhoods, Points, Run};
use proptest::prelude::{Strategy as Cases, *};

/// sum_i w_i H_i, row by row.
fn dense(neighborhoods: &Neighborhoods, weights: &[f64]) -> Vec<f64> {
    let n = neighborhoods.len();
    let mut matrix = vec![0.0; n * n];
    for (index, weight) in weights.iter().enumerate() {
        let members = neighborhoods.members(index);
        for &a in members {
            matrix[a as usize * n + a as usize] += weight;
            for &b in members {
                matrix[a as usize * n + b as usize] -= weight / members.len() as f64;
            }
        }
    }
    matrix
}

fn times(matrix: &[f64], values: &[f64], columns: usize) -> Vec<f64> {
    let n = values.len() / columns;
    let entry = |row: usize, c: usize| (0..n).map(|at| matrix[row * n + at] * values[at * columns + c]).sum();
    (0..n * columns).map(|at| entry(at / columns, at % columns)).collect()
}

/// The least solution of a singular symmetric system.
fn pseudo_solve(matrix: &[f64], rhs: &[f64], columns: usize) -> Vec<f64> {
    let n = rhs.len() / columns;
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(matrix, n);
    let least = 1e-11 * eigen.values()[0];
    let mut solution = vec![0.0; rhs.len()];
    for rank in (0..n).filter(|&rank| eigen.values()[rank] > least) {
        let vector = eigen.vector(rank);
        for c in 0..columns {
            let part: f64 = (0..n).map(|row| vector[row] * rhs[row * columns + c]).sum();
            (0..n).for_each(|row| solution[row * columns + c] += vector[row] * part / eigen.values()[rank]);
        }
    }
    solution
}

fn far(a: &[f64], b: &[f64]) -> f64 {
    let scale = b.iter().fold(1e-300_f64, |most, value| most.max(value.abs()));
    a.iter().zip(b).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / scale
}

/// Numbers in [-1, 1) that look random.
fn noise(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// A patch of the plane with two columns of right-hand side.
fn patch(count: usize, k: usize) -> (Neighborhoods, Vec<f64>) {
    let points = Points::new(count, 2, noise(2 * count, 1)).unwrap();
    (Neighborhoods::nearest(&points, k, &Run::new()).unwrap(), noise(2 * count, 2))
}

fn solve(neighborhoods: &Neighborhoods, weights: &[f64], strategy: Strategy, rhs: &[f64], columns: usize) -> Solution {
    let run = Run::new();
    let weights = Weights::Each(weights.to_vec());
    let solver = LaplacianSolver::new(neighborhoods, weights, strategy, 3, &run).unwrap();
    solver.solve(rhs, columns, None, 1e-13, &run).unwrap()
}

/// Lists in which points of different groups never meet, with weights and the number of columns.
fn cases() -> impl Cases<Value = (Neighborhoods, Vec<f64>, usize)> {
    (1_usize..4, 2_usize..9, 1_usize..11, any::<u64>()).prop_map(|(groups, each, columns, seed)| {
        let count = groups * each;
        let draws = noise(count * 4, seed);
        let list = |point: usize| {
            let pick = |draw: &f64| ((draw + 1.0) / 2.0 * each as f64) as usize % each * groups + point % groups;
            let mut list: Vec<i64> = draws[point * 4..][..4].iter().map(|draw| pick(draw) as i64).collect();
            list.push(((point + groups) % count) as i64);
            list.sort_unstable();
            list.dedup();
            list
        };
        let lists: Vec<Vec<i64>> = (0..count).map(list).collect();
        let weights = noise(count, seed ^ 7).iter().map(|draw| 10_f64.powf(*draw)).collect();
        (Neighborhoods::from_lists(&lists).unwrap(), weights, columns)
    })
}

proptest! {
    #[test]
    fn both_strategies_give_the_dense_solution((neighborhoods, weights, columns) in cases()) {
        let rhs = noise(neighborhoods.len() * columns, 5);
        let matrix = dense(&neighborhoods, &weights);
        let truth = pseudo_solve(&matrix, &rhs, columns);
        for strategy in [Strategy::Cholesky, Strategy::Iterative] {
            let solution = solve(&neighborhoods, &weights, strategy, &rhs, columns);
            prop_assert!(far(&solution.values, &truth) < 1e-8, "{strategy:?}: {}", far(&solution.values, &truth));
        }
    }

    #[test]
    fn lists_left_as_they_are_give_the_same((neighborhoods, weights, columns) in cases()) {
        let rhs = noise(neighborhoods.len() * columns, 5);
        let mut near = neighborhoods.clone();
        near.mark_near();
        for strategy in [Strategy::Cholesky, Strategy::Iterative] {
            let walked = solve(&neighborhoods, &weights, strategy, &rhs, columns);
            let given = solve(&near, &weights, strategy, &rhs, columns);
            prop_assert!(far(&given.values, &walked.values) < 1e-8, "{strategy:?}");
        }
    }

    #[test]
    fn the_operator_is_the_matrix((neighborhoods, weights, columns) in cases()) {
        let memberships = Memberships::new(&neighborhoods, neighborhoods.components());
        let mut inside = vec![0.0; weights.len()];
        memberships.inward(&mut inside, &weights, 1);
        let coefficients = Coefficients::new(&memberships, &inside);
        let laplacian = coefficients.laplacian(&memberships);
        let apply = |values: &[f64]| {
            let (mut from, mut to) = (values.to_vec(), values.to_vec());
            memberships.inward(&mut from, values, columns);
            laplacian.apply(&from, &mut to, columns, &mut Vec::new());
            memberships.outward(&mut from, &to, columns);
            from
        };
        let matrix = dense(&neighborhoods, &weights);
        let (a, b) = (noise(weights.len() * columns, 1), noise(weights.len() * columns, 2));
        prop_assert!(far(&apply(&a), &times(&matrix, &a, columns)) < 1e-13);
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        prop_assert!((product(&a, &apply(&b)) - product(&b, &apply(&a))).abs() < 1e-10);
        prop_assert!(product(&a, &apply(&a)) >= 0.0);
        prop_assert!(apply(&vec![1.0; a.len()]).iter().all(|value| value.abs() < 1e-12));
        for (point, diagonal) in laplacian.diagonal().iter().enumerate() {
            let original = (0..weights.len()).find(|&at| memberships.place(at) == point).unwrap();
            prop_assert!((diagonal - matrix[original * (weights.len() + 1)]).abs() < 1e-12);
        }
    }

    #[test]
    fn targets_are_centered_and_added((neighborhoods, weights, columns) in cases()) {
        let run = Run::new();
        let values = noise(weights.len() * columns, 4);
        let given = Weights::Each(weights.clone());
        let solver = LaplacianSolver::new(&neighborhoods, given, Strategy::Auto, 0, &run).unwrap();
        let fill = |index: usize, target: &mut [f64]| {
            for (row, &member) in target.chunks_exact_mut(columns).zip(neighborhoods.members(index)) {
                row.copy_from_slice(&values[member as usize * columns..][..columns]);
            }
        };
        let rhs = solver.right_hand_side(columns, fill, &run).unwrap();
        prop_assert!(far(&rhs, &times(&dense(&neighborhoods, &weights), &values, columns)) < 1e-12);
    }
}

#[test]
fn the_residual_is_the_residual() {
    let (neighborhoods, rhs) = patch(400, 8);
    let matrix = dense(&neighborhoods, &vec![1.0; 400]);
    let mut rhs = rhs;
    for c in 0..2 {
        let mean = (0..400).map(|row| rhs[row * 2 + c]).sum::<f64>() / 400.0;
        (0..400).for_each(|row| rhs[row * 2 + c] -= mean);
    }
    let run = Run::new();
    for strategy in [Strategy::Cholesky, Strategy::Iterative] {
        let solver = LaplacianSolver::new(&neighborhoods, Weights::Uniform, strategy, 1, &run).unwrap();
        let solution = solver.solve(&rhs, 2, None, 1e-6, &run).unwrap();
        let image = times(&matrix, &solution.values, 2);
        let norm = |c: usize, value: &dyn Fn(usize) -> f64| {
            (0..400).map(|row| value(row * 2 + c).powi(2) / matrix[row * 401]).sum::<f64>().sqrt()
        };
        let residual = |c: usize| norm(c, &|at| rhs[at] - image[at]) / norm(c, &|at| rhs[at]);
        let truth = residual(0).max(residual(1));
        assert!((solution.residual - truth).abs() < 1e-3 * truth + 1e-14, "{} {truth}", solution.residual);
        assert!(solution.residual <= 1e-6);
    }
}

#[test]
fn asking_for_more_than_rounding_allows_gives_what_rounding_allows() {
    let (neighborhoods, rhs) = patch(2_000, 12);
    let run = Run::new();
    for strategy in [Strategy::Cholesky, Strategy::Iterative] {
        let solver = LaplacianSolver::new(&neighborhoods, Weights::Uniform, strategy, 1, &run).unwrap();
        let solution = solver.solve(&rhs, 2, None, 1e-16, &run).unwrap();
        assert!(solution.residual < 1e-12, "{strategy:?}: {}", solution.residual);
    }
}

#[test]
fn a_seed_gives_the_same_bits_on_any_number_of_threads() {
    let (neighborhoods, rhs) = patch(30_000, 12);
    let solve = |weights: &Weights, threads: usize, seed: u64| {
        let run = Run::new().with_threads(threads).unwrap();
        let solver = LaplacianSolver::new(&neighborhoods, weights.clone(), Strategy::Iterative, seed, &run).unwrap();
        (solver.solve(&rhs, 2, None, 1e-8, &run).unwrap(), matches!(solver.factor, Factor::Grouped(_)))
    };
    let uneven = Weights::Each(noise(30_000, 4).iter().map(|draw| 10_f64.powf(6.0 * draw)).collect());
    for (weights, grouped, steps) in [(Weights::Uniform, true, 50), (uneven, false, 300)] {
        let one = solve(&weights, 1, 5);
        assert_eq!(one.1, grouped);
        assert!(one.0.iterations < steps, "{} steps", one.0.iterations);
        assert_eq!(one, solve(&weights, 2, 5));
        assert_eq!(one, solve(&weights, 8, 5));
        // Of neighborhoods of few points only elimination draws.
        assert_eq!(one.0.values == solve(&weights, 1, 6).0.values, grouped);
    }
}

#[test]
fn with_groups_the_steps_do_not_grow_with_the_number_of_points() {
    let run = Run::new();
    let steps = [6_000, 48_000].map(|count| {
        let (neighborhoods, _) = patch(count, 12);
        let solver = LaplacianSolver::new(&neighborhoods, Weights::Uniform, Strategy::Auto, 0, &run).unwrap();
        assert!(matches!(solver.factor, Factor::Grouped(_)));
        // Places that vary over the whole patch, which single points cannot follow.
        let points = Points::new(count, 2, noise(2 * count, 1)).unwrap();
        let fill = |index: usize, target: &mut [f64]| {
            for (row, &member) in target.chunks_exact_mut(2).zip(neighborhoods.members(index)) {
                row.copy_from_slice(points.row(member as usize));
            }
        };
        let rhs = solver.right_hand_side(2, fill, &run).unwrap();
        solver.solve(&rhs, 2, None, 1e-8, &run).unwrap().iterations
    });
    assert!(steps[0] < 45 && steps[1] < steps[0] + 8, "{steps:?}");
}

#[test]
fn the_strategies_agree_on_a_patch_and_a_start_saves_steps() {
    let (neighborhoods, rhs) = patch(3_000, 12);
    let weights = vec![1.0; 3_000];
    let exact = solve(&neighborhoods, &weights, Strategy::Cholesky, &rhs, 2);
    let iterative = solve(&neighborhoods, &weights, Strategy::Iterative, &rhs, 2);
    assert!(exact.iterations <= 3, "{}", exact.iterations);
    assert!(far(&exact.values, &iterative.values) < 1e-8);
    let run = Run::new();
    let solver = LaplacianSolver::new(&neighborhoods, Weights::Uniform, Strategy::Iterative, 0, &run).unwrap();
    let cold = solver.solve(&rhs, 2, None, 1e-8, &run).unwrap();
    let near: Vec<f64> = exact.values.iter().map(|value| value * (1.0 + 1e-6) + 4.0).collect();
    let warm = solver.solve(&rhs, 2, Some(&near), 1e-8, &run).unwrap();
    assert!(warm.iterations < cold.iterations / 2, "{} {}", warm.iterations, cold.iterations);
    let zero = solver.solve(&vec![3.0; 6_000], 2, Some(&near), 1e-8, &run).unwrap();
    assert!(zero.values.iter().all(|value| value.abs() < 1e-12) && zero.residual == 0.0);
}

#[test]
fn duplicates_pairs_and_huge_ratios_of_weights_are_solved() {
    let mut values: Vec<f64> = noise(2_000, 3).iter().map(|value| value.round()).collect();
    values.extend([50.0, 50.0, 50.1, 50.0, 90.0, 90.0, 90.0, 90.0]);
    let points = Points::new(1_004, 2, values).unwrap();
    let lists: Vec<Vec<i64>> = {
        let found = Neighborhoods::nearest(&points, 6, &Run::new()).unwrap();
        let near = |a: usize, b: usize| points.row(a)[0] < 40.0 || (points.row(a)[0] - points.row(b)[0]).abs() < 1.0;
        let keep =
            |a: usize| found.neighbors(a).iter().filter(|&&b| near(a, b as usize)).map(|&b| i64::from(b)).collect();
        (0..1_004).map(keep).collect()
    };
    let neighborhoods = Neighborhoods::from_lists(&lists).unwrap();
    assert!(neighborhoods.components().count() >= 3);
    let weights: Vec<f64> = noise(1_004, 8).iter().map(|draw| 10_f64.powf(6.0 * draw)).collect();
    let run = Run::new();
    let wanted = noise(1_004, 9);
    for strategy in [Strategy::Cholesky, Strategy::Iterative] {
        let given = Weights::Each(weights.clone());
        let solver = LaplacianSolver::new(&neighborhoods, given, strategy, 0, &run).unwrap();
        let fill = |index: usize, target: &mut [f64]| {
            for (to, &member) in target.iter_mut().zip(neighborhoods.members(index)) {
                *to = wanted[member as usize];
            }
        };
        let rhs = solver.right_hand_side(1, fill, &run).unwrap();
        let solution = solver.solve(&rhs, 1, None, 1e-8, &run).unwrap();
        assert!(solution.residual <= 1e-8, "{strategy:?} {} in {}", solution.residual, solution.iterations);
    }
}

#[test]
fn small_changes_of_weights_keep_the_factor_and_large_ones_renew_it() {
    let (neighborhoods, rhs) = patch(2_500, 10);
    let run = Run::new();
    let mut solver = LaplacianSolver::new(&neighborhoods, Weights::Uniform, Strategy::Iterative, 0, &run).unwrap();
    let by = |power: f64| noise(2_500, 6).iter().map(|draw| power.powf(*draw)).collect::<Vec<f64>>();
    for (weights, renewed) in [(by(1.3), false), (by(100.0), true), (by(80.0), false)] {
        assert_eq!(solver.reweight(Weights::Each(weights.clone()), &run).unwrap(), renewed);
        let found = solver.solve(&rhs, 2, None, 1e-12, &run).unwrap();
        let truth = solve(&neighborhoods, &weights, Strategy::Cholesky, &rhs, 2);
        assert!(far(&found.values, &truth.values) < 1e-7, "{}", far(&found.values, &truth.values));
    }
}

#[test]
fn the_factor_is_a_preconditioner_in_the_numbering_of_the_caller() {
    let (neighborhoods, rhs) = patch(300, 8);
    let run = Run::new();
    let solver = LaplacianSolver::new(&neighborhoods, Weights::Uniform, Strategy::Cholesky, 0, &run).unwrap();
    let solution = solver.solve(&rhs, 2, None, 1e-12, &run).unwrap();
    let image = times(&dense(&neighborhoods, &[1.0; 300]), &solution.values, 2);
    let mut found = vec![0.0; 600];
    solver.apply(&image, &mut found, 2, &mut Vec::new());
    let (a, b) = (found[0] - solution.values[0], found[1] - solution.values[1]);
    let moved: Vec<f64> = found.iter().enumerate().map(|(at, value)| value - if at % 2 == 0 { a } else { b }).collect();
    assert!(far(&moved, &solution.values) < 1e-9);
}

#[test]
fn large_neighborhoods_take_few_steps() {
    let (neighborhoods, rhs) = patch(2_500, 150);
    let iterative = solve(&neighborhoods, &[1.0; 2_500], Strategy::Iterative, &rhs, 2);
    assert!(iterative.iterations < 90, "{}", iterative.iterations);
    let exact = solve(&neighborhoods, &[1.0; 2_500], Strategy::Cholesky, &rhs, 2);
    assert!(far(&iterative.values, &exact.values) < 1e-9);
}

#[test]
fn wrong_input_is_refused_with_its_place() {
    let (neighborhoods, _) = patch(20, 3);
    let run = Run::new();
    let wrong = Weights::Each(vec![0.0; 20]);
    let error = LaplacianSolver::new(&neighborhoods, wrong, Strategy::Auto, 0, &run).unwrap_err();
    assert_eq!(error.to_string(), "row 1 has the weight 0; every weight must be a positive number");
    let solver = LaplacianSolver::new(&neighborhoods, Weights::Uniform, Strategy::Auto, 0, &run).unwrap();
    assert!(matches!(solver.solve(&[1.0; 19], 1, None, 1e-8, &run), Err(Error::Data { .. })));
    assert!(matches!(solver.solve(&[f64::NAN; 20], 1, None, 1e-8, &run), Err(Error::Data { .. })));
    assert!(matches!(solver.solve(&[1.0; 20], 1, None, 0.0, &run), Err(Error::Parameter { .. })));
    assert!(matches!(solver.solve(&[], 0, None, 1e-8, &run), Err(Error::Parameter { .. })));
}

#[test]
fn only_neighborhoods_of_many_dimensions_need_no_factor() {
    let (count, run) = (6_000, Run::new());
    let rhs = noise(2 * count, 2);
    for (dim, diagonal) in [(2, false), (8, true)] {
        let points = Points::new(count, dim, noise(dim * count, 1)).unwrap();
        let neighborhoods = Neighborhoods::nearest(&points, 12, &run).unwrap();
        let mut solver = LaplacianSolver::new(&neighborhoods, Weights::Uniform, Strategy::Auto, 0, &run).unwrap();
        assert_eq!(matches!(solver.factor, Factor::Diagonal(_)), diagonal, "{dim}");
        // Weights over two decades, with which the factor is made anew.
        let weights: Vec<f64> = (0..count).map(|at| 10.0_f64.powf(2.0 * (at as f64 * 0.7).sin())).collect();
        assert!(solver.reweight(Weights::Each(weights.clone()), &run).unwrap());
        let found = solver.solve(&rhs, 2, None, 1e-12, &run).unwrap();
        let exact = solve(&neighborhoods, &weights, Strategy::Cholesky, &rhs, 2);
        assert!(far(&found.values, &exact.values) < 1e-9, "{dim}: {}", far(&found.values, &exact.values));
        assert_eq!(matches!(solver.factor, Factor::Diagonal(_)), diagonal, "{dim}");
    }
}

#[test]
fn a_rough_solver_is_near_and_ends_early_where_it_would_take_long() {
    let (neighborhoods, rhs) = patch(4000, 9);
    let run = Run::new();
    let even = vec![1.0; 4000];
    let exact = solve(&neighborhoods, &even, Strategy::Cholesky, &rhs, 2);
    let rough = |weights: Vec<f64>, tolerance: f64| {
        let (weights, how) = (Weights::Each(weights), (Strategy::Auto, 3));
        let solver = LaplacianSolver::with(&neighborhoods, weights, how, Effort::Rough, &run).unwrap();
        assert!(matches!(solver.factor, Factor::Grouped(_)));
        solver.solve(&rhs, 2, None, tolerance, &run).unwrap()
    };
    let found = rough(even.clone(), 1e-8);
    assert!(found.residual <= 1e-8 && far(&found.values, &exact.values) < 1e-5);
    // The residual that the steps carry along is that of the values.
    let (loose, full) =
        (rough(even, 0.1), LaplacianSolver::new(&neighborhoods, Weights::Uniform, Strategy::Auto, 3, &run));
    let judged = full.unwrap().solve(&rhs, 2, Some(&loose.values), 0.5, &run).unwrap();
    assert!(judged.iterations == 0 && (judged.residual - loose.residual).abs() < 1e-9 && loose.residual > 1e-3);
    // Over sixteen decades groups do not follow, and what is reached is returned.
    let uneven: Vec<f64> = noise(4000, 5).iter().map(|value| 10_f64.powf(8.0 * value)).collect();
    let cut = rough(uneven, 1e-8);
    assert!(cut.iterations == 60 && cut.residual > 1e-8, "{} {}", cut.iterations, cut.residual);
    // What is reached is lower than the start: y'Ly / 2 < b'y - 0.
    let gained: f64 = rhs.iter().zip(&cut.values).map(|(rhs, value)| rhs * value).sum();
    assert!(gained > 0.0, "{gained}");
}

#[test]
fn what_the_solver_holds_is_compared_with_the_memory_that_is_there() {
    let points = Points::new(50, 1, (0..50).map(f64::from).collect()).unwrap();
    let mut neighborhoods = Neighborhoods::nearest(&points, 4, &Run::new()).unwrap();
    let solver = |lists: &Neighborhoods| {
        LaplacianSolver::new(lists, Weights::Uniform, Strategy::Auto, 0, &Run::new()).map(|solver| solver.strategy())
    };
    // Six numbers a point; in both directions where its list begins, and its members; its number in either order.
    asks_for(50 * (6 * 8 + 2 * (8 + 4) + 2 * 5 * 4), || solver(&neighborhoods));
    // In the order given there are the holders alone.
    neighborhoods.mark_near();
    asks_for(50 * (6 * 8 + 8 + 5 * 4), || solver(&neighborhoods));
}
