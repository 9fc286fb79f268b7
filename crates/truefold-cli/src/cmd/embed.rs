//! `truefold embed`: an embedding by a method, and how faithful it is.

use super::{default_scores, print, print_json};
use crate::args::{Amount, EmbedArgs, Format, SearchArgs};
use crate::judgment::{self, Judgment};
use crate::plan::{self, Source};
use crate::torn::{self, Torn};
use serde_json::json;
use std::time::Instant;
use truefold::measure::{Evaluation, Options};
use truefold::{Error, Model, Problem, Run, Suggestion, io};
use truefold::{Input, Part};

pub(crate) fn execute(args: &EmbedArgs, run: Run) -> anyhow::Result<()> {
    let find = &args.neighborhoods.search.find;
    let run = run.with_seed(find.random.seed);
    let method = plan::method(&args.embedder.method, &args.set)?;
    if let Amount::Number(dim) = args.dim {
        method.check(dim)?;
    }
    plan::check_metric(find)?;
    plan::check_output(&args.output)?;
    plan::check_different(&args.output, &[&args.data.x])?;
    check_model(args)?;
    if let Some(path) = &args.torn {
        judgment::check_table(path, "torn pairs")?;
        plan::check_different(path, &[&args.data.x, &args.output])?;
    }
    let mut lap = Instant::now();
    let mut seconds = Vec::new();
    let mut clock = |stage: &str| {
        seconds.push((stage.to_owned(), lap.elapsed().as_secs_f64()));
        lap = Instant::now();
    };
    let source = Source::read(&args.data.x, &args.read, find)?;
    clock("read");
    let chosen = Chosen::new(args, &source, &run)?;
    clock("choosing");
    let neighborhoods = match (&args.neighborhoods.given.neighbors, chosen.k()) {
        (None, Some(k)) => {
            let search = SearchArgs { k: Some(Amount::Number(k)), ..args.neighborhoods.search.clone() };
            source.searched(&search, &run)?
        }
        _ => source.neighborhoods(&args.neighborhoods, &run)?,
    };
    clock("neighbors");
    let problem = Problem::with_input(source.input(), &neighborhoods, chosen.dim())?;
    let embedding = method.fit(&problem, &run)?;
    clock("embed");
    let part = embedding.rows.as_ref().map(|rows| Part::new(&source.input(), &neighborhoods, rows));
    let (input, lists) = match &part {
        Some(part) => (part.input(), part.neighborhoods()),
        None => (source.input(), &neighborhoods),
    };
    let evaluation = Evaluation::new(input, &embedding.points, lists, Options::default(), &run)?;
    let scores = default_scores(&evaluation)?;
    let tear = embedding.tear.as_ref();
    let torn = tear.map(|tear| Torn::new(tear, input, &embedding.points, lists, &run)).transpose()?;
    clock("measures");
    let model = match (&args.save_model, source.points()) {
        (Some(path), Some(points)) => Some((path, Model::new(points, &embedding, &neighborhoods, &run)?)),
        _ => None,
    };
    io::write(&args.output, &source.named(&embedding.points, embedding.rows.as_deref())?)?;
    if let Some((path, model)) = &model {
        model.save(path)?;
    }
    if let Some(path) = &args.torn {
        torn::write(path, tear, embedding.rows.as_deref())?;
    }
    clock("write");
    let points = match input {
        Input::Points(points) => Some(points),
        Input::Distances(_) => None,
    };
    let judgment = Judgment::new(&evaluation, points, scores)?;
    match args.shown.format {
        Format::Table => {
            for (name, value, reason) in chosen.reasons() {
                print(&format!("{name} = {value} chosen: {reason}."))?;
            }
            print(&judgment.text())?;
            if let Some(torn) = &torn {
                print(&torn.text())?;
            }
            for warning in &embedding.info.warnings {
                print(&format!("Note: {warning}."))?;
            }
            let total: f64 = seconds.iter().map(|stage| stage.1).sum();
            print(&format!("{} in {total:.1} s, written to {}", args.embedder.method, args.output.display()))?;
            match &args.save_model {
                Some(path) => print(&format!("The model for new points is in {}", path.display())),
                None => Ok(()),
            }
        }
        Format::Json => {
            let stages = embedding.info.stages.iter().map(|stage| (format!("embed: {}", stage.stage), stage.seconds));
            let mut result =
                judgment.json(&seconds.iter().map(|(name, time)| (name.as_str(), *time)).collect::<Vec<_>>());
            for (name, time) in stages {
                result["seconds"][name] = json!(time);
            }
            let info = &embedding.info;
            result["method"] = json!(info.method);
            result["parameters"] = info.parameters.clone();
            result["seed"] = json!(info.seed);
            for (name, value, reason) in chosen.reasons() {
                result["chosen"][name] = json!({"value": value, "reason": reason});
            }
            result["stop"] = json!(info.stop);
            result["facts"] = json!(info.facts);
            result["traces"] = json!(info.traces);
            if let Some(torn) = &torn {
                result["tear"] = torn.json();
            }
            if let Some(warnings) = result["warnings"].as_array_mut() {
                warnings.extend(info.warnings.iter().map(|warning| json!(warning)));
            }
            print_json(&result)
        }
    }
}

/// What was left to the data, and what they call for.
struct Chosen<'a> {
    args: &'a EmbedArgs,
    suggestion: Option<Suggestion>,
}

impl<'a> Chosen<'a> {
    /// Asks the data where anything is left to them.
    fn new(args: &'a EmbedArgs, source: &Source, run: &Run) -> Result<Self, Error> {
        let wanted = args.neighborhoods.search.k == Some(Amount::Auto) || args.dim == Amount::Auto;
        let suggestion = wanted.then(|| source.suggestion(&args.neighborhoods.search.find, run)).transpose()?;
        Ok(Self { args, suggestion })
    }

    /// The number of neighbors, where it was left to the data.
    fn k(&self) -> Option<usize> {
        self.suggestion
            .as_ref()
            .filter(|_| self.args.neighborhoods.search.k == Some(Amount::Auto))
            .map(|suggestion| suggestion.k)
    }

    /// The number of dimensions, whoever chose it.
    fn dim(&self) -> usize {
        match (self.args.dim, &self.suggestion) {
            (Amount::Number(dim), _) => dim,
            (Amount::Auto, suggestion) => suggestion.as_ref().map_or(2, |suggestion| suggestion.dim),
        }
    }

    /// The name, the value and the reason of everything that was chosen.
    fn reasons(&self) -> Vec<(&'static str, usize, String)> {
        let mut reasons = Vec::new();
        if let Some(suggestion) = &self.suggestion {
            if self.args.dim == Amount::Auto {
                reasons.push(("dim", suggestion.dim, suggestion.dim_reason.to_string()));
            }
            if self.k().is_some() {
                reasons.push(("k", suggestion.k, suggestion.k_reason.to_string()));
            }
        }
        reasons
    }
}

/// An error, before anything that takes long, where no model can be saved as asked.
fn check_model(args: &EmbedArgs) -> Result<(), Error> {
    let Some(path) = &args.save_model else { return Ok(()) };
    if args.neighborhoods.search.find.metric == plan::PRECOMPUTED {
        return Err(Model::needs_points());
    }
    Model::check_path(path)?;
    plan::check_different(path, &[&args.data.x, &args.output])
}
