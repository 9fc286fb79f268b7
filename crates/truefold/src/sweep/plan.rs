//! What to sweep: a method, the k, the d, and the reference.

use super::choice::{self, Contender};
use super::spectrum::spectrum;
use super::{Candidate, Graded, NeighborsChoice, Sweep, dimension, telling};
use crate::compare::{TrialPlan, check_distinct};
use crate::data::Input;
use crate::embed::Method;
use crate::measure::Options;
use crate::{Error, NeighborhoodFacts, Neighborhoods, Problem, Result, Run};
use std::borrow::Cow;

/// A sweep to be made.
#[derive(Debug, Clone)]
pub struct Plan {
    method: Method,
    ks: Vec<usize>,
    dims: Vec<usize>,
    reference_k: usize,
    trials: TrialPlan,
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
        let mut trials = TrialPlan::new(&["r_n", "r_c"])?;
        trials.options.verdict = false;
        Ok(Self { method, ks, dims, reference_k, trials })
    }

    /// Scores every embedding on the neighborhoods of this k too, instead of the largest.
    pub fn with_reference_k(mut self, k: usize) -> Result<Self> {
        check_distinct("reference_k", &[k])?;
        self.reference_k = k;
        Ok(self)
    }

    /// Measures with these options.
    pub fn with_options(mut self, options: Options) -> Self {
        // The choice is made by R_N and R_C; verdicts would only take time.
        self.trials.options = Options { verdict: false, ..options };
        self
    }

    /// Whether the embedding of the chosen k of each d is kept; scores always are.
    #[must_use]
    pub fn with_embeddings(mut self, keep: bool) -> Self {
        self.trials.keep = keep;
        self
    }

    /// How many neighbors the neighborhoods must have been searched for.
    pub fn largest_k(&self) -> usize {
        self.ks[self.ks.len() - 1].max(self.reference_k)
    }

    /// Runs the method for every k and d, with neighborhoods cut from `widest`.
    ///
    /// What cannot work for any k is an error; where a single k fails, its candidate holds the error. Cancellation ends
    /// the whole sweep.
    pub fn run(&self, input: Input<'_>, widest: &Neighborhoods, run: &Run) -> Result<Sweep> {
        let reference = cut(widest, self.reference_k)?;
        if let Input::Points(points) = input {
            points.check_squares("X")?;
        }
        self.check(input, widest, &reference)?;
        let axes = self.dims[self.dims.len() - 1] + 1;
        let spectrum = spectrum(&input, &reference, self.trials.options.center, axes, run)?;
        let mut known = vec![None; self.ks.len()];
        let (mut candidates, mut choices) = (Vec::new(), Vec::new());
        for &dim in &self.dims {
            let mut of_dim = Vec::with_capacity(self.ks.len());
            for (&k, known) in self.ks.iter().zip(&mut known) {
                let neighborhoods = cut(widest, k)?;
                let facts = known.get_or_insert_with(|| NeighborhoodFacts::of(&neighborhoods));
                let problem = Problem::with_input(input, &neighborhoods, dim)?;
                let run = run.within(format!("{}, k = {k}, d = {dim}", self.method.label()));
                let outcome = match self.grade(&problem, &reference, facts, &run) {
                    Err(end @ (Error::Cancelled | Error::OutOfMemory { .. })) => return Err(end),
                    outcome => outcome,
                };
                of_dim.push(Candidate { k, dim, components: facts.components, outcome });
            }
            let choice = self.choose(dim, &of_dim, input.len());
            self.forget_all_but(choice.as_ref(), &mut of_dim);
            candidates.append(&mut of_dim);
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
            options: self.trials.options,
            seed: run.seed(),
            candidates,
            dimension: dimension::choose(&self.dims, &spectrum),
            spectrum,
            choices,
        })
    }

    /// What would fail for every k, before the method runs.
    fn check(&self, input: Input<'_>, widest: &Neighborhoods, reference: &Neighborhoods) -> Result<()> {
        for dim in [self.dims[0], self.dims[self.dims.len() - 1]] {
            Problem::with_input(input, reference, dim)?;
        }
        for k in [self.ks[0], self.reference_k] {
            let neighborhoods = cut(widest, k)?;
            self.trials.options.check(&neighborhoods)?;
        }
        Ok(())
    }

    /// Forgets coordinates and values of single points, except those of the chosen k where they are to be kept.
    fn forget_all_but(&self, choice: Option<&NeighborsChoice>, candidates: &mut [Candidate]) {
        for candidate in candidates {
            let is_kept = self.trials.keep && choice.is_some_and(|choice| choice.k == candidate.k);
            if let (Ok(graded), false) = (&mut candidate.outcome, is_kept) {
                graded.own.forget_points();
                graded.reference.forget_points_except(&[]);
            }
        }
    }

    /// An embedding, judged on its own neighborhoods, which have these facts, and scored on the reference.
    fn grade(
        &self,
        problem: &Problem<'_>,
        reference: &Neighborhoods,
        facts: &NeighborhoodFacts,
        run: &Run,
    ) -> Result<Graded> {
        let timed = self.trials.embed(&self.method, problem, run)?;
        let judge = |lists| self.trials.judge(problem.input(), lists);
        let own = judge(problem.neighborhoods()).with_facts(facts.clone()).judge_embedding(&timed.embedding, run)?;
        let reference = if facts.k == Some(self.reference_k) {
            own.scores.clone()
        } else {
            judge(reference).scores(&timed.embedding, run)?
        };
        Ok(Graded { own: timed.judged(own), reference })
    }

    /// The k to choose for one d, from its candidates.
    fn choose(&self, dim: usize, candidates: &[Candidate], points: usize) -> Option<NeighborsChoice> {
        let contender = |candidate: &Candidate| {
            let graded = candidate.graded()?;
            let values = graded.on_reference(telling(self.method.info()))?.per_point.as_ref()?;
            // Beyond 1 a neighborhood is lost; how far beyond says nothing, and a few such values would outweigh all others.
            let loss = values.iter().map(|&value| if value > 1.0 { 1.0 } else { value });
            let values = match &graded.own.judgment.rows {
                None => loss.collect(),
                Some(rows) => {
                    let mut all = vec![f64::NAN; points];
                    rows.iter().zip(loss).for_each(|(&row, value)| all[row as usize] = value);
                    all
                }
            };
            Some(Contender { k: candidate.k, components: candidate.components, values })
        };
        let contenders: Vec<Contender> = candidates.iter().filter_map(contender).collect();
        choice::choose(dim, &contenders, self.reference_k)
    }
}

/// The first `k` neighbors of `widest`, which may be all of them.
fn cut(widest: &Neighborhoods, k: usize) -> Result<Cow<'_, Neighborhoods>> {
    if widest.uniform_k() == Some(k) { Ok(Cow::Borrowed(widest)) } else { widest.first(k).map(Cow::Owned) }
}
