//! What the command found, as rows for people and as JSON for programs.

use super::figures::Drawn;
use super::measured::{Contender, Measured};
use serde_json::{Value, json};
use truefold_report::words::count;

/// Everything that the pages show.
pub(super) struct Results<'a> {
    pub(super) measured: Vec<Measured<'a>>,
    pub(super) contenders: Vec<&'static Contender>,
    pub(super) neighbors: Vec<usize>,
    pub(super) figures: Vec<Drawn>,
    pub(super) notes: Vec<String>,
    pub(super) seed: u64,
}

/// Two decimals, as the paper prints.
fn printed(value: f64) -> String {
    format!("{value:.2}")
}

/// Two digits that say something: the paper's decimals would round small values to nothing.
fn ours(value: f64) -> String {
    if value >= 0.1 { format!("{value:.3}") } else { format!("{value:.4}") }
}

fn difference(ours: f64, printed: f64) -> String {
    let by = (ours * 100.0).round() / 100.0 - printed;
    if by.abs() < 0.005 { "0".to_owned() } else { format!("{by:+.2}") }
}

/// A cell of the second table: a method on a data set.
pub(super) struct Entry {
    pub(super) set: &'static str,
    pub(super) method: &'static str,
    pub(super) ours: String,
    pub(super) printed: String,
    pub(super) difference: String,
    pub(super) from: String,
    /// Whether both values are at most the printed ones, to the paper's two decimals; none where it prints none.
    pub(super) reached: Option<bool>,
}

impl Results<'_> {
    /// The data sets: name, what it is, n, q, d, and where it comes from.
    pub(super) fn data_sets(&self) -> Vec<[String; 6]> {
        let row = |measured: &Measured<'_>| {
            let (loaded, printed) = (measured.loaded, measured.printed());
            let points = if loaded.points.len() == printed.points {
                count(printed.points)
            } else {
                format!("{} (paper: {})", count(loaded.points.len()), count(printed.points))
            };
            [
                loaded.set.title.to_owned(),
                loaded.set.about.to_owned(),
                points,
                loaded.points.dim().to_string(),
                printed.dim.to_string(),
                loaded.origin.clone(),
            ]
        };
        self.measured.iter().map(row).collect()
    }

    /// The comparison: a cell for every data set and method, and the bound of each data set.
    pub(super) fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        for measured in &self.measured {
            for contender in &self.contenders {
                entries.push(entry(measured, contender));
            }
            if let Some((bound, k)) = measured.bound() {
                let paper = measured.printed().bound;
                entries.push(Entry {
                    set: measured.loaded.set.title,
                    method: "best possible",
                    ours: ours(bound),
                    printed: printed(paper),
                    difference: difference(bound, paper),
                    from: format!("k = {k}"),
                    reached: None,
                });
            }
        }
        entries
    }

    /// In how many cells GP and PSA are at or below what the paper prints.
    pub(super) fn verdict(&self) -> Option<String> {
        let own: Vec<bool> = self
            .entries()
            .iter()
            .filter(|entry| matches!(entry.method, "GP" | "PSA"))
            .filter_map(|entry| entry.reached)
            .collect();
        let reached = own.iter().filter(|&&reached| reached).count();
        (!own.is_empty()).then(|| {
            format!(
                "GP and PSA are at or below the printed values, to their two decimals, in {reached} of {} cells.",
                own.len()
            )
        })
    }

    /// For programs.
    pub(super) fn json(&self) -> Value {
        let sets: Vec<Value> = self.measured.iter().map(|measured| self.set_json(measured)).collect();
        let figure = |drawn: &Drawn| {
            let files = json!([format!("figures/{}.svg", drawn.name), format!("figures/{}.png", drawn.name)]);
            json!({"name": drawn.name, "title": drawn.title, "caption": drawn.caption, "files": files})
        };
        json!({
            "truefold": env!("CARGO_PKG_VERSION"),
            "seed": self.seed,
            "neighbors": self.neighbors,
            "center": false,
            "data_sets": sets,
            "figures": self.figures.iter().map(figure).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }

    fn set_json(&self, measured: &Measured<'_>) -> Value {
        let (loaded, paper) = (measured.loaded, measured.printed());
        let methods: Vec<Value> = self.contenders.iter().map(|contender| method_json(measured, contender)).collect();
        json!({
            "name": loaded.set.name,
            "origin": loaded.origin,
            "points": loaded.points.len(),
            "input_dim": loaded.points.dim(),
            "output_dim": paper.dim,
            "lower_bound": measured.bound().map(|(value, k)| json!({"value": value, "k": k, "printed": paper.bound})),
            "methods": methods,
        })
    }
}

fn entry(measured: &Measured<'_>, contender: &Contender) -> Entry {
    let [r_n, r_c] = ["r_n", "r_c"].map(|measure| measured.least(contender.name, measure));
    let paper = measured.printed().cell(contender.name);
    let mut entry = Entry {
        set: measured.loaded.set.title,
        method: contender.title,
        ours: String::new(),
        printed: paper.map_or(String::new(), |(r_n, r_c)| format!("{} [{}]", printed(r_n), printed(r_c))),
        difference: String::new(),
        from: String::new(),
        reached: None,
    };
    let (Some(r_n), Some(r_c)) = (r_n, r_c) else {
        let reason = measured.rows_of(contender.name).find_map(|row| row.outcome.as_ref().err());
        entry.ours = "failed".to_owned();
        entry.from = reason.map_or(String::new(), ToString::to_string);
        return entry;
    };
    entry.ours = format!("{} [{}]", ours(r_n.value), ours(r_c.value));
    entry.from = format!("k = {} [{}]", r_n.k, r_c.k);
    if let Some((paper_n, paper_c)) = paper {
        entry.difference = format!("{} [{}]", difference(r_n.value, paper_n), difference(r_c.value, paper_c));
        let at_most = |value: f64, paper: f64| (value * 100.0).round() / 100.0 <= paper + 1e-9;
        entry.reached = Some(at_most(r_n.value, paper_n) && at_most(r_c.value, paper_c));
    }
    entry
}

fn method_json(measured: &Measured<'_>, contender: &Contender) -> Value {
    let least = |measure: &str| {
        measured
            .least(contender.name, measure)
            .map(|least| json!({"value": least.value, "k": least.k, "way": least.way}))
    };
    let runs: Vec<Value> = measured
        .rows_of(contender.name)
        .map(|row| {
            let mut run = json!({"k": row.k, "way": row.method, "parameters": row.parameters});
            match &row.outcome {
                Ok(trial) => {
                    for name in ["r_n", "r_c"] {
                        run[name] = json!(trial.score(name).map(|score| score.value));
                    }
                    run["lower_bound"] = json!(trial.score("r_n").and_then(|score| score.lower_bound));
                    run["seconds"] = json!(trial.seconds);
                    run["stop"] = json!(trial.info.stop);
                    run["warnings"] = json!(trial.warnings().collect::<Vec<_>>());
                }
                Err(cause) => run["error"] = json!(cause.to_string()),
            }
            run
        })
        .collect();
    let printed = measured.printed().cell(contender.name).map(|(r_n, r_c)| json!({"r_n": r_n, "r_c": r_c}));
    json!({
        "name": contender.name,
        "r_n": least("r_n"),
        "r_c": least("r_c"),
        "printed": printed,
        "runs": runs,
    })
}
