//! Weights on the edges of the neighborhood graph, for the methods that walk on it.
//!
//! Edge ij of length l weighs 1 where both ends name each other and 1/2 where one does (connectivity), or exp(-l^2 /
//! t) (heat). t is in squared units of the data; left open, it is the mean squared length of an edge. Cost: O(n k).

use super::check_positive;
use crate::graph::Links;
use crate::spectral::SymmetricRows;
use crate::{Error, Problem, Result, Run};

/// An error unless t can be had.
pub(super) fn check_width(width: Option<f64>) -> Result<()> {
    width.map_or(Ok(()), |width| check_positive("width", width, "leave it out to have it chosen"))
}

/// A weighted graph without loops.
#[derive(Debug)]
pub(super) struct GraphKernel {
    pub(super) links: Links,
    /// The weight at each place of the links.
    pub(super) weights: Vec<f64>,
}

impl GraphKernel {
    /// Half the number of ends that name the other.
    pub(super) fn connectivity(problem: &Problem<'_>, run: &Run) -> Result<Self> {
        let links = Links::new(problem.neighborhoods(), run)?;
        let weights = (0..links.places()).map(|place| 0.5 * links.weight(place)).collect();
        Ok(Self { links, weights })
    }

    /// exp(-l^2 / t); also the t used.
    pub(super) fn heat(problem: &Problem<'_>, width: Option<f64>, run: &Run) -> Result<(Self, f64)> {
        let links = Links::new(problem.neighborhoods(), run)?;
        let input = problem.input();
        let lengths: Vec<f64> = (0..links.len())
            .flat_map(|point| links.of(point).map(move |place| (point, place)))
            // One order of the two ends, so that an edge is as long from either side.
            .map(|(point, place)| {
                let end = links.end(place);
                input.distance(point.min(end), point.max(end))
            })
            .collect();
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        let unit = if longest > 0.0 { longest } else { 1.0 };
        let mean = lengths.iter().map(|length| (length / unit).powi(2)).sum::<f64>() / lengths.len() as f64;
        let scale = width.map_or(if mean > 0.0 { mean } else { 1.0 }, |width| width / unit / unit);
        let weights: Vec<f64> = lengths.iter().map(|length| (-(length / unit).powi(2) / scale).exp()).collect();
        let kernel = Self { links, weights };
        if let Some(point) = kernel.degrees().iter().position(|&degree| degree < f64::MIN_POSITIVE * 1e20) {
            return Err(Error::parameter(
                "width",
                scale * unit * unit,
                format!("is too small: no edge of row {} has a weight left", point + 1),
                format!("use at least {:.3e}", mean * unit * unit),
            ));
        }
        Ok((kernel, scale * unit * unit))
    }

    /// The sum of the weights of each point.
    pub(super) fn degrees(&self) -> Vec<f64> {
        (0..self.links.len()).map(|point| self.links.of(point).map(|place| self.weights[place]).sum()).collect()
    }

    /// I - D^(-1/2) W D^(-1/2) with W the weights and `loops` on its diagonal, and D the given degrees.
    pub(super) fn normalized_laplacian(&self, degrees: &[f64], loops: &[f64]) -> SymmetricRows {
        let (mut offsets, mut columns) = (vec![0], Vec::with_capacity(self.links.places()));
        let mut values = Vec::with_capacity(self.links.places());
        let roots: Vec<f64> = degrees.iter().map(|degree| degree.sqrt()).collect();
        for point in 0..self.links.len() {
            for place in self.links.of(point) {
                let end = self.links.end(place);
                columns.push(end as u32);
                // The product of the roots is the same from either side.
                values.push(-self.weights[place] / (roots[point] * roots[end]));
            }
            offsets.push(columns.len());
        }
        let diagonal = loops.iter().zip(degrees).map(|(own, degree)| 1.0 - own / degree).collect();
        SymmetricRows::new(offsets, columns, values, diagonal)
    }
}

/// The unit vector along the square roots of the degrees, which a normalized Laplacian sends to zero.
pub(super) fn stationary(degrees: &[f64]) -> Vec<f64> {
    let total: f64 = degrees.iter().sum();
    degrees.iter().map(|degree| (degree / total).sqrt()).collect()
}
