//! The pull towards the shapes that neighborhoods have in the data: of the data's neighborhoods, and of the map's.
//!
//! Those of the map change with it and are looked up again now and then; without them points that do not belong together
//! would be laid over each other.

use super::shape::{Pulls, Shapes, Source};
use crate::data::Input;
use crate::{Neighborhoods, Points, Result, Run};

/// Steps after which the neighborhoods of the map are looked up again.
pub(super) const RENEWED: usize = 50;

/// Shapes that count beside neighbors.
pub(super) struct Shaping<'a, const D: usize> {
    input: Input<'a>,
    /// The row of each point in the data, where points have an order of their own.
    rows: Option<Vec<u32>>,
    k: usize,
    /// The share of the shapes.
    share: f64,
    /// Those of the data's neighborhoods, and of the map's as they were.
    shapes: Vec<Shapes>,
    /// The usual extents of both in the map.
    usual: Vec<f64>,
    pulls: Pulls<D>,
    /// R_C and reverse R_C, where the neighborhoods of the map were just looked up.
    pub(super) looked_up: Option<[f64; 2]>,
}

impl<'a, const D: usize> Shaping<'a, D> {
    /// Neighborhoods of the points in their order, of which `rows` tells the rows in the data.
    pub(super) fn new(
        input: Input<'a>,
        neighborhoods: &Neighborhoods,
        rows: Option<&[u32]>,
        share: f64,
        run: &Run,
    ) -> Result<Self> {
        Ok(Self {
            k: neighborhoods.usual_k(),
            share,
            shapes: vec![Shapes::new(Source { input, rows }, neighborhoods, &run.quiet())?],
            rows: rows.map(<[u32]>::to_vec),
            usual: Vec::new(),
            pulls: Pulls::default(),
            looked_up: None,
            input,
        })
    }

    /// Makes the gradient of the neighbors' loss that of both; gives its length over what it was.
    pub(super) fn bend(
        &mut self,
        step: usize,
        places: &[[f32; D]],
        gradient: &mut [[f64; D]],
        run: &Run,
    ) -> Result<f64> {
        let renewed = step.is_multiple_of(RENEWED);
        if renewed {
            self.renew(places, &run.quiet())?;
        }
        let before = length(gradient);
        gradient.iter_mut().flatten().for_each(|part| *part *= 1.0 - self.share);
        let mut means = [0.0; 2];
        for ((shapes, usual), mean) in self.shapes.iter().zip(&self.usual).zip(&mut means) {
            *mean = shapes.add_pulls(places, (0.5 * self.share, *usual), gradient, &mut self.pulls, run)?;
        }
        self.looked_up = renewed.then_some(means);
        Ok(if before > 0.0 { length(gradient) / before } else { 0.0 })
    }

    fn renew(&mut self, places: &[[f32; D]], run: &Run) -> Result<()> {
        let values = places.iter().flatten().map(|at| f64::from(*at)).collect();
        let found = Neighborhoods::nearest(&Points::new(places.len(), D, values)?, self.k, run)?;
        self.shapes.truncate(1);
        let source = Source { input: self.input, rows: self.rows.as_deref() };
        self.shapes.push(Shapes::new(source, &found, run)?);
        self.usual = self.shapes.iter().map(|shapes| shapes.usual_extent(places, run)).collect::<Result<_>>()?;
        Ok(())
    }
}

fn length<const D: usize>(gradient: &[[f64; D]]) -> f64 {
    gradient.iter().flatten().map(|part| part * part).sum::<f64>().sqrt()
}
