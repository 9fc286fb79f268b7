//! What to compare: methods, the dimension, the measures and how they are taken.

use super::given::GIVEN;
use super::nested::check_distinct;
use super::trial::TrialPlan;
use super::{Comparison, GivenMap, Nested, Row};
use crate::data::Input;
use crate::embed::Method;
use crate::error::{Advice, Bound};
use crate::groups::Groups;
use crate::measure::{self, Options};
use crate::{Error, NeighborhoodFacts, Problem, Result, Run};

/// The measures that a comparison takes unless others are named: those of the paper's tables, and those that see
/// what these cannot.
const MEASURES: [&str; 4] = ["r_n", "r_c", "overlap", "collapse"];

/// A comparison to be made.
///
/// ```
/// use truefold::Method;
/// use truefold::compare::Plan;
/// use truefold::measure::Options;
///
/// let plan = Plan::new(Method::defaults()?, 2)?
///     .with_measures(&["r_n", "trustworthiness"])?
///     .with_options(Options { center: false, ..Options::default() })
///     .with_embeddings(false);
/// assert!(Plan::new(Vec::new(), 2).is_err() && plan.with_measures(&["trust"]).is_err());
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Plan {
    methods: Vec<Method>,
    maps: Vec<GivenMap>,
    dim: usize,
    trials: TrialPlan,
}

impl Plan {
    /// These methods in `dim` dimensions, with the default measures; embeddings are kept.
    pub fn new(methods: Vec<Method>, dim: usize) -> Result<Self> {
        check_distinct("dim", &[dim])?;
        if methods.is_empty() {
            let advice = Advice::change("methods", "name at least one method");
            return Err(Error::parameter("methods", "nothing", "leaves nothing to compare", advice));
        }
        let labels: Vec<&str> = methods.iter().map(Method::label).collect();
        if let Some((_, label)) = labels.iter().enumerate().find(|(at, label)| labels[..*at].contains(label)) {
            let advice = Advice::change("methods", "name every method once");
            return Err(Error::parameter("methods", format!("'{label}'"), Bound::Once, advice));
        }
        Ok(Self { methods, maps: Vec::new(), dim, trials: TrialPlan::new(&MEASURES)? })
    }

    /// These embeddings, which other programs made, and no methods.
    pub fn of_maps(maps: Vec<GivenMap>) -> Result<Self> {
        let Some(first) = maps.first() else {
            let advice = Advice::change("maps", "give at least one embedding");
            return Err(Error::parameter("maps", "nothing", "leaves nothing to compare", advice));
        };
        let dim = first.points.dim();
        if let Some(other) = maps.iter().find(|map| map.points.dim() != dim) {
            let problem = format!(
                "{} has {dim} columns and {} has {}: their best possible values differ",
                first.label,
                other.label,
                other.points.dim()
            );
            return Err(Error::data(problem, Advice::mend_data("compare embeddings of one dimension at a time")));
        }
        if let Some((_, map)) =
            maps.iter().enumerate().find(|(at, map)| maps[..*at].iter().any(|m| m.label == map.label))
        {
            let advice = Advice::change("maps", "give every embedding a name of its own");
            return Err(Error::parameter("maps", format!("'{}'", map.label), Bound::Once, advice));
        }
        Ok(Self { methods: Vec::new(), maps, dim, trials: TrialPlan::new(&MEASURES)? })
    }

    /// With embeddings that other programs made, in rows below those of the methods.
    pub fn with_maps(mut self, maps: Vec<GivenMap>) -> Result<Self> {
        let own = self.dim;
        let given = Self::of_maps(maps)?;
        if given.dim != own {
            let advice = Advice::change("dim", "give the {dim} of the embeddings");
            return Err(Error::parameter("dim", own, format!("but the embeddings have {} columns", given.dim), advice));
        }
        self.maps = given.maps;
        Ok(self)
    }

    /// Takes these measures instead.
    pub fn with_measures(mut self, names: &[&str]) -> Result<Self> {
        self.trials.measures = measures(names)?;
        Ok(self)
    }

    /// Measures with these options.
    pub fn with_options(mut self, options: Options) -> Self {
        self.trials.options = options;
        self
    }

    /// With groups of the points, of which it is told what each embedding does to them.
    #[must_use]
    pub fn with_groups(mut self, groups: Option<Groups>) -> Self {
        self.trials.groups = groups;
        self
    }

    /// Whether the coordinates and the values of single points are kept; scores always are.
    #[must_use]
    pub fn with_embeddings(mut self, keep: bool) -> Self {
        self.trials.keep = keep;
        self
    }

    /// Whether the peak memory of every method is taken, where the system tells it, as Linux does.
    ///
    /// It is the most that the whole process held while the method ran. Taking it resets the process's own record of
    /// its peak, which is why it must be asked for.
    #[must_use]
    pub fn with_memory(mut self, take: bool) -> Self {
        self.trials.memory = take;
        self
    }

    /// The methods in order.
    pub fn methods(&self) -> &[Method] {
        &self.methods
    }

    /// The measures in order.
    pub fn measures(&self) -> &[&'static dyn measure::Measure] {
        &self.trials.measures
    }

    /// Runs every method on every set of neighborhoods.
    ///
    /// The rows are those of the first method for each k, then those of the second. What cannot work for any method is
    /// an error; where a single method fails, its row holds the error. Cancellation and
    /// memory that runs out end the whole comparison.
    pub fn run(&self, input: Input<'_>, nested: &Nested, run: &Run) -> Result<Comparison> {
        self.check(input, nested)?;
        let mut columns = Vec::with_capacity(nested.len());
        let mut rows: Vec<Vec<Row>> = vec![Vec::new(); self.methods.len() + self.maps.len()];
        for index in 0..nested.len() {
            let neighborhoods = nested.get(index)?;
            let facts = NeighborhoodFacts::of(&neighborhoods);
            let problem = Problem::with_input(input, &neighborhoods, self.dim)?;
            for (method, rows) in self.methods.iter().zip(&mut rows) {
                let task = match nested.k(index) {
                    Some(k) => format!("{}, k = {k}", method.label()),
                    None => method.label().to_owned(),
                };
                let outcome = match self.trials.run(method, &problem, &facts, &run.within(task)) {
                    Err(end @ (Error::Cancelled | Error::OutOfMemory { .. })) => return Err(end),
                    outcome => outcome,
                };
                rows.push(Row {
                    method: method.label().to_owned(),
                    info: method.info(),
                    parameters: method.embedder().parameters(),
                    column: index,
                    k: nested.k(index),
                    outcome,
                });
            }
            for (map, rows) in self.maps.iter().zip(&mut rows[self.methods.len()..]) {
                let outcome = match self.trials.judge_given(map, &problem, &facts, &run.within(map.label.clone())) {
                    Err(end @ (Error::Cancelled | Error::OutOfMemory { .. })) => return Err(end),
                    outcome => outcome,
                };
                rows.push(Row {
                    method: map.label.clone(),
                    info: &GIVEN,
                    parameters: serde_json::json!({}),
                    column: index,
                    k: nested.k(index),
                    outcome,
                });
            }
            columns.push(facts);
        }
        Ok(Comparison {
            points: input.len(),
            input_dim: input.dim(),
            dim: self.dim,
            options: self.trials.options,
            measures: self.trials.measures.iter().map(|measure| measure.info()).collect(),
            seed: run.seed(),
            columns,
            rows: rows.into_iter().flatten().collect(),
        })
    }

    /// What would fail for every method, before any of them runs.
    fn check(&self, input: Input<'_>, nested: &Nested) -> Result<()> {
        if let Input::Points(points) = input {
            points.check_squares("X")?;
        }
        for index in 0..nested.len() {
            let neighborhoods = nested.get(index)?;
            Problem::with_input(input, &neighborhoods, self.dim)?;
            self.trials.options.check(&neighborhoods)?;
        }
        Ok(())
    }
}

/// The measures of these names, each once.
pub(super) fn measures(names: &[&str]) -> Result<Vec<&'static dyn measure::Measure>> {
    if names.is_empty() {
        let advice = Advice::change("measures", "name at least one measure");
        return Err(Error::parameter("measures", "nothing", "leaves nothing to measure", advice));
    }
    for (at, name) in names.iter().enumerate() {
        if names[..at].contains(name) {
            let advice = Advice::change("measures", "name every measure once");
            return Err(Error::parameter("measures", format!("'{name}'"), Bound::Once, advice));
        }
    }
    names.iter().map(|name| measure::find(name)).collect()
}
