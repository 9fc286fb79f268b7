//! Where results are written: a benchmark's own page, and marked places in other pages of the documentation.
//!
//! A page of `docs/` that shows measured figures keeps them between two lines, `<!-- bench: begin -->` and
//! `<!-- bench: end -->`; the rest of it is written by hand and stays.

use super::table::{Row, Section, markdown};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

const BEGIN: &str = "<!-- bench: begin -->\n";
const END: &str = "<!-- bench: end -->";

/// A page, or what goes into the marked place of one.
pub struct Page {
    /// Its path in the folder of the documentation.
    pub path: String,
    /// The text of the benchmark.
    pub text: String,
    /// Whether the text goes between the marks of an existing page.
    filled: bool,
}

/// The pages of one run. Unless it is `published`, everything is on the benchmark's own page.
pub fn pages(name: &str, made: &str, rows: &[Row], sections: &[Section], published: bool) -> Vec<Page> {
    let mut own = format!("# Benchmark: {name}\n\n{made}\n");
    if !rows.is_empty() {
        own.push_str(&format!("\n{}", markdown(rows)));
    }
    let mut pages: Vec<Page> = Vec::new();
    for section in sections {
        match &section.page {
            Some(path) if published => match pages.iter_mut().find(|page| page.path == *path) {
                // The first table of a page stands under the page's own title.
                Some(page) => page.text.push_str(&format!("\n## {}\n\n{}", section.title, section.body())),
                None => {
                    let text = format!("{made}\n\n{}", section.body());
                    pages.push(Page { path: path.clone(), text, filled: true });
                }
            },
            _ => own.push_str(&format!("\n## {}\n\n{}", section.title, section.body())),
        }
    }
    pages.insert(0, Page { path: format!("benchmarks/{name}.md"), text: own, filled: false });
    pages
}

impl Page {
    /// Writes it into the folder of the documentation.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let path = folder.join(&self.path);
        let text = if self.filled {
            let old = fs::read_to_string(&path).with_context(|| format!("cannot read {}", self.path))?;
            fill(&old, &self.text).with_context(|| format!("{} has no place marked for figures", self.path))?
        } else {
            self.text.clone()
        };
        fs::write(&path, text).with_context(|| format!("cannot write {}", self.path))
    }
}

/// The page with `text` between its marks; `None` if it has no marks.
fn fill(page: &str, text: &str) -> Option<String> {
    let begin = page.find(BEGIN)? + BEGIN.len();
    let end = begin + page[begin..].find(END)?;
    Some(format!("{}{text}{}", &page[..begin], &page[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let page = format!("before\n{BEGIN}old\n{END}\nafter\n");
        let filled = fill(&page, "new\n").unwrap();
        assert_eq!(filled, format!("before\n{BEGIN}new\n{END}\nafter\n"));
        assert_eq!(fill(&filled, "new\n").unwrap(), filled);
        assert_eq!(fill("no marks", "new"), None);
        assert_eq!(fill(&format!("{END}\n{BEGIN}"), "new"), None);
    }

    #[test]
    fn unpublished_findings_stay_on_the_benchmarks_own_page() {
        let section = Section { title: "a".into(), page: Some("other.md".into()), ..Section::default() };
        let of = |published| pages("embed", "made", &[], std::slice::from_ref(&section), published);
        assert_eq!(of(false).len(), 1);
        assert!(of(false)[0].text.contains("## a"));
        assert_eq!(of(true)[1].path, "other.md");
        assert!(!of(true)[0].text.contains("## a"));
    }

    #[test]
    fn sections_of_one_page_follow_each_other() {
        let section =
            |title: &str| Section { title: title.into(), page: Some("other.md".into()), ..Section::default() };
        let made = pages("embed", "made", &[], &[section("first"), section("second")], true);
        assert_eq!(made.len(), 2);
        assert!(!made[1].text.contains("first") && made[1].text.contains("\n## second\n"), "{}", made[1].text);
        assert_eq!(made[1].text.matches("made").count(), 1);
    }
}
