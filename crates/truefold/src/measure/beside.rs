//! Sampled points beside a part of all points: what the part adds to what the global measures count of each.
//!
//! Counts of several parts are added, so that points that lie on several machines are measured part by part, with the
//! results of one: ranks are sums of whole numbers, values have the bits of one table of all points.

use super::distances::Distances;
use super::stress::Pairs;
use super::{isotonic, ranks};
use crate::error::Advice;
use crate::neighbors::Space;
use crate::{Error, Metric, Points, Result, Run};
use std::ops::Range;

/// Queries that share the tiles they are compared with.
const BLOCK: usize = 64;

/// Points whose first rows are sampled ones, the *queries*, and whose other rows are a part of all points.
///
/// ```
/// use truefold::measure::Beside;
/// use truefold::{Metric, Points, Run};
///
/// // The query 0.0, which is row 1 of a part of four points.
/// let points = Points::new(5, 1, vec![0.0, 3.0, 0.0, 1.0, 2.0])?;
/// let beside = Beside::new(&points, &[Some(1)], Metric::Euclidean)?;
/// // Two rows come before one at a value of 4, the query itself among them; row 3 of the part is at that value.
/// assert_eq!(beside.before(&[vec![(4.0, 3)]], &Run::new())?, [[2]]);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug)]
pub struct Beside<'a> {
    pub(super) distances: Distances<'a>,
    /// Where each query is among the points, if it is in the part.
    pub(super) own: Vec<usize>,
}

impl<'a> Beside<'a> {
    /// `own` tells for each query which row of the part it is, if it is one. Numbers must be such that they can be squared.
    pub fn new(points: &'a Points, own: &[Option<usize>], metric: Metric) -> Result<Self> {
        let (queries, part) = (own.len(), points.len().saturating_sub(own.len()));
        if points.len() < queries || own.iter().flatten().any(|&row| row >= part) {
            let problem = format!("{queries} queries do not fit to {} points", points.len());
            return Err(Error::data(problem, Advice::mend_data("give the queries first, and rows of the part")));
        }
        let distances = Distances::Between(Space::of_part(points, metric)?);
        let own = own.iter().map(|own| own.map_or(usize::MAX, |row| queries + row)).collect();
        Ok(Self { distances, own })
    }

    /// The number of queries.
    pub fn queries(&self) -> usize {
        self.own.len()
    }

    /// The rows of the part.
    pub(super) fn part(&self) -> Range<usize> {
        self.own.len()..self.distances.len()
    }

    /// For each target of each query the number of rows of the part before it, the query itself included.
    ///
    /// A target is the value of a pair, by which pairs are ordered, and the row of the part that it stands before where values
    /// tie; the targets of a query are in order.
    pub fn before(&self, targets: &[Vec<(f64, u32)>], run: &Run) -> Result<Vec<Vec<u64>>> {
        let found = run.chunks("ranks", self.queries(), BLOCK, |range| {
            run.check()?;
            let shift = self.queries() as u32;
            let local = |some: &Vec<(f64, u32)>| some.iter().map(|&(value, row)| (value, row + shift)).collect();
            Ok(ranks::before(&self.distances, range.start, self.part(), targets[range].iter().map(local).collect()))
        })?;
        Ok(found.concat())
    }

    /// The number of pairs and the sum of embedded distances in each bin of input distances, for the stress of a map;
    /// `reach` is a distance that no pair of the data exceeds.
    pub fn bins(&self, map: &Beside<'_>, reach: f64, run: &Run) -> Result<Vec<[f64; 2]>> {
        self.pairs(map, reach).bins(&self.sources(), run)
    }

    /// For each query the sums of (d - f)^2 and of d^2 over its pairs with the part, where `fitted` are the values of f in
    /// each bin; see [`fit_stress`].
    pub fn residuals(&self, map: &Beside<'_>, reach: f64, fitted: &[f64], run: &Run) -> Result<Vec<[f64; 2]>> {
        self.pairs(map, reach).residuals(&self.sources(), fitted, run)
    }

    fn sources(&self) -> Vec<u32> {
        (0..self.queries() as u32).collect()
    }

    fn pairs<'b>(&'b self, map: &'b Beside<'_>, reach: f64) -> Pairs<'b> {
        Pairs {
            input: &self.distances,
            embedded: &map.distances,
            scale: if reach > 0.0 { 1.0 / reach } else { 0.0 },
            others: self.part(),
            own: Some(&self.own),
            once: false,
        }
    }
}

/// The best monotone function of input distances, bin by bin, from the bins of all parts added.
///
/// ```
/// use truefold::measure::{Beside, fit_stress, stress_of_sums};
/// use truefold::{Metric, Points, Run};
///
/// let line = Points::new(4, 1, vec![0.0, 0.0, 1.0, 3.0])?;
/// let (beside, run) = (Beside::new(&line, &[Some(0)], Metric::Euclidean)?, Run::new());
/// let fitted = fit_stress(&beside.bins(&beside, 3.0, &run)?);
/// let sums = beside.residuals(&beside, 3.0, &fitted, &run)?;
/// assert_eq!((sums[0], stress_of_sums(&sums, 3).0), ([0.0, 10.0], 0.0));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn fit_stress(bins: &[[f64; 2]]) -> Vec<f64> {
    isotonic::fit(bins)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Evaluation, Options, Sampling, find, order_kept, sampled_mean, stress_of_sums};
    use crate::{Input, Neighborhoods};

    const COUNT: usize = 90;

    fn data() -> (Points, Points) {
        let x = Points::new(COUNT, 3, (0..3 * COUNT).map(|i| f64::from((i * i % 61) as u32)).collect()).unwrap();
        let y = Points::new(COUNT, 2, (0..2 * COUNT).map(|i| f64::from((i * i % 47) as u32)).collect()).unwrap();
        (x, y)
    }

    /// The sampled rows, and for each part of all points the points with the queries first and where these are.
    pub(super) fn parts(points: &Points, rows: &[u64]) -> Vec<(Points, Vec<Option<usize>>)> {
        let queries: Vec<u32> = rows.iter().map(|&row| row as u32).collect();
        [0..31, 31..32, 32..COUNT]
            .into_iter()
            .map(|part: Range<usize>| {
                let order: Vec<u32> = queries.iter().copied().chain(part.clone().map(|row| row as u32)).collect();
                let place = |&row: &u64| part.contains(&(row as usize)).then(|| row as usize - part.start);
                (points.select(&order), rows.iter().map(place).collect())
            })
            .collect()
    }

    #[test]
    fn ranks_and_stress_of_parts_are_those_of_all_points() {
        let ((x, y), run) = (data(), Run::new().with_seed(5));
        let options = Options { sample: Sampling::Points(40), ..Options::default() };
        let rows = options.sample.rows(COUNT, 5).unwrap();
        let neighborhoods = Neighborhoods::nearest(&x, 6, &run).unwrap();
        let evaluation = Evaluation::new(Input::Points(&x), &y, &neighborhoods, options, &run).unwrap();
        let expected = find("trustworthiness").unwrap().score(&evaluation).unwrap();
        let space = Space::new(&x, Metric::Euclidean).unwrap();
        let shown = Neighborhoods::nearest(&y, 6, &run).unwrap();
        let targets: Vec<Vec<(f64, u32)>> = rows
            .iter()
            .map(|&row| {
                let near = shown.neighbors(row as usize).iter();
                let mut near: Vec<_> = near.map(|&other| (space.value(row as usize, other as usize), other)).collect();
                near.sort_by(|a, b| a.partial_cmp(b).unwrap());
                near
            })
            .collect();
        let mut counts = vec![vec![0; 6]; rows.len()];
        let mut first = 0;
        let (of_x, of_y) = (parts(&x, &rows), parts(&y, &rows));
        for (points, own) in &of_x {
            let length = (points.len() - rows.len()) as u32;
            let local = |row: u32| row.saturating_sub(first).min(length);
            let here: Vec<Vec<(f64, u32)>> =
                targets.iter().map(|some| some.iter().map(|&(value, row)| (value, local(row))).collect()).collect();
            let found = Beside::new(points, own, Metric::Euclidean).unwrap().before(&here, &run).unwrap();
            counts.iter_mut().flatten().zip(found.iter().flatten()).for_each(|(all, some)| *all += some);
            first += length;
        }
        let kept: Vec<f64> = (0..rows.len())
            .map(|at| {
                let excess = counts[at].iter().zip(&targets[at]).map(|(before, &(value, other))| {
                    (1 + before - u64::from((0.0, rows[at] as u32) < (value, other))).saturating_sub(6) as f64
                });
                order_kept(COUNT, 6, excess.sum())
            })
            .collect();
        assert_eq!((expected.value, expected.standard_error), sampled_mean(&kept, COUNT));

        let expected = find("stress").unwrap().score(&evaluation).unwrap();
        let reach = Distances::euclidean(&x).unwrap().reach();
        let both: Vec<[Beside<'_>; 2]> = of_x
            .iter()
            .zip(&of_y)
            .map(|(x, y)| [x, y].map(|(points, own)| Beside::new(points, own, Metric::Euclidean).unwrap()))
            .collect();
        let mut bins: Vec<[f64; 2]> = Vec::new();
        for [x, y] in &both {
            let some = x.bins(y, reach, &run).unwrap();
            bins.resize(some.len(), [0.0; 2]);
            bins.iter_mut().flatten().zip(some.iter().flatten()).for_each(|(all, some)| *all += some);
        }
        let (fitted, mut sums) = (fit_stress(&bins), vec![[0.0; 2]; rows.len()]);
        for [x, y] in &both {
            let some = x.residuals(y, reach, &fitted, &run).unwrap();
            sums.iter_mut().flatten().zip(some.iter().flatten()).for_each(|(all, some)| *all += some);
        }
        let (stress, error, _) = stress_of_sums(&sums, COUNT);
        assert!((stress - expected.value).abs() < 1e-14);
        assert!((error.unwrap() - expected.standard_error.unwrap()).abs() < 1e-14);
    }
}
