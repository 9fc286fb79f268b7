//! One method on one set of neighborhoods: its embedding, what it cost, and how faithful it is.

use super::given::GivenMap;
use super::memory::Peak;
use super::plan::measures;
use crate::data::Input;
use crate::embed::Method;
use crate::groups::Groups;
use crate::measure::{Measure, Options, Score};
use crate::{
    Embedding, FitInfo, Judge, Judgment, NeighborhoodFacts, Neighborhoods, Points, Problem, Result, Run, Warning,
};
use std::time::Instant;

/// The measures whose values at single points are kept: those that pages show.
const KEPT_PER_POINT: [&str; 4] = ["r_n", "r_c", "reverse_r_c", "overlap"];

/// What a method gave.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Trial {
    /// The coordinates, where they are kept.
    pub points: Option<Points>,
    /// How faithful they are; the values of single points are those of R_N, R_C both ways and overlap, where embeddings
    /// are kept.
    pub judgment: Judgment,
    /// What happened.
    pub info: FitInfo,
    /// Wall-clock seconds of the embedding; the search and the measures are not counted. NaN where they are not known.
    pub seconds: f64,
    /// The most memory that the whole process held meanwhile, where it was asked for and the system tells it.
    pub peak_bytes: Option<u64>,
}

impl Trial {
    /// The score of the measure of this name on all neighborhoods.
    pub fn score(&self, name: &str) -> Option<&Score> {
        self.judgment.scores.get(name)
    }

    /// How many times the best possible value the measure of this name gave.
    pub fn times_bound(&self, name: &str) -> Option<f64> {
        self.score(name).and_then(Score::times_bound)
    }

    /// What a reader of a comparison should know: the method's own warnings, and the neighborhoods that could not be
    /// measured. The components of the graph belong to the neighborhoods, not to a method.
    pub fn warnings(&self) -> impl Iterator<Item = &Warning> {
        let is_of_map = |warning: &&Warning| matches!(warning, Warning::LiesOnItself { .. });
        let of_judgment = move |warning: &&Warning| matches!(warning, Warning::LeftOut { .. }) || is_of_map(warning);
        let of_method = self.info.warnings.iter().filter(move |warning| !is_of_map(warning));
        of_method.chain(self.judgment.warnings.iter().filter(of_judgment))
    }

    /// Forgets the coordinates and the values of single points.
    pub(crate) fn forget_points(&mut self) {
        self.points = None;
        self.judgment.scores.forget_points_except(&[]);
        self.judgment.forget_point_verdicts();
    }
}

/// What is measured of every embedding, and what is kept of it.
#[derive(Clone)]
pub(crate) struct TrialPlan {
    pub(crate) measures: Vec<&'static dyn Measure>,
    pub(crate) options: Options,
    /// The groups of the points, where they have labels.
    pub(crate) groups: Option<Groups>,
    /// Whether coordinates and values of single points are kept.
    pub(crate) keep: bool,
    /// Whether the peak memory is taken.
    pub(crate) memory: bool,
}

impl std::fmt::Debug for TrialPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.measures.iter().map(|measure| measure.info().name).collect();
        f.debug_struct("TrialPlan").field("measures", &names).field("options", &self.options).finish_non_exhaustive()
    }
}

/// An embedding and what it cost.
pub(crate) struct TimedEmbedding {
    pub(crate) embedding: Embedding,
    seconds: f64,
    peak_bytes: Option<u64>,
}

impl TimedEmbedding {
    /// With its judgment.
    pub(crate) fn judged(self, judgment: Judgment) -> Trial {
        let Self { embedding: Embedding { points, info, .. }, seconds, peak_bytes } = self;
        let mut trial = Trial { points: Some(points), judgment, info, seconds, peak_bytes };
        trial.judgment.scores.forget_points_except(&KEPT_PER_POINT);
        trial
    }
}

impl TrialPlan {
    /// These measures with default options.
    pub(crate) fn new(names: &[&str]) -> Result<Self> {
        Ok(Self { measures: measures(names)?, options: Options::default(), groups: None, keep: true, memory: false })
    }

    /// Runs `method` on `problem`, whose neighborhoods have these facts, and judges what it gave.
    pub(crate) fn run(
        &self,
        method: &Method,
        problem: &Problem<'_>,
        facts: &NeighborhoodFacts,
        run: &Run,
    ) -> Result<Trial> {
        let timed = self.embed(method, problem, run)?;
        let judge = self.judge(problem.input(), problem.neighborhoods()).with_facts(facts.clone());
        let judgment = judge.judge_embedding(&timed.embedding, run)?;
        let mut trial = timed.judged(judgment);
        if !self.keep {
            trial.forget_points();
        }
        Ok(trial)
    }

    /// Judges an embedding that another program made.
    pub(super) fn judge_given(
        &self,
        map: &GivenMap,
        problem: &Problem<'_>,
        facts: &NeighborhoodFacts,
        run: &Run,
    ) -> Result<Trial> {
        let embedding = map.embedding(run.seed());
        let judge = self.judge(problem.input(), problem.neighborhoods()).with_facts(facts.clone());
        let judgment = judge.judge_embedding(&embedding, run)?;
        let timed = TimedEmbedding { embedding, seconds: map.seconds.unwrap_or(f64::NAN), peak_bytes: None };
        let mut trial = timed.judged(judgment);
        if !self.keep {
            trial.forget_points();
        }
        Ok(trial)
    }

    /// Runs `method` on `problem`.
    pub(crate) fn embed(&self, method: &Method, problem: &Problem<'_>, run: &Run) -> Result<TimedEmbedding> {
        let peak = if self.memory { Peak::begin() } else { None };
        let start = Instant::now();
        let embedding = method.fit(problem, run)?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(TimedEmbedding { embedding, seconds, peak_bytes: peak.and_then(Peak::end) })
    }

    /// The judge of embeddings of `input` on `neighborhoods`.
    pub(crate) fn judge<'a>(&self, input: Input<'a>, neighborhoods: &'a Neighborhoods) -> Judge<'a> {
        let judge = Judge::new(input, neighborhoods).with_measures(self.measures.clone()).with_options(self.options);
        match &self.groups {
            Some(groups) => judge.with_groups(groups.clone()),
            None => judge,
        }
    }
}
