//! A problem: the input, its neighborhoods, and the dimension to embed in.

use crate::data::Input;
use crate::error::{Advice, Bound, Limit};
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
    /// The problem of embedding points.
    pub fn new(points: &'a Points, neighborhoods: &'a Neighborhoods, dim: usize) -> Result<Self> {
        Self::with_input(Input::Points(points), neighborhoods, dim)
    }

    /// The problem of embedding points or distances.
    pub fn with_input(input: Input<'a>, neighborhoods: &'a Neighborhoods, dim: usize) -> Result<Self> {
        neighborhoods.check_len(input.len())?;
        if input.len() < 2 {
            return Err(Error::TooFewPoints {
                task: "an embedding".into(),
                needed: 2,
                given: input.len(),
                advice: Box::new(Advice::mend_data("give more points")),
            });
        }
        let most = input.dim().unwrap_or(input.len() - 1);
        if dim == 0 || dim > most {
            let limit = Limit::because(Bound::Within(1.0, most as f64), "the data have no more dimensions");
            return Err(Error::parameter("dim", dim, limit, Advice::change("dim", "choose a {dim} in that range")));
        }
        Ok(Self { input, neighborhoods, dim })
    }

    /// The input X.
    pub fn input(&self) -> Input<'a> {
        self.input
    }

    /// The coordinates, for methods that need them; where there are only distances, an error that says `why` the method
    /// needs them, and what to do.
    pub fn coordinates(&self, why: &'static str, advice: &'static str) -> Result<&'a Points> {
        match self.input {
            Input::Points(points) => Ok(points),
            Input::Distances(_) => Err(Error::data(why, Advice::go_another_way(advice))),
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
