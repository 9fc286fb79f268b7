//! What version 0.1 printed as JSON is still there: every key, with a value of its kind.
//!
//! `before/json_of_0.1.json` holds the output of the commands that print JSON, with the first row of each list; `commands.txt` all
//! commands, in order. Both stay as they are as long as the version of the format is 1.

mod running;

use running::done;
use serde_json::Value;
use std::path::Path;

/// The places at which something of `old` is missing from `new` or of another kind.
fn lost(place: &str, old: &Value, new: &Value, found: &mut Vec<String>) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in old {
                let place = format!("{place}.{key}");
                match new.get(key) {
                    Some(new) => lost(&place, value, new, found),
                    // Facts tell what happened on the way, which may be something else.
                    None if place.starts_with(".facts.") => {}
                    None => found.push(format!("{place} is gone")),
                }
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            if let (Some(old), Some(new)) = (old.first(), new.first()) {
                lost(&format!("{place}[0]"), old, new, found);
            }
        }
        // A value may be unknown in one of the two.
        (Value::Null, _) | (_, Value::Null) => {}
        (Value::Bool(_), Value::Bool(_))
        | (Value::Number(_), Value::Number(_))
        | (Value::String(_), Value::String(_)) => {}
        _ => found.push(format!("{place} was {old}, and is {new}")),
    }
}

#[test]
fn every_key_of_0_1_is_there() {
    let before = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/before");
    let stored: Vec<Value> =
        serde_json::from_str(&std::fs::read_to_string(before.join("json_of_0.1.json")).unwrap()).unwrap();
    let mut stored = stored.iter();
    let folder = tempfile::tempdir().unwrap();
    for command in std::fs::read_to_string(before.join("commands.txt")).unwrap().lines() {
        let output = done(folder.path(), &command.split(' ').collect::<Vec<_>>());
        if !command.contains("json") {
            continue;
        }
        let (old, new) = (stored.next().unwrap(), serde_json::from_str::<Value>(&output).unwrap());
        assert_eq!(old["command"], *command);
        let mut found = Vec::new();
        lost("", &old["printed"], &new, &mut found);
        assert!(found.is_empty(), "`{command}`: {}", found.join("; "));
        if let Value::Object(facts) = new {
            assert_eq!(facts.iter().next(), Some((&"version".to_owned(), &1.into())), "`{command}`");
        }
    }
    assert!(stored.next().is_none());
}

#[test]
fn what_is_lost_is_found() {
    let (old, new) =
        (serde_json::json!({ "a": 1, "b": [{ "c": "x" }] }), serde_json::json!({ "a": "1", "b": [{}], "d": 2 }));
    let mut found = Vec::new();
    lost("", &old, &new, &mut found);
    assert_eq!(found, [".a was 1, and is \"1\"", ".b[0].c is gone"]);
}
