//! What to sweep: a method, the k, the d, and the reference.

use super::choice::{self, Contender};
use super::spectrum::spectrum;
use super::{Cell, Choice, Graded, Sweep, dimension, telling};
use crate::compare::{Taking, check_distinct};
use crate::data::Input;
use crate::embed::Method;
use crate::measure::Options;
use crate::{Error, Neighborhoods, Problem, Result, Run};
use std::borrow::Cow;

/// A sweep to be made.
#[derive(Debug, Clone)]
pub struct Plan {
    method: Method,
    ks: Vec<usize>,
    dims: Vec<usize>,
    reference_k: usize,
    taking: Taking,
}

impl Plan {
    /// This method for each of these k and d; the reference is the largest k.
    pub fn new(method: Method, ks: &[usize], dims: &[usize]) -> Result<Self> {
        check_distinct("k", ks)?;
        check_distinct("dim", dims)?;
        let sorted = |values: &[usize]| {
            let mut values = values.to_vec();
            values.sort_unstable();
            values
        };
        let (ks, dims) = (sorted(ks), sorted(dims));
        let reference_k = ks[ks.len() - 1];
        Ok(Self { method, ks, dims, reference_k, taking: Taking::new(&["r_n", "r_c"])? })
    }

    /// Scores every embedding on the neighborhoods of this k too, instead of the largest.
    pub fn with_reference_k(mut self, k: usize) -> Result<Self> {
        check_distinct("reference-k", &[k])?;
        self.reference_k = k;
        Ok(self)
    }

    /// Measures with these options.
    pub fn with_options(mut self, options: Options) -> Self {
        self.taking.options = options;
        self
    }

    /// Whether the embedding of the chosen k of each d is kept; scores always are.
    pub fn keep_embeddings(mut self, keep: bool) -> Self {
        self.taking.keep = keep;
        self
    }

    /// How many neighbors the neighborhoods must have been searched for.
    pub fn largest_k(&self) -> usize {
        self.ks[self.ks.len() - 1].max(self.reference_k)
    }

    /// Runs the method for every k and d, with neighborhoods cut from `widest`.
    ///
    /// What cannot work for any k is an error; what one k cannot do is its cell's. Cancellation ends the whole.
    pub fn run(&self, input: Input<'_>, widest: &Neighborhoods, run: &Run) -> Result<Sweep> {
        let reference = cut(widest, self.reference_k)?;
        for dim in [self.dims[0], self.dims[self.dims.len() - 1]] {
            Problem::with_input(input, &reference, dim)?;
        }
        for k in [self.ks[0], self.reference_k] {
            let neighborhoods = cut(widest, k)?;
            self.taking.options.check(&neighborhoods)?;
        }
        let axes = self.dims[self.dims.len() - 1] + 1;
        let spectrum = spectrum(&input, &reference, self.taking.options.center, axes, run)?;
        let mut components = vec![None; self.ks.len()];
        let (mut cells, mut choices) = (Vec::new(), Vec::new());
        for &dim in &self.dims {
            let mut column = Vec::with_capacity(self.ks.len());
            for (&k, components) in self.ks.iter().zip(&mut components) {
                let neighborhoods = cut(widest, k)?;
                let components = *components.get_or_insert_with(|| neighborhoods.components().count());
                let problem = Problem::with_input(input, &neighborhoods, dim)?;
                let run = run.within(format!("{}, k = {k}, d = {dim}", self.method.label()));
                let outcome = match self.grade(&problem, &reference, k, &run) {
                    Err(Error::Cancelled) => return Err(Error::Cancelled),
                    outcome => outcome,
                };
                column.push(Cell { k, dim, components, outcome });
            }
            let choice = self.choose(dim, &column, input.len());
            for cell in &mut column {
                let is_kept = self.taking.keep && choice.as_ref().is_some_and(|choice| choice.k == cell.k);
                if let (Ok(graded), false) = (&mut cell.outcome, is_kept) {
                    graded.own.forget_points();
                    graded.reference.iter_mut().for_each(crate::compare::Taken::forget_points);
                }
            }
            cells.append(&mut column);
            choices.extend(choice);
        }
        Ok(Sweep {
            method: self.method.label().to_owned(),
            info: self.method.info(),
            parameters: self.method.embedder().parameters(),
            points: input.len(),
            input_dim: input.dim(),
            ks: self.ks.clone(),
            dims: self.dims.clone(),
            reference_k: self.reference_k,
            options: self.taking.options,
            seed: run.seed(),
            cells,
            dimension: dimension::choose(&self.dims, &spectrum),
            spectrum,
            choices,
        })
    }

    /// An embedding, scored on its own neighborhoods and on the reference.
    fn grade(&self, problem: &Problem<'_>, reference: &Neighborhoods, k: usize, run: &Run) -> Result<Graded> {
        let attempt = self.taking.attempt(&self.method, problem, run)?;
        let scores = |lists| self.taking.scores(&problem.input(), lists, &attempt.embedding, run);
        let own = scores(problem.neighborhoods())?;
        let reference = if k == self.reference_k { own.clone() } else { scores(reference)? };
        let torn = self.taking.torn(problem, &attempt.embedding, run)?;
        Ok(Graded { own: attempt.judged(own, torn, true), reference })
    }

    /// The k to choose for one d, from its cells.
    fn choose(&self, dim: usize, cells: &[Cell], points: usize) -> Option<Choice> {
        let contender = |cell: &Cell| {
            let graded = cell.graded()?;
            let values = graded.on_reference(telling(self.method.info()))?.per_point.as_ref()?;
            // Beyond 1 a neighborhood is lost; by how much says nothing, and a few such would drown all others.
            let loss = values.iter().map(|&value| if value > 1.0 { 1.0 } else { value });
            let values = match &graded.own.rows {
                None => loss.collect(),
                Some(rows) => {
                    let mut all = vec![f64::NAN; points];
                    rows.iter().zip(loss).for_each(|(&row, value)| all[row as usize] = value);
                    all
                }
            };
            Some(Contender { k: cell.k, components: cell.components, values })
        };
        let contenders: Vec<Contender> = cells.iter().filter_map(contender).collect();
        choice::choose(dim, &contenders, self.reference_k)
    }
}

/// The first `k` neighbors of `widest`, which may be all of them.
fn cut(widest: &Neighborhoods, k: usize) -> Result<Cow<'_, Neighborhoods>> {
    if widest.uniform_k() == Some(k) { Ok(Cow::Borrowed(widest)) } else { widest.first(k).map(Cow::Owned) }
}
