//! A method with its settings, as a plan holds it.

use super::fit;
use super::{EMBEDDERS, Embedder, EmbedderInfo};
use crate::embed;
use crate::error::{Bound, Name};
use crate::{Embedding, Error, Pieces, Problem, Result, Run};
use std::sync::Arc;

/// A method, its parameters, and what it does with a graph in several pieces.
///
/// ```
/// use truefold::Method;
/// use truefold::{Pieces, embed::Lle};
///
/// let method = Method::new("lle", &[("reg".into(), "0.01".into()), ("components".into(), "largest".into())])?;
/// assert_eq!((method.label(), method.pieces()), ("lle", Pieces::Largest));
/// let same = Method::of(Lle { reg: 0.01, ..Lle::default() }).with_label("lle, softer");
/// assert_eq!(same.embedder().parameters(), method.embedder().parameters());
/// assert!(Method::new("isomapp", &[]).unwrap_err().to_string().contains("did you mean isomap"));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Clone)]
pub struct Method {
    label: String,
    embedder: Arc<dyn Embedder>,
    pieces: Pieces,
}

impl std::fmt::Debug for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Method")
            .field("label", &self.label)
            .field("parameters", &self.embedder.parameters())
            .field("pieces", &self.pieces)
            .finish()
    }
}

impl Method {
    /// The method of this name with these settings, name and value as typed; `components` sets the pieces.
    pub fn new(name: &str, settings: &[(String, String)]) -> Result<Self> {
        let entry = embed::find(name)?;
        let (own, of_pieces): (Vec<_>, Vec<_>) = settings.iter().cloned().partition(|(name, _)| name != "components");
        let method =
            Self { label: name.to_owned(), embedder: Arc::from(entry.build(&own)?), pieces: Pieces::default() };
        match of_pieces.last() {
            None => Ok(method),
            Some((name, value)) => {
                let pieces = serde_json::from_value(serde_json::Value::from(value.as_str())).map_err(|_| {
                    Error::parameter(
                        Name::setting(name.clone()),
                        value,
                        Bound::OneOf(["side-by-side", "largest", "error"].map(String::from).to_vec()),
                        "choose one of them",
                    )
                })?;
                method.with_pieces(pieces)
            }
        }
    }

    /// A method from its parameter struct, whether or not it is in the table.
    pub fn of(embedder: impl Embedder + 'static) -> Self {
        Self { label: embedder.info().name.to_owned(), embedder: Arc::new(embedder), pieces: Pieces::default() }
    }

    /// The methods that are compared unless others are named.
    pub fn defaults() -> Result<Vec<Self>> {
        EMBEDDERS.iter().filter(|entry| entry.info.default).map(|entry| Self::new(entry.info.name, &[])).collect()
    }

    /// The same method under another name, to tell it from one with other parameters.
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// What to do with a graph in several pieces; an error where the method does not look at the graph.
    pub fn with_pieces(mut self, pieces: Pieces) -> Result<Self> {
        if !self.embedder.follows_graph() && pieces != Pieces::default() {
            return Err(Error::parameter(
                "components",
                serde_json::to_string(&pieces).unwrap_or_default(),
                format!("would do nothing: {} embeds all points at once, whatever the graph", self.label),
                "leave it out",
            ));
        }
        self.pieces = pieces;
        Ok(self)
    }

    /// The name under which the method is shown.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// What the method is.
    pub fn info(&self) -> &'static EmbedderInfo {
        self.embedder.info()
    }

    /// The method itself.
    pub fn embedder(&self) -> &dyn Embedder {
        self.embedder.as_ref()
    }

    /// What it does with a graph in several pieces.
    pub fn pieces(&self) -> Pieces {
        self.pieces
    }

    /// An error if the parameters cannot work in `dim` dimensions, whatever the data.
    ///
    /// ```
    /// use truefold::Method;
    ///
    /// let method = Method::new("lle", &[("reg".into(), "-1".into())])?;
    /// assert!(method.check(2).unwrap_err().to_string().starts_with("reg = -1 is not a positive number"));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn check(&self, dim: usize) -> Result<()> {
        self.embedder.check_parameters(dim)
    }

    /// Embeds `problem`.
    pub fn fit(&self, problem: &Problem<'_>, run: &Run) -> Result<Embedding> {
        fit(self.embedder(), problem, self.pieces, run)
    }
}
