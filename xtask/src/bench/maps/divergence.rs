//! The Kullback-Leibler divergence that t-SNE reaches, from the same start as openTSNE.

use super::Sizes;
use super::data::Data;
use super::judged::Judged;
use crate::bench::Findings;
use crate::bench::table::Row;
use crate::bench::timed::Bench;
use anyhow::Result;
use serde_json::{Value, json};

/// How far above that of openTSNE it may be.
const MOST: f64 = 1.01;

pub fn run(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let (mut rows, mut numbers) = (Vec::new(), Vec::new());
    for (kind, points) in [("digits", 1797), ("mnist", sizes.few)] {
        let data = Data::make(bench, kind, points)?;
        // Both begin at the principal coordinates.
        let start = bench.file("maps-start.npy");
        bench.tool(&[
            "embed".into(),
            data.x.clone(),
            "--method".into(),
            "pca".into(),
            "--output".into(),
            start.clone(),
        ])?;
        let own = Judged::ours(bench, &data, "tsne", &[])?;
        let other = Judged::others(bench, &data, "openTSNE", Some(&start))?;
        let (ours, theirs) = (&own.told["facts"]["kl_divergence"], &other.told["kl_divergence"]);
        let ratio = ours.as_f64().unwrap_or(f64::NAN) / theirs.as_f64().unwrap_or(f64::NAN);
        numbers.push(json!({"data": data.name, "truefold": ours, "openTSNE": theirs}));
        rows.push(Row {
            what: format!("{}: divergence of tsne from the same start as openTSNE's", data.name),
            tool: format!("{:.4}", ours.as_f64().unwrap_or(f64::NAN)),
            beside: format!("{:.4}", theirs.as_f64().unwrap_or(f64::NAN)),
            figure: format!("ratio {ratio:.4}"),
            target: format!("<= {MOST}"),
            holds: Some(ratio <= MOST),
        });
    }
    Ok(Findings { rows, numbers: Value::Array(numbers), ..Findings::default() })
}
