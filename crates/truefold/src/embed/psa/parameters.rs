//! The parameters of Procrustes subspaces alignment, what they mean, and which values they can have.

use super::super::{EmbedderInfo, ParameterInfo, Refinement, check_idle};
use crate::frames::Annealing;
use crate::laplacian::Strategy;
use crate::refine::Refine;
use crate::{Error, Problem, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How frames are aligned. All lower the same f.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Alignment {
    /// Tree frames, then one inverse iteration with the connection Laplacian.
    #[default]
    Synchronize,
    /// Frames carried down a breadth-first tree from a central point.
    Tree,
    /// Frames agree within cells around landmarks, and the landmarks with each other.
    Landmarks,
    /// Simulated annealing, the paper's own.
    Annealing,
}

/// Where annealing starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// From the frames of the tree.
    #[default]
    Tree,
    /// From the frames as local PCA gives them.
    Identity,
    /// From frames turned at random.
    Random,
}

/// Whether a surface that closes on itself is torn, so that the rest of it lies flat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum Tearing {
    /// Where the map of the whole has wrinkles that a tear takes out.
    #[default]
    Auto,
    /// Wherever something does not fit.
    Always,
    /// Nowhere.
    Never,
}

impl TryFrom<Value> for Tearing {
    type Error = String;

    fn try_from(value: Value) -> std::result::Result<Self, String> {
        match &value {
            Value::Bool(true) => Ok(Self::Always),
            Value::Bool(false) => Ok(Self::Never),
            Value::String(word) if word == "auto" => Ok(Self::Auto),
            _ => Err(format!("{value} is none of auto, true, false")),
        }
    }
}

impl From<Tearing> for Value {
    fn from(tearing: Tearing) -> Self {
        match tearing {
            Tearing::Auto => "auto".into(),
            Tearing::Always => true.into(),
            Tearing::Never => false.into(),
        }
    }
}

/// From how many neighbors frames are estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum TangentK {
    /// Those of the graph; where the data are noisy, as many as make tangents stand out most.
    #[default]
    Auto,
    /// Those of the graph.
    Graph,
    /// This many nearest points.
    Nearest(usize),
}

impl TryFrom<Value> for TangentK {
    type Error = String;

    fn try_from(value: Value) -> std::result::Result<Self, String> {
        match &value {
            Value::Null => Ok(Self::Graph),
            Value::String(word) if word == "auto" => Ok(Self::Auto),
            _ => {
                whole(&value).map(Self::Nearest).ok_or_else(|| format!("{value} is none of auto, a whole number, null"))
            }
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

/// Whether noise is taken off before frames are estimated and neighbors linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum Denoising {
    /// Where `tangent_k` is left to the data and they are noisy.
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
    /// Whether noise is taken off first.
    pub denoise: Denoising,
    /// Whether a surface that closes on itself is torn.
    pub tear: Tearing,
    /// How the Laplacian is factored.
    pub solver: Strategy,
    /// What the refinement that follows lowers; where there is none, R_N, or nothing if `tangent_k` is a number or noise
    /// was taken off: such tangents look past noise that a refinement would fit.
    pub refine: Option<Refinement>,
    /// The most steps of refinement.
    pub iterations: usize,
    /// Refinement ends when two steps in a row lower its measure by less than this share of it.
    pub tolerance: f64,
    /// The number of landmarks; the square root of n where there is none.
    pub landmarks: Option<usize>,
    /// Where annealing starts.
    pub start: Start,
    /// The sweeps of one annealing run.
    pub sweeps: usize,
    /// The factor on the temperature after each sweep.
    pub cooling: f64,
    /// The share of uphill moves that the first temperature accepts; where there is none, 0.02 from the tree, which is
    /// good already, and 0.5 otherwise.
    pub heat: Option<f64>,
    /// The most annealing runs, each over the frames that are not aligned yet.
    pub outer: usize,
    /// The most seconds that annealing may take.
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
            solver: Strategy::Auto,
            refine: None,
            iterations,
            tolerance,
            landmarks: None,
            start: Start::default(),
            sweeps: 2000,
            cooling: 0.997,
            heat: None,
            outer: 10,
            time_limit: None,
        }
    }
}

pub(in super::super) static INFO: EmbedderInfo = EmbedderInfo {
    name: "psa",
    title: "Procrustes subspaces alignment",
    summary: "aligns the local PCA frames of all neighborhoods, then solves for all positions at once",
    metric_scale: true,
    default: true,
    cost: "time and memory in proportion to n k q d; annealing takes far longer",
    parameters: &[
        ParameterInfo {
            name: "alignment",
            summary: "how frames are aligned: synchronize, tree, landmarks, or the paper's annealing",
        },
        ParameterInfo {
            name: "tangent_k",
            summary: "neighbors from which a frame is estimated: auto (more where the data are noisy), a number, or null for those of the graph",
        },
        ParameterInfo {
            name: "denoise",
            summary: "rounds that take noise off frames and links: auto (4 where the data are noisy), or a number, 0 for none",
        },
        ParameterInfo {
            name: "tear",
            summary: "whether a closed surface is torn so that the rest lies flat: auto (where that is worth it), true, false",
        },
        ParameterInfo {
            name: "solver",
            summary: "how the Laplacian is factored: auto, cholesky (exact; much memory) or iterative",
        },
        ParameterInfo {
            name: "refine",
            summary: "the measure that refinement lowers: r-n, r, r-c, r-pca, or none; null = r-n, or none with a tangent_k or noise",
        },
        ParameterInfo { name: "iterations", summary: "the most steps of refinement" },
        ParameterInfo {
            name: "tolerance",
            summary: "refinement ends when two steps in a row lower its measure by less than this share",
        },
        ParameterInfo {
            name: "landmarks",
            summary: "number of landmarks, 1 to n, for alignment = landmarks; null = the square root of n",
        },
        ParameterInfo {
            name: "start",
            summary: "where annealing starts: tree, identity (frames as local PCA gives them) or random",
        },
        ParameterInfo {
            name: "sweeps",
            summary: "sweeps of one annealing run, each as many moves as there are frames; 1 or more",
        },
        ParameterInfo {
            name: "cooling",
            summary: "factor on the temperature after each annealing sweep, between 0 and 1; nearer 1 is slower and better",
        },
        ParameterInfo {
            name: "heat",
            summary: "share of uphill moves that annealing accepts at first, between 0 and 1; null = 0.02 from the tree, else 0.5",
        },
        ParameterInfo {
            name: "outer",
            summary: "most annealing runs, 1 or more; one leaves the largest aligned cluster alone as long as that helps",
        },
        ParameterInfo {
            name: "time_limit",
            summary: "most seconds that annealing may take, after which the best so far counts; null = no limit",
        },
    ],
};

impl Psa {
    /// How the frames are annealed.
    pub(super) fn annealing(&self) -> Annealing {
        Annealing {
            sweeps: self.sweeps,
            outer: self.outer,
            cooling: self.cooling,
            first_share: self.heat.unwrap_or(if self.start == Start::Tree { 0.02 } else { 0.5 }),
            time_limit: self.time_limit,
        }
    }

    /// The refinement that follows, where there is one; noise may have been taken off unasked.
    pub(super) fn refinement(&self, denoised: bool) -> Option<Refine> {
        let past_noise = denoised || matches!(self.tangent_k, TangentK::Nearest(_)) || self.asked_rounds() > 0;
        let unasked = if past_noise { Refinement::None } else { Refinement::RN };
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

    /// An error if a parameter is set that what is asked for does not look at.
    fn check_used(&self) -> Result<()> {
        let unset = Self::default();
        if self.alignment != Alignment::Annealing {
            let limit = self.time_limit.unwrap_or_default().to_string();
            let settings = [
                ("start", format!("{:?}", self.start).to_lowercase(), self.start != unset.start),
                ("sweeps", self.sweeps.to_string(), self.sweeps != unset.sweeps),
                ("cooling", self.cooling.to_string(), self.cooling != unset.cooling),
                ("heat", self.heat.unwrap_or_default().to_string(), self.heat != unset.heat),
                ("outer", self.outer.to_string(), self.outer != unset.outer),
                ("time_limit", limit, self.time_limit != unset.time_limit),
            ];
            check_idle("alignment = annealing", &settings)?;
        }
        if self.alignment != Alignment::Landmarks {
            let landmarks = self.landmarks.unwrap_or_default().to_string();
            check_idle("alignment = landmarks", &[("landmarks", landmarks, self.landmarks.is_some())])?;
        }
        if self.refinement(false).is_none() {
            let settings = [
                ("iterations", self.iterations.to_string(), self.iterations != unset.iterations),
                ("tolerance", self.tolerance.to_string(), self.tolerance != unset.tolerance),
            ];
            check_idle("refinement", &settings)?;
        }
        Ok(())
    }

    /// An error if a parameter asks for more than the problem has.
    pub(super) fn check_size(&self, problem: &Problem<'_>) -> Result<()> {
        let (dim, count) = (problem.dim(), problem.len());
        if let TangentK::Nearest(k) = self.tangent_k
            && k < dim.min(count - 1)
        {
            return Err(Error::parameter(
                "tangent_k",
                k,
                format!("is too small: a frame of {dim} directions needs at least {dim} neighbors"),
                "choose a larger one, auto, or null for the neighbors of the graph",
            ));
        }
        let most = problem.input().dim().unwrap_or(dim);
        if self.asked_rounds() > 0 && (dim >= most || count < dim + 3) {
            return Err(Error::parameter(
                "denoise",
                self.asked_rounds(),
                format!("asks for too much: {count} points of {most} dimensions leave nothing off {dim} dimensions"),
                "choose fewer dimensions, or denoise = 0",
            ));
        }
        Ok(())
    }

    /// An error if a parameter has a value that it never can.
    pub(super) fn check_values(&self) -> Result<()> {
        if let Some(refine) = self.refinement(false) {
            refine.check()?;
        }
        self.check_used()?;
        if self.landmarks == Some(0) {
            return Err(Error::parameter("landmarks", 0, "is too small", "choose at least 1, or null"));
        }
        for (name, value) in [("sweeps", self.sweeps), ("outer", self.outer)] {
            if value == 0 {
                return Err(Error::parameter(name, value, "is too small", "choose at least 1"));
            }
        }
        for (name, value) in [("cooling", Some(self.cooling)), ("heat", self.heat)] {
            let Some(value) = value else { continue };
            if !(value > 0.0 && value < 1.0) {
                return Err(Error::parameter(name, value, "is not between 0 and 1", "leave it out for the default"));
            }
        }
        if let Some(limit) = self.time_limit.filter(|limit| limit.is_nan() || *limit <= 0.0) {
            return Err(Error::parameter("time_limit", limit, "is not above zero", "choose more seconds, or null"));
        }
        Ok(())
    }
}
