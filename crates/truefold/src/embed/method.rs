//! A method with its parameters and a label, as comparisons and front ends use it.

use super::fit;
use super::{EMBEDDERS, Embedder, EmbedderInfo, GraphUse};
use crate::embed;
use crate::error::{Advice, Bound, Name};
use crate::suggest::Choice;
use crate::{Embedding, Error, Pieces, Problem, Result, Run};
use std::sync::Arc;

/// A method, its parameters, and what it does with a graph of several components.
///
/// ```
/// use truefold::Method;
/// use truefold::{Pieces, embed::Lle};
///
/// let method = Method::new("lle", &[("reg".into(), "0.01".into()), ("components".into(), "largest".into())])?;
/// assert_eq!((method.label(), method.pieces()), ("lle", Pieces::Largest));
/// let same = Method::of(Lle { reg: 0.01, ..Lle::default() }).with_label("lle, softer");
/// assert_eq!(same.embedder().parameters(), method.embedder().parameters());
/// let psa = |word: &str| Method::new("psa", &[("refine".into(), word.into())]).map(|psa| psa.embedder().parameters());
/// assert_eq!(psa("R_C")?, psa("r-c")?);
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
                let pieces = Pieces::ALL.into_iter().find(|pieces| pieces.name() == value);
                let names = || Bound::OneOf(Pieces::ALL.map(|pieces| pieces.name().to_owned()).to_vec());
                let name = || Name::setting(name.clone());
                method.with_pieces(pieces.ok_or_else(|| {
                    Error::parameter(name(), value, names(), Advice::change(name(), "choose one of them"))
                })?)
            }
        }
    }

    /// The method that was chosen, with these settings; an error for a setting that it does not have.
    ///
    /// ```
    /// use truefold::{Method, Points, Run, Suggest};
    ///
    /// let three = Points::from_rows(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// let choice = Suggest::default().method(&three, &Run::new())?;
    /// assert_eq!(Method::chosen(&choice, &[])?.label(), "pca");
    /// let refused = Method::chosen(&choice, &[("tear".into(), "false".into())]).unwrap_err().to_string();
    /// assert!(refused.starts_with("tear = false belongs to another method: pca was chosen, which has no parameters"));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn chosen(choice: &Choice, settings: &[(String, String)]) -> Result<Self> {
        let known = embed::find(choice.method)?.info.parameters;
        let of_another = |name: &str| name != "components" && !known.iter().any(|info| info.name == name);
        match settings.iter().find(|(name, _)| of_another(name)) {
            None => Self::new(choice.method, settings),
            Some((name, value)) => {
                let names = known.iter().map(|info| info.name).collect::<Vec<_>>().join(", ");
                let has = if names.is_empty() { "has no parameters".to_owned() } else { format!("has {names}") };
                let limit = format!("belongs to another method: {} was chosen, which {has}", choice.method);
                let advice = Advice::change("method", "leave it out, or name the {method} that you want");
                Err(Error::parameter(Name::setting(name.clone()), value, limit, advice))
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

    /// The same method under another name, to distinguish it from one with other parameters.
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// What to do with a graph of several components; an error where the method does not use the graph.
    pub fn with_pieces(mut self, pieces: Pieces) -> Result<Self> {
        if self.info().graph != GraphUse::Components && pieces != Pieces::default() {
            let name = Name::setting("components");
            let limit = format!("has no effect: {} embeds all points at once, whatever the graph", self.label);
            return Err(Error::parameter(name.clone(), pieces.name(), limit, Advice::leave_out(name, "leave it out")));
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

    /// What it does with a graph of several components.
    pub fn pieces(&self) -> Pieces {
        self.pieces
    }

    /// An error if the parameters cannot work in `dim` dimensions, whatever the data.
    ///
    /// ```
    /// use truefold::Method;
    ///
    /// let method = Method::new("landmark-isomap", &[("landmarks".into(), "3".into())])?;
    /// assert!(method.check(2).is_ok());
    /// assert!(method.check(3).unwrap_err().to_string().starts_with("landmarks = 3 is not above 3"));
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
