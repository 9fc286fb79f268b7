//! `truefold refine`: a better embedding from one that any program made.

use super::{print, print_json};
use crate::args::{Format, RefineArgs, TableFormat};
use crate::session::Session;
use crate::showing::{self, Showing};
use crate::{data, plan};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use truefold::measure;
use truefold::{Data, Error, Judge, Judgment, Neighborhoods, Outcome, Points, Refine, Run, io};
use truefold_report::words::{number, stop};
use truefold_report::{Panel, facts, judged, words};

pub(crate) fn execute(args: &RefineArgs, session: &Session) -> anyhow::Result<()> {
    let refine = check(args)?;
    let run = session.searching(&args.neighborhoods.search.find)?;
    let mut refined = Refined::new(args, refine, &run)?;
    io::write(&args.output, &refined.points)?;
    let written = refined.show(args, &run)?;
    // Collapse is told on the page alone.
    refined.before.scores.retain(|info| info.default);
    refined.judgment.scores.retain(|info| info.default);
    match args.shown.format {
        Format::Table => {
            let mut lines = refined.lines(args, session);
            lines.extend(written);
            print(&lines.join("\n"))
        }
        Format::Json => print_json(&refined.json(session)),
    }
}

/// Everything that can be wrong before anything that takes long; the refinement.
fn check(args: &RefineArgs) -> Result<Refine, Error> {
    let refine = Refine {
        target: word("target", &args.target)?,
        step: word("step", &args.step)?,
        acceleration: word("acceleration", &args.acceleration)?,
        penalty: args.penalty,
        solver: word("solver", &args.solver)?,
        iterations: args.iterations,
        tolerance: args.tolerance,
        time_limit: args.time_limit,
        slack: Some(args.slack).filter(|slack| *slack != f64::INFINITY),
    };
    refine.check()?;
    plan::check_metric(&args.neighborhoods.search.find)?;
    plan::check_output(&args.output)?;
    showing::check(&args.show, TableFormat::Table, &args.data.x, false)?;
    let given = &args.neighborhoods.given.neighbors;
    for path in [&args.show.report, &args.show.figure].into_iter().flatten() {
        let mut others = plan::given(&[given]);
        others.push(&args.y);
        plan::check_different(path, &others)?;
    }
    let show = &args.show;
    let mut others = plan::given(&[given, &show.truth, &show.labels, &show.report, &show.figure]);
    others.push(&args.data.x);
    plan::check_different(&args.output, &others)?;
    Ok(refine)
}

/// A word that stands for one of several values.
fn word<T: DeserializeOwned>(name: &'static str, given: &str) -> Result<T, Error> {
    let word = Refine::word(name, given)?;
    serde_json::from_value(json!(word)).map_err(|_| Error::parameter(name, given, "cannot be used", "leave it out"))
}

/// The refined embedding and its judgment.
struct Refined {
    refine: Refine,
    data: Data,
    showing: Showing,
    neighborhoods: Neighborhoods,
    start: Points,
    points: Points,
    outcome: Outcome,
    before: Judgment,
    judgment: Judgment,
}

impl Refined {
    fn new(args: &RefineArgs, refine: Refine, run: &Run) -> Result<Self, Error> {
        let data = data::read(&args.data.x, &args.show.numbers(&args.read), &args.neighborhoods.search.find)?;
        let options = plan::embedding_options(&args.read, None, Vec::new())?;
        let start = data::read_embedding(&args.y, &options, &data)?;
        let showing = Showing::read(&args.show, &data, (&args.data.x, &args.read))?;
        let neighborhoods = data::neighborhoods(&data, &args.neighborhoods, run)?;
        let mut outcome = refine.refine(data.input(), &neighborhoods, &start, run)?;
        let points = start.moved(std::mem::take(&mut outcome.values))?;
        let mut measures: Vec<_> = measure::MEASURES.iter().copied().filter(|measure| measure.info().default).collect();
        if showing::is_wanted(&args.show, TableFormat::Table) {
            measures.push(measure::find("collapse")?);
        }
        let judge = Judge::new(data.input(), &neighborhoods).with_measures(measures);
        let before = judge.judge(&start, run)?;
        let mut judgment = judge.judge(&points, run)?;
        judgment.warnings.extend(outcome.warnings.iter().cloned());
        judgment.warnings.extend(judgment.lost_since(&before));
        Ok(Self { refine, data, showing, neighborhoods, start, points, outcome, before, judgment })
    }

    /// Writes the page and the figure that are asked for, and tells where.
    fn show(&self, args: &RefineArgs, run: &Run) -> Result<Vec<String>, Error> {
        if !showing::is_wanted(&args.show, TableFormat::Table) {
            return Ok(Vec::new());
        }
        let mut report = self.showing.report(&self.data, format!("{} refined", args.y.display()));
        report.facts["parameters"] = json!(self.refine);
        report.facts["refinement"] = json!(self.outcome.facts);
        report.neighbors = Some(&self.neighborhoods);
        report.panels.push(panel("before", &self.start, &self.before));
        report.panels.push(panel("after", &self.points, &self.judgment));
        let shown = (&args.show, TableFormat::Table);
        showing::find_ellipses(&mut report, shown, (&self.data, &self.neighborhoods), run)?;
        showing::write(&report, &args.show, run)
    }

    fn lines(&self, args: &RefineArgs, session: &Session) -> Vec<String> {
        let row = |row| data::row_name(&self.data, row);
        let mut lines = vec![words::judgment(&self.judgment, &row, &session.voice())];
        lines.extend(words::before_and_after(&self.before, &self.judgment));
        let fact = |name: &str| self.outcome.facts.get(name).and_then(Value::as_f64);
        for trace in &self.outcome.traces {
            if let (Some(first), Some(last)) = (trace.values.first(), trace.values.last()) {
                lines.push(format!(
                    "{} from {} to {} in {} steps ({}), written to {}",
                    trace.objective,
                    number(*first),
                    number(*last),
                    fact("steps").unwrap_or((trace.values.len() - 1) as f64),
                    stop(self.outcome.stop),
                    args.output.display()
                ));
            }
        }
        if let (Some(before), Some(after)) = (fact("collapse_before"), fact("collapse_after")) {
            let unfolded = self.outcome.facts.get("unfolded").is_some_and(|unfolded| unfolded == true);
            let how = if unfolded { ", the map was unfolded" } else { "" };
            lines.push(format!("collapse from {} to {}{how}", number(before), number(after)));
        }
        lines
    }

    fn json(&self, session: &Session) -> Value {
        let mut result = facts::judgment(&self.judgment, &session.flags);
        let stages = self.outcome.stages.iter().map(|stage| (stage.stage.clone(), stage.seconds));
        let total = [("total".to_owned(), self.outcome.stages.iter().map(|stage| stage.seconds).sum::<f64>())];
        let seconds: serde_json::Map<String, Value> =
            stages.chain(total).map(|(name, time)| (name, json!(time))).collect();
        result["seconds"] = json!(seconds);
        result["parameters"] = json!(self.refine);
        result["before"] = facts::judgment(&self.before, &session.flags);
        result["stop"] = json!(self.outcome.stop);
        result["traces"] = json!(self.outcome.traces);
        result["facts"] = json!(self.outcome.facts);
        result
    }
}

/// One of the two embeddings of the page.
fn panel<'a>(title: &str, points: &'a Points, judgment: &'a Judgment) -> Panel<'a> {
    let value = |name: &str| judgment.scores.get(name).map_or(String::new(), |score| number(score.value));
    Panel {
        caption: format!("R_N {}, collapse {}", value("r_n"), value("collapse")),
        ..judged(title, points, judgment)
    }
}
