//! Digits, mapped by all programs.

use super::Sizes;
use super::data::Data;
use super::judged::{HEADS, Judged};
use crate::bench::Findings;
use crate::bench::table::{Row, Section, head, megabytes};
use crate::bench::timed::Bench;
use anyhow::Result;
use serde_json::{Value, json};

/// The most of another program's time.
const TIME: f64 = 0.5;
/// How far below that of another program the area under R_NX may be.
const QUALITY: f64 = 0.01;
/// Points up to which scikit-learn's t-SNE is run.
const PATIENCE: usize = 20_000;

pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let mut findings = Findings::default();
    let mut numbers = Vec::new();
    for (kind, rows) in [("mnist", sizes.digits), ("mnist50", sizes.digits), ("digits", 1797)] {
        let data = Data::make(bench, kind, rows)?;
        println!("  {}", data.name);
        let mut maps = Vec::new();
        for method in ["tsne", "umap", "faithful", "psa", "pca"] {
            maps.push(Judged::ours(bench, &data, method, &[])?);
        }
        for program in ["openTSNE", "umap-learn", "pacmap", "scikit-learn"] {
            if program != "scikit-learn" || rows <= PATIENCE {
                maps.push(Judged::others(bench, &data, program, None)?);
            }
        }
        for (own, other) in [("tsne", "openTSNE"), ("umap", "umap-learn")] {
            let of = |name: &str| maps.iter().find(|map| map.name == name);
            if let (Some(own), Some(other)) = (of(own), of(other)) {
                findings.rows.extend(compared(&data, own, other));
            }
        }
        numbers.push(json!({"data": data.name, "maps": maps.iter().map(Judged::json).collect::<Vec<_>>()}));
        findings.sections.push(Section {
            title: data.name.clone(),
            head: head(&HEADS),
            rows: maps.iter().map(Judged::cells).collect(),
            ..Section::default()
        });
    }
    findings.numbers = Value::Array(numbers);
    Ok(findings)
}

fn compared(data: &Data, own: &Judged, other: &Judged) -> [Row; 3] {
    let (time, memory) = (own.cpu / other.cpu, own.peak / other.peak);
    let areas = [own, other].map(|map| map.measure("r_nx"));
    let row = |what: &str, figures: [String; 2], figure: String, target: String, holds: bool| Row {
        what: format!("{}: {} beside {}: {what}", data.name, own.name, other.name),
        tool: figures[0].clone(),
        beside: figures[1].clone(),
        figure,
        target,
        holds: Some(holds),
    };
    [
        row(
            "processor time",
            [own, other].map(|map| format!("{:.1} s", map.cpu)),
            format!("ratio {time:.2}"),
            format!("<= {TIME}"),
            time <= TIME,
        ),
        row(
            "area under R_NX",
            areas.map(|area| format!("{area:.4}")),
            format!("{:+.4}", areas[0] - areas[1]),
            format!(">= -{QUALITY}"),
            areas[0] >= areas[1] - QUALITY,
        ),
        row(
            "peak memory",
            [own, other].map(|map| megabytes(map.peak)),
            format!("ratio {memory:.2}"),
            "< 1".to_owned(),
            memory < 1.0,
        ),
    ]
}
