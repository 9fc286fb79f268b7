//! An embedding that another program made, compared like those that are made here.

use crate::embed::{EmbedderInfo, GraphUse};
use crate::history::Stop;
use crate::{Embedding, FitInfo, Points};
use serde_json::{Map, Value};

/// What is known of an embedding that another program made.
pub(super) static GIVEN: EmbedderInfo = EmbedderInfo {
    name: "given",
    title: "Given embedding",
    summary: "an embedding that another program made",
    metric_scale: true,
    graph: GraphUse::None,
    default: false,
    cost: "none",
    parameters: &[],
};

/// Coordinates under a name.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenMap {
    /// What it is called in tables.
    pub label: String,
    /// The coordinates: row i belongs to row i of the data.
    pub points: Points,
    /// The seconds that it took to make, where they are known.
    pub seconds: Option<f64>,
}

impl GivenMap {
    /// These coordinates under this name.
    pub fn new(label: impl Into<String>, points: Points) -> Self {
        Self { label: label.into(), points, seconds: None }
    }

    /// As an embedding about whose making nothing is known.
    pub(super) fn embedding(&self, seed: u64) -> Embedding {
        let info = FitInfo {
            method: self.label.clone(),
            parameters: Value::Object(Map::new()),
            seed,
            stop: Stop::Direct,
            stages: Vec::new(),
            traces: Vec::new(),
            facts: Map::new(),
            warnings: Vec::new(),
        };
        Embedding { points: self.points.clone(), rows: None, tear: None, info }
    }
}
