//! A source file of the library: the names of the crate root that its code uses, tests and comments left out.
//!
//! The code is formatted by rustfmt, so an item that begins on a line ends with that line, or with the first line after
//! it that has the same indentation and begins with a closing bracket.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A file of `src`.
pub struct SourceFile {
    /// Its path in `src`.
    pub path: String,
    /// Its code.
    code: String,
    /// The modules that it declares for tests alone.
    test_modules: Vec<String>,
}

/// All files of the library that are not for tests alone.
pub fn read() -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut sources, mut waiting) = (Vec::new(), vec![root.clone()]);
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            sources.push(SourceFile::new(&name, &std::fs::read_to_string(&path).unwrap()));
        }
    }
    let for_tests: Vec<String> = sources.iter().flat_map(SourceFile::test_paths).collect();
    sources.retain(|source| !for_tests.iter().any(|module| source.is_in(module)));
    sources
}

impl SourceFile {
    pub fn new(path: &str, text: &str) -> Self {
        let (code, test_modules) = without_tests(text);
        Self { path: path.to_owned(), code, test_modules }
    }

    /// The module of the crate root that the file belongs to.
    pub fn module(&self) -> &str {
        self.path.split('/').next().unwrap_or_default().trim_end_matches(".rs")
    }

    /// The path of its module, without `.rs` and `/mod.rs`.
    fn module_path(&self) -> &str {
        self.path.trim_end_matches(".rs").trim_end_matches("/mod")
    }

    /// The paths of the modules that it declares for tests alone.
    fn test_paths(&self) -> impl Iterator<Item = String> + '_ {
        self.test_modules.iter().map(|name| format!("{}/{name}", self.module_path()))
    }

    fn is_in(&self, module: &str) -> bool {
        self.module_path() == module || self.path.starts_with(&format!("{module}/"))
    }

    /// The names of the crate root that the code uses: the first after `crate::`, or after as many `super::` as lead
    /// there.
    pub fn crate_names(&self) -> BTreeSet<String> {
        let depth = self.module_path().split('/').count();
        let supers = "super::".repeat(depth);
        let mut names = BTreeSet::new();
        for prefix in ["crate::", &supers] {
            for (at, _) in self.code.match_indices(prefix) {
                let before = &self.code[..at];
                if !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
                    names.extend(first_names(&self.code[at + prefix.len()..]));
                }
            }
        }
        names.remove("super");
        names
    }

    /// The names that `pub use` makes available at the crate root, each with its module.
    pub fn reexports(&self) -> BTreeMap<String, String> {
        let mut exported = BTreeMap::new();
        for item in self.code.split(';').filter_map(|item| item.trim().strip_prefix("pub use ")) {
            let Some((module, names)) = item.split_once("::") else { continue };
            let names = names.trim().trim_start_matches('{').trim_end_matches('}');
            for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                let name = name.rsplit(" as ").next().unwrap_or(name);
                exported.insert(name.to_owned(), module.trim().to_owned());
            }
        }
        exported
    }
}

/// The code without comments and without what is for tests alone, and the names of the test modules in other files.
fn without_tests(text: &str) -> (String, Vec<String>) {
    let (mut code, mut test_modules) = (String::new(), Vec::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let attribute = line.trim_start();
        if attribute.starts_with("#[cfg(test)]") || attribute.starts_with("#[cfg(all(test,") {
            test_modules.extend(skip_item(&mut lines));
        } else {
            code.push_str(line.split("//").next().unwrap_or_default());
            code.push('\n');
        }
    }
    (code, test_modules)
}

/// Skips the item that begins on the next line; its name, if it is a module in another file.
fn skip_item<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Option<String> {
    // Other attributes may stand between.
    let first = lines.find(|line| !line.trim_start().starts_with("#["))?;
    if first.ends_with(';') {
        return Some(first.trim().strip_prefix("mod ")?.trim_end_matches(';').to_owned());
    }
    let indentation = &first[..first.len() - first.trim_start().len()];
    let ends = |line: &&str| line.strip_prefix(indentation).is_some_and(|rest| rest.starts_with([')', ']', '}']));
    lines.find(ends);
    None
}

/// The first name of a path, or of each path in a group of them.
fn first_names(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else { return vec![identifier(path)] };
    let (mut names, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.push(identifier(group[start..at].trim_start()));
                start = at + 1;
            }
            _ => {}
        }
        if c == '}' && depth == 0 && start == at + 1 {
            break;
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn identifier(path: &str) -> String {
    path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn names_are_found_in_paths_and_groups() {
    let names = |path: &str, text: &str| SourceFile::new(path, text).crate_names().into_iter().collect::<Vec<_>>();
    assert_eq!(names("a.rs", "use crate::b::C;\nfn f() -> crate::Result<()> {}"), ["Result", "b"]);
    assert_eq!(names("a.rs", "use crate::{\n    b::{C, d::E},\n    Points,\n};\nuse std::io;"), ["Points", "b"]);
    assert_eq!(names("a.rs", "pub(crate) fn f() {} // crate::b\n/// crate::c\nuse my_crate::x;"), [""; 0]);
    assert_eq!(names("a/mod.rs", "use super::b;"), ["b"]);
    assert_eq!(names("a/x.rs", "use super::y;\nuse super::super::b::C;"), ["b"]);
    assert_eq!(names("a/x/y.rs", "use super::super::z;"), [""; 0]);
}

#[test]
fn tests_are_left_out() {
    let text = "use crate::a;\n#[cfg(all(test, feature = \"x\"))]\nmod far;\n#[cfg(test)]\nuse crate::b;\n#[cfg(test)]\nmod tests {\n    \
                use crate::c;\n    fn f() {}\n}\n#[cfg(test)]\nfn g() {\n    crate::d::h();\n}\nuse crate::e;\n";
    let source = SourceFile::new("x/mod.rs", text);
    assert_eq!(source.crate_names().into_iter().collect::<Vec<_>>(), ["a", "e"]);
    assert_eq!(source.test_paths().collect::<Vec<_>>(), ["x/far"]);
    assert!(SourceFile::new("x/far.rs", "").is_in("x/far") && SourceFile::new("x/far/y.rs", "").is_in("x/far"));
    assert!(!SourceFile::new("x/farther.rs", "").is_in("x/far"));
}

#[test]
fn exports_of_the_root_lead_to_their_modules() {
    let text = "mod a;\npub use a::{B, C as D};\npub use e::F;\n";
    let exports = SourceFile::new("lib.rs", text).reexports();
    let expected = [("B", "a"), ("D", "a"), ("F", "e")].map(|(name, module)| (name.to_owned(), module.to_owned()));
    assert_eq!(exports, BTreeMap::from(expected));
}
