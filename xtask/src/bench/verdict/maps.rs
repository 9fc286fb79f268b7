//! Digits, mapped by the programs that people use: which map is best by the score, and that shuffled rows have no skill.

use super::Sizes;
use crate::bench::Findings;
use crate::bench::table::{Row, Section, head, number};
use crate::bench::timed::Bench;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};
use std::fs;

/// Maps of other programs and of the tool, in the order in which the score should put them; those of one line may come in
/// any order.
const ORDER: &[&[&str]] = &[&["tsne"], &["umap"], &["pacmap"], &["isomap", "pca", "psa"], &["shuffled0"]];
/// The measures of the table: of the map, and their skill.
const SHOWN: &[&str] = &["r_n", "r_c", "reverse_r_c", "overlap", "r_nx", "trustworthiness", "continuity"];
const SHUFFLES: usize = 10;

pub(super) fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let Some(data) = bench.data() else { bail!("needs the folder of mnist.npz: --data DIR") };
    let folder = bench.file("verdict-maps");
    fs::create_dir_all(&folder).context("cannot make a folder for the maps")?;
    let file = |name: &str| OsString::from(std::path::Path::new(&folder).join(name));
    let (source, rows) = (data.join("mnist.npz"), sizes.digits.to_string());
    bench.script("verdict_maps.py", None, &[OsStr::new("mnist"), source.as_ref(), rows.as_ref(), &folder])?;
    for method in ["isomap", "psa"] {
        let (x, y) = (file("X.npy"), file(&format!("{method}.npy")));
        bench.tool(&[
            "embed".as_ref(),
            x.as_os_str(),
            "--method".as_ref(),
            method.as_ref(),
            "--output".as_ref(),
            &y,
        ])?;
    }
    let judged = |name: &str| -> Result<Value> {
        println!("  {name}");
        let (x, y, labels) = (file("X.npy"), file(&format!("{name}.npy")), file("labels.csv"));
        let mut words: Vec<&OsStr> = vec!["measure".as_ref(), &x, &y, "--labels".as_ref(), &labels];
        words.extend(["--measures", "all", "--sample", "1000", "--format", "json"].map(OsStr::new));
        Ok(bench.tool(&words)?.output)
    };
    let names: Vec<&str> = ORDER.concat();
    let maps: Vec<(&str, Value)> = names.iter().map(|&name| Ok((name, judged(name)?))).collect::<Result<_>>()?;
    let mut shuffled: Vec<Value> = vec![maps[maps.len() - 1].1.clone()];
    for seed in 1..SHUFFLES {
        shuffled.push(judged(&format!("shuffled{seed}"))?);
    }
    let rows = vec![order(&maps), no_skill(&shuffled)];
    let numbers = json!({"maps": maps.iter().map(|(name, facts)| json!({"map": name, "facts": facts})).collect::<Vec<_>>(),
        "shuffled": shuffled.iter().map(|facts| facts["skill"].clone()).collect::<Vec<_>>()});
    Ok(Findings { rows, sections: vec![table(&maps)], numbers })
}

fn value(facts: &Value, group: &str, name: &str) -> f64 {
    facts[group][name].as_f64().unwrap_or(f64::NAN)
}

fn score(facts: &Value) -> f64 {
    value(facts, "verdict", "score")
}

/// Whether the score orders the maps as it should.
fn order(maps: &[(&str, Value)]) -> Row {
    let of = |name: &str| maps.iter().find(|map| map.0 == name).map_or(f64::NAN, |map| score(&map.1));
    let holds = ORDER.windows(2).all(|pair| pair[0].iter().all(|a| pair[1].iter().all(|b| of(a) > of(b))));
    Row {
        what: "digits: the two-sided score orders the maps".to_owned(),
        tool: maps.iter().map(|(name, facts)| format!("{name} {:.4}", score(facts))).collect::<Vec<_>>().join(", "),
        figure: if holds { "in order" } else { "out of order" }.to_owned(),
        target: "tsne > umap > pacmap > isomap, pca, psa > shuffled".to_owned(),
        holds: Some(holds),
        ..Row::default()
    }
}

/// Whether maps with shuffled rows have no skill by any measure, up to three standard errors over the shuffles.
fn no_skill(shuffled: &[Value]) -> Row {
    let names: Vec<String> = shuffled[0]["skill"].as_object().map_or(Vec::new(), |all| all.keys().cloned().collect());
    let (mut worst, mut told) = (0.0_f64, Vec::new());
    for name in &names {
        let values: Vec<f64> = shuffled.iter().map(|facts| value(facts, "skill", name)).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let error = (squares / (values.len() * (values.len() - 1)) as f64).sqrt();
        told.push(format!("{name} {mean:.4} +- {error:.4}"));
        worst = worst.max(mean.abs() / error.max(1e-12));
    }
    Row {
        what: format!("digits: skill of {} maps with shuffled rows, every measure", shuffled.len()),
        tool: told.join(", "),
        figure: format!("at most {worst:.1} standard errors from 0"),
        target: "<= 3".to_owned(),
        holds: Some(worst <= 3.0),
        ..Row::default()
    }
}

fn table(maps: &[(&str, Value)]) -> Section {
    let cell = |facts: &Value, name: &str| {
        let (value, skill) = (value(facts, "measures", name), value(facts, "skill", name));
        format!("{} ({skill:.3})", number(value))
    };
    let row = |(name, facts): &(&str, Value)| {
        let mut cells = vec![(*name).to_owned(), format!("{:.3}", score(facts))];
        cells.extend(SHOWN.iter().map(|measure| cell(facts, measure)));
        cells.push(format!("{:.3}", facts["labels"]["accuracy"]["map"].as_f64().unwrap_or(f64::NAN)));
        let counts = &facts["verdict"]["counts"];
        cells.extend(
            ["faithful", "shape_lost", "false_neighbors", "neighbors_missing", "chance"]
                .map(|class| counts[class].as_u64().unwrap_or(0).to_string()),
        );
        cells
    };
    let mut names = vec!["map", "score"];
    names.extend(SHOWN);
    names.extend(["label accuracy", "faithful", "shape lost", "false", "missing", "chance"]);
    Section {
        title: "Maps of digits".to_owned(),
        note: "Each measure with its skill in brackets: 1 the best possible, 0 chance. The last columns count the points \
               of each class. t-SNE by openTSNE, UMAP by umap-learn, PaCMAP by pacmap, PCA by scikit-learn, Isomap and psa \
               by truefold; shuffled0 is the UMAP with its rows in random order."
            .to_owned(),
        head: head(&names),
        rows: maps.iter().map(row).collect(),
        ..Section::default()
    }
}
