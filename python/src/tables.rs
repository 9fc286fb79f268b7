//! The tables of methods, measures and data sets, from which the Python classes are written.

use pyo3::prelude::*;
use serde_json::{Value, json};
use truefold::dataset::DATASETS;
use truefold::embed::{EMBEDDERS, Entry};
use truefold::measure::{Better, Cost, MEASURES};

/// All three, as JSON.
#[pyfunction]
pub fn tables() -> String {
    let measures: Vec<Value> = MEASURES
        .iter()
        .map(|measure| {
            let info = measure.info();
            json!({
                "name": info.name, "symbol": info.symbol, "summary": info.summary, "range": info.range,
                "lower_is_better": info.better == Better::Lower, "invariant": info.invariant,
                "quadratic": info.cost == Cost::Quadratic, "default": info.default,
            })
        })
        .collect();
    let datasets: Vec<Value> = DATASETS.iter().map(|dataset| json!(dataset.info())).collect();
    json!({"methods": EMBEDDERS.iter().map(method).collect::<Vec<_>>(), "measures": measures, "datasets": datasets})
        .to_string()
}

fn method(entry: &Entry) -> Value {
    let (info, defaults) = (entry.info, (entry.defaults)());
    let parameters: Vec<Value> = info
        .parameters
        .iter()
        .map(|known| {
            let (name, values) = (known.name, known.values);
            json!({"name": name, "summary": known.summary, "values": values, "default": defaults[name]})
        })
        .collect();
    json!({
        "name": info.name, "title": info.title, "summary": info.summary, "metric_scale": info.metric_scale,
        "default": info.default,
        "cost": info.cost, "follows_graph": info.follows_graph,
        "parameters": parameters,
    })
}
