//! The table of one set of neighborhoods: a row for each method, the best of each measure in bold.

use super::pair;
use crate::words::{counted, origin, percent, seconds, short, times};
use crate::{Cell, Table};
use truefold::compare::{Comparison, Row, Trial};
use truefold::measure::{MeasureInfo, Score, Side};
use truefold::{NeighborhoodFacts, Rest};

/// The mark of values on the neighborhoods that a tear leaves.
pub(super) const TORN: &str = "\u{2020}";

/// The columns that a comparison has.
struct Columns<'a> {
    has_score: bool,
    /// Whether R_N and R_C share a cell.
    is_paired: bool,
    has_times: bool,
    has_torn: bool,
    /// Whether R_N of what a tear leaves has a cell.
    has_left: bool,
    /// The measures with a cell of their own.
    singles: Vec<&'a MeasureInfo>,
    /// Whether neighbors tell labels.
    has_labels: bool,
    has_seconds: bool,
    has_memory: bool,
}

impl<'a> Columns<'a> {
    fn of(comparison: &'a Comparison) -> Self {
        let has = |name: &str| comparison.measures.iter().any(|info| info.name == name);
        let any = |test: &dyn Fn(&Trial) -> bool| comparison.rows.iter().filter_map(Row::trial).any(test);
        let is_paired = has("r_n") && has("r_c");
        let has_torn = any(&|trial| trial.judgment.rest.is_some());
        let is_single = |info: &&MeasureInfo| !(is_paired && matches!(info.name, "r_n" | "r_c"));
        Self {
            has_score: any(&|trial| trial.judgment.score().is_some()),
            is_paired,
            has_times: has("r_n") || has("r_c"),
            has_torn,
            has_left: has_torn && has("r_n"),
            singles: comparison.measures.iter().copied().filter(is_single).collect(),
            has_labels: any(&|trial| trial.judgment.groups.is_some()),
            has_seconds: any(&|trial| !trial.seconds.is_nan()),
            has_memory: any(&|trial| trial.peak_bytes.is_some()),
        }
    }

    fn header(&self) -> Vec<String> {
        let mut header = vec!["method".to_owned()];
        header.extend(self.has_score.then(|| "score".to_owned()));
        header.extend(self.is_paired.then(|| "R_N [R_C]".to_owned()));
        header.extend(self.has_times.then(|| "times best".to_owned()));
        header.extend(self.has_torn.then(|| "torn".to_owned()));
        header.extend(self.has_left.then(|| "left".to_owned()));
        header.extend(self.singles.iter().map(|info| info.symbol.to_owned()));
        header.extend(self.has_labels.then(|| "labels told".to_owned()));
        header.extend(self.has_seconds.then(|| "s".to_owned()));
        header.extend(self.has_memory.then(|| "MB".to_owned()));
        header
    }

    /// The cells of what a method gave, without its name.
    fn cells(&self, comparison: &Comparison, row: &Row, trial: &Trial) -> Vec<Cell> {
        let rest = trial.judgment.rest.as_ref();
        let mark = rest.map_or("", |_| TORN);
        // Where the dimension is too small for shapes, the least R_N is no merit: it is that of a blob.
        let is_shapeless = comparison.leads_with_neighbors(row.column);
        let best = |text: String, name: &str| {
            let is_of_shape = comparison.measures.iter().any(|info| info.name == name && info.side == Side::Forward);
            let cell = Cell::from(text);
            if comparison.is_best(row, name) && !(is_shapeless && is_of_shape) { cell.best() } else { cell }
        };
        let mut cells = Vec::new();
        if self.has_score {
            let score = trial.judgment.score().map_or(String::new(), |score| format!("{score:.3}"));
            let cell = Cell::from(score);
            cells.push(if comparison.has_best_score(row) { cell.best() } else { cell });
        }
        // Bold is what is compared: R_N of what is left has a column of its own.
        if let (true, Some(r_n), Some(r_c)) = (self.is_paired, trial.score("r_n"), trial.score("r_c")) {
            let both = pair(r_n, r_c);
            cells.push(if rest.is_some() { both.into() } else { best(both, row.telling()) });
        }
        if self.has_times {
            cells.push(excess(row, trial).map_or(String::new(), |excess| times(Some(excess)) + mark).into());
        }
        if self.has_torn {
            cells.push(rest.map_or(String::new(), share).into());
        }
        if self.has_left {
            let left = rest.and_then(|rest| rest.scores.get("r_n"));
            cells.push(left.map_or(Cell::default(), |score| best(short(score.value), row.telling())));
        }
        for info in &self.singles {
            let whole = trial.score(info.name).map_or(String::new(), |score| short(score.value));
            cells.push(match rest.and_then(|rest| rest.scores.get(info.name)) {
                Some(_) if info.name == "r_n" => whole.into(),
                Some(left) => best(short(left.value) + mark, info.name),
                None => best(whole, info.name),
            });
        }
        if self.has_labels {
            let told = trial.judgment.groups.as_ref().map(|groups| percent(groups.accuracy.map));
            cells.push(told.unwrap_or_default().into());
        }
        if self.has_seconds {
            let known = (!trial.seconds.is_nan()).then(|| seconds(trial.seconds));
            cells.push(known.unwrap_or_default().into());
        }
        if self.has_memory {
            cells.push(trial.peak_bytes.map_or(String::new(), |bytes| (bytes >> 20).to_string()).into());
        }
        cells
    }
}

/// The table of the neighborhoods of this number.
pub(super) fn table(comparison: &Comparison, index: usize) -> Table {
    let columns = Columns::of(comparison);
    let header = columns.header();
    let rows = comparison.ranked(index).into_iter().map(|row| {
        let torn = row.trial().and_then(|trial| trial.judgment.rest.as_ref());
        let normalizes = if row.has_own_scale() { "*" } else { "" };
        let mut cells = vec![Cell::from(format!("{}{normalizes}{}", row.method, torn.map_or("", |_| TORN)))];
        match &row.outcome {
            Err(_) => cells.push("failed".into()),
            Ok(trial) => cells.extend(columns.cells(comparison, row, trial)),
        }
        cells.resize(header.len(), Cell::default());
        cells
    });
    Table { title: title(comparison, index), rows: rows.collect(), header, ..Table::default() }
}

/// The torn share of the memberships.
pub(super) fn share(rest: &Rest) -> String {
    format!("{:.2} %", 100.0 * rest.tear.share())
}

/// How many times the best possible: R_N of methods that keep distances, R_C of those that normalize; of what is left
/// where something was torn.
fn excess(row: &Row, trial: &Trial) -> Option<f64> {
    let times = |name: &str| trial.judgment.compared(name).and_then(Score::times_bound);
    times(row.telling()).or_else(|| times("r_n"))
}

/// The neighborhoods, and the best possible value on them.
fn title(comparison: &Comparison, index: usize) -> String {
    let facts = &comparison.columns[index];
    let whole = comparison.rows.iter().filter(|row| row.column == index).filter_map(Row::trial);
    let bound = whole
        .filter(|trial| trial.judgment.points == comparison.points)
        .find_map(|trial| ["r_n", "r_c", "r_a"].iter().find_map(|name| trial.score(name)?.lower_bound));
    let bound = bound.map_or(String::new(), |bound| format!("; best possible R_N {}", short(bound)));
    let components = counted(facts.components, "connected component", "connected components");
    format!("{} ({}; {components}){bound}", size(facts), origin(&facts.origin))
}

fn size(facts: &NeighborhoodFacts) -> String {
    match facts.k {
        Some(k) => format!("k = {k}"),
        None => format!("{} to {} neighbors", facts.least_k, facts.largest_k),
    }
}
