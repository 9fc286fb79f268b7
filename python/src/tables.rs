//! The tables of methods, measures and data sets, from which the Python classes are written, and of the classes of points.

use crate::errors;
use pyo3::prelude::*;
use serde_json::{Value, json};
use truefold::compare::Plan;
use truefold::dataset::DATASETS;
use truefold::embed::{EMBEDDERS, Entry};
use truefold::measure::{Better, Cost, MEASURES};
use truefold::{Class, Method};
use truefold_report::{VERDICT_COLORS, words};

/// All of them, as JSON.
#[pyfunction]
pub fn tables(py: Python<'_>) -> PyResult<String> {
    let plan = Method::defaults().and_then(|methods| Plan::new(methods, 2));
    let plan = plan.map_err(|error| errors::to_python(py, &error))?;
    let compared: Vec<&str> = plan.measures().iter().map(|measure| measure.info().name).collect();
    let measures: Vec<Value> = MEASURES
        .iter()
        .map(|measure| {
            let info = measure.info();
            json!({
                "name": info.name, "symbol": info.symbol, "summary": info.summary, "range": info.range,
                "lower_is_better": info.better == Better::Lower, "invariant": info.invariant,
                "quadratic": info.cost == Cost::Quadratic, "default": info.default, "compared": compared.contains(&info.name),
            })
        })
        .collect();
    let datasets: Vec<Value> = DATASETS.iter().map(|dataset| json!(dataset.info())).collect();
    let methods: Vec<Value> = EMBEDDERS.iter().map(method).collect();
    let class = |(class, color): (Class, [u8; 3])| {
        let [red, green, blue] = color;
        json!({
            "name": class.name(), "title": words::class(class), "color": format!("#{red:02x}{green:02x}{blue:02x}"),
        })
    };
    let classes: Vec<Value> = Class::ALL.into_iter().zip(VERDICT_COLORS).map(class).collect();
    Ok(json!({"methods": methods, "measures": measures, "datasets": datasets, "classes": classes}).to_string())
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
        "cost": info.cost, "graph": info.graph,
        "parameters": parameters,
    })
}
