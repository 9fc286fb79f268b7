//! Data sets that other methods were published with, and surfaces without a flat map: every method on each of them, with the
//! error of its map, what it stretches and tears, the seconds, and a picture.

mod data;
mod trial;

use super::table::{Row, Section, count, head, number, seconds};
use super::timed::{Bench, Bounds, greatest, median};
use super::{Benchmark, Findings};
use anyhow::Result;
use data::{CLOSED, Data, OPEN, SEEDS};
use serde_json::{Value, json};
use std::path::Path;
use trial::{Map, OURS, Sample, Trial};

/// How large the data are, and where the pictures go.
pub struct Sizes {
    /// No data set has more points than this.
    most: usize,
    /// Samples for the medians.
    seeds: u64,
    bounds: Bounds,
    /// The folder of the pictures, in the project.
    pictures: &'static str,
}

/// A method by its program; a line more is a row more for every data set.
pub struct Method {
    name: &'static str,
    program: &'static str,
    /// The least and the most points for which it runs.
    sizes: (usize, usize),
    /// Whether its map has a scale of its own in every direction: its error is that after the best linear map.
    normalizes: bool,
}

const fn method(name: &'static str, program: &'static str, sizes: (usize, usize)) -> Method {
    Method { name, program, sizes, normalizes: false }
}

const fn normalizing(name: &'static str, program: &'static str, sizes: (usize, usize)) -> Method {
    Method { name, program, sizes, normalizes: true }
}

const PEER: &str = "scikit-learn";
const ANY: (usize, usize) = (0, usize::MAX);
/// Up to here Isomap takes seconds; beyond, landmarks take its place.
const PAIRS: usize = 4_000;

const METHODS: &[Method] = &[
    method("psa", OURS, ANY),
    method("gp", OURS, ANY),
    method("ptu", OURS, ANY),
    method("isomap", OURS, (0, PAIRS)),
    method("landmark-isomap", OURS, (PAIRS + 1, usize::MAX)),
    normalizing("ltsa", OURS, ANY),
    method("isomap", PEER, (0, 10_000)),
    normalizing("ltsa", PEER, (0, 10_000)),
];

pub(super) static BENCHMARK: Benchmark<Sizes> = Benchmark {
    name: "rivals",
    note: "No option but k and d; all methods in turn on the same points. Seconds are of the neighbor search and the \
           embedding, in one run each.",
    packages: &["numpy", "scipy", "scikit-learn"],
    examples: &[],
    full: Sizes {
        most: usize::MAX,
        seeds: 10,
        bounds: Bounds { bytes: 16_000_000_000, seconds: 300 },
        pictures: "docs/images",
    },
    quick: Sizes {
        most: 600,
        seeds: 2,
        bounds: Bounds { bytes: 16_000_000_000, seconds: 60 },
        pictures: "target/bench/quick/images",
    },
    parts: &[("open", open), ("closed", closed), ("seeds", seeds)],
};

/// The page that shows the results.
const PAGE: &str = "rivals.md";

fn open(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let measured = measure(bench, sizes, OPEN)?;
    let note = "The error is |H Z - H Y A| / |H Z| of the map Y from the true coordinates Z, after the best rigid motion A. LTSA \
                gives its map a variance of one in every direction: its errors, marked *, are those after the best linear map, and \
                its R_N says nothing. A cap has no true map. R_N / bound is how far the shape of neighborhoods is from the best \
                possible; where the bound is nothing but rounding, R_N stands alone. Distortion is how unevenly the map stretches \
                paths, 1 at the best ([measures.md](measures.md)). Published errors are of data sets of the same kind, not of \
                these points: S with a hole and irregular S, k = 10, as Budninskiy and others print them for parallel transport \
                unfolding and its own files.";
    Ok(findings("Surfaces with a flat map, and a cap", note, &measured))
}

fn closed(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let measured = measure(bench, sizes, CLOSED)?;
    let note = "None of these has a flat map. psa tears them: R_N / bound is then that of what is left, and the distortion that \
                of the whole, whose paths across the seam are long in the map. Published seconds are those that the notebooks of \
                pyLDLE2 log for closed surfaces of about 10,000 points, on another machine.";
    Ok(findings("Surfaces without a flat map", note, &measured))
}

/// The error of psa on several samples of the data sets for which errors were published.
fn seeds(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let (mut rows, mut section, mut numbers) = (Vec::new(), Section::default(), Vec::new());
    section.title = format!("psa on {} samples each", sizes.seeds);
    section.note = "Errors of the map as above, beside the published error of parallel transport unfolding.".to_owned();
    section.head = head(&["data", "points", "median error", "greatest error", "published"]);
    section.page = Some(PAGE.to_owned());
    for (name, published) in SEEDS {
        let data = data::find(name)?;
        let errors = (0..sizes.seeds)
            .map(|seed| {
                let sample = Sample::draw(bench, data, sizes.most, seed)?;
                let trial = sample.trial(bench, &METHODS[0], sizes.bounds)?;
                trial.map.and_then(|map| map.error).ok_or_else(|| anyhow::anyhow!("psa made no map of {name}"))
            })
            .collect::<Result<Vec<f64>>>()?;
        let (middle, worst) = (median(errors.clone()), greatest(errors.iter().copied()));
        section.rows.push(vec![
            data.title.to_owned(),
            count(data.points.min(sizes.most)),
            percent(middle),
            percent(worst),
            percent(*published),
        ]);
        rows.push(Row {
            what: format!("{}: error of psa, median of {} samples", data.title, sizes.seeds),
            tool: percent(middle),
            beside: format!("published for parallel transport unfolding {}", percent(*published)),
            figure: percent(middle),
            target: format!("<= {}", percent(*published)),
            holds: Some(middle <= *published),
        });
        numbers.push(json!({"data": name, "errors": errors, "published": published}));
    }
    Ok(Findings { rows, sections: vec![section], numbers: json!(numbers) })
}

/// Every method on every data set, and a picture of each.
fn measure<'a>(bench: &Bench, sizes: &Sizes, all: &'a [Data]) -> Result<Vec<(&'a Data, Vec<Trial>)>> {
    let mut measured = Vec::new();
    for data in all {
        let sample = Sample::draw(bench, data, sizes.most, 0)?;
        let mut trials = Vec::new();
        for method in METHODS.iter().filter(|method| (method.sizes.0..=method.sizes.1).contains(&sample.points)) {
            println!("  {}: {} of {}", data.title, method.name, method.program);
            trials.push(sample.trial(bench, method, sizes.bounds)?);
        }
        sample.draw_maps(bench, &trials, &crate::project::root()?.join(Path::new(sizes.pictures)))?;
        measured.push((data, trials));
    }
    Ok(measured)
}

fn findings(title: &str, note: &str, measured: &[(&Data, Vec<Trial>)]) -> Findings {
    let picture = |(data, _): &(&Data, Vec<Trial>)| format!("![{}](images/rivals-{}.png)", data.title, data.name);
    let pictures: Vec<String> = measured.iter().map(picture).collect();
    let mut section = Section {
        title: title.to_owned(),
        note: format!("{note}\n\n{}", pictures.join("\n\n")),
        head: head(&[
            "data",
            "points",
            "method",
            "program",
            "error",
            "R_N / bound",
            "distortion",
            "torn",
            "seconds",
            "published",
        ]),
        page: Some(PAGE.to_owned()),
        ..Section::default()
    };
    let mut numbers = Vec::new();
    for (data, trials) in measured {
        for (at, trial) in trials.iter().enumerate() {
            let first = |text: &str| if at == 0 { text.to_owned() } else { String::new() };
            let mut row = vec![first(data.title), first(&count(trial.points))];
            row.extend([trial.method.to_owned(), trial.program.to_owned()]);
            row.extend(cells(trial));
            row.push(first(data.published));
            section.rows.push(row);
        }
        let trials: Vec<Value> = trials.iter().map(Trial::json).collect();
        numbers.push(json!({"data": data.name, "k": data.k, "dim": data.dim, "trials": trials}));
    }
    Findings { rows: Vec::new(), sections: vec![section], numbers: json!(numbers) }
}

/// Error, R_N over its bound, distortion, torn share and seconds of a trial.
fn cells(trial: &Trial) -> [String; 5] {
    let Some(Map { error, r_n, bound, distortion, torn, seconds: time }) = trial.map else {
        return ["no map".to_owned(), String::new(), String::new(), String::new(), String::new()];
    };
    let mark = if trial.normalizes { " *" } else { "" };
    // Neighborhoods that lie in d dimensions have a bound of rounding alone.
    let times = match (trial.normalizes, bound < 1e-20) {
        (true, _) => String::new(),
        (false, true) => format!("R_N {}", number(r_n)),
        (false, false) => number(r_n / bound),
    };
    let torn = if torn > 0.0 { percent(torn) } else { String::new() };
    [
        error.map_or_else(String::new, |error| format!("{}{mark}", percent(error))),
        times,
        number(distortion),
        torn,
        seconds(time),
    ]
}

fn percent(share: f64) -> String {
    format!("{} %", number(100.0 * share))
}
