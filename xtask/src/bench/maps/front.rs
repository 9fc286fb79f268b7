//! The faithful map from neighbors alone to shapes alone.

use super::Sizes;
use super::data::Data;
use super::judged::{HEADS, Judged};
use crate::bench::Findings;
use crate::bench::table::{Row, Section, head};
use crate::bench::timed::Bench;
use anyhow::Result;
use serde_json::{Value, json};

const SHAPES: [&str; 7] = ["0", "0.2", "0.4", "0.6", "0.8", "0.9", "1"];
/// The default.
const CHOSEN: &str = "shape=0.4";

pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let (mut rows, mut sections, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    let kinds = [("mnist", sizes.few), ("digits", 1797), ("cells", sizes.few), ("faces", 1965), ("roll", 3000)];
    for (kind, points) in kinds {
        let data = Data::make(bench, kind, points)?;
        println!("  {}", data.name);
        let mut maps = Vec::new();
        for shape in SHAPES {
            maps.push(Judged::ours(bench, &data, "faithful", &[&format!("shape={shape}")])?);
        }
        for method in ["umap", "psa"] {
            maps.push(Judged::ours(bench, &data, method, &[])?);
        }
        rows.push(chosen(&data, &maps));
        numbers.push(json!({"data": data.name, "maps": maps.iter().map(Judged::json).collect::<Vec<_>>()}));
        sections.push(Section {
            title: format!("From neighbors to shapes: {}", data.name),
            note: format!("{CHOSEN} is the default; shape=0 is t-SNE."),
            head: head(&HEADS),
            rows: maps.iter().map(Judged::cells).collect(),
            ..Section::default()
        });
    }
    Ok(Findings { rows, sections, numbers: Value::Array(numbers) })
}

/// Whether the default keeps more shape than t-SNE, and as many neighbors and labels, or nearly.
fn chosen(data: &Data, maps: &[Judged]) -> Row {
    let of = |name: &str| maps.iter().find(|map| map.name.ends_with(name));
    let (Some(tsne), Some(chosen)) = (of("shape=0"), of(CHOSEN)) else { return Row::default() };
    let told = |map: &Judged| {
        format!(
            "score {:.3}, R_C {:.3}, reverse R_C {:.3}, overlap {:.3}, label accuracy {:.4}",
            map.score(),
            map.measure("r_c"),
            map.measure("reverse_r_c"),
            map.measure("overlap"),
            map.accuracy()
        )
    };
    let (fewer, labels) = (chosen.measure("overlap") - tsne.measure("overlap"), chosen.accuracy() - tsne.accuracy());
    Row {
        what: format!("{}: the faithful map beside t-SNE", data.name),
        tool: told(chosen),
        beside: told(tsne),
        figure: format!(
            "R_C {:+.3}, overlap {fewer:+.3}, label accuracy {labels:+.4}",
            chosen.measure("r_c") - tsne.measure("r_c")
        ),
        target: "R_C lower, score higher, label accuracy within 0.005".to_owned(),
        holds: Some(chosen.measure("r_c") < tsne.measure("r_c") && chosen.score() > tsne.score() && labels >= -0.005),
    }
}
