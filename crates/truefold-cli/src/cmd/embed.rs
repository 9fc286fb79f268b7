//! `truefold embed`: an embedding by a method, and how faithful it is.

use super::{print, print_json};
use crate::args::{Amount, EmbedArgs, Format, SearchArgs};
use crate::session::{Clock, Session};
use crate::{data, plan, tables};
use serde_json::json;
use truefold::{Data, Embedding, Error, Judge, Judgment, Method, Model, Neighborhoods, Problem, Run, Suggestion, io};
use truefold_report::{facts, words};

pub(crate) fn execute(args: &EmbedArgs, session: &Session) -> anyhow::Result<()> {
    let method = check(args)?;
    let run = session.seeded(args.neighborhoods.search.find.random.seed);
    let mut clock = Clock::start();
    let made = Made::new(args, &method, &mut clock, &run)?;
    made.write(args, &run)?;
    clock.lap("write");
    match args.shown.format {
        Format::Table => made.tell(args, session, &clock),
        Format::Json => print_json(&made.json(session, &clock)),
    }
}

/// Everything that can be wrong before anything that takes long; the method.
fn check(args: &EmbedArgs) -> Result<Method, Error> {
    let method = plan::method(&args.embedder.method, &args.set)?;
    if let Amount::Number(dim) = args.dim {
        method.check(dim)?;
    }
    plan::check_metric(&args.neighborhoods.search.find)?;
    plan::check_output(&args.output)?;
    plan::check_different(&args.output, &[&args.data.x])?;
    if let Some(path) = &args.save_model {
        if args.neighborhoods.search.find.metric == plan::PRECOMPUTED {
            return Err(Model::needs_points());
        }
        Model::check_path(path)?;
        plan::check_different(path, &[&args.data.x, &args.output])?;
    }
    if let Some(path) = &args.torn {
        tables::check_torn(path)?;
        plan::check_different(path, &[&args.data.x, &args.output])?;
    }
    Ok(method)
}

/// The embedding and its judgment.
struct Made {
    data: Data,
    chosen: Vec<Chosen>,
    neighborhoods: Neighborhoods,
    embedding: Embedding,
    judgment: Judgment,
}

impl Made {
    fn new(args: &EmbedArgs, method: &Method, clock: &mut Clock, run: &Run) -> Result<Self, Error> {
        let data = data::read(&args.data.x, &args.read, &args.neighborhoods.search.find)?;
        clock.lap("read");
        let chosen = chosen(args, &data, run)?;
        let value = |name: &str| chosen.iter().find(|choice| choice.name == name).map(|choice| choice.value);
        clock.lap("choosing");
        let neighborhoods = match (&args.neighborhoods.given.neighbors, value("k")) {
            (None, Some(k)) => {
                let search = SearchArgs { k: Some(Amount::Number(k)), ..args.neighborhoods.search.clone() };
                data::searched(&data, &search, run)?
            }
            _ => data::neighborhoods(&data, &args.neighborhoods, run)?,
        };
        clock.lap("neighbors");
        let dim = match args.dim {
            Amount::Number(dim) => dim,
            Amount::Auto => value("dim").unwrap_or(2),
        };
        let embedding = method.fit(&Problem::with_input(data.input(), &neighborhoods, dim)?, run)?;
        clock.lap("embed");
        let judgment = Judge::new(data.input(), &neighborhoods).judge_embedding(&embedding, run)?;
        clock.lap("measures");
        Ok(Self { data, chosen, neighborhoods, embedding, judgment })
    }

    /// Writes the embedding, and the model and the torn pairs where they are asked for.
    fn write(&self, args: &EmbedArgs, run: &Run) -> Result<(), Error> {
        let (embedding, rows) = (&self.embedding, self.embedding.rows.as_deref());
        let model = match (&args.save_model, self.data.points()) {
            (Some(path), Some(points)) => Some((path, Model::new(points, embedding, &self.neighborhoods, run)?)),
            _ => None,
        };
        io::write(&args.output, &data::named(&self.data, &embedding.points, rows)?)?;
        if let Some((path, model)) = &model {
            model.save(path)?;
        }
        match &args.torn {
            Some(path) => tables::write_torn(path, embedding.tear.as_ref(), rows),
            None => Ok(()),
        }
    }

    fn tell(&self, args: &EmbedArgs, session: &Session, clock: &Clock) -> anyhow::Result<()> {
        let mut lines: Vec<String> = Vec::new();
        lines.extend(
            self.chosen.iter().map(|choice| format!("{} = {} chosen: {}.", choice.name, choice.value, choice.reason)),
        );
        lines.push(words::judgment(&self.judgment, &|row| data::row_name(&self.data, row), &session.voice()));
        lines.push(format!("{} in {:.1} s, written to {}", args.embedder.method, clock.total(), args.output.display()));
        if let Some(path) = &args.save_model {
            lines.push(format!("The model for new points is in {}", path.display()));
        }
        print(&lines.join("\n"))
    }

    fn json(&self, session: &Session, clock: &Clock) -> serde_json::Value {
        let info = &self.embedding.info;
        let mut result = facts::judgment(&self.judgment, &session.flags);
        let stages = info.stages.iter().map(|stage| (format!("embed: {}", stage.stage), stage.seconds));
        result["seconds"] = clock.json(stages);
        result["method"] = json!(info.method);
        result["parameters"] = info.parameters.clone();
        result["seed"] = json!(info.seed);
        for choice in &self.chosen {
            result["chosen"][choice.name] = json!({"value": choice.value, "reason": choice.reason});
        }
        result["stop"] = json!(info.stop);
        result["facts"] = json!(info.facts);
        result["traces"] = json!(info.traces);
        result
    }
}

/// A number that was chosen from the data, and why.
struct Chosen {
    name: &'static str,
    value: usize,
    reason: String,
}

/// What the options leave to the data.
fn chosen(args: &EmbedArgs, data: &Data, run: &Run) -> Result<Vec<Chosen>, Error> {
    let is_auto = |amount: Option<Amount>| amount == Some(Amount::Auto);
    let (of_k, of_dim) = (is_auto(args.neighborhoods.search.k), is_auto(Some(args.dim)));
    if !of_k && !of_dim {
        return Ok(Vec::new());
    }
    let Suggestion { dim, dim_reason, k, k_reason, .. } = data::suggestion(data, &args.neighborhoods.search.find, run)?;
    let dim = of_dim.then_some(Chosen { name: "dim", value: dim, reason: dim_reason.to_string() });
    let k = of_k.then_some(Chosen { name: "k", value: k, reason: k_reason.to_string() });
    Ok(dim.into_iter().chain(k).collect())
}
