//! Look a thing up by name, and suggest near misses.

use crate::Error;

/// The error for a name that is not among `known`, with the near misses.
pub(crate) fn unknown<'a>(kind: &'static str, given: &str, known: impl Iterator<Item = &'a str>) -> Error {
    let known: Vec<String> = known.map(str::to_owned).collect();
    let mut near: Vec<(f64, &String)> = known
        .iter()
        .map(|name| (strsim::jaro_winkler(&name.to_lowercase(), &given.to_lowercase()), name))
        .filter(|(score, _)| *score > 0.75)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let suggestions = near.into_iter().take(3).map(|(_, name)| name.clone()).collect();
    Error::Unknown { kind, given: given.to_owned(), suggestions, known }
}
