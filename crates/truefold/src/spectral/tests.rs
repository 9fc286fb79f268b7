//! Eigenpairs against closed forms, against the dense matrix, and under changes that must not matter.

use super::SymmetricRows;
use super::alignment::{Alignment, Form};
use super::column_block::{ColumnBlock, gram, orthonormal};
use super::iterate::iterate;
use super::*;
use crate::laplacian::conjugate_gradient::Operator;
use crate::laplacian::{LaplacianSolver, Strategy, Weights};
use crate::linalg::SymmetricEigen;
use crate::{Neighborhoods, Run};
use rand::{RngExt, SeedableRng};

/// The Laplacian of a path: eigenvalues 2 - 2 cos(pi j / n), eigenvectors cos(pi j (i + 1/2) / n).
fn path(count: usize) -> SymmetricRows {
    let (mut offsets, mut columns, mut values, mut diagonal) = (vec![0], Vec::new(), Vec::new(), Vec::new());
    for at in 0..count {
        let ends: Vec<usize> = [at.wrapping_sub(1), at + 1].into_iter().filter(|&end| end < count).collect();
        diagonal.push(ends.len() as f64);
        for end in ends {
            columns.push(end as u32);
            values.push(-1.0);
        }
        offsets.push(columns.len());
    }
    SymmetricRows::new(offsets, columns, values, diagonal)
}

/// The neighborhoods of a path.
fn chain(count: usize) -> Neighborhoods {
    let lists: Vec<Vec<i64>> = (0..count as i64)
        .map(|at| [at - 1, at + 1].into_iter().filter(|&end| (0..count as i64).contains(&end)).collect())
        .collect();
    Neighborhoods::from_lists(&lists).unwrap()
}

fn constant(count: usize) -> Vec<f64> {
    vec![1.0 / (count as f64).sqrt(); count]
}

#[test]
fn the_path_has_its_known_eigenpairs() {
    for count in [40, 3000] {
        let found = smallest(&path(count), &constant(count), 3, &chain(count), &Run::new()).unwrap();
        for rank in 0..3 {
            let j = (rank + 1) as f64;
            let step = std::f64::consts::PI * j / count as f64;
            // 2 - 2 cos x without cancellation.
            let exact = 4.0 * (step / 2.0).sin().powi(2);
            assert!((found.values[rank] - exact).abs() < 1e-9 * exact + 1e-15, "{count}: {:?}", found.values);
            let product: f64 =
                (0..count).map(|at| found.vectors[at * 3 + rank] * (step * (at as f64 + 0.5)).cos()).sum::<f64>().abs();
            assert!((product - (count as f64 / 2.0).sqrt()).abs() < 1e-8 * count as f64, "{count} {rank}: {product}");
        }
        assert!(found.residual < 1e-9, "{}", found.residual);
        let step = std::f64::consts::PI * 4.0 / count as f64;
        assert!((found.next.unwrap() / (4.0 * (step / 2.0).sin().powi(2)) - 1.0).abs() < 1e-3);
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let matrix = path(5000);
    let with = |threads| {
        smallest(&matrix, &constant(5000), 2, &chain(5000), &Run::new().with_seed(3).with_threads(threads).unwrap())
            .unwrap()
    };
    let one = with(1);
    assert!(one == with(2) && one == with(8));
}

#[test]
fn lanczos_finds_the_largest_of_a_dense_matrix_through_restarts() {
    let size = 300;
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let mut matrix = vec![0.0; size * size];
    for row in 0..size {
        for column in 0..=row {
            let value = random.random_range(-1.0..1.0);
            (matrix[row * size + column], matrix[column * size + row]) = (value, value);
        }
    }
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(&matrix, size);
    let apply = |input: &[f64], output: &mut [f64], columns: usize| {
        for (row, out) in output.chunks_exact_mut(columns).enumerate() {
            out.fill(0.0);
            for (entry, input) in matrix[row * size..][..size].iter().zip(input.chunks_exact(columns)) {
                out.iter_mut().zip(input).for_each(|(out, value)| *out += entry * value);
            }
        }
        Ok(())
    };
    let found = largest(Largest::of(size, 4), 9, &|_, _| {}, &apply, &Run::new()).unwrap();
    assert!(found.steps > 10, "no restart was needed: {}", found.steps);
    for rank in 0..4 {
        assert!((found.values[rank] - eigen.values()[rank]).abs() < 1e-9, "{:?}", found.values);
        let product: f64 = (0..size).map(|at| found.vectors[at * 4 + rank] * eigen.vector(rank)[at]).sum();
        assert!((product.abs() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn the_iteration_finds_what_the_factor_finds() {
    let count = 2000;
    let (matrix, lists, run) = (path(count), chain(count), Run::new());
    let exact = smallest(&matrix, &constant(count), 3, &lists, &run).unwrap();
    let solver = LaplacianSolver::new(&lists, Weights::Uniform, Strategy::Iterative, 0, &run).unwrap();
    let found = iterate(&matrix, &solver, &constant(count), 3, &run).unwrap();
    assert!(found.steps < 100, "{}", found.steps);
    let products = gram(&exact.vectors, 3, &found.vectors, 3);
    for rank in 0..3 {
        assert!((products[rank * 3 + rank].abs() - 1.0).abs() < 1e-6, "{products:?}");
    }
    assert!((found.next.unwrap() / exact.next.unwrap() - 1.0).abs() < 1e-3);
}

#[test]
fn equal_and_missing_columns_leave_the_basis() {
    let values: Vec<f64> = (0..50).flat_map(|at| [f64::from(at), 0.0, 2.0 * f64::from(at), 1.0]).collect();
    let basis = orthonormal(&ColumnBlock { values, columns: 4 });
    assert_eq!(basis.columns, 2);
    let square = gram(&basis.values, 2, &basis.values, 2);
    for (value, exact) in square.iter().zip([1.0, 0.0, 0.0, 1.0]) {
        assert!((value - exact).abs() < 1e-14);
    }
    assert_eq!(orthonormal(&ColumnBlock { values: vec![0.0; 10], columns: 2 }).columns, 0);
}

/// Shares with random factors, of different sizes.
fn alignment(form: Form, count: usize) -> (Alignment, Vec<f64>) {
    let share = |index: usize| {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(index as u64);
        let size = 3 + index % 3;
        let members: Vec<u32> = (0..size).map(|at| ((index + at * at) % count) as u32).collect();
        let width = 1 + index % 2;
        let factor: Vec<f64> = (0..size * width).map(|_| random.random_range(-0.4..0.4)).collect();
        (members, factor, width)
    };
    let matrix = Alignment::new::<()>(count, form, &Run::new(), |index, _, out| {
        let (members, factor, _) = share(index);
        out.members.extend(members);
        out.factor.extend(factor);
        Ok(())
    });
    let mut dense = vec![0.0; count * count];
    for index in 0..count {
        let (members, factor, width) = share(index);
        for (a, &row) in members.iter().enumerate() {
            for (b, &column) in members.iter().enumerate() {
                let product: f64 = (0..width).map(|at| factor[a * width + at] * factor[b * width + at]).sum();
                dense[row as usize * count + column as usize] += match form {
                    Form::Squares => product,
                    Form::Complements => f64::from(u8::from(a == b)) - product,
                };
            }
        }
    }
    (matrix.unwrap(), dense)
}

#[test]
fn an_alignment_matrix_is_the_sum_of_its_shares() {
    let count = 60;
    for form in [Form::Squares, Form::Complements] {
        let (matrix, dense) = alignment(form, count);
        let mut identity = vec![0.0; count * count];
        (0..count).for_each(|at| identity[at * count + at] = 1.0);
        let mut applied = vec![0.0; count * count];
        matrix.apply(&identity, &mut applied, count, &mut Vec::new());
        for (a, b) in applied.iter().zip(&dense) {
            assert!((a - b).abs() < 1e-13, "{form:?}: {a} {b}");
        }
        let triangle = matrix.triangle(&Run::new()).unwrap();
        let mut written = vec![0.0; count * count];
        for column in 0..count {
            let range = triangle.offsets[column] as usize..triangle.offsets[column + 1] as usize;
            assert_eq!(triangle.rows[range.start] as usize, column);
            for at in range {
                let row = triangle.rows[at] as usize;
                written[row * count + column] = triangle.values[at];
                written[column * count + row] = triangle.values[at];
            }
        }
        for (a, b) in written.iter().zip(&dense) {
            assert!((a - b).abs() < 1e-13, "{form:?}: {a} {b}");
        }
    }
}

/// B = sum_j l_j v_j v_j' + c 1' + 1 c', v_j centered waves, whose known null vector B itself sends far.
#[test]
fn eigenvalues_far_below_the_first_are_found_as_accurately() {
    let values = [1e12, 3e11, 4e3, 3e3, 10.0, 1.0];
    for size in [200, 600, 1500] {
        let wave = |at: usize, row: usize| {
            let angle = std::f64::consts::PI * (at + 1) as f64 * (row as f64 + 0.5) / size as f64;
            angle.cos() * (2.0 / size as f64).sqrt()
        };
        let waves: Vec<Vec<f64>> = (0..values.len()).map(|at| (0..size).map(|row| wave(at, row)).collect()).collect();
        let apply = |input: &[f64], output: &mut [f64], columns: usize| {
            for column in 0..columns {
                let of = |row: usize| input[row * columns + column];
                let sum: f64 = (0..size).map(of).sum();
                let tilt: f64 = (0..size).map(|row| 1e9 * (row % 7) as f64 * of(row)).sum();
                (0..size).for_each(|row| output[row * columns + column] = 1e9 * (row % 7) as f64 * sum + tilt);
                for (wave, value) in waves.iter().zip(values) {
                    let along: f64 = value * (0..size).map(|row| wave[row] * of(row)).sum::<f64>();
                    (0..size).for_each(|row| output[row * columns + column] += along * wave[row]);
                }
            }
            Ok(())
        };
        let found = principal(size, 4, &apply, &Run::new()).unwrap();
        for at in 0..4 {
            assert!((found.values[at] / values[at] - 1.0).abs() < 1e-5, "{size}: {:?}", found.values);
            let along: f64 = (0..size).map(|row| found.vectors[4 * row + at] * waves[at][row]).sum();
            assert!(along.abs() > 1.0 - 1e-8, "{size} {at}: {along}");
        }
    }
}
