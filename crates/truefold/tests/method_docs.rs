//! `docs/methods.md` lists the parameters of the table, with their defaults and the values they take.

use serde_json::Value;
use truefold::embed::EMBEDDERS;

#[test]
fn the_docs_list_every_parameter_with_its_default_and_its_values() {
    let mut table = String::from("| method | parameter | default | values |\n|---|---|---|---|\n");
    for entry in EMBEDDERS {
        let defaults = (entry.defaults)();
        for info in entry.info.parameters {
            let default = match &defaults[info.name] {
                Value::String(word) => word.clone(),
                value => value.to_string(),
            };
            let (method, name, values) = (entry.info.name, info.name, info.values_in_words());
            table.push_str(&format!("| `{method}` | `{name}` | {default} | {values} |\n"));
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/methods.md");
    let docs = std::fs::read_to_string(path).unwrap();
    assert!(docs.contains(&table), "docs/methods.md should hold this table:\n\n{table}");
}
