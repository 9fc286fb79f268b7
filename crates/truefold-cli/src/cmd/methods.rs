//! `truefold methods`: what there is to embed with.

use super::{print, print_json};
use crate::args::{Format, ListArgs};
use truefold::embed::EMBEDDERS;

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
            print(&format!("    {} = {default}\n      {}", parameter.name, parameter.summary))?;
        }
    }
    print(
        "Every method that follows the graph, all but pca and mds: components = side-by-side\n  what to do with a graph in several pieces: side-by-side, largest, error",
    )
}
