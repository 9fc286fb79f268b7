//! The Laplacian of neighborhoods some of whose points stay where they are: their rows and columns are left out.
//!
//! L_ff x = g_f for the free points f, by conjugate gradients with the diagonal alone. That serves where points are near their
//! places already: steps reach as many neighbors far, and what is wrong over longer distances stays. Cost: two passes over
//! all members a step.

use super::conjugate_gradient::{Limits, LinearSystem, Operator, conjugate_gradient};
use super::factor::Factor;
use super::matrix::{Coefficients, NeighborhoodLaplacian};
use super::memberships::Memberships;
use crate::{Neighborhoods, Result, Run};

/// The system of the first points, the others being held.
#[derive(Debug)]
pub(crate) struct HeldLaplacian<'a> {
    memberships: Memberships<'a>,
    coefficients: Coefficients,
    diagonal: Factor,
    /// By the places of the solver.
    held: Vec<bool>,
}

impl<'a> HeldLaplacian<'a> {
    /// All but the first `free` points are held; every weight is positive.
    pub(crate) fn new(neighborhoods: &'a Neighborhoods, weights: &[f64], free: usize, run: &Run) -> Self {
        let memberships = Memberships::new(neighborhoods, neighborhoods.components());
        let mut held = vec![false; memberships.len()];
        (free..memberships.len()).for_each(|point| held[memberships.place(point)] = true);
        let coefficients = coefficients(&memberships, weights, run);
        Self { diagonal: Factor::diagonal(&memberships, &coefficients), memberships, coefficients, held }
    }

    /// Takes other weights.
    pub(crate) fn reweight(&mut self, weights: &[f64], run: &Run) {
        self.coefficients = coefficients(&self.memberships, weights, run);
        self.diagonal = Factor::diagonal(&self.memberships, &self.coefficients);
    }

    /// An x that is zero at points that are held, and lowers |L^(1/2) (x - L_ff^-1 g)| with every step.
    pub(crate) fn solve(&self, rhs: &[f64], columns: usize, limits: Limits, run: &Run) -> Result<Vec<f64>> {
        let mut inside = vec![0.0; rhs.len()];
        run.install(|| self.memberships.inward(&mut inside, rhs, columns));
        clear(&mut inside, &self.held, columns);
        let operator = Held { laplacian: self.coefficients.laplacian(&self.memberships), held: &self.held };
        let system = LinearSystem { operator: &operator, preconditioner: &self.diagonal, rhs: &inside, columns };
        let mut values = vec![0.0; rhs.len()];
        conjugate_gradient(&system, &mut values, limits, run)?;
        run.install(|| self.memberships.outward(&mut inside, &values, columns));
        Ok(inside)
    }
}

fn coefficients(memberships: &Memberships<'_>, weights: &[f64], run: &Run) -> Coefficients {
    let mut inside = vec![0.0; weights.len()];
    run.install(|| {
        memberships.inward(&mut inside, weights, 1);
        Coefficients::new(memberships, &inside)
    })
}

/// L without the rows of points that are held; what it is applied to is zero there.
struct Held<'a> {
    laplacian: NeighborhoodLaplacian<'a>,
    held: &'a [bool],
}

impl Operator for Held<'_> {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, scratch: &mut Vec<f64>) {
        self.laplacian.apply(input, output, columns, scratch);
        clear(output, self.held, columns);
    }

    fn diagonal(&self) -> &[f64] {
        self.laplacian.diagonal()
    }
}

fn clear(values: &mut [f64], held: &[bool], columns: usize) {
    for (row, _) in values.chunks_exact_mut(columns).zip(held).filter(|(_, held)| **held) {
        row.fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Points;
    use crate::random::uniform;

    #[test]
    fn free_points_solve_their_own_equations_and_others_stay() {
        let run = Run::new();
        let points = Points::new(60, 2, (0..120).map(|at| uniform(4, at)).collect()).unwrap();
        let lists = Neighborhoods::nearest(&points, 6, &run).unwrap();
        let weights: Vec<f64> = (0..60).map(|at| 0.5 + uniform(5, at)).collect();
        let rhs: Vec<f64> = (0..120).map(|at| uniform(6, at) - 0.5).collect();
        let limits = Limits::new(1e-12, 500);
        let x = HeldLaplacian::new(&lists, &weights, 40, &run).solve(&rhs, 2, limits, &run).unwrap();
        assert!(x[80..].iter().all(|&value| value == 0.0));
        // By the definition: sum_i w_i H_i x, neighborhood by neighborhood.
        let mut image = [0.0; 120];
        for (index, weight) in weights.iter().enumerate() {
            let members = lists.members(index);
            for column in 0..2 {
                let mean = members.iter().map(|&row| x[2 * row as usize + column]).sum::<f64>() / members.len() as f64;
                for &row in members {
                    image[2 * row as usize + column] += weight * (x[2 * row as usize + column] - mean);
                }
            }
        }
        assert!(image[..80].iter().zip(&rhs).all(|(image, rhs)| (image - rhs).abs() < 1e-9));
    }
}
