//! One method on one set of neighborhoods: its embedding, what it cost, and its scores.

use super::memory::Peak;
use super::plan::measures;
use crate::data::{Input, Part};
use crate::embed::Method;
use crate::measure::{Evaluation, Measure, MeasureInfo, Options, Score};
use crate::{Embedding, FitInfo, Neighborhoods, Points, Problem, Result, Run, Tear, Warning};
use std::time::Instant;

/// A measure's score.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// The measure.
    pub info: &'static MeasureInfo,
    /// What it gave; the values of single points are those of R_N and R_C alone, where embeddings are kept.
    pub score: Score,
}

impl Taken {
    pub(crate) fn forget_points(&mut self) {
        self.score.per_point = None;
        self.score.per_point_bound = None;
    }
}

/// What an embedding tore, and how faithful it is to what is left.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Torn {
    /// The torn pairs of rows of the embedding.
    pub tear: Tear,
    /// The plan's Procrustes measures on the neighborhoods without them.
    pub scores: Vec<Taken>,
}

impl Torn {
    /// The score of the measure of this name on what is left.
    pub fn score(&self, name: &str) -> Option<&Score> {
        self.scores.iter().find(|taken| taken.info.name == name).map(|taken| &taken.score)
    }
}

/// What a method gave.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Trial {
    /// The coordinates, where they are kept.
    pub points: Option<Points>,
    /// The rows of X that were embedded and measured, where not all were.
    pub rows: Option<Vec<u32>>,
    /// The number of points that were embedded and measured.
    pub measured: usize,
    /// What happened.
    pub info: FitInfo,
    /// The scores, in the order of the plan's measures; torn pairs count as what they are, neighbors far apart.
    pub scores: Vec<Taken>,
    /// What was torn, where something was.
    pub torn: Option<Torn>,
    /// Wall-clock seconds of the embedding, the search and the measures not counted.
    pub seconds: f64,
    /// The most memory that the whole process held meanwhile, where it was asked for and the system tells it.
    pub peak_bytes: Option<u64>,
}

impl Trial {
    /// The score of the measure of this name.
    pub fn score(&self, name: &str) -> Option<&Score> {
        self.scores.iter().find(|taken| taken.info.name == name).map(|taken| &taken.score)
    }

    /// The score by which an embedding is compared with others: that of what is left, where something was torn and the
    /// measure is among those taken of it, otherwise that of the whole.
    ///
    /// A torn pair costs R_N more than anything that a whole map does, and says nothing of what the map shows.
    pub fn compared(&self, name: &str) -> Option<&Score> {
        self.torn.as_ref().and_then(|torn| torn.score(name)).or_else(|| self.score(name))
    }

    /// How many times the best possible value the measure of this name gave.
    pub fn times_bound(&self, name: &str) -> Option<f64> {
        self.score(name).and_then(Score::times_bound)
    }

    /// Forgets the coordinates and the values of single points.
    pub(crate) fn forget_points(&mut self) {
        self.points = None;
        self.scores.iter_mut().for_each(Taken::forget_points);
    }

    /// What a reader should know: the method's own warnings, and the neighborhoods that could not be measured.
    pub fn warnings(&self) -> Vec<Warning> {
        let left_out = self.scores.iter().filter(|taken| taken.score.left_out > 0 && taken.score.lower_bound.is_some());
        let mut warnings = self.info.warnings.clone();
        warnings.extend(
            left_out.map(|taken| Warning::LeftOut { symbol: taken.info.symbol, neighborhoods: taken.score.left_out }),
        );
        warnings
    }
}

/// What is taken of every embedding.
#[derive(Clone)]
pub(crate) struct Taking {
    pub(crate) measures: Vec<&'static dyn Measure>,
    pub(crate) options: Options,
    pub(crate) keep: bool,
    pub(crate) memory: bool,
}

impl std::fmt::Debug for Taking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.measures.iter().map(|measure| measure.info().name).collect();
        f.debug_struct("Taking").field("measures", &names).field("options", &self.options).finish_non_exhaustive()
    }
}

/// An embedding that has not been measured yet.
pub(crate) struct Attempt {
    pub(crate) embedding: Embedding,
    seconds: f64,
    peak_bytes: Option<u64>,
}

impl Attempt {
    /// With its scores; `keep` keeps coordinates and the values of single points.
    pub(crate) fn judged(self, scores: Vec<Taken>, torn: Option<Torn>, keep: bool) -> Trial {
        let Self { embedding: Embedding { points, rows, info, .. }, seconds, peak_bytes } = self;
        let measured = points.len();
        let mut trial = Trial { points: Some(points), rows, measured, info, scores, torn, seconds, peak_bytes };
        for taken in trial.scores.iter_mut().filter(|taken| !matches!(taken.info.name, "r_n" | "r_c")) {
            taken.forget_points();
        }
        if !keep {
            trial.forget_points();
        }
        trial
    }
}

impl Taking {
    /// These measures with default options.
    pub(crate) fn new(names: &[&str]) -> Result<Self> {
        Ok(Self { measures: measures(names)?, options: Options::default(), keep: true, memory: false })
    }

    /// Runs `method` on `problem` and measures what it gave.
    pub(crate) fn trial(&self, method: &Method, problem: &Problem<'_>, run: &Run) -> Result<Trial> {
        let attempt = self.attempt(method, problem, run)?;
        let scores = self.scores(&problem.input(), problem.neighborhoods(), &attempt.embedding, run)?;
        let torn = self.torn(problem, &attempt.embedding, run)?;
        Ok(attempt.judged(scores, torn, self.keep))
    }

    /// Runs `method` on `problem`.
    pub(crate) fn attempt(&self, method: &Method, problem: &Problem<'_>, run: &Run) -> Result<Attempt> {
        let peak = if self.memory { Peak::begin() } else { None };
        let start = Instant::now();
        let embedding = method.fit(problem, run)?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(Attempt { embedding, seconds, peak_bytes: peak.and_then(Peak::end) })
    }

    /// Measures `embedding` on `neighborhoods` of the whole input, or on what its rows leave of them.
    pub(crate) fn scores(
        &self,
        input: &Input<'_>,
        neighborhoods: &Neighborhoods,
        embedding: &Embedding,
        run: &Run,
    ) -> Result<Vec<Taken>> {
        let part = embedding.rows.as_ref().map(|rows| Part::new(input, neighborhoods, rows));
        let (input, neighborhoods) = match &part {
            Some(part) => (part.input(), part.neighborhoods()),
            None => (*input, neighborhoods),
        };
        let evaluation = Evaluation::new(input, &embedding.points, neighborhoods, self.options, run)?;
        taken(&self.measures, &evaluation)
    }

    /// What `embedding` tore of `problem`, and its scores on what is left.
    pub(crate) fn torn(&self, problem: &Problem<'_>, embedding: &Embedding, run: &Run) -> Result<Option<Torn>> {
        let Some(tear) = &embedding.tear else { return Ok(None) };
        let part = embedding.rows.as_ref().map(|rows| Part::new(&problem.input(), problem.neighborhoods(), rows));
        let (input, neighborhoods) = match &part {
            Some(part) => (part.input(), part.neighborhoods()),
            None => (problem.input(), problem.neighborhoods()),
        };
        let rest = tear.rest(neighborhoods);
        let evaluation = Evaluation::new(input, &embedding.points, &rest, self.options, run)?;
        let procrustes: Vec<_> = self.measures.iter().copied().filter(|measure| measure.info().default).collect();
        let mut scores = taken(&procrustes, &evaluation)?;
        scores.iter_mut().for_each(Taken::forget_points);
        Ok(Some(Torn { tear: tear.clone(), scores }))
    }
}

fn taken(measures: &[&'static dyn Measure], evaluation: &Evaluation<'_>) -> Result<Vec<Taken>> {
    let taken = |measure: &&'static dyn Measure| -> Result<Taken> {
        Ok(Taken { info: measure.info(), score: measure.score(evaluation)? })
    };
    measures.iter().map(taken).collect()
}
