//! One neighborhood, partly embedded: how firmly its embedded members hold it, and where the others go.
//!
//! With C the chart of the members, O those embedded and Y_O where they are: Z = C_O'H Y_O = U L V', A = U V', and a
//! member with chart coordinates c goes to y = mean Y_O + A'(c - mean C_O). Goldberg and Ritov, section 4.1.
//!
//! The hold is the least share of its scatter that the neighborhood keeps in any direction when it is cut down to O:
//! the smallest eigenvalue of S^(-1/2) S_O S^(-1/2), S = C'H C over its first d principal axes. It is 1 where
//! everything is embedded and 0 where O spans fewer than d directions, so that a reflection would fit as well; axes
//! along which the neighborhood itself is flat need no hold. Cost: O(m r d) and an eigendecomposition of size d.

use crate::Result;
use crate::data::Input;
use crate::linalg::{SymmetricEigen, dot, square};
use crate::local::{Chart, Charts, Rotation, center, gather};

/// Axes shorter than this share of the longest, squared, may flip: it would not be visible.
const FLAT: f64 = 1e-9;

/// A partly embedded neighborhood, and the work space for the next.
#[derive(Debug, Default)]
pub(super) struct Overlap {
    chart: Chart,
    columns: Vec<f64>,
    size: usize,
    width: usize,
    held: Vec<usize>,
    cut: Vec<f64>,
    matrix: Vec<f64>,
    eigen: SymmetricEigen,
    middle: Vec<f64>,
    anchored: Vec<f64>,
    anchor: Vec<f64>,
    rotation: Rotation,
}

impl Overlap {
    /// Loads neighborhood `index` with its full chart, or with the `dim` principal coordinates alone.
    #[inline(always)]
    pub(super) fn load(&mut self, charts: &Charts<'_>, index: usize, dim: usize, principal: bool) -> Result<()> {
        self.size = charts.neighborhoods().members(index).len();
        if principal {
            self.width = dim;
            charts.gather_principal(index, dim, &mut self.chart, &mut self.columns)
        } else {
            self.width = charts.gather(index, dim, &mut self.columns);
            Ok(())
        }
    }

    /// Loads the `dim` principal coordinates of any set of rows.
    pub(super) fn load_rows(&mut self, input: &Input<'_>, rows: &[u32], dim: usize) -> Result<()> {
        self.chart.fill(input, rows)?;
        (self.size, self.width) = (rows.len(), dim);
        self.columns.clear();
        self.columns.extend(self.chart.values());
        self.columns.resize(dim * self.size, 0.0);
        Ok(())
    }

    /// Notes which of the members are embedded and puts their chart coordinates, centered, beside each other.
    #[inline(always)]
    pub(super) fn cut(&mut self, members: &[u32], embedded: &[bool]) {
        self.held.clear();
        self.held.extend((0..self.size).filter(|&place| embedded[members[place] as usize]));
        self.cut.clear();
        self.middle.clear();
        let share = 1.0 / self.held.len() as f64;
        for column in self.columns.chunks_exact(self.size) {
            let mean = self.held.iter().map(|&place| column[place]).sum::<f64>() * share;
            self.middle.push(mean);
            self.cut.extend(self.held.iter().map(|&place| column[place] - mean));
        }
    }

    /// The hold of the embedded members; only for principal coordinates.
    #[inline(always)]
    pub(super) fn hold(&mut self) -> f64 {
        let held = self.held.len();
        let longest = square(&self.columns[..self.size]);
        let wide = self.columns.chunks_exact(self.size).take_while(|axis| square(axis) > FLAT * longest).count();
        if wide == 0 {
            return 1.0;
        }
        if held <= wide {
            return 0.0;
        }
        self.matrix.clear();
        self.matrix.resize(wide * wide, 0.0);
        for a in 0..wide {
            for b in 0..=a {
                // One root at a time, so that the product stays within the range of numbers.
                let length = |axis: usize| square(&self.columns[axis * self.size..(axis + 1) * self.size]).sqrt();
                let product = dot(&self.cut[a * held..(a + 1) * held], &self.cut[b * held..(b + 1) * held]);
                self.matrix[a * wide + b] = product / length(a) / length(b);
                self.matrix[b * wide + a] = self.matrix[a * wide + b];
            }
        }
        self.eigen.decompose(&self.matrix, wide);
        self.eigen.values()[wide - 1].clamp(0.0, 1.0)
    }

    /// Appends to `images` where the motion of the embedded members puts the others, in the order of the members.
    #[inline(always)]
    pub(super) fn carry(
        &mut self,
        members: &[u32],
        embedded: &[bool],
        values: &[f64],
        dim: usize,
        images: &mut Vec<f64>,
    ) {
        self.move_onto(members, values, dim);
        for (spot, _) in members.iter().enumerate().filter(|&(_, &member)| !embedded[member as usize]) {
            self.image(spot, images);
        }
    }

    /// Appends to `images` where the motion of a wholly embedded neighborhood puts each of its members.
    #[inline(always)]
    pub(super) fn carry_whole(&mut self, members: &[u32], values: &[f64], dim: usize, images: &mut Vec<f64>) {
        self.held.clear();
        self.held.extend(0..self.size);
        self.cut.clear();
        self.cut.extend_from_slice(&self.columns);
        self.middle.clear();
        self.middle.resize(self.width, 0.0);
        self.move_onto(members, values, dim);
        for spot in 0..self.size {
            self.image(spot, images);
        }
    }

    /// Appends the image of member `spot`.
    #[inline(always)]
    fn image(&self, spot: usize, images: &mut Vec<f64>) {
        for (anchor, turn) in self.anchor.iter().zip(self.rotation.matrix().chunks_exact(self.width)) {
            let axes = self.columns.chunks_exact(self.size).zip(&self.middle);
            let image: f64 = axes.zip(turn).map(|((column, middle), turn)| (column[spot] - middle) * turn).sum();
            images.push(anchor + image);
        }
    }

    /// Finds the motion that carries the chart onto the embedded members.
    #[inline(always)]
    fn move_onto(&mut self, members: &[u32], values: &[f64], dim: usize) {
        let held = self.held.len();
        let rows = self.held.iter().map(|&place| &values[members[place] as usize * dim..][..dim]);
        gather(&mut self.anchored, dim, rows, held);
        self.anchor.clear();
        center(&mut self.anchored, held, held, |mean| self.anchor.push(mean));
        self.rotation.find(&self.cut, &self.anchored, held, self.width);
    }

    /// Appends to `images` the neighborhood itself, by its principal coordinates.
    pub(super) fn lay_flat(&self, images: &mut Vec<f64>) {
        for spot in 0..self.size {
            images.extend(self.columns.chunks_exact(self.size).map(|column| column[spot]));
        }
    }
}
