//! The short way for the common case: points in, an embedding and its judgment out, with the defaults of everything.

use crate::{Embedding, Judge, Judgment, Method, Neighborhoods, Points, Problem, Result, Run};

/// An embedding with what it was made from and what is known of it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Judged {
    /// The neighborhoods that the method looked at, and in which the embedding was judged.
    pub neighborhoods: Neighborhoods,
    /// The coordinates, and what happened on the way to them.
    pub embedding: Embedding,
    /// How faithful they are.
    pub judgment: Judgment,
}

impl Method {
    /// Embeds `points` in `dim` dimensions by the `k` nearest neighbors of each, and judges the result.
    ///
    /// For another metric, a seed, a number of threads or progress, take the steps one by one: [`Search`](crate::Search),
    /// [`Problem`], [`Method::fit`], [`Judge`].
    ///
    /// ```
    /// use truefold::{Method, dataset, embed::Ltsa};
    ///
    /// let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(500))?;
    /// let judged = Method::of(Ltsa::default()).embed(&roll.points, 10, 2)?;
    /// assert_eq!((judged.embedding.points.dim(), judged.judgment.points), (2, 500));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn embed(&self, points: &Points, k: usize, dim: usize) -> Result<Judged> {
        let run = Run::new();
        let neighborhoods = Neighborhoods::nearest(points, k, &run)?;
        let embedding = self.fit(&Problem::new(points, &neighborhoods, dim)?, &run)?;
        let judgment = Judge::of_points(points, &neighborhoods).judge_embedding(&embedding, &run)?;
        Ok(Judged { neighborhoods, embedding, judgment })
    }
}

/// Judges the embedding `y` of `x`, from any program, in the `k` nearest neighbors of each point of `x`.
///
/// ```
/// use truefold::{dataset, judge};
///
/// let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(1000))?;
/// let judgment = judge(&roll.points, &roll.truth, 12)?;
/// assert!(judgment.scores.get("r_n").is_some_and(|score| score.value < 0.01));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn judge(x: &Points, y: &Points, k: usize) -> Result<Judgment> {
    let run = Run::new();
    Judge::of_points(x, &Neighborhoods::nearest(x, k, &run)?).judge(y, &run)
}
