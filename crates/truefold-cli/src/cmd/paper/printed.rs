//! The numbers that the paper prints: sizes of its data sets, R_N and R_C of every method on each, the bounds.

/// The numbers of neighbors over which the paper takes its minima.
pub(super) const NEIGHBORS: [usize; 5] = [6, 9, 12, 15, 18];

/// R_C of LLE on the cylinder for each of these.
pub(super) const LLE_ON_CYLINDER: [f64; 5] = [0.25, 0.15, 0.13, 0.19, 0.17];

/// What the paper prints about a data set.
#[derive(Debug)]
pub(super) struct Printed {
    /// The number of points, n.
    pub(super) points: usize,
    /// The dimension of the data, q.
    pub(super) input_dim: usize,
    /// The dimension of the embeddings, d.
    pub(super) dim: usize,
    /// The lower bound of R_N and R_C.
    pub(super) bound: f64,
    /// R_N and R_C of each method.
    cells: [(&'static str, f64, f64); 5],
}

impl Printed {
    /// R_N and R_C of a method, where the paper has it.
    pub(super) fn cell(&self, method: &str) -> Option<(f64, f64)> {
        self.cells.iter().find(|cell| cell.0 == method).map(|cell| (cell.1, cell.2))
    }
}

pub(super) static SWISS_ROLL: Printed = Printed {
    points: 1600,
    input_dim: 3,
    dim: 2,
    bound: 0.0,
    cells: [("gp", 0.0, 0.0), ("psa", 0.0, 0.0), ("lle", 0.81, 0.23), ("isomap", 0.01, 0.01), ("ltsa", 0.99, 0.22)],
};

pub(super) static HEMISPHERE: Printed = Printed {
    points: 2500,
    input_dim: 3,
    dim: 2,
    bound: 0.0,
    cells: [("gp", 0.02, 0.01), ("psa", 0.03, 0.01), ("lle", 0.6, 0.0), ("isomap", 0.03, 0.02), ("ltsa", 0.93, 0.04)],
};

pub(super) static CYLINDER: Printed = Printed {
    points: 800,
    input_dim: 3,
    dim: 2,
    bound: 0.0,
    cells: [("gp", 0.13, 0.01), ("psa", 0.02, 0.01), ("lle", 0.73, 0.13), ("isomap", 0.34, 0.25), ("ltsa", 0.59, 0.48)],
};

pub(super) static FACES: Printed = Printed {
    points: 1965,
    input_dim: 560,
    dim: 3,
    bound: 0.11,
    cells: [("gp", 0.45, 0.36), ("psa", 0.35, 0.3), ("lle", 0.99, 0.79), ("isomap", 0.5, 0.38), ("ltsa", 0.99, 0.53)],
};

pub(super) static TWOS: Printed = Printed {
    points: 638,
    input_dim: 256,
    dim: 10,
    bound: 0.0,
    cells: [("gp", 0.0, 0.0), ("psa", 0.0, 0.0), ("lle", 0.82, 0.23), ("isomap", 0.02, 0.01), ("ltsa", 0.98, 0.37)],
};
