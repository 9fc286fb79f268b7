//! `truefold measures`: what there is to measure.

use super::{print, print_json};
use crate::args::{Format, ListArgs};
use crate::session::print_table;
use truefold::measure::{Better, Cost, MEASURES};
use truefold_report::Table;

pub(crate) fn execute(args: &ListArgs) -> anyhow::Result<()> {
    match args.format {
        Format::Json => print_json(
            &MEASURES
                .iter()
                .map(|measure| {
                    let info = measure.info();
                    serde_json::json!({
                        "name": info.name,
                        "symbol": info.symbol,
                        "summary": info.summary,
                        "range": info.range,
                        "better": better(info.better),
                        "invariant": info.invariant,
                        "cost": cost(info.cost),
                        "default": info.default,
                    })
                })
                .collect(),
        ),
        Format::Table => {
            let rows = MEASURES
                .iter()
                .map(|measure| {
                    let info = measure.info();
                    let name = format!("{}{}", info.name, if info.default { " *" } else { "" });
                    let values = format!("{}, {} is better", info.range, better(info.better));
                    vec![name, info.summary.to_owned(), values, cost(info.cost).to_owned()]
                })
                .collect();
            print_table(&Table::of_text(&["name", "tells", "values", "time"], rows))?;
            print("\n* taken unless --measures names others; --measures all takes every one")
        }
    }
}

fn better(better: Better) -> &'static str {
    match better {
        Better::Lower => "lower",
        Better::Higher => "higher",
    }
}

fn cost(cost: Cost) -> &'static str {
    match cost {
        Cost::Linear => "linear",
        Cost::Quadratic => "quadratic",
    }
}
