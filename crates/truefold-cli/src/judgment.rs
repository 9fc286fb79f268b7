//! What was found out about one embedding, as text, as JSON, and point by point.

use crate::cmd::{neighborhoods_json, neighborhoods_text};
use crate::table::{count, counted, number, table};
use crate::terminal::bold;
use serde_json::{Map, Value, json};
use std::path::Path;
use truefold::measure::{Better, Evaluation, Measure, Score};
use truefold::{Error, Points, io};

/// An evaluation and its scores.
pub(crate) struct Judgment<'a> {
    evaluation: &'a Evaluation<'a>,
    points: Option<&'a Points>,
    scores: Vec<(&'static dyn Measure, Score)>,
    components: usize,
    warnings: Vec<String>,
}

impl<'a> Judgment<'a> {
    /// Gathers what there is to say.
    pub(crate) fn new(
        evaluation: &'a Evaluation<'a>,
        points: Option<&'a Points>,
        scores: Vec<(&'static dyn Measure, Score)>,
    ) -> Result<Self, Error> {
        let components = evaluation.neighborhoods().components().count();
        let mut warnings = Vec::new();
        if components > 1 {
            warnings.push(format!(
                "the neighborhood graph has {components} connected components: how they lie to each other is not measured"
            ));
        }
        if scores.iter().any(|(_, score)| score.per_point_bound.is_some()) {
            let open = evaluation.undetermined()?;
            if open > 0 {
                warnings.push(format!(
                    "in {} X and Y leave the rotation open in some direction; it was completed, which changes no value",
                    counted(open, "neighborhood", "neighborhoods")
                ));
            }
        }
        for (measure, score) in &scores {
            // Only these leave out neighborhoods of their own accord; others have no value where they were not asked.
            if score.left_out > 0 && score.per_point_bound.is_some() {
                warnings.push(format!(
                    "{}: {} left out, as all their points of X coincide",
                    measure.info().symbol,
                    counted(score.left_out, "neighborhood was", "neighborhoods were")
                ));
            }
        }
        Ok(Self { evaluation, points, scores, components, warnings })
    }

    fn score(&self, name: &str) -> Option<&Score> {
        self.scores.iter().find(|(measure, _)| measure.info().name == name).map(|(_, score)| score)
    }

    /// The result for programs; `seconds` are those of each stage.
    pub(crate) fn json(&self, seconds: &[(&str, f64)]) -> Value {
        let mut neighborhoods = neighborhoods_json(self.evaluation.neighborhoods(), self.components);
        neighborhoods.insert("center".into(), json!(self.evaluation.options().center));
        let mut times: Map<String, Value> =
            seconds.iter().map(|&(stage, time)| (stage.to_owned(), json!(time))).collect();
        times.insert("total".into(), json!(seconds.iter().map(|stage| stage.1).sum::<f64>()));
        let mut result = json!({
            "points": self.evaluation.input().len(),
            "input_dim": self.evaluation.input().dim(),
            "output_dim": self.evaluation.embedding().dim(),
            "neighborhoods": neighborhoods,
            "measures": scores_json(&self.scores, |score| Some(score.value)),
            "lower_bounds": scores_json(&self.scores, |score| score.lower_bound),
        });
        let errors = scores_json(&self.scores, |score| score.standard_error);
        if !errors.is_empty() {
            result["standard_errors"] = json!(errors);
            result["sample"] = json!(self.evaluation.options().sample);
        }
        result["seconds"] = Value::Object(times);
        result["warnings"] = json!(self.warnings);
        result
    }

    /// The result for people.
    pub(crate) fn text(&self) -> String {
        let input = self.evaluation.input();
        let output_dim = counted(self.evaluation.embedding().dim(), "dimension", "dimensions");
        let from = match input.dim() {
            Some(dim) => format!("in {}", counted(dim, "dimension", "dimensions")),
            None => "given by their distances".to_owned(),
        };
        let mut lines = vec![
            format!("{} {from}, embedded in {output_dim}", counted(input.len(), "point", "points")),
            format!(
                "{}, center {}",
                neighborhoods_text(self.evaluation.neighborhoods(), self.components),
                if self.evaluation.options().center { "included" } else { "left out" }
            ),
            String::new(),
            scores_table(&self.scores),
        ];
        let findings = self.findings();
        if !findings.is_empty() {
            lines.push(String::new());
            lines.extend(findings);
        }
        lines.extend(self.warnings.iter().map(|warning| format!("Note: {warning}.")));
        lines.join("\n")
    }

    /// How faithful, where not, and how far from the best possible, in words.
    fn findings(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let Some(score) = self.score("r_n") else { return lines };
        let Some(bound) = score.lower_bound else { return lines };
        let kept = |share: f64| format!("{:.1} %", 100.0 * (1.0 - share).max(0.0));
        lines.push(bold(&format!(
            "Y keeps {} of the shape of an average neighborhood; the best possible is {}.",
            kept(score.value),
            kept(bound)
        )));
        if let Some(conformal) = self.score("r_c")
            && conformal.value < 0.5 * score.value
            && score.value > 0.01
        {
            lines.push(format!(
                "With a scale of its own for each neighborhood it is {}: Y is right up to scale.",
                kept(conformal.value)
            ));
        }
        if let Some(values) = &score.per_point {
            let mut order: Vec<usize> = (0..values.len()).filter(|&row| !values[row].is_nan()).collect();
            order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
            let total: f64 = order.iter().map(|&row| values[row]).sum();
            let tenth = order.len().div_ceil(10);
            let share = order[..tenth].iter().map(|&row| values[row]).sum::<f64>() / total;
            if total > 0.0 && score.value > 1e-12 && order.len() >= 10 {
                lines.push(format!(
                    "The worst tenth of the neighborhoods holds {:.0} % of R_N; the worst are",
                    100.0 * share
                ));
                let worst: Vec<String> =
                    order.iter().take(4).map(|&row| format!("{} ({})", self.name(row), number(values[row]))).collect();
                lines.push(format!("  {}.", worst.join(", ")));
            }
        }
        lines
    }

    fn name(&self, row: usize) -> String {
        match self.points.and_then(Points::ids) {
            Some(ids) => ids[row].clone(),
            None => format!("row {}", count(row + 1)),
        }
    }

    /// Writes one line per point: its id or row, its label, and each measure's value and bound; no value, an empty
    /// cell.
    pub(crate) fn write_per_point(&self, path: &Path) -> Result<(), Error> {
        let separator = check_per_point(path)?;
        let ids = self.points.and_then(Points::ids);
        let labels = self.points.and_then(Points::labels);
        let mut header = vec![if ids.is_some() { "id" } else { "row" }.to_owned()];
        header.extend(labels.map(|_| "label".to_owned()));
        let mut columns: Vec<&[f64]> = Vec::new();
        for (measure, score) in &self.scores {
            let name = measure.info().name;
            if let Some(values) = &score.per_point {
                header.push(name.to_owned());
                columns.push(values);
            }
            if let Some(bounds) =
                score.per_point_bound.as_ref().filter(|bounds| bounds.iter().any(|&bound| bound != 0.0))
            {
                header.push(format!("{name}_bound"));
                columns.push(bounds);
            }
        }
        let rows = (0..self.evaluation.input().len()).map(|row| {
            let mut cells = vec![ids.map_or_else(|| (row + 1).to_string(), |ids| ids[row].clone())];
            cells.extend(labels.map(|labels| labels[row].clone()));
            cells.extend(
                columns.iter().map(|values| if values[row].is_nan() { String::new() } else { values[row].to_string() }),
            );
            cells
        });
        io::atomic(path, |out| {
            let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(out);
            writer.write_record(&header)?;
            for row in rows {
                writer.write_record(&row)?;
            }
            writer.flush()
        })
    }
}

/// The scores beside the best possible.
pub(crate) fn scores_table(scores: &[(&'static dyn Measure, Score)]) -> String {
    let row = |(measure, score): &(&'static dyn Measure, Score)| {
        let info = measure.info();
        let error = score.standard_error.map_or(String::new(), |error| format!(" +- {}", number(error)));
        let best = match (score.lower_bound, info.better) {
            (Some(bound), _) => number(bound),
            (None, Better::Higher) => "1".to_owned(),
            (None, Better::Lower) => "0".to_owned(),
        };
        let times = score.times_bound().map_or(String::new(), |times| match times {
            times if times >= 1e4 => "> 9999".to_owned(),
            times => format!("{times:.2}"),
        });
        let direction = match info.better {
            Better::Lower => "lower is better",
            Better::Higher => "higher is better",
        };
        vec![info.symbol.to_owned(), format!("{}{error}", number(score.value)), best, times, direction.to_owned()]
    };
    let header = ["measure", "value", "best possible", "times best", ""];
    table(&header, &[false, true, true, true, false], scores.iter().map(row).collect())
}

/// A value of each score that has it, under the name of its measure.
pub(crate) fn scores_json(
    scores: &[(&'static dyn Measure, Score)],
    pick: impl Fn(&Score) -> Option<f64>,
) -> Map<String, Value> {
    let entry = |(measure, score): &(&'static dyn Measure, Score)| {
        pick(score).map(|value| (measure.info().name.to_owned(), json!(value)))
    };
    scores.iter().filter_map(entry).collect()
}

/// The separator that the ending of a file of values at every point names, or an error.
pub(crate) fn check_per_point(path: &Path) -> Result<u8, Error> {
    check_table(path, "per-point values")
}

/// The separator that the ending names, or an error.
pub(crate) fn check_table(path: &Path, what: &str) -> Result<u8, Error> {
    let separator = match path.extension().and_then(|ending| ending.to_str()) {
        Some("csv") => b',',
        Some("tsv") => b'\t',
        _ => {
            return Err(Error::file(
                path,
                format!("{what} are written as .csv or .tsv"),
                "choose one of these endings",
            ));
        }
    };
    io::check_writable(path)?;
    Ok(separator)
}
