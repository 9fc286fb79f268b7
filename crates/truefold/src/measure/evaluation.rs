//! An evaluation: an embedding beside its input, with what several measures need computed once.

use super::{distortion, embedded, procrustes::Fits, sample::Sample, sample::Sampling, scale::ScaleCurve};
use crate::data::Input;
use crate::error::{Advice, Bound, Limit};
use crate::graph::LengthGraph;
use crate::local::Fit;
use crate::{Error, Metric, Neighborhoods, Origin, Points, Result, Run};
use std::sync::OnceLock;

/// How an embedding is to be measured.
///
/// ```
/// use truefold::measure::{Evaluation, Options, Sampling, find};
/// use truefold::{Neighborhoods, Points, Run, Input};
///
/// let x = Points::new(100, 1, (0..100).map(f64::from).collect())?;
/// let run = Run::new().with_seed(3);
/// let neighborhoods = Neighborhoods::nearest(&x, 4, &run)?;
/// let options = Options { sample: Sampling::Points(20), ..Options::default() };
/// let evaluation = Evaluation::new(Input::Points(&x), &x, &neighborhoods, options, &run)?;
/// let score = find("trustworthiness")?.score(&evaluation)?;
/// assert_eq!((score.value, score.standard_error), (1.0, Some(0.0)));
/// assert_eq!(score.per_point.unwrap().iter().filter(|value| !value.is_nan()).count(), 20);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Whether a neighborhood includes its own center; the paper's printed table leaves it out.
    pub center: bool,
    /// At which points the quadratic measures look.
    pub sample: Sampling,
    /// From how many steps on the neighborhood graph two points count as distant.
    pub steps: usize,
    /// The distance by which input points are ranked, where the neighborhoods do not say.
    pub metric: Metric,
    /// Whether a verdict is wanted: a score of both directions and a class for every point.
    pub verdict: bool,
    /// Whether the Procrustes measures also say what chance gives, which takes longer than they do; a verdict needs it in any case.
    pub chance: bool,
    /// The false discovery rate at which points are told from chance.
    pub level: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            center: true,
            sample: Sampling::Automatic,
            steps: 4,
            metric: Metric::Euclidean,
            verdict: true,
            chance: true,
            level: 0.05,
        }
    }
}

impl Options {
    /// An error unless neighborhoods such as these can be measured so.
    pub fn check(&self, neighborhoods: &Neighborhoods) -> Result<()> {
        let at_least_two = |reason: &'static str| Limit::because(Bound::AtLeast(2.0), reason);
        if let Sampling::Points(sample @ ..2) = self.sample {
            let advice = Advice::change("sample", "choose a larger {sample}, or leave it out");
            return Err(Error::parameter("sample", sample, at_least_two("a standard error needs two points"), advice));
        }
        if !self.center && neighborhoods.largest_k() < 2 {
            return Err(Error::parameter(
                "k",
                neighborhoods.largest_k(),
                at_least_two("without its center, a neighborhood would be a single point"),
                Advice::change("k", "choose a larger {k}, or include the centers"),
            ));
        }
        if !(self.level > 0.0 && self.level < 1.0) {
            let limit = Limit::because(Bound::Between(0.0, 1.0), "it is a share of points");
            let advice = Advice::change("level", "choose a share such as 0.05");
            return Err(Error::parameter("level", self.level, limit, advice));
        }
        if self.steps < 2 {
            let advice = Advice::change("steps", "choose at least 2");
            return Err(Error::parameter("steps", self.steps, at_least_two("neighbors are one step apart"), advice));
        }
        Ok(())
    }
}

/// An embedding beside its input and the neighborhoods in which they are compared.
///
/// ```
/// use truefold::measure::{Evaluation, Options, find};
/// use truefold::{Neighborhoods, Points, Run, Input};
///
/// let x = Points::from_rows(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.1], [3.0, 0.0]])?;
/// let y = Points::new(4, 1, vec![0.0, 1.0, 2.0, 3.0])?;
/// let (run, options) = (Run::new(), Options { center: false, ..Options::default() });
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &run)?;
/// let evaluation = Evaluation::new(Input::Points(&x), &y, &neighborhoods, options, &run)?;
/// assert!(find("r_n")?.score(&evaluation)?.value < 0.01);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug)]
pub struct Evaluation<'a> {
    input: Input<'a>,
    embedding: &'a Points,
    neighborhoods: &'a Neighborhoods,
    options: Options,
    run: &'a Run,
    /// The numbers of the rows among all points, where they are some of them.
    rows: Option<&'a [u64]>,
    /// Pairs of rows that are glued in the map, the smaller row first, in increasing order.
    torn: Option<&'a [(u32, u32)]>,
    forward: OnceLock<Fits>,
    reverse: OnceLock<Fits>,
    embedded_neighbors: OnceLock<Neighborhoods>,
    graph: OnceLock<LengthGraph>,
    sample: OnceLock<Sample>,
    curve: OnceLock<(ScaleCurve, Vec<f64>)>,
    path_distortion: OnceLock<distortion::Found>,
}

impl<'a> Evaluation<'a> {
    /// Checks that the parts belong together.
    pub fn new(
        input: Input<'a>,
        embedding: &'a Points,
        neighborhoods: &'a Neighborhoods,
        options: Options,
        run: &'a Run,
    ) -> Result<Self> {
        embedding.check_squares("Y")?;
        if let Input::Points(points) = input {
            points.check_squares("X")?;
        }
        Self::of_rows(input, embedding, neighborhoods, options, run)
    }

    fn of_rows(
        input: Input<'a>,
        embedding: &'a Points,
        neighborhoods: &'a Neighborhoods,
        options: Options,
        run: &'a Run,
    ) -> Result<Self> {
        input.check_embedding(embedding)?;
        neighborhoods.check_len(input.len())?;
        options.check(neighborhoods)?;
        Ok(Self {
            input,
            embedding,
            neighborhoods,
            options,
            run,
            rows: None,
            torn: None,
            forward: OnceLock::new(),
            reverse: OnceLock::new(),
            embedded_neighbors: OnceLock::new(),
            graph: OnceLock::new(),
            sample: OnceLock::new(),
            curve: OnceLock::new(),
            path_distortion: OnceLock::new(),
        })
    }

    /// Of a part of all points, whose rows have these numbers among all: what the Procrustes measures say of a point is what they
    /// say of it among all points, chance included. The numbers of all points must be such that they can be squared.
    ///
    /// ```
    /// use truefold::measure::{Evaluation, Options, find};
    /// use truefold::{Input, Neighborhoods, Points, Run};
    ///
    /// let x = Points::new(100, 2, (0..200).map(|i| f64::from(i * i % 37)).collect())?;
    /// let y = Points::new(100, 1, (0..100).map(|i| f64::from(i * i % 23)).collect())?;
    /// let (run, options) = (Run::new(), Options::default());
    /// let all = Neighborhoods::nearest(&x, 5, &run)?;
    /// let whole = Evaluation::new(Input::Points(&x), &y, &all, options, &run)?;
    /// // The points from 40 on, and then those before, which have no lists of their own.
    /// let rows: Vec<u64> = (40..100).chain(0..40).collect();
    /// let lists: Vec<Vec<i64>> = (40..100)
    ///     .map(|row| all.neighbors(row).iter().map(|&near| (i64::from(near) + 60) % 100).collect())
    ///     .collect();
    /// let order: Vec<u32> = rows.iter().map(|&row| row as u32).collect();
    /// let (x, y, some) = (x.select(&order), y.select(&order), Neighborhoods::of_first(100, &lists)?);
    /// let part = Evaluation::of_part((Input::Points(&x), &rows), &y, &some, options, &run)?;
    /// let [one, other] = [find("r_n")?.score(&whole)?, find("r_n")?.score(&part)?];
    /// assert_eq!(one.per_point.unwrap()[40..], other.per_point.unwrap()[..60]);
    /// assert_eq!(one.per_point_chance.unwrap()[40..], other.per_point_chance.unwrap()[..60]);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn of_part(
        (input, rows): (Input<'a>, &'a [u64]),
        embedding: &'a Points,
        neighborhoods: &'a Neighborhoods,
        options: Options,
        run: &'a Run,
    ) -> Result<Self> {
        if rows.len() != input.len() {
            let problem = format!("{} numbers of rows were given for {} points", rows.len(), input.len());
            return Err(Error::data(problem, Advice::mend_data("give one for each point")));
        }
        Ok(Self { rows: Some(rows), ..Self::of_rows(input, embedding, neighborhoods, options, run)? })
    }

    /// With torn pairs glued, the smaller row first and in increasing order: paths of the map go from one bank to the
    /// other as they do in the data. Only the measure of paths looks at it.
    #[must_use]
    pub(crate) fn glued(self, torn: &'a [(u32, u32)]) -> Self {
        Self { torn: Some(torn), ..self }
    }

    /// The pairs that are glued, where some are.
    pub(super) fn torn(&self) -> Option<&'a [(u32, u32)]> {
        self.torn
    }

    /// The number of a row among all points.
    pub(super) fn number_of(&self, row: usize) -> u64 {
        self.rows.map_or(row as u64, |rows| rows[row])
    }

    /// The input.
    pub fn input(&self) -> &Input<'a> {
        &self.input
    }

    /// The embedding Y.
    pub fn embedding(&self) -> &'a Points {
        self.embedding
    }

    /// The neighborhoods, centers first.
    pub fn neighborhoods(&self) -> &'a Neighborhoods {
        self.neighborhoods
    }

    /// How the embedding is to be measured.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The run that the measures belong to.
    pub fn run(&self) -> &'a Run {
        self.run
    }

    /// The distance by which input points are ranked: that of the neighbor search where there was one.
    pub fn metric(&self) -> Metric {
        match *self.neighborhoods.origin() {
            Origin::Exact { metric, .. } | Origin::Approximate { metric, .. } => metric,
            _ => self.options.metric,
        }
    }

    /// The rows of neighborhood `index` of `neighborhoods` that are compared.
    #[inline(always)]
    pub(crate) fn members<'b>(&self, neighborhoods: &'b Neighborhoods, index: usize) -> &'b [u32] {
        if self.options.center { neighborhoods.members(index) } else { neighborhoods.neighbors(index) }
    }

    /// The number of neighborhoods in which X and Y leave the rotation open in some direction.
    pub fn undetermined(&self) -> Result<usize> {
        Ok(self.forward()?.fits.iter().filter(|fit| !fit.determined).count())
    }

    /// The Procrustes statistics of the neighborhoods of the data, and what they would be by chance where that is asked for.
    pub(crate) fn forward(&self) -> Result<&Fits> {
        if let Some(fits) = self.forward.get() {
            return Ok(fits);
        }
        let fits = Fits::new(self, self.neighborhoods, None, "Procrustes fits")?;
        // In a part all points may coincide with their neighbors.
        if self.rows.is_none() && fits.fits.iter().all(|fit| fit.extent == 0.0) {
            return Err(Error::data(
                format!(
                    "every neighborhood of X is a single place: all {} points coincide with their neighbors",
                    fits.fits.len()
                ),
                Advice::change("k", "remove duplicates, or choose a larger {k}"),
            ));
        }
        Ok(self.forward.get_or_init(|| fits))
    }

    /// Whether the distance of any two points is known, as the neighborhoods of a map need it.
    pub(crate) fn knows_all_distances(&self) -> bool {
        self.input.knows_all_distances()
    }

    /// The same on the neighborhoods of the map: the nearest embedded points of each point, and what they are in X.
    pub(crate) fn reverse(&self) -> Result<&Fits> {
        if let Some(fits) = self.reverse.get() {
            return Ok(fits);
        }
        let known = self.forward.get().map(|fits| (self.neighborhoods, fits));
        let fits = Fits::new(self, self.embedded_neighbors()?, known, "Procrustes fits of the map's neighborhoods")?;
        Ok(self.reverse.get_or_init(|| fits))
    }

    /// The median over the neighborhoods of the scale that fits Y best to X; 1 where no neighborhood has one.
    pub(crate) fn scale(&self) -> Result<f64> {
        let mut scales: Vec<f64> = self.forward()?.fits.iter().filter_map(Fit::scale).collect();
        let middle = scales.len() / 2;
        Ok(if scales.is_empty() { 1.0 } else { *scales.select_nth_unstable_by(middle, f64::total_cmp).1 })
    }

    /// The nearest embedded points of each point, as many as it has neighbors.
    pub(crate) fn embedded_neighbors(&self) -> Result<&Neighborhoods> {
        if let Some(neighbors) = self.embedded_neighbors.get() {
            return Ok(neighbors);
        }
        let neighbors = embedded::neighbors(self.embedding, self.neighborhoods, self.run)?;
        Ok(self.embedded_neighbors.get_or_init(|| neighbors))
    }

    /// The undirected neighborhood graph with the Euclidean lengths of its edges in the input.
    pub(super) fn graph(&self) -> &LengthGraph {
        self.graph.get_or_init(|| LengthGraph::new(self.neighborhoods, |a, b| self.input.distance(a, b)))
    }

    /// The points that the quadratic measures sample.
    pub(super) fn sample(&self) -> &Sample {
        self.sample.get_or_init(|| Sample::new(self.input.len(), self.options.sample, self.run.seed()))
    }

    /// What the map does to the lengths of shortest paths, on the whole and at each point.
    pub(super) fn path_distortion(&self) -> Result<&distortion::Found> {
        if let Some(found) = self.path_distortion.get() {
            return Ok(found);
        }
        let found = distortion::Found::new(self)?;
        Ok(self.path_distortion.get_or_init(|| found))
    }

    /// The neighborhoods that are kept at every scale, and the area of each sampled point's own curve.
    pub(super) fn curve(&self) -> Result<&(ScaleCurve, Vec<f64>)> {
        if let Some(curve) = self.curve.get() {
            return Ok(curve);
        }
        let curve = ScaleCurve::with_areas(self)?;
        Ok(self.curve.get_or_init(|| curve))
    }
}
