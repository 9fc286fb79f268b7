//! `truefold embed`: an embedding by a method, and how faithful it is.

use super::{print, print_json};
use crate::args::{Amount, EmbedArgs, Format, SearchArgs};
use crate::session::{Clock, Session};
use crate::{data, plan, tables};
use serde_json::{Value, json};
use truefold::suggest::Choice;
use truefold::{Data, Embedding, Error, Judge, Judgment, Method, Model, Neighborhoods, Problem, Run, Suggest, io};
use truefold_report::{facts, words};

pub(crate) fn execute(args: &EmbedArgs, session: &Session) -> anyhow::Result<()> {
    let planned = check(args)?;
    let run = session.searching(&args.neighborhoods.search.find)?;
    let mut clock = Clock::start();
    let made = Made::new(args, planned, &mut clock, &run)?;
    made.write(args, &run)?;
    clock.lap("write");
    match args.shown.format {
        Format::Table => made.tell(args, session, &clock),
        Format::Json => print_json(&made.json(session, &clock)),
    }
}

/// The word that leaves the method to the data.
const AUTO: &str = "auto";

/// The method as the options name it.
enum Planned {
    /// This one.
    Named(Method),
    /// The one that suits the data, with these settings.
    Auto(Vec<(String, String)>),
}

/// Everything that can be wrong before anything that takes long; the method.
fn check(args: &EmbedArgs) -> Result<Planned, Error> {
    let planned = if args.method == AUTO {
        Planned::Auto(args.set.iter().map(|text| plan::setting(text)).collect::<Result<_, _>>()?)
    } else {
        Planned::Named(plan::method(&args.method, &args.set)?)
    };
    if let (Planned::Named(method), Amount::Number(dim)) = (&planned, args.dim) {
        method.check(dim)?;
    }
    plan::check_metric(&args.neighborhoods.search.find)?;
    plan::check_output(&args.output)?;
    let mut others = plan::given(&[&args.neighborhoods.given.neighbors]);
    others.push(&args.data.x);
    plan::check_different(&args.output, &others)?;
    others.push(&args.output);
    if let Some(path) = &args.save_model {
        if args.neighborhoods.search.find.metric == plan::PRECOMPUTED {
            return Err(Model::needs_points());
        }
        Model::check_path(path)?;
        plan::check_different(path, &others)?;
        others.push(path);
    }
    if let Some(path) = &args.torn {
        tables::check_torn(path)?;
        plan::check_different(path, &others)?;
    }
    Ok(planned)
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
    fn new(args: &EmbedArgs, planned: Planned, clock: &mut Clock, run: &Run) -> Result<Self, Error> {
        let data = data::read(&args.data.x, &args.read, &args.neighborhoods.search.find)?;
        clock.lap("read");
        let is_auto = matches!(planned, Planned::Auto(_));
        let mut suggested = Suggested::new(args, &data, is_auto, run)?;
        clock.lap("choosing");
        let neighborhoods = match (&args.neighborhoods.given.neighbors, suggested.k) {
            (None, Some(k)) => {
                let search = SearchArgs { k: Some(Amount::Number(k)), ..args.neighborhoods.search.clone() };
                data::searched(&data, &search, run)?
            }
            _ => data::neighborhoods(&data, &args.neighborhoods, run)?,
        };
        clock.lap("neighbors");
        let dim = suggested.dim;
        let method = match planned {
            Planned::Named(method) => method,
            Planned::Auto(settings) => {
                let choice = match (suggested.choice.take(), &data) {
                    (Some(choice), _) => choice,
                    (None, Data::Distances(distances)) => Choice::of_distances(distances, &neighborhoods, dim)?,
                    (None, Data::Points(points)) => {
                        Suggest { map_dim: Some(dim), ..Suggest::default() }.method(points, run)?
                    }
                };
                let method = Method::chosen(&choice, &settings)?;
                let reason = choice.reason.to_string();
                suggested.told.insert(0, Chosen { name: "method", value: json!(choice.method), reason });
                method
            }
        };
        let embedding = method.fit(&Problem::with_input(data.input(), &neighborhoods, dim)?, run)?;
        clock.lap("embed");
        let judgment = Judge::new(data.input(), &neighborhoods).without_points().judge_embedding(&embedding, run)?;
        clock.lap("measures");
        Ok(Self { data, chosen: suggested.told, neighborhoods, embedding, judgment })
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
        lines.extend(self.chosen.iter().map(|one| format!("{} = {} chosen: {}.", one.name, one.shown(), one.reason)));
        lines.push(words::judgment(&self.judgment, &|row| data::row_name(&self.data, row), &session.voice()));
        lines.push(format!(
            "{} in {:.1} s, written to {}",
            self.embedding.info.method,
            clock.total(),
            args.output.display()
        ));
        if let Some(path) = &args.save_model {
            lines.push(format!("The model for new points is in {}", path.display()));
        }
        print(&lines.join("\n"))
    }

    fn json(&self, session: &Session, clock: &Clock) -> Value {
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

/// What was chosen from the data, and why.
struct Chosen {
    name: &'static str,
    value: Value,
    reason: String,
}

impl Chosen {
    /// The value as people write it.
    fn shown(&self) -> String {
        self.value.as_str().map_or_else(|| self.value.to_string(), str::to_owned)
    }
}

/// What the options leave to the data.
struct Suggested {
    dim: usize,
    /// The number of neighbors, where it was left to the data.
    k: Option<usize>,
    /// The method, where it was left to them and they are points.
    choice: Option<Choice>,
    told: Vec<Chosen>,
}

impl Suggested {
    fn new(args: &EmbedArgs, data: &Data, of_method: bool, run: &Run) -> Result<Self, Error> {
        let find = &args.neighborhoods.search.find;
        let of_k = args.neighborhoods.search.k == Some(Amount::Auto);
        let asked = match args.dim {
            Amount::Number(dim) => Some(dim),
            Amount::Auto => None,
        };
        let mut suggested = Self { dim: asked.unwrap_or(2), k: None, choice: None, told: Vec::new() };
        if !of_k && asked.is_some() {
            // A method alone can be named for few points too.
            if let (true, Data::Points(points)) = (of_method, data) {
                let suggest = Suggest { metric: find.metric.parse()?, map_dim: asked, ..Suggest::default() };
                suggested.choice = Some(suggest.method(points, run)?);
            }
            return Ok(suggested);
        }
        let found = data::suggestion_for(data, find, asked, run)?;
        if asked.is_none() {
            suggested.dim = found.dim;
            suggested.told.push(Chosen { name: "dim", value: json!(found.dim), reason: found.dim_reason.to_string() });
        }
        if of_k {
            suggested.k = Some(found.k);
            suggested.told.push(Chosen { name: "k", value: json!(found.k), reason: found.k_reason.to_string() });
        }
        suggested.choice = Some(found.asked.unwrap_or(found.coordinates));
        Ok(suggested)
    }
}
