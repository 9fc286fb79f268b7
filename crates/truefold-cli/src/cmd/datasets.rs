//! `truefold datasets`: what `generate` can make.

use super::{print, print_json};
use crate::args::{Format, ListArgs};
use crate::session::print_table;
use truefold::dataset::{DATASETS, Isometric};
use truefold_report::Table;

pub(crate) fn execute(args: &ListArgs) -> anyhow::Result<()> {
    if args.format == Format::Json {
        return print_json(&DATASETS.iter().map(|dataset| serde_json::json!(dataset.info())).collect());
    }
    let rows = DATASETS
        .iter()
        .map(|dataset| {
            let info = dataset.info();
            let flat = match info.isometric {
                Isometric::Globally => "yes",
                Isometric::Locally => "locally",
                Isometric::No => "no",
            };
            let dims = format!("{} in {}", info.intrinsic_dim, info.input_dim);
            vec![info.name.to_owned(), dims, flat.to_owned(), info.summary.to_owned()]
        })
        .collect();
    print_table(&Table::of_text(&["name", "dim", "isometric", "what it is"], rows))?;
    print("\nSettings, as in --set height=3:")?;
    for dataset in DATASETS {
        for setting in dataset.info().settings {
            print(&format!("  {:<16} {setting}", dataset.info().name))?;
        }
    }
    Ok(())
}
