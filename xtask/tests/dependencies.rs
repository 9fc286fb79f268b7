//! Licenses, versions and sources of all packages, by what cargo knows without a network.
//!
//! `deny.toml` holds the lists, and the workflow checks them by cargo-deny, with the advisories that it fetches. That
//! program takes minutes to compile; this test takes none, and asks the same of `cargo metadata`.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The strings of a list in `deny.toml`.
fn listed(key: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    let begin = text.find(&format!("\n{key} = [")).unwrap_or_else(|| panic!("deny.toml has no {key}"));
    let list = text[begin..].split_once('[').unwrap().1.split_once(']').unwrap().0;
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

fn packages() -> Vec<Value> {
    let words = ["metadata", "--format-version", "1", "--locked"];
    let done = Command::new(env!("CARGO")).args(words).current_dir(root()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let facts: Value = serde_json::from_slice(&done.stdout).unwrap();
    facts["packages"].as_array().unwrap().clone()
}

/// Whether a license expression can be met by allowed licenses: `AND` needs all parts, `OR` and `/` need one.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.trim();
    if let Some((first, second)) = split(expression, " AND ") {
        return is_allowed(first, allowed) && is_allowed(second, allowed);
    }
    if let Some((first, second)) = split(expression, " OR ").or_else(|| split(expression, "/")) {
        return is_allowed(first, allowed) || is_allowed(second, allowed);
    }
    match expression.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => is_allowed(inner, allowed),
        None => allowed.iter().any(|license| license == expression),
    }
}

/// The two sides of an operator that is outside of parentheses.
fn split<'a>(expression: &'a str, operator: &str) -> Option<(&'a str, &'a str)> {
    let outside = |at: &usize| {
        let before = &expression[..*at];
        before.matches('(').count() == before.matches(')').count()
    };
    let at = expression.match_indices(operator).map(|(at, _)| at).find(outside)?;
    Some((&expression[..at], &expression[at + operator.len()..]))
}

#[test]
fn licenses_are_free_ones() {
    let allowed = listed("allow");
    for (expression, wanted) in [
        ("MIT OR GPL-3.0", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("(MIT OR Apache-2.0) AND GPL-3.0", false),
        ("Unlicense/MIT", true),
        ("GPL-3.0", false),
    ] {
        assert_eq!(is_allowed(expression, &allowed), wanted, "{expression}");
    }
    for package in packages() {
        let license = package["license"].as_str().unwrap_or_default();
        assert!(is_allowed(license, &allowed), "{} has the license `{license}`", package["name"]);
    }
}

#[test]
fn no_package_is_there_twice_without_a_reason() {
    let skipped = listed("skip");
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages() {
        let (name, version) = (package["name"].as_str().unwrap(), package["version"].as_str().unwrap());
        let is_skipped = skipped.iter().any(|entry| {
            let (known, prefix) = entry.split_once('@').unwrap();
            known == name && version.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'))
        });
        if !is_skipped {
            versions.entry(name.to_owned()).or_default().push(version.to_owned());
        }
    }
    versions.retain(|_, versions| versions.len() > 1);
    assert!(versions.is_empty(), "{versions:?}");
}

#[test]
fn every_package_is_ours_or_from_the_registry() {
    for package in packages() {
        let source = package["source"].as_str().unwrap_or("here");
        let known = source == "here" || source == "registry+https://github.com/rust-lang/crates.io-index";
        assert!(known, "{} comes from {source}", package["name"]);
    }
}
