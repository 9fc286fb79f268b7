//! What a method is: a recipe over shared machinery, its name, and the values of its parameters.

use super::given::Given;
use super::values::ParameterInfo;
use crate::embedding::Fit;
use crate::error::{Advice, Limit, Name, Text};
use crate::memory::Need;
use crate::{Error, Problem, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A method as its author writes it: a struct of parameters, what they are, and the steps of the algorithm.
///
/// Everything else comes from these: the table's line, help, the check of every value against
/// [`ParameterInfo::values`], and [`Embedder`], by which a method of any type is run.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use truefold::embed::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
/// use truefold::{Fit, Input, Method, Neighborhoods, Points, Problem, Result, Run};
///
/// /// Keeps the first coordinates.
/// #[derive(Serialize, Deserialize)]
/// #[serde(default, deny_unknown_fields)]
/// struct First {
///     factor: f64,
/// }
///
/// impl Default for First {
///     fn default() -> Self {
///         Self { factor: 1.0 }
///     }
/// }
///
/// impl Recipe for First {
///     const INFO: &'static EmbedderInfo = &EmbedderInfo {
///         name: "first",
///         title: "First coordinates",
///         summary: "keeps the first coordinates of every point",
///         metric_scale: true,
///         graph: GraphUse::None,
///         default: false,
///         cost: "time and memory n",
///         parameters: &[ParameterInfo::new("factor", &[Values::Above(0.0)], "a factor on all coordinates")],
///     };
///
///     fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
///         let points = problem.coordinates("first keeps coordinates, and distances have none", "give the points")?;
///         let rows = points.rows().flat_map(|row| row[..problem.dim()].iter().map(|value| self.factor * value));
///         let values = rows.collect();
///         fit.lap("projection");
///         fit.fact("columns_dropped", points.dim() - problem.dim());
///         Ok(values)
///     }
/// }
///
/// let points = Points::from_rows(&[[0.0, 5.0], [2.0, 5.0], [4.0, 9.0]])?;
/// let neighborhoods = Neighborhoods::nearest(&points, 2, &Run::new())?;
/// let problem = Problem::new(&points, &neighborhoods, 1)?;
/// let embedding = Method::of(First { factor: 3.0 }).fit(&problem, &Run::new())?;
/// assert_eq!(embedding.points.values(), &[-6.0, 0.0, 6.0]);
/// assert_eq!(embedding.info.facts["columns_dropped"], 1);
/// let refused = Method::of(First { factor: f64::NAN }).fit(&problem, &Run::new()).unwrap_err();
/// assert!(refused.to_string().starts_with("factor = NaN is not a positive number"));
/// # Ok::<(), truefold::Error>(())
/// ```
pub trait Recipe: Default + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// What the method is, and what its parameters are.
    const INFO: &'static EmbedderInfo;

    /// An error if parameters that are each fine cannot work together, or in `dim` dimensions.
    fn check_parameters(&self, _dim: usize) -> Result<()> {
        Ok(())
    }

    /// An error if the parameters cannot work on this problem; called before anything that takes long.
    fn check(&self, _problem: &Problem<'_>) -> Result<()> {
        Ok(())
    }

    /// What it holds at one moment, at the least: a problem that needs more than there is is refused before it begins.
    fn memory(&self, problem: &Problem<'_>) -> Need {
        Need::of(8.0 * problem.dim() as f64, 0.0)
    }

    /// The coordinates, n rows of d, of a problem whose neighborhood graph is connected.
    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>>;
}

/// A method of any type, as it is run; every [`Recipe`] is one.
pub trait Embedder: Send + Sync {
    /// What the method is.
    fn info(&self) -> &'static EmbedderInfo;
    /// All parameters with their values.
    fn parameters(&self) -> Value;
    /// An error if a parameter has a value that it does not take, or the parameters cannot work in `dim` dimensions,
    /// whatever the data; called before neighbors are searched.
    fn check_parameters(&self, dim: usize) -> Result<()>;
    /// An error if the parameters cannot work on this problem; called before anything that takes long.
    fn check(&self, problem: &Problem<'_>) -> Result<()>;
    /// What it holds at one moment, at the least.
    fn memory(&self, problem: &Problem<'_>) -> Need;
    /// The coordinates, n rows of d, of a problem whose neighborhood graph is connected.
    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>>;
}

impl<R: Recipe> Embedder for R {
    fn info(&self) -> &'static EmbedderInfo {
        R::INFO
    }

    fn parameters(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn check_parameters(&self, dim: usize) -> Result<()> {
        let defaults = Given::fields(&R::default());
        for ((name, given), (_, default)) in Given::fields(self).iter().zip(&defaults) {
            if let Some(info) = R::INFO.parameters.iter().find(|info| info.name == *name) {
                info.check(given, default)?;
            }
        }
        Recipe::check_parameters(self, dim)
    }

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        Recipe::check(self, problem)
    }

    fn memory(&self, problem: &Problem<'_>) -> Need {
        Recipe::memory(self, problem)
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        Recipe::embed(self, problem, fit)
    }
}

/// What a method is, for tables and help.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmbedderInfo {
    /// The name used by the tool and in JSON.
    pub name: &'static str,
    /// The name in words.
    pub title: &'static str,
    /// One line: what it does.
    pub summary: &'static str,
    /// Whether distances in the embedding are meant to equal those along the data.
    pub metric_scale: bool,
    /// What the method does with the neighborhood graph.
    pub graph: GraphUse,
    /// Whether a comparison includes the method unless others are named.
    pub default: bool,
    /// How time and memory grow.
    pub cost: &'static str,
    /// The parameters, in the order of the struct's fields.
    pub parameters: &'static [ParameterInfo],
}

/// What a method does with the neighborhood graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GraphUse {
    /// Nothing: neighborhoods matter to the measures alone.
    None,
    /// It uses the links, and embeds all points at once.
    Links,
    /// It works along the graph, so that each connected component is embedded alone.
    Components,
}

/// A line of the table: how to make a method from its parameters.
#[derive(Clone, Copy)]
pub struct Entry {
    /// What the method is.
    pub info: &'static EmbedderInfo,
    /// The parameters that it has unless others are given.
    pub defaults: fn() -> Value,
    build: fn(Value) -> serde_json::Result<Box<dyn Embedder>>,
}

impl Entry {
    /// The line of a method.
    pub const fn of<R: Recipe>() -> Self {
        Self {
            info: R::INFO,
            defaults: || serde_json::to_value(R::default()).unwrap_or_default(),
            build: |value| Ok(Box::new(serde_json::from_value::<R>(value)?)),
        }
    }

    /// The method with these parameters, as typed, over its defaults.
    ///
    /// ```
    /// use truefold::embed::find;
    ///
    /// let lle = find("lle")?;
    /// assert_eq!(lle.build(&[("reg".into(), "0.01".into())])?.parameters()["reg"], 0.01);
    /// let refused = lle.build(&[("reg".into(), "high".into())]).err().map(|error| error.to_string());
    /// assert!(refused.is_some_and(|told| told.starts_with("reg = high is not a number above 0")));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn build(&self, settings: &[(String, String)]) -> Result<Box<dyn Embedder>> {
        let defaults = (self.defaults)();
        let mut map: Map<String, Value> = defaults.as_object().cloned().unwrap_or_default();
        for (name, text) in settings {
            let known = self.info.parameters;
            let info = known
                .iter()
                .find(|info| info.name == name)
                .ok_or_else(|| Error::unknown("parameter", name, known.iter().map(|known| known.name)))?;
            // Numbers, true, false and null are themselves; anything else is a word.
            let typed = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()));
            let typed = info.spelled(typed);
            info.check(&Given::from(&typed), &Given::from(&defaults[name]))?;
            map.insert(name.clone(), typed);
        }
        (self.build)(Value::Object(map)).map_err(|cause| {
            Error::parameter("parameters", self.info.name, format!("cannot be used ({cause})"), "leave them out")
        })
    }
}

/// An error if one of the parameters `names` is set although nothing looks at it `without` something else.
pub(super) fn check_unused<R: Recipe>(method: &R, without: &'static str, names: &[&str]) -> Result<()> {
    let mut set = Given::fields(method).into_iter().zip(Given::fields(&R::default()));
    let unused = set.find(|(given, unset)| names.contains(&given.0) && given.1 != unset.1);
    match unused {
        None => Ok(()),
        Some(((name, given), _)) => {
            let limit: Limit = Text::of("has no effect without ").and(without).into();
            let name = Name::setting(name);
            Err(Error::parameter(name.clone(), given, limit, Advice::leave_out(name, "set that, or leave it out")))
        }
    }
}
