//! Every link in the project's pages leads to a file, and to a heading where it names one.

use std::path::{Path, PathBuf};

/// Not part of the project: what builds and tools leave behind.
const SKIPPED: [&str; 3] = ["target", "__pycache__", "node_modules"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// All Markdown files below a folder.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&&*name) {
            pages(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
}

/// The text outside of code.
fn prose(text: &str) -> String {
    let mut inside = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside {
            kept.extend(line.split('`').step_by(2));
            kept.push('\n');
        }
    }
    kept
}

/// The targets of links of a page.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let ends = prose.match_indices("](").map(|(at, _)| at + 2);
    ends.filter_map(|at| Some(prose[at..].split_once(')')?.0.to_owned())).collect()
}

/// The heading as it is linked to.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    kept.chars()
        .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter))
        .collect::<String>()
        .replace(' ', "-")
}

/// Where a link leads to nothing, if it does.
fn fault(page: &Path, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, heading) = link.split_once('#').unwrap_or((link, ""));
    let there = if path.is_empty() { page.to_owned() } else { page.parent().unwrap().join(path) };
    if !there.exists() {
        return Some(format!("{}: {link} leads nowhere", page.display()));
    }
    let text = std::fs::read_to_string(&there).unwrap_or_default();
    let known =
        text.lines().filter(|line| line.starts_with('#')).any(|line| anchor(line.trim_start_matches('#')) == heading);
    (!heading.is_empty() && !known).then(|| format!("{}: {link} names no heading", page.display()))
}

#[test]
fn every_link_leads_somewhere() {
    let mut found = Vec::new();
    pages(root(), &mut found);
    assert!(found.len() > 30, "{}", found.len());
    let faults = |page: &PathBuf| {
        let text = std::fs::read_to_string(page).unwrap();
        links(&text).iter().filter_map(|link| fault(page, link)).collect::<Vec<_>>()
    };
    let faults: Vec<String> = found.iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_broken_link_is_a_fault() {
    let page = root().join("docs").join("scale.md");
    assert!(fault(&page, "nowhere.md").is_some() && fault(&page, "#nothing").is_some());
    assert!(fault(&page, "python.md").is_none() && fault(&page, "https://example.org").is_none());
    assert_eq!(links("[a](b.md) `[c](d.md)`\n```\n[e](f.md)\n```\n"), ["b.md"]);
    assert_eq!(anchor(" A *new* heading, `x`"), "a-new-heading-x");
}

#[test]
fn every_page_of_the_docs_is_in_the_contents() {
    let docs = root().join("docs");
    let contents = ["index.md", "benchmarks/index.md"].map(|page| std::fs::read_to_string(docs.join(page)).unwrap());
    let mut found = Vec::new();
    pages(&docs, &mut found);
    for page in found {
        let name = page.strip_prefix(&docs).unwrap().with_extension("").to_string_lossy().replace('\\', "/");
        let short = name.strip_prefix("benchmarks/").unwrap_or(&name);
        let listed = contents.iter().any(|text| text.lines().any(|line| line == name || line == short));
        assert!(listed || name.ends_with("index"), "{name} is in no list of contents");
    }
}
