//! Weights on the edges of the neighborhood graph, and the map that its normalized Laplacian gives.
//!
//! Edge ij of length l weighs 1 where both ends list each other and 1/2 where one does (connectivity), or exp(-l^2 / t)
//! (heat). t is in squared units of the data; unless it is given, it is the mean squared length of an edge. Cost:
//! O(n k), and an eigenproblem (`spectral/smallest.rs`).

use super::aligned::eigenvectors;
use crate::error::{Advice, Bound, Limit, Name};
use crate::graph::Links;
use crate::spectral::{Spectrum, SymmetricRows};
use crate::{Error, Fit, Problem, Result};

/// A point whose edges weigh less than this together is joined with nothing.
const LEAST: f64 = f64::MIN_POSITIVE * 1e20;

/// A weighted graph without loops.
#[derive(Debug)]
pub(super) struct GraphKernel {
    pub(super) links: Links,
    /// The weight at each place of the links.
    pub(super) weights: Vec<f64>,
}

impl GraphKernel {
    /// Half the number of ends that list the other.
    pub(super) fn connectivity(problem: &Problem<'_>, fit: &Fit<'_>) -> Result<Self> {
        let links = Links::new(problem.neighborhoods(), fit.run())?;
        let weights = (0..links.places()).map(|place| 0.5 * links.weight(place)).collect();
        Ok(Self { links, weights })
    }

    /// exp(-l^2 / t); the t used is a fact of the fit.
    pub(super) fn heat(problem: &Problem<'_>, width: Option<f64>, fit: &mut Fit<'_>) -> Result<Self> {
        let links = Links::new(problem.neighborhoods(), fit.run())?;
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
        if let Some(point) = kernel.degrees().iter().position(|&degree| degree < LEAST) {
            let shortest =
                |point: usize| kernel.links.of(point).map(|place| lengths[place]).fold(f64::INFINITY, f64::min);
            let farthest = (0..kernel.links.len()).map(shortest).fold(0.0, f64::max);
            // One percent more than just enough.
            let needed = 1.01 * farthest * farthest / -LEAST.ln();
            let reason = format!("with less, no edge of row {} has a weight above zero", point + 1);
            let limit = Limit::because(Bound::AtLeast(needed), reason);
            let name = Name::setting("width");
            let advice =
                Advice::change(name.clone(), "choose a larger {set width}, or remove points that are far from all");
            return Err(Error::parameter(name, scale * unit * unit, limit, advice));
        }
        fit.fact("width", scale * unit * unit);
        Ok(kernel)
    }

    /// The smallest eigenvectors of I - D^(-1/2) W D^(-1/2), D the `degrees` and W the weights with `loops` on the
    /// diagonal, and the unit vector along the square roots of the degrees, which it maps to zero.
    pub(super) fn eigenvectors(
        self,
        degrees: &[f64],
        loops: &[f64],
        problem: &Problem<'_>,
        stage: &str,
        fit: &mut Fit<'_>,
    ) -> Result<(Spectrum, Vec<f64>)> {
        let matrix = self.normalized_laplacian(degrees, loops);
        drop(self);
        fit.lap(stage);
        let total: f64 = degrees.iter().sum();
        let null: Vec<f64> = degrees.iter().map(|degree| (degree / total).sqrt()).collect();
        let spectrum = eigenvectors(&matrix, &null, problem, fit)?;
        fit.lap("eigenvectors");
        Ok((spectrum, null))
    }

    /// The sum of the weights of each point.
    pub(super) fn degrees(&self) -> Vec<f64> {
        (0..self.links.len()).map(|point| self.links.of(point).map(|place| self.weights[place]).sum()).collect()
    }

    /// I - D^(-1/2) W D^(-1/2).
    fn normalized_laplacian(&self, degrees: &[f64], loops: &[f64]) -> SymmetricRows {
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
