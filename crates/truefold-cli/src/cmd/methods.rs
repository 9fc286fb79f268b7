//! `truefold methods`: the methods, their parameters, and the values these take.

use super::{print, print_json};
use crate::args::{Format, ListArgs};
use truefold::Pieces;
use truefold::embed::{EMBEDDERS, GraphUse};

pub(crate) fn execute(args: &ListArgs) -> anyhow::Result<()> {
    if args.format == Format::Json {
        let one = |entry: &truefold::embed::Entry| {
            let parameters: Vec<_> = entry
                .info
                .parameters
                .iter()
                .map(|parameter| serde_json::json!({"name": parameter.name, "summary": parameter.summary}))
                .collect();
            serde_json::json!({
                "name": entry.info.name,
                "title": entry.info.title,
                "summary": entry.info.summary,
                "metric_scale": entry.info.metric_scale,
                "default": entry.info.default,
                "cost": entry.info.cost,
                "defaults": (entry.defaults)(),
                "parameters": parameters,
            })
        };
        return print_json(&EMBEDDERS.iter().map(one).collect());
    }
    for entry in EMBEDDERS {
        let info = entry.info;
        print(&format!("{}: {}\n  {}\n  cost: {}", info.name, info.title, info.summary, info.cost))?;
        let defaults = (entry.defaults)();
        for parameter in info.parameters {
            let default = match &defaults[parameter.name] {
                serde_json::Value::String(word) => word.clone(),
                value => value.to_string(),
            };
            let (name, values) = (parameter.name, parameter.values_in_words());
            print(&format!("    {name} = {default}\n      {}\n      values: {values}", parameter.summary))?;
        }
    }
    let alone: Vec<_> = EMBEDDERS
        .iter()
        .filter(|entry| entry.info.graph != GraphUse::Components)
        .map(|entry| entry.info.name)
        .collect();
    let (last, before) = alone.split_last().map_or(("none", &alone[..]), |(last, before)| (*last, before));
    let pieces = Pieces::ALL.map(Pieces::name);
    print(&format!(
        "All methods but {} and {}:\n    components = {}\n      what to do with a graph of several connected components\n      values: {}",
        before.join(", "),
        last,
        Pieces::default().name(),
        pieces.join(", "),
    ))
}
