//! How a judgment is made: the part of the data that was embedded, the measures on it, and those on what a tear leaves.

use super::verdict::scores_by_group;
use super::{Judgment, NeighborhoodFacts, Rest, Scores, Verdict};
use crate::data::{Input, Part};
use crate::groups::{GroupJudge, GroupJudgment, Groups};
use crate::measure::{Cost, Distortion, Evaluation, Fits, MEASURES, Measure, Options, Side, distortion, scale_curve};
use crate::memory::{Need, release};
use crate::{Embedding, Neighborhoods, Points, Result, Run, Tear, Warning};

/// One value for each point.
const NEED: Need = Need::of(8.0, 0.0);
/// With a verdict, the statistics of both directions, their values with the best possible and chance, and the neighbors in the
/// map.
const NEED_OF_VERDICT: Need = Need::of(2.0 * (Fits::BYTES + 3 * size_of::<f64>()) as f64, size_of::<u32>() as f64);

/// Judges embeddings of the same data on the same neighborhoods.
///
/// ```
/// use truefold::measure::{self, Options};
/// use truefold::{Judge, Neighborhoods, Points, Run};
///
/// let x = Points::from_rows(&[[0.0, 0.0], [1.0, 0.1], [2.0, 0.0], [3.0, 0.1]])?;
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &Run::new())?;
/// let judge = Judge::of_points(&x, &neighborhoods)
///     .with_measures(vec![measure::find("r_n")?, measure::find("overlap")?])
///     .with_options(Options { center: false, ..Options::default() });
/// let straight = judge.judge(&Points::new(4, 1, vec![0.0, 1.0, 2.0, 3.0])?, &Run::new())?;
/// let mixed = judge.judge(&Points::new(4, 1, vec![0.0, 2.0, 1.0, 3.0])?, &Run::new())?;
/// let r_n = |judgment: &truefold::Judgment| judgment.scores.get("r_n").map(|score| score.value);
/// assert!(r_n(&straight) < r_n(&mixed));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Clone)]
pub struct Judge<'a> {
    input: Input<'a>,
    neighborhoods: &'a Neighborhoods,
    measures: Vec<&'static dyn Measure>,
    options: Options,
    groups: Option<Groups>,
    /// The facts of the neighborhoods, where they are known already.
    facts: Option<NeighborhoodFacts>,
    /// Whether values at single points are left out.
    brief: bool,
}

impl<'a> Judge<'a> {
    /// For embeddings of points or distances, by the default measures.
    pub fn new(input: Input<'a>, neighborhoods: &'a Neighborhoods) -> Self {
        let measures = MEASURES.iter().copied().filter(|measure| measure.info().default).collect();
        Self { input, neighborhoods, measures, options: Options::default(), groups: None, facts: None, brief: false }
    }

    /// For embeddings of points.
    pub fn of_points(points: &'a Points, neighborhoods: &'a Neighborhoods) -> Self {
        Self::new(Input::Points(points), neighborhoods)
    }

    /// By these measures instead.
    #[must_use]
    pub fn with_measures(mut self, measures: Vec<&'static dyn Measure>) -> Self {
        self.measures = measures;
        self
    }

    /// With these options.
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// With groups of the points, of which it is told what the map does to them.
    ///
    /// ```
    /// use truefold::groups::Groups;
    /// use truefold::{Judge, Neighborhoods, Points, Run};
    ///
    /// let x = Points::new(6, 1, vec![0.0, 1.0, 2.0, 10.0, 11.0, 12.0])?;
    /// let neighborhoods = Neighborhoods::nearest(&x, 2, &Run::new())?;
    /// let judge = Judge::of_points(&x, &neighborhoods).with_groups(Groups::of(&["a", "a", "a", "b", "b", "b"]));
    /// let judgment = judge.judge(&x, &Run::new())?;
    /// assert!(judgment.groups.is_some_and(|groups| groups.accuracy.map == 1.0 && groups.accuracy.chance == 0.5));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    #[must_use]
    pub fn with_groups(mut self, groups: Groups) -> Self {
        self.groups = Some(groups);
        self
    }

    /// Without values at single points, but for those that [`Judgment::worst`] needs: large data then take less memory.
    ///
    /// ```
    /// use truefold::{Judge, Neighborhoods, Points, Run};
    ///
    /// let x = Points::from_rows(&[[0.0, 0.0], [1.0, 0.1], [2.0, 0.0], [3.0, 0.1]])?;
    /// let neighborhoods = Neighborhoods::nearest(&x, 2, &Run::new())?;
    /// let judgment = Judge::of_points(&x, &neighborhoods).without_points().judge(&x, &Run::new())?;
    /// assert!(judgment.scores.get("r").is_some_and(|score| score.per_point.is_none()));
    /// assert!(judgment.scores.get("r_n").is_some_and(|score| score.per_point.is_some()));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    #[must_use]
    pub fn without_points(mut self) -> Self {
        self.brief = true;
        self
    }

    /// With the facts of the neighborhoods, so that they are not computed again for every embedding.
    #[must_use]
    pub(crate) fn with_facts(mut self, facts: NeighborhoodFacts) -> Self {
        self.facts = Some(facts);
        self
    }

    /// Judges coordinates that any program made: row i belongs to row i of the data.
    pub fn judge(&self, points: &Points, run: &Run) -> Result<Judgment> {
        self.judge_torn(points, None, run)
    }

    /// Judges an embedding with what it tells about itself: the rows it left out, what it tore, its warnings.
    pub fn judge_embedding(&self, embedding: &Embedding, run: &Run) -> Result<Judgment> {
        let (points, tear) = (&embedding.points, embedding.tear.as_ref());
        let mut judgment = match &embedding.rows {
            None => self.judge_torn(points, tear, run)?,
            Some(rows) => {
                let part = self.part(rows);
                let judgment = self.of_part(&part, rows).judge_torn(points, tear, run)?;
                Judgment { rows: Some(rows.clone()), ..judgment }
            }
        };
        // A verdict tells it with more detail.
        let told = judgment.verdict.is_some();
        let is_new = |warning: &&Warning| !(told && matches!(warning, Warning::LiesOnItself { .. }));
        judgment.warnings.extend(embedding.info.warnings.iter().filter(is_new).cloned());
        Ok(judgment)
    }

    /// The scores of an embedding on the whole, and nothing else.
    pub(crate) fn scores(&self, embedding: &Embedding, run: &Run) -> Result<Scores> {
        let take = |judge: &Judge<'_>| Scores::take(&judge.measures, &judge.evaluation(&embedding.points, run)?);
        match &embedding.rows {
            None => take(self),
            Some(rows) => take(&self.of_part(&self.part(rows), rows)),
        }
    }

    fn part(&self, rows: &[u32]) -> Part {
        Part::new(&self.input, self.neighborhoods, rows)
    }

    fn of_part<'b>(&self, part: &'b Part, rows: &[u32]) -> Judge<'b> {
        Judge {
            input: part.input(),
            neighborhoods: part.neighborhoods(),
            measures: self.measures.clone(),
            options: self.options,
            groups: self.groups.as_ref().map(|groups| groups.select(rows)),
            facts: None,
            brief: self.brief,
        }
    }

    fn evaluation<'b>(&'b self, points: &'b Points, run: &'b Run) -> Result<Evaluation<'b>> {
        Evaluation::new(self.input, points, self.neighborhoods, self.options, run)
    }

    fn judge_torn(&self, points: &Points, tear: Option<&Tear>, run: &Run) -> Result<Judgment> {
        let has_verdict = self.options.verdict && self.input.knows_all_distances();
        let need = if has_verdict { NEED_OF_VERDICT } else { NEED };
        let sizes = (points.len(), self.neighborhoods.memberships());
        need.check(format!("judging a map of {} points", points.len()), sizes)?;
        let evaluation = self.evaluation(points, run)?;
        release(8 * self.neighborhoods.memberships());
        let scores = if self.brief {
            Scores::take_with_points_of(&["r_n", "r_c"], &self.measures, &evaluation)?
        } else {
            Scores::take(&self.measures, &evaluation)?
        };
        let mut verdict = if self.options.verdict { Verdict::new(&evaluation)? } else { None };
        if let Some(verdict) = verdict.as_mut().filter(|_| self.brief) {
            verdict.points = None;
        }
        let groups =
            self.groups.as_ref().map(|groups| self.grouped(groups, verdict.as_ref(), &evaluation)).transpose()?;
        let rest = tear.map(|tear| self.rest(points, tear, run)).transpose()?;
        let neighborhoods = self.facts.clone().unwrap_or_else(|| NeighborhoodFacts::of(self.neighborhoods));
        Ok(Judgment {
            points: self.input.len(),
            input_dim: self.input.dim(),
            output_dim: points.dim(),
            rows: None,
            options: self.options,
            warnings: warnings(&neighborhoods, &scores, verdict.as_ref(), &evaluation)?,
            scale: evaluation.scale()?,
            along_paths: along_paths(&scores, &evaluation)?,
            over_scale: scores.get("r_nx").map(|_| scale_curve(&evaluation).cloned()).transpose()?,
            neighborhoods,
            scores,
            verdict,
            groups,
            rest,
        })
    }

    /// What the map of `evaluation` does to groups.
    fn grouped(
        &self,
        groups: &Groups,
        verdict: Option<&Verdict>,
        evaluation: &Evaluation<'_>,
    ) -> Result<GroupJudgment> {
        let judge = GroupJudge::new(self.input, evaluation.embedding(), self.neighborhoods)
            .with_map_neighborhoods(evaluation.embedded_neighbors()?)
            .with_metric(self.options.metric)
            .with_level(self.options.level);
        let mut judgment = judge.judge(groups, evaluation.run())?;
        if verdict.is_some() {
            for (label, score) in judgment.labels.iter_mut().zip(scores_by_group(evaluation, groups)?) {
                label.score = score;
            }
        }
        Ok(judgment)
    }

    /// The scores on what `tear` leaves; only their means are of use.
    fn rest(&self, points: &Points, tear: &Tear, run: &Run) -> Result<Rest> {
        let left = tear.rest(self.neighborhoods);
        let evaluation = Evaluation::new(self.input, points, &left, self.options, run)?;
        let forward: Vec<_> =
            self.measures.iter().copied().filter(|measure| measure.info().side == Side::Forward).collect();
        let mut scores = Scores::take(&forward, &evaluation)?;
        scores.forget_points_except(&[]);
        let whole = self.evaluation(points, run)?.glued(tear.pairs());
        let (apart, glued) = (along_paths(&scores, &evaluation)?, along_paths(&scores, &whole)?);
        Ok(Rest { tear: tear.clone(), scores, apart, glued })
    }
}

/// What the map does to the lengths of paths, where that is among the scores.
fn along_paths(scores: &Scores, evaluation: &Evaluation<'_>) -> Result<Option<Distortion>> {
    scores.get("distortion").map(|_| distortion(evaluation).cloned()).transpose()
}

/// What the measures could not tell.
fn warnings(
    facts: &NeighborhoodFacts,
    scores: &Scores,
    verdict: Option<&Verdict>,
    evaluation: &Evaluation<'_>,
) -> Result<Vec<Warning>> {
    let mut warnings = Vec::new();
    if let Some(verdict) = verdict.filter(|verdict| verdict.neighbors.lies_on_itself()) {
        let (false_share, reverse) = (verdict.neighbors.false_share, Some(verdict.reverse));
        warnings.push(Warning::LiesOnItself { false_share, reverse });
    }
    if !evaluation.knows_all_distances() {
        warnings.push(Warning::ForwardOnly);
    }
    if facts.components > 1 {
        warnings.push(Warning::SeveralComponents { components: facts.components });
    }
    // Only the Procrustes measures, those of one side and of linear cost, leave neighborhoods out because of the data; others
    // have no value at points that were not sampled.
    let procrustes =
        || scores.iter().filter(|scored| scored.info.side != Side::Both && scored.info.cost == Cost::Linear);
    if procrustes().next().is_some() {
        let neighborhoods = evaluation.undetermined()?;
        if neighborhoods > 0 {
            warnings.push(Warning::OpenRotation { neighborhoods });
        }
    }
    for scored in procrustes().filter(|scored| scored.score.left_out > 0) {
        warnings.push(Warning::LeftOut { symbol: scored.info.symbol, neighborhoods: scored.score.left_out });
    }
    Ok(warnings)
}
