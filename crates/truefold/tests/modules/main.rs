//! Which modules of the library use which: dependencies point one way, from later lines of the table to earlier ones.
//!
//! To let a module use another one, add the name to its line. To add a module, add a line below everything it uses.

mod source;

use source::{SourceFile, read};
use std::collections::{BTreeMap, BTreeSet};

/// Every module with the modules that it uses, lowest first.
const ALLOWED: &[(&str, &str)] = &[
    ("names", ""),
    ("error", "names"),
    ("history", ""),
    ("random", ""),
    ("memory", "error"),
    ("warning", "error"),
    ("linalg", "error"),
    ("device", "error"),
    ("run", "device error memory"),
    ("points", "error"),
    ("dataset", "error memory points"),
    ("io", "error memory names points"),
    ("neighbors", "device error linalg memory points random run"),
    ("data", "error neighbors points"),
    ("problem", "data error neighbors points"),
    ("graph", "data error linalg memory neighbors points run"),
    ("statistics", ""),
    ("local", "data error linalg memory neighbors points random run statistics"),
    ("seam", "graph neighbors"),
    ("embedding", "error history points run seam warning"),
    ("laplacian", "error graph linalg memory neighbors points random run"),
    ("spectral", "error graph laplacian linalg neighbors points run"),
    ("frames", "embedding error graph history laplacian linalg local neighbors points run"),
    ("forces", "data embedding error graph history linalg local neighbors points problem run"),
    ("semidefinite", "error history laplacian linalg run"),
    ("measure", "data error graph linalg local memory names neighbors points run"),
    ("groups", "data error graph measure neighbors points run statistics"),
    ("suggest", "data error linalg local memory neighbors points run spectral"),
    ("denoise", "error linalg local memory neighbors points run suggest"),
    ("tear", "data embedding error frames graph linalg local neighbors points run seam warning"),
    (
        "refine",
        "data embedding error forces graph history laplacian linalg local measure names neighbors points problem run warning",
    ),
    (
        "embed",
        "data denoise embedding error forces frames graph history laplacian linalg local measure memory names neighbors points problem random \
         refine run seam semidefinite spectral suggest tear warning",
    ),
    ("model", "data embed embedding error io linalg local memory neighbors points run"),
    (
        "judgment",
        "data embedding error graph groups linalg local measure memory neighbors points run seam statistics warning",
    ),
    ("stability", "data error judgment linalg local measure memory neighbors points run"),
    (
        "compare",
        "data embed embedding error groups history judgment measure memory neighbors points problem run warning",
    ),
    ("short", "embed embedding error judgment neighbors points problem run"),
    ("sweep", "compare data embed error judgment local measure neighbors problem run"),
];

/// For each module the modules that it uses, with the files that use them.
type Edges = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The edges between modules, and the names of the crate root that could not be resolved.
fn edges(sources: &[SourceFile]) -> (Edges, Vec<String>) {
    let modules: BTreeSet<&str> = sources.iter().map(SourceFile::module).collect();
    let root = sources.iter().find(|source| source.module() == "lib");
    let exported = root.map(SourceFile::reexports).unwrap_or_default();
    let (mut edges, mut unknown) = (Edges::new(), Vec::new());
    for source in sources.iter().filter(|source| source.module() != "lib") {
        let uses = edges.entry(source.module().to_owned()).or_default();
        for name in source.crate_names() {
            let module = if modules.contains(name.as_str()) { Some(&name) } else { exported.get(&name) };
            match module {
                Some(module) if module == source.module() => {}
                Some(module) => {
                    uses.entry(module.clone()).or_default().insert(source.path.clone());
                }
                None => unknown.push(format!("{}: crate::{name}", source.path)),
            }
        }
    }
    (edges, unknown)
}

/// Modules of which each uses the next, and the last the first.
fn cycle(edges: &Edges) -> Option<Vec<String>> {
    fn walk(module: &str, edges: &Edges, path: &mut Vec<String>, done: &mut BTreeSet<String>) -> Option<Vec<String>> {
        if let Some(at) = path.iter().position(|earlier| earlier == module) {
            return Some(path[at..].to_vec());
        }
        if done.contains(module) {
            return None;
        }
        path.push(module.to_owned());
        let found = edges.get(module).into_iter().flat_map(BTreeMap::keys).find_map(|to| walk(to, edges, path, done));
        path.pop();
        done.insert(module.to_owned());
        found
    }
    let mut done = BTreeSet::new();
    edges.keys().find_map(|module| walk(module, edges, &mut Vec::new(), &mut done))
}

/// What is wrong with the edges, one line each.
fn faults(edges: &Edges, table: &[(&str, &str)]) -> Vec<String> {
    let mut faults = Vec::new();
    let allowed: BTreeMap<&str, BTreeSet<&str>> =
        table.iter().map(|(module, uses)| (*module, uses.split_whitespace().collect())).collect();
    for (module, uses) in edges {
        let Some(allowed) = allowed.get(module.as_str()) else {
            faults.push(format!("{module} has no line in the table"));
            continue;
        };
        for (to, files) in uses.iter().filter(|(to, _)| !allowed.contains(to.as_str())) {
            faults.push(format!("{module} must not use {to}, but does in {files:?}"));
        }
        for to in allowed.iter().filter(|to| !uses.contains_key(**to)) {
            faults.push(format!("{module} does not use {to} any more: take it out of the table"));
        }
    }
    for (place, (module, uses)) in table.iter().enumerate() {
        if !edges.contains_key(*module) {
            faults.push(format!("there is no module {module} any more: take its line out of the table"));
        }
        let earlier = |to: &str| table[..place].iter().any(|(module, _)| *module == to);
        for to in uses.split_whitespace().filter(|to| !earlier(to)) {
            faults.push(format!("{module} uses {to}, which must come earlier in the table"));
        }
    }
    if let Some(cycle) = cycle(edges) {
        let links = cycle.iter().zip(cycle.iter().cycle().skip(1));
        let links = links.map(|(from, to)| format!("{from} uses {to} in {:?}", edges[from][to]));
        faults.push(format!("a cycle: {}", links.collect::<Vec<_>>().join(", ")));
    }
    faults
}

#[test]
fn modules_use_only_what_the_table_allows() {
    let (edges, unknown) = edges(&read());
    assert!(unknown.is_empty(), "neither modules nor exported by lib.rs: {unknown:#?}");
    let faults = faults(&edges, ALLOWED);
    assert!(faults.is_empty(), "{faults:#?}");
}

fn small(files: &[(&str, &str)]) -> Edges {
    let sources: Vec<SourceFile> = files.iter().map(|(path, text)| SourceFile::new(path, text)).collect();
    edges(&sources).0
}

#[test]
fn edges_that_the_table_does_not_have_are_named_with_their_files() {
    let found = small(&[("lib.rs", "pub use b::Thing;"), ("a.rs", "use crate::Thing;"), ("b/mod.rs", "")]);
    assert!(faults(&found, &[("b", ""), ("a", "b")]).is_empty());
    assert_eq!(faults(&found, &[("b", ""), ("a", "")]), [r#"a must not use b, but does in {"a.rs"}"#]);
    assert_eq!(faults(&found, &[("a", "b"), ("b", "")]), ["a uses b, which must come earlier in the table"]);
    assert_eq!(faults(&found, &[("a", "")]).len(), 2);
}

#[test]
fn lines_that_are_not_needed_are_named() {
    let found = small(&[("a.rs", ""), ("b.rs", "")]);
    assert_eq!(
        faults(&found, &[("b", ""), ("a", "b"), ("c", "")]),
        [
            "a does not use b any more: take it out of the table",
            "there is no module c any more: take its line out of the table"
        ]
    );
}

#[test]
fn cycles_are_named_with_their_files() {
    let found = small(&[("a/x.rs", "use crate::b;"), ("b.rs", "use crate::c::Y;"), ("c.rs", "use super::a;")]);
    let faults = faults(&found, &[("c", "a"), ("b", "c"), ("a", "b")]);
    let cycle = r#"a cycle: a uses b in {"a/x.rs"}, b uses c in {"b.rs"}, c uses a in {"c.rs"}"#;
    assert!(faults.iter().any(|fault| fault == cycle), "{faults:?}");
}
