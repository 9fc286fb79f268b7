//! Parallel transport unfolding (PTU): Isomap with every path unrolled into the tangent of the point where it begins.
//!
//! Y = V sqrt(L) from the d largest eigenpairs of B = -H D^2 H / 2, D_st = |y_t|, y_t the end of the shortest path from s to
//! t along the neighborhood graph, unrolled ([`Unrolling`]). A path that bends, around a hole or because the points are
//! uneven, ends where the straight one would. Budninskiy, Yin, Feng, Tong and Desbrun, "Parallel transport unfolding: a
//! connection-based manifold learning approach" (2019). With `landmarks` the others are placed by their distances to these, as
//! in landmark-isomap. Cost: a search and a walk per landmark, O(l n (k log n + d^2)), in parallel; 4 l n bytes and 8 (d^2 + d)
//! for each end of an edge; 8 n^2 bytes where all points are landmarks. When it fails: where the surface has no flat
//! map, the end of a path depends on the way, and with noise the tangents of few points are wrong.
//!
//! Differs from the paper: a step is the mean of what the tangents at both ends say, so that both ways are equally long.

use super::geodesics::{Geodesics, among, check_landmarks, placed, scaled};
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::error::{Advice, Bound, Limit, Name};
use crate::frames::{Tangents, Unrolling};
use crate::warning::{Deficient, Warning};
use crate::{Error, Fit, Points, Problem, Result};
use serde::{Deserialize, Serialize};

/// Without a number of landmarks all points are landmarks up to this many.
const ALL_UP_TO: usize = 4000;
/// The most points that may all be landmarks: 8 n^2 bytes are 7 GB.
const MOST_ALL: usize = 30_000;
/// And this many are beyond.
const LANDMARKS: usize = 500;

/// The side of the squares in which a table is made symmetric: the rows and columns of one fit into the cache.
const SQUARE: usize = 64;

/// Parallel transport unfolding.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::Ptu, fit, measure};
///
/// let run = Run::new();
/// let roll = dataset::find("swiss-roll-hole")?.sample(&Request::new().with_points(800))?;
/// let neighborhoods = Neighborhoods::nearest(&roll.points, 10, &run)?;
/// let embedding = fit(&Ptu::default(), &Problem::new(&roll.points, &neighborhoods, 2)?, Pieces::Error, &run)?;
/// let r_n = &measure::evaluate(&roll.points, &embedding.points, &neighborhoods, &["r_n"])?[0];
/// assert!(r_n.value < 0.02);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ptu {
    /// The number of landmarks; where it is not given, all points up to 4,000, and 500 beyond.
    pub landmarks: Option<usize>,
}

impl Recipe for Ptu {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "ptu",
        title: "Parallel transport unfolding",
        summary: "Isomap with every path unrolled into the tangent where it begins, so that holes do not matter",
        metric_scale: true,
        graph: GraphUse::Components,
        default: false,
        cost: "time l n (k log n + d^2) and memory 4 l n bytes for l landmarks; 8 n^2 bytes where all points are",
        parameters: &[ParameterInfo::new(
            "landmarks",
            &[Values::Whole(2, usize::MAX), Values::Null],
            "the number of landmarks, more than the dimensions; null: all points up to 4,000, 500 beyond",
        )],
    };

    fn check_parameters(&self, dim: usize) -> Result<()> {
        self.landmarks.map_or(Ok(()), |landmarks| check_landmarks(landmarks, dim))
    }

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        let count = coordinates(problem)?.len();
        let wanted = self.wanted(count);
        if wanted < count {
            return check_landmarks(wanted, problem.dim());
        }
        if count > MOST_ALL {
            let reason = "distances among more points than this do not fit into memory";
            let limit = Limit::because(Bound::AtMost(MOST_ALL as f64), reason);
            let advice = Advice::change(Name::setting("landmarks"), "choose fewer, or leave it out for 500");
            return Err(Error::parameter(Name::setting("landmarks"), wanted, limit, advice));
        }
        Ok(())
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let (points, dim, run) = (coordinates(problem)?, problem.dim(), fit.run());
        let (input, count) = (problem.input(), points.len());
        let tangents = Tangents::new(points, problem.neighborhoods(), dim, run)?;
        let deficient = tangents.deficient();
        fit.fact("rank_deficient", deficient);
        if deficient > 0 {
            fit.warn(Warning::RankDeficient { of: Deficient::Frames, deficient, all: count, wanted: dim });
        }
        fit.lap("tangents");
        let geodesics = Geodesics::new(problem, |a, b| input.distance(a, b), fit)?;
        let unrolling = Unrolling::new(points, &tangents, &geodesics.graph, geodesics.unit, run)?;
        drop(tangents);
        fit.lap("transports");
        let wanted = self.wanted(count);
        if wanted >= count {
            let all: Vec<u32> = (0..count as u32).collect();
            let mut rows = geodesics.graph.each_tree(&all, "paths", run, |tree| unrolling.distances(tree))?;
            symmetrize(&mut rows);
            fit.lap("paths");
            return Ok(scaled(&rows, geodesics.unit, dim, fit)?.values);
        }
        let landmarks = geodesics.graph.even_landmarks(wanted, run.seed());
        let single = |values: Vec<f64>| values.into_iter().map(|value| value as f32).collect::<Vec<f32>>();
        let rows = geodesics.graph.each_tree(&landmarks, "paths", run, |tree| single(unrolling.distances(tree)))?;
        drop(unrolling);
        let mut among = among(&landmarks, &rows);
        symmetrize(&mut among);
        fit.lap("paths");
        placed(&among, &rows, geodesics.unit, dim, fit)
    }
}

impl Ptu {
    /// The number of landmarks among so many points.
    fn wanted(&self, count: usize) -> usize {
        self.landmarks.unwrap_or(if count > ALL_UP_TO { LANDMARKS } else { count })
    }
}

/// The coordinates, without which there are no tangents.
fn coordinates<'a>(problem: &Problem<'a>) -> Result<&'a Points> {
    problem.coordinates(
        "ptu unrolls paths in tangents in the space of the data, and distances alone have none",
        "give the points, or use isomap",
    )
}

/// Makes a square table symmetric by the root mean squares of both ways: of paths that are equally long the search may take
/// one there and another one back.
fn symmetrize(rows: &mut [Vec<f64>]) {
    let count = rows.len();
    for top in (0..count).step_by(SQUARE) {
        for left in (0..=top).step_by(SQUARE) {
            for row in top..(top + SQUARE).min(count) {
                let (above, rest) = rows.split_at_mut(row);
                for (column, other) in above.iter_mut().enumerate().take(left + SQUARE).skip(left) {
                    let (there, back) = (rest[0][column], other[row]);
                    let mean = (0.5 * (there * there + back * back)).sqrt();
                    (rest[0][column], other[row]) = (mean, mean);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{self, Request};
    use crate::embed::{Embedder, Isomap, fit};
    use crate::linalg::{Polar, square};
    use crate::{Neighborhoods, Pieces, Run};
    use rand::{RngExt, SeedableRng};

    fn embedded(method: &dyn Embedder, points: &Points, k: usize, dim: usize, run: &Run) -> Points {
        let neighborhoods = Neighborhoods::nearest(points, k, run).unwrap();
        fit(method, &Problem::new(points, &neighborhoods, dim).unwrap(), Pieces::Error, run).unwrap().points
    }

    /// For each point its distance from its true place after the best rigid motion, in units of |H Z|.
    fn errors(y: &Points, z: &Points) -> Vec<f64> {
        let (count, dim) = (z.len(), z.dim());
        let centered = |of: &Points| -> Vec<f64> {
            let mean = |axis: usize| of.rows().map(|row| row[axis]).sum::<f64>() / count as f64;
            let means: Vec<f64> = (0..dim).map(mean).collect();
            of.rows().flat_map(|row| row.iter().zip(&means).map(|(value, mean)| value - mean)).collect()
        };
        let (y, z) = (centered(y), centered(z));
        let mut product = vec![0.0; dim * dim];
        for (y, z) in y.chunks_exact(dim).zip(z.chunks_exact(dim)) {
            (0..dim * dim).for_each(|at| product[at] += y[at % dim] * z[at / dim]);
        }
        let mut polar = Polar::default();
        polar.decompose(&product, dim, dim);
        let size = square(&z).sqrt();
        let place = |y: &[f64], axis: usize| (0..dim).map(|at| y[at] * polar.factor()[axis * dim + at]).sum::<f64>();
        y.chunks_exact(dim)
            .zip(z.chunks_exact(dim))
            .map(|(y, z)| (0..dim).map(|axis| (place(y, axis) - z[axis]).powi(2)).sum::<f64>().sqrt() / size)
            .collect()
    }

    fn error(y: &Points, z: &Points) -> f64 {
        square(&errors(y, z)).sqrt()
    }

    fn drawn(name: &str, points: usize, seed: u64) -> dataset::Sample {
        dataset::find(name).unwrap().sample(&Request::new().with_points(points).with_seed(seed)).unwrap()
    }

    /// Points of a square of side two that `keep` keeps, tilted in four dimensions, and flat.
    fn tilted(count: usize, keep: impl Fn(f64, f64) -> bool) -> (Points, Points) {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        let mut flat = Vec::with_capacity(count);
        while flat.len() < count {
            let place = [rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0)];
            flat.extend(keep(place[0], place[1]).then_some(place));
        }
        let rows: Vec<[f64; 4]> =
            flat.iter().map(|p| [0.6 * p[0], 0.28 * p[1], 0.8 * p[0] + 5.0, 0.96 * p[1]]).collect();
        (Points::from_rows(&rows).unwrap(), Points::from_rows(&flat).unwrap())
    }

    #[test]
    fn flat_sheets_with_holes_are_what_they_are() {
        let ring = tilted(700, |x, y| (0.6..1.0).contains(&x.hypot(y)));
        let frame = tilted(700, |x, y| x.abs() > 0.5 || y.abs() > 0.5);
        for (points, truth) in [ring, frame] {
            let whole = embedded(&Ptu::default(), &points, 8, 2, &Run::new());
            assert!(error(&whole, &truth) < 1e-12, "{}", error(&whole, &truth));
            let far = error(&embedded(&Isomap::default(), &points, 8, 2, &Run::new()), &truth);
            assert!(far > 0.03, "a hole that does not matter shows nothing: {far}");
            // With landmarks each single point is right, the last one too.
            for landmarks in [3, 60, 699] {
                let method = Ptu { landmarks: Some(landmarks) };
                let found = errors(&embedded(&method, &points, 8, 2, &Run::new()), &truth);
                let worst = found.iter().copied().fold(0.0, f64::max);
                assert!(found.len() == points.len() && worst < 1e-6, "{landmarks}: {worst}");
            }
        }
    }

    #[test]
    fn bent_sheets_are_as_near_to_the_truth_as_published() {
        // Median of three samples; the published errors are of other samples of such surfaces.
        for (name, points, limit) in [("s-curve-hole", 1825, 0.00574), ("s-curve-uneven", 2000, 0.01404)] {
            let of = |seed| {
                let sample = drawn(name, points, seed);
                error(&embedded(&Ptu::default(), &sample.points, 10, 2, &Run::new()), &sample.truth)
            };
            let mut found = [0, 1, 2].map(of);
            found.sort_by(f64::total_cmp);
            assert!(found[1] < limit, "{name}: {found:?}");
        }
    }

    #[test]
    fn a_ring_with_its_inside_is_kept_in_space() {
        let sample = drawn("solid-torus", 900, 0);
        let found = error(&embedded(&Ptu::default(), &sample.points, 14, 3, &Run::new()), &sample.truth);
        assert!(found < 1e-12, "{found}");
    }

    #[test]
    fn a_curve_is_as_long_as_its_chords() {
        let rows: Vec<[f64; 3]> = (0..80)
            .map(|at| {
                let turn = 0.004 * f64::from(at * at % 23) + 0.1 * f64::from(at);
                [turn.cos(), turn.sin(), 0.3 * turn]
            })
            .collect();
        let points = Points::from_rows(&rows).unwrap();
        let lists: Vec<Vec<i64>> =
            (0..80).map(|at: i64| [at - 1, at + 1].into_iter().filter(|end| (0..80).contains(end)).collect()).collect();
        let neighborhoods = Neighborhoods::from_lists(&lists).unwrap();
        let problem = Problem::new(&points, &neighborhoods, 1).unwrap();
        let y = fit(&Ptu::default(), &problem, Pieces::Error, &Run::new()).unwrap().points;
        for at in 1..80 {
            let chord = crate::linalg::distance(points.row(at), points.row(at - 1));
            assert!(((y.row(at)[0] - y.row(at - 1)[0]).abs() - chord).abs() < 1e-12, "{at}");
        }
    }

    #[test]
    fn landmarks_give_the_same_bits_on_any_number_of_threads() {
        let sample = drawn("s-curve-hole", 600, 5);
        let with = |threads, seed| {
            let run = Run::new().with_threads(threads).unwrap().with_seed(seed);
            embedded(&Ptu { landmarks: Some(50) }, &sample.points, 10, 2, &run)
        };
        let one = with(1, 0);
        assert!(one == with(2, 0) && one == with(8, 0) && one != with(1, 1));
        // Another choice of landmarks makes nearly the same map.
        let (here, there) = (error(&one, &sample.truth), error(&with(1, 1), &sample.truth));
        assert!(here < 0.03 && there < 0.03, "{here} {there}");
    }

    #[test]
    fn both_ways_become_one() {
        let count = 2 * SQUARE + 9;
        let mut rows: Vec<Vec<f64>> =
            (0..count).map(|a| (0..count).map(|b| if a == b { 0.0 } else { (a * 3 + b) as f64 }).collect()).collect();
        symmetrize(&mut rows);
        for (a, row) in rows.iter().enumerate() {
            for (b, &mean) in row.iter().enumerate().take(a) {
                let (there, back) = ((a * 3 + b) as f64, (b * 3 + a) as f64);
                assert!(mean == rows[b][a] && (2.0 * mean * mean - there * there - back * back).abs() < 1e-9);
            }
        }
    }
}
