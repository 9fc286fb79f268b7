//! Digits that were not fitted, placed by the tool and by other programs in their own maps.

use super::{METHODS, Sizes};
use crate::bench::Findings;
use crate::bench::table::{Row, Section, count, head};
use crate::bench::timed::Bench;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};

/// Other programs, each with its method.
const PROGRAMS: [(&str, &str); 2] = [("openTSNE", "tsne"), ("umap-learn", "umap")];

/// Digits to fit and digits to place, with their labels.
pub struct Digits {
    pub x: OsString,
    pub new: OsString,
    /// Both, in this order.
    pub all: OsString,
    pub labels: OsString,
}

impl Digits {
    pub fn make(bench: &Bench, (fitted, new): (usize, usize)) -> Result<Self> {
        let folder = bench.data().context("needs the folder of mnist.npz: --data DIR")?;
        let file = |name: &str| bench.file(&format!("place-{name}-{fitted}.npy"));
        let made = Self { x: file("old"), new: file("new"), all: file("all"), labels: file("labels") };
        let counts = [fitted.to_string(), new.to_string()];
        let mut words: Vec<&OsStr> = counts.iter().map(AsRef::as_ref).collect();
        words.extend([&made.x, &made.new, &made.all, &made.labels].map(OsString::as_os_str));
        words.push(folder.as_ref());
        bench.script("new_points_data.py", None, &words)?;
        Ok(made)
    }
}

/// New points in the map of one program.
struct Placed {
    name: String,
    /// The seconds of placing alone.
    seconds: f64,
    kept: Value,
}

impl Placed {
    fn figure(&self, of: &str, name: &str) -> f64 {
        self.kept[of][name].as_f64().unwrap_or(f64::NAN)
    }

    fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.name.clone(), format!("{:.1} s", self.seconds)];
        let columns = [("new", "accuracy"), ("fitted", "accuracy"), ("new", "recall"), ("fitted", "recall")];
        cells.extend(columns.map(|(of, name)| format!("{:.4}", self.figure(of, name))));
        cells
    }
}

pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let digits = Digits::make(bench, sizes.digits)?;
    let [y, model, placed] = ["place-y.npy", "place.truefold", "place-placed.npy"].map(|name| bench.file(name));
    let mut all = Vec::new();
    for method in METHODS {
        let mut words: Vec<&OsStr> = vec!["embed".as_ref(), &digits.x, "--output".as_ref(), &y];
        words.extend(["--method", method, "--approximate", "--format", "json", "--save-model"].map(OsStr::new));
        words.push(&model);
        bench.tool(&words)?;
        let words: [&OsStr; 7] = [
            "transform".as_ref(),
            &model,
            &digits.new,
            "--output".as_ref(),
            &placed,
            "--format".as_ref(),
            "json".as_ref(),
        ];
        let seconds = bench.tool(&words)?.output["seconds"]["transform"].as_f64().unwrap_or(f64::NAN);
        all.push(judged(bench, &digits, method, seconds, [&y, &placed])?);
    }
    for (program, _) in PROGRAMS {
        let words: [&OsStr; 5] = [program.as_ref(), &digits.x, &digits.new, &y, &placed];
        let told = bench.script("new_points_peer.py", None, &words)?.output;
        all.push(judged(bench, &digits, program, told["seconds"].as_f64().unwrap_or(f64::NAN), [&y, &placed])?);
    }
    let section = Section {
        title: format!("{} digits in maps of {}", count(sizes.digits.1), count(sizes.digits.0)),
        note: "MNIST, 784 dimensions, every program's transform in its own map with its default parameters. Accuracy is \
               the share of points whose 12 nearest fitted points in the map mostly have their label; recall the share \
               of a point's 12 nearest fitted points in the data that are among its 12 nearest in the map. Beside those of \
               the new points stand those of the first fitted ones, as many, among the other fitted points. Seconds are of \
               placing alone."
            .to_owned(),
        head: head(&["map", "placing", "accuracy, new", "accuracy, fitted", "recall, new", "recall, fitted"]),
        rows: all.iter().map(Placed::cells).collect(),
        ..Section::default()
    };
    let numbers = all.iter().map(|one| json!({"map": one.name, "seconds": one.seconds, "kept": one.kept}));
    let numbers = Value::Array(numbers.collect());
    Ok(Findings { rows: claims(&all), sections: vec![section], numbers })
}

fn judged(bench: &Bench, digits: &Digits, name: &str, seconds: f64, files: [&OsString; 2]) -> Result<Placed> {
    println!("  {name}: {seconds:.1} s");
    let words: [&OsStr; 5] = [&digits.x, &digits.new, &digits.labels, files[0], files[1]];
    let kept = bench.script("new_points_kept.py", None, &words)?.output;
    Ok(Placed { name: name.to_owned(), seconds, kept })
}

/// Every method of the tool has to be as good as the programs.
fn claims(all: &[Placed]) -> Vec<Row> {
    let of = |name: &str| all.iter().find(|one| one.name == name);
    let mut rows = Vec::new();
    for (program, method) in PROGRAMS {
        let (Some(own), Some(other)) = (of(method), of(program)) else { continue };
        for name in ["accuracy", "recall"] {
            let figures = [own, other].map(|one| one.figure("new", name));
            rows.push(Row {
                what: format!("new digits, {method} beside {program}: {name}"),
                tool: format!("{:.4}", figures[0]),
                beside: format!("{:.4}", figures[1]),
                figure: format!("{:+.4}", figures[0] - figures[1]),
                target: ">= 0".to_owned(),
                holds: Some(figures[0] >= figures[1]),
            });
        }
    }
    rows
}
