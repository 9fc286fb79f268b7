//! The orthogonal matrix nearest to a small square one, Q = U V' where Z = U L V', and products of such matrices.
//!
//! Q is the orthogonal matrix, reflections allowed, with the greatest tr(Q'Z) = tr L. All matrices are d x d, column by
//! column. For d = 2 the rotations and the reflections nearest to Z have the directions (z11 + z22, z21 - z12) and
//! (z11 - z22, z21 + z12), and the longer of the two wins; for d above 2 the Jacobi method of [`Polar`].

use super::Polar;

/// Finds nearest orthogonal matrices.
#[derive(Debug, Default)]
pub(crate) struct Nearest {
    polar: Polar,
}

impl Nearest {
    /// Puts the orthogonal matrix nearest to the d x d matrix `z` into `q` and returns the sum of the singular values.
    ///
    /// Directions that `z` leaves open are completed in a fixed way.
    #[inline(always)]
    pub(crate) fn find(&mut self, z: &[f64], dim: usize, q: &mut [f64]) -> f64 {
        match dim {
            1 => {
                q[0] = if z[0] < 0.0 { -1.0 } else { 1.0 };
                z[0].abs()
            }
            2 => {
                let rotation = (z[0] + z[3], z[1] - z[2]);
                let reflection = (z[0] - z[3], z[1] + z[2]);
                let length = |(c, s): (f64, f64)| (c * c + s * s).sqrt();
                let (turn, flip) = (length(rotation), length(reflection));
                if turn >= flip {
                    let (c, s) = if turn > 0.0 { (rotation.0 / turn, rotation.1 / turn) } else { (1.0, 0.0) };
                    q[..4].copy_from_slice(&[c, s, -s, c]);
                    turn
                } else {
                    let (c, s) = (reflection.0 / flip, reflection.1 / flip);
                    q[..4].copy_from_slice(&[c, s, s, -c]);
                    flip
                }
            }
            _ => {
                self.polar.decompose(z, dim, dim);
                q[..dim * dim].copy_from_slice(self.polar.factor());
                self.polar.trace()
            }
        }
    }
}

/// Puts A B into `product`.
#[inline(always)]
pub(crate) fn multiply(a: &[f64], b: &[f64], dim: usize, product: &mut [f64]) {
    for column in 0..dim {
        for row in 0..dim {
            product[column * dim + row] = (0..dim).map(|at| a[at * dim + row] * b[column * dim + at]).sum();
        }
    }
}

/// Puts A'B into `product`.
#[inline(always)]
pub(crate) fn transposed_multiply(a: &[f64], b: &[f64], dim: usize, product: &mut [f64]) {
    for column in 0..dim {
        for row in 0..dim {
            product[column * dim + row] = (0..dim).map(|at| a[row * dim + at] * b[column * dim + at]).sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_closed_form_agrees_with_jacobi(z in prop::collection::vec(-1.0..1.0_f64, 4)) {
            let (mut nearest, mut polar) = (Nearest::default(), Polar::default());
            let mut q = [0.0; 4];
            let trace = nearest.find(&z, 2, &mut q);
            polar.decompose(&z, 2, 2);
            prop_assert!((trace - polar.trace()).abs() < 1e-14);
            // Near the border between rotations and reflections the factor is not determined.
            if (z[0] * z[3] - z[1] * z[2]).abs() > 1e-6 {
                for (a, b) in q.iter().zip(polar.factor()) {
                    prop_assert!((a - b).abs() < 1e-9);
                }
            }
            let mut identity = [0.0; 4];
            transposed_multiply(&q, &q, 2, &mut identity);
            for (a, b) in identity.iter().zip([1.0, 0.0, 0.0, 1.0]) {
                prop_assert!((a - b).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn nothing_gives_the_identity_and_signs_their_own() {
        let mut q = [0.0; 4];
        assert_eq!(Nearest::default().find(&[0.0; 4], 2, &mut q), 0.0);
        assert_eq!(q, [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(Nearest::default().find(&[-3.0], 1, &mut q), 3.0);
        assert_eq!(q[0], -1.0);
    }

    #[test]
    fn products_are_what_they_say() {
        let (a, b) = ([1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 1.0, 1.0]);
        let mut product = [0.0; 4];
        multiply(&a, &b, 2, &mut product);
        assert_eq!(product, [3.0, 4.0, 4.0, 6.0]);
        transposed_multiply(&a, &b, 2, &mut product);
        assert_eq!(product, [2.0, 4.0, 3.0, 7.0]);
    }
}
