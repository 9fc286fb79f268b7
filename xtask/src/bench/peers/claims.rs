//! The results of the trials: the table, and the worst ratio against each other program.

use super::trial::{OURS, Trial};
use crate::bench::table::{Row, Section, count, head, megabytes, number, seconds};

/// The tool's trial of the same method and size.
fn ours<'a>(trials: &'a [Trial], of: &Trial) -> Option<&'a Trial> {
    trials.iter().find(|trial| trial.program == OURS && (trial.method, trial.points) == (of.method, of.points))
}

/// All trials in a table.
pub fn section(title: &str, trials: &[Trial]) -> Section {
    let rows = trials
        .iter()
        .map(|trial| {
            let measure = |name: &str| trial.measure(name).map_or_else(|_| String::new(), number);
            let (time, peak) = match trial.failure {
                Some(failure) => (failure.to_owned(), String::new()),
                None => (seconds(trial.seconds), megabytes(trial.peak)),
            };
            let ratio = match ours(trials, trial) {
                Some(own) if trial.program != OURS && trial.failure.is_none() => number(trial.seconds / own.seconds),
                _ => String::new(),
            };
            let name = (trial.method.to_owned(), trial.program.to_owned());
            vec![count(trial.points), name.0, name.1, time, peak, measure("r_n"), measure("r_c"), ratio]
        })
        .collect();
    Section {
        title: title.to_owned(),
        note: "The ratio is the seconds of the other program over those of the tool.".to_owned(),
        head: head(&["points", "method", "program", "seconds", "peak memory", "R_N", "R_C", "ratio"]),
        rows,
        page: None,
    }
}

/// For each other program the least ratio of seconds and the greatest of memory, and for which method and size.
pub fn claims(trials: &[Trial]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (rival, target) in [("scikit-learn", 2.0), ("tapkee", 1.0)] {
        let pairs: Vec<(&Trial, &Trial)> = trials
            .iter()
            .filter(|trial| trial.program == rival && trial.failure.is_none())
            .filter_map(|trial| ours(trials, trial).map(|own| (own, trial)))
            .collect();
        let speed = |pair: &(&Trial, &Trial)| pair.1.seconds / pair.0.seconds;
        let memory = |pair: &(&Trial, &Trial)| pair.0.peak / pair.1.peak;
        let place = |pair: &(&Trial, &Trial)| format!("{}, {} points", pair.0.method, count(pair.0.points));
        if let Some(worst) = pairs.iter().min_by(|a, b| speed(a).total_cmp(&speed(b))) {
            rows.push(Row {
                what: format!("times faster than {rival}, at least ({})", place(worst)),
                tool: seconds(worst.0.seconds),
                beside: format!("{rival} {}", seconds(worst.1.seconds)),
                figure: number(speed(worst)),
                target: format!(">= {target}"),
                holds: Some(speed(worst) >= target),
            });
        }
        if let Some(worst) = pairs.iter().max_by(|a, b| memory(a).total_cmp(&memory(b))) {
            rows.push(Row {
                what: format!("memory relative to {rival}, at most ({})", place(worst)),
                tool: megabytes(worst.0.peak),
                beside: format!("{rival} {}", megabytes(worst.1.peak)),
                figure: number(memory(worst)),
                target: "< 1".to_owned(),
                holds: Some(memory(worst) < 1.0),
            });
        }
    }
    rows
}
