//! The machinery that embedders and measures share.

pub(crate) mod isotonic;
mod shortest_paths;

pub(crate) use shortest_paths::Graph;
