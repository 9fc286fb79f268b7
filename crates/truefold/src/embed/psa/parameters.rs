//! The parameters of Procrustes subspaces alignment, what they mean, and which values they take.

use super::super::recipe::check_unused;
use super::super::{EmbedderInfo, GraphUse, ParameterInfo, Refinement, Values};
use crate::error::{Advice, Bound, Limit, Name};
use crate::frames::{Aligner, Alignment, Annealing, AnnealingStart};
use crate::laplacian::Strategy;
use crate::refine::Refine;
use crate::tear::Tearing;
use crate::{Error, Problem, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// From how many neighbors frames are estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum TangentK {
    /// From those of the graph; where the data are noisy, from as many as make the tangents most distinct from the noise.
    #[default]
    Auto,
    /// From those of the graph.
    Graph,
    /// From this many nearest points.
    Nearest(usize),
}

impl TryFrom<Value> for TangentK {
    type Error = String;

    fn try_from(value: Value) -> std::result::Result<Self, String> {
        match &value {
            Value::Null => Ok(Self::Graph),
            Value::String(word) if word == "auto" => Ok(Self::Auto),
            _ => whole(&value)
                .map(Self::Nearest)
                .ok_or_else(|| format!("{value} is not one of auto, a whole number, null")),
        }
    }
}

impl From<TangentK> for Value {
    fn from(size: TangentK) -> Self {
        match size {
            TangentK::Auto => "auto".into(),
            TangentK::Graph => Self::Null,
            TangentK::Nearest(size) => size.into(),
        }
    }
}

/// Whether noise is removed before frames are estimated and neighbors linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum Denoising {
    /// Where `tangent_k` is auto and the data are noisy.
    #[default]
    Auto,
    /// By this many rounds of [`Denoise`](crate::Denoise); 0 for none.
    Rounds(usize),
}

impl TryFrom<Value> for Denoising {
    type Error = String;

    fn try_from(value: Value) -> std::result::Result<Self, String> {
        match &value {
            Value::String(word) if word == "auto" => Ok(Self::Auto),
            _ => whole(&value).map(Self::Rounds).ok_or_else(|| format!("{value} is neither auto nor a whole number")),
        }
    }
}

impl From<Denoising> for Value {
    fn from(denoising: Denoising) -> Self {
        match denoising {
            Denoising::Auto => "auto".into(),
            Denoising::Rounds(rounds) => rounds.into(),
        }
    }
}

fn whole(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|value| usize::try_from(value).ok())
}

/// Procrustes subspaces alignment and its parameters.
///
/// ```
/// use truefold::embed::psa::{Alignment, Psa};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, dataset, fit};
///
/// let sample = dataset::find("s-curve")?.sample(&dataset::Request::new().with_points(400))?;
/// let neighborhoods = Neighborhoods::nearest(&sample.points, 10, &Run::new())?;
/// let problem = Problem::new(&sample.points, &neighborhoods, 2)?;
/// let psa = Psa { alignment: Alignment::Tree, ..Psa::default() };
/// let embedding = fit(&psa, &problem, Pieces::Error, &Run::new())?;
/// assert_eq!(embedding.points.dim(), 2);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Psa {
    /// How frames are aligned.
    pub alignment: Alignment,
    /// From how many neighbors frames are estimated.
    pub tangent_k: TangentK,
    /// Whether noise is removed first.
    pub denoise: Denoising,
    /// Whether a surface that closes on itself is torn.
    pub tear: Tearing,
    /// R_N on what is left of a torn surface, in multiples of its bound, up to which torn pairs are restored: a smaller one
    /// tears more.
    pub tear_goal: f64,
    /// How the Laplacian is factored.
    pub solver: Strategy,
    /// What the refinement that follows lowers; `None` is R_N, or no refinement if `tangent_k` is a number or noise was
    /// removed: such tangents ignore noise, which a refinement would fit.
    pub refine: Option<Refinement>,
    /// The largest number of refinement steps.
    pub iterations: usize,
    /// Refinement ends when two steps in a row lower its measure by less than this share of it.
    pub tolerance: f64,
    /// The number of landmarks; `None` is the square root of n.
    pub landmarks: Option<usize>,
    /// Where annealing starts.
    pub start: AnnealingStart,
    /// The sweeps of one annealing run.
    pub sweeps: usize,
    /// The factor on the temperature after each sweep.
    pub cooling: f64,
    /// The share of uphill moves that the first temperature accepts; `None` is 0.02 from the tree, which is good already,
    /// and 0.5 otherwise.
    pub heat: Option<f64>,
    /// The largest number of annealing runs, each over the frames that are not aligned yet.
    pub outer: usize,
    /// The largest number of seconds for annealing.
    pub time_limit: Option<f64>,
}

impl Default for Psa {
    fn default() -> Self {
        let Refine { iterations, tolerance, .. } = Refine::default();
        Self {
            alignment: Alignment::default(),
            tangent_k: TangentK::default(),
            denoise: Denoising::default(),
            tear: Tearing::default(),
            tear_goal: 2.0,
            solver: Strategy::Auto,
            refine: None,
            iterations,
            tolerance,
            landmarks: None,
            start: AnnealingStart::default(),
            sweeps: 2000,
            cooling: 0.997,
            heat: None,
            outer: 10,
            time_limit: None,
        }
    }
}

/// What the method is, and its parameters.
pub(super) const INFO: &EmbedderInfo = &EmbedderInfo {
    name: "psa",
    title: "Procrustes subspaces alignment",
    summary: "aligns the local PCA frames of all neighborhoods, then solves for all positions at once",
    metric_scale: true,
    graph: GraphUse::Components,
    default: true,
    cost: "time and memory in proportion to n k q d; annealing takes far longer",
    parameters: &[
        ParameterInfo::new(
            "alignment",
            &[Values::Names(&["synchronize", "tree", "landmarks", "annealing"])],
            "how frames are aligned; annealing is the paper's algorithm, and slow",
        ),
        ParameterInfo::new(
            "tangent_k",
            &[Values::Names(&["auto"]), Values::Whole(1, usize::MAX), Values::Null],
            "the number of neighbors from which a frame is estimated; auto takes more where the data are noisy, null \
             takes the neighbors of the graph",
        ),
        ParameterInfo::new(
            "denoise",
            &[Values::Names(&["auto"]), Values::Whole(0, usize::MAX)],
            "the number of rounds that remove noise from frames and links; auto is 4 where the data are noisy, else 0",
        ),
        ParameterInfo::new(
            "tear",
            &[Values::Names(&["auto"]), Values::Flag],
            "whether a closed surface is torn so that the rest lies flat; auto tears where that is worth it",
        ),
        ParameterInfo::new(
            "tear_goal",
            &[Values::Above(1.0)],
            "R_N on what is left of a torn surface, in multiples of its bound: a smaller one tears more",
        ),
        ParameterInfo::new(
            "solver",
            &[Values::Names(&["auto", "cholesky", "iterative"])],
            "how the Laplacian is factored: cholesky is exact and needs much memory",
        ),
        ParameterInfo::new(
            "refine",
            &[Values::Names(Refinement::NAMES), Values::Null],
            "the measure that refinement lowers; null is r-n, or none where tangent_k is a number or noise was removed",
        ),
        ParameterInfo::new("iterations", &[Values::Whole(0, usize::MAX)], "the largest number of refinement steps"),
        ParameterInfo::new(
            "tolerance",
            &[Values::FromBelow(0.0, 1.0)],
            "refinement ends when two steps in a row lower its measure by less than this share",
        ),
        ParameterInfo::new(
            "landmarks",
            &[Values::Whole(1, usize::MAX), Values::Null],
            "the number of landmarks for alignment = landmarks; null is the square root of n",
        ),
        ParameterInfo::new(
            "start",
            &[Values::Names(&["tree", "identity", "random"])],
            "where annealing starts; identity is the frames as local PCA gives them",
        ),
        ParameterInfo::new(
            "sweeps",
            &[Values::Whole(1, usize::MAX)],
            "the number of sweeps of one annealing run, each with as many moves as there are frames",
        ),
        ParameterInfo::new(
            "cooling",
            &[Values::Between(0.0, 1.0)],
            "the factor on the temperature after each annealing sweep; nearer to 1 is slower and better",
        ),
        ParameterInfo::new(
            "heat",
            &[Values::Between(0.0, 1.0), Values::Null],
            "the share of uphill moves that annealing accepts at first; null is 0.02 from the tree, else 0.5",
        ),
        ParameterInfo::new(
            "outer",
            &[Values::Whole(1, usize::MAX)],
            "the largest number of annealing runs; a run leaves out the largest aligned cluster as long as that helps",
        ),
        ParameterInfo::new(
            "time_limit",
            &[Values::Above(0.0), Values::Null],
            "the largest number of seconds for annealing, after which the best result so far is used; null is no limit",
        ),
    ],
};

impl Psa {
    /// How the frames are aligned.
    pub(in crate::embed) fn aligner(&self) -> Aligner {
        let from_tree = self.start == AnnealingStart::Tree;
        let annealing = Annealing {
            sweeps: self.sweeps,
            outer: self.outer,
            cooling: self.cooling,
            first_share: self.heat.unwrap_or(if from_tree { 0.02 } else { 0.5 }),
            time_limit: self.time_limit,
        };
        Aligner { alignment: self.alignment, landmarks: self.landmarks, start: self.start, annealing }
    }

    /// The refinement that follows, if there is one; `denoised` where noise was removed without being asked for.
    pub(super) fn refinement(&self, denoised: bool) -> Option<Refine> {
        let ignores_noise = denoised || matches!(self.tangent_k, TangentK::Nearest(_)) || self.asked_rounds() > 0;
        let unasked = if ignores_noise { Refinement::None } else { Refinement::RN };
        let (solver, iterations, tolerance) = (self.solver, self.iterations, self.tolerance);
        let target = self.refine.unwrap_or(unasked).target()?;
        Some(Refine { target, solver, iterations, tolerance, ..Refine::default() })
    }

    /// The rounds of denoising that were asked for.
    fn asked_rounds(&self) -> usize {
        match self.denoise {
            Denoising::Auto => 0,
            Denoising::Rounds(rounds) => rounds,
        }
    }

    /// An error if a parameter is set that has no effect with the others.
    pub(super) fn check_used(&self) -> Result<()> {
        if self.alignment != Alignment::Annealing {
            let names = ["start", "sweeps", "cooling", "heat", "outer", "time_limit"];
            check_unused(self, "{set alignment=annealing}", &names)?;
        }
        if self.alignment != Alignment::Landmarks {
            check_unused(self, "{set alignment=landmarks}", &["landmarks"])?;
        }
        if self.tear == Tearing::Never {
            check_unused(self, "{set tear=auto}", &["tear_goal"])?;
        }
        if self.refinement(false).is_none() {
            check_unused(self, "refinement", &["iterations", "tolerance"])?;
        }
        Ok(())
    }

    /// An error if a parameter asks for more than the problem has.
    pub(super) fn check_size(&self, problem: &Problem<'_>) -> Result<()> {
        let (dim, count) = (problem.dim(), problem.len());
        if let TangentK::Nearest(k) = self.tangent_k
            && k < dim.min(count - 1)
        {
            let reason = format!("a frame of {dim} directions needs that many neighbors");
            let limit = Limit::because(Bound::AtLeast(dim as f64), reason);
            let name = Name::setting("tangent_k");
            let advice = Advice::change(name.clone(), "choose a larger one, auto, or null");
            return Err(Error::parameter(name, k, limit, advice));
        }
        let most = problem.input().dim().unwrap_or(dim);
        if self.asked_rounds() > 0 && (dim >= most || count < dim + 3) {
            let reason = format!("{count} points of {most} dimensions have nothing outside {dim} dimensions");
            let name = Name::setting("denoise");
            let advice = Advice::change("dim", "choose fewer dimensions, or {set denoise=0}");
            return Err(Error::parameter(
                name,
                self.asked_rounds(),
                Limit::because(Bound::AtMost(0.0), reason),
                advice,
            ));
        }
        Ok(())
    }
}
