//! An embedding that the user brings, as a method: it is compared beside those that are made here.

use crate::convert::Held;
use serde_json::{Value, json};
use std::sync::Arc;
use truefold::embed::{Embedder, EmbedderInfo};
use truefold::error::Advice;
use truefold::{Error, Fit, Problem, Result};

static INFO: EmbedderInfo = EmbedderInfo {
    name: "given",
    title: "Given embedding",
    summary: "an embedding that another program made",
    // Most programs choose the scale of their maps.
    metric_scale: false,
    follows_graph: false,
    default: false,
    cost: "none",
    parameters: &[],
};

/// Coordinates that the user brings under a name.
pub struct Given {
    pub label: String,
    pub points: Arc<Held>,
}

impl Embedder for Given {
    fn info(&self) -> &'static EmbedderInfo {
        &INFO
    }

    fn parameters(&self) -> Value {
        json!({})
    }

    fn check_parameters(&self, dim: usize) -> Result<()> {
        let own = self.points.points()?.dim();
        if own == dim {
            return Ok(());
        }
        let problem = format!("{} has {own} columns, but the other embeddings have {dim}", self.label);
        Err(Error::data(problem, Advice::change("dim", format!("give {{dim}} = {own}, or maps of one size"))))
    }

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        let own = self.points.points()?.len();
        if own == problem.len() {
            return Ok(());
        }
        let text = format!("{} has {own} rows, but X has {}", self.label, problem.len());
        Err(Error::data(text, Advice::mend_data("give one row per row of X")))
    }

    fn embed(&self, _: &Problem<'_>, _: &mut Fit<'_>) -> Result<Vec<f64>> {
        Ok(self.points.points()?.values().to_vec())
    }
}
