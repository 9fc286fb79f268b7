//! A problem: the input, its neighborhoods, and the dimension to embed in.

use crate::data::Input;
use crate::{Error, Neighborhoods, Points, Result};

/// What is to be embedded, and in how many dimensions.
///
/// ```
/// use truefold::{Neighborhoods, Points, Problem, Run};
///
/// let points = Points::from_rows(&[[0.0, 0.0], [1.0, 0.1], [2.0, 0.0], [3.0, 0.1]])?;
/// let neighborhoods = Neighborhoods::nearest(&points, 2, &Run::new())?;
/// assert_eq!(Problem::new(&points, &neighborhoods, 1)?.dim(), 1);
/// assert!(Problem::new(&points, &neighborhoods, 3).is_err());
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    input: Input<'a>,
    neighborhoods: &'a Neighborhoods,
    dim: usize,
}

impl<'a> Problem<'a> {
    /// For points.
    pub fn new(points: &'a Points, neighborhoods: &'a Neighborhoods, dim: usize) -> Result<Self> {
        Self::with_input(Input::Points(points), neighborhoods, dim)
    }

    /// For points or distances.
    pub fn with_input(input: Input<'a>, neighborhoods: &'a Neighborhoods, dim: usize) -> Result<Self> {
        neighborhoods.check_len(input.len())?;
        if input.len() < 2 {
            return Err(Error::TooFewPoints {
                task: "an embedding".into(),
                needed: 2,
                given: input.len(),
                advice: "give more points".into(),
            });
        }
        let most = input.dim().unwrap_or(input.len() - 1);
        if dim == 0 || dim > most {
            return Err(Error::parameter(
                "dim",
                dim,
                format!("is not between 1 and {most}, the dimensions of the data"),
                "choose fewer dimensions, at least one",
            ));
        }
        Ok(Self { input, neighborhoods, dim })
    }

    /// The input X.
    pub fn input(&self) -> Input<'a> {
        self.input
    }

    /// The coordinates, for methods that need them; `why` and `advice` are for who gave distances.
    pub(crate) fn coordinates(&self, why: &'static str, advice: &'static str) -> Result<&'a Points> {
        match self.input {
            Input::Points(points) => Ok(points),
            Input::Distances(_) => Err(Error::data(why, advice)),
        }
    }

    /// The neighborhoods, centers first.
    pub fn neighborhoods(&self) -> &'a Neighborhoods {
        self.neighborhoods
    }

    /// The dimension d of the embedding.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The number of points n.
    #[expect(clippy::len_without_is_empty, reason = "a problem has at least two points")]
    pub fn len(&self) -> usize {
        self.input.len()
    }
}
