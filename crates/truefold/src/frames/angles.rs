//! Synchronization in the plane: frames of two axes that agree already up to small turns, by their angles alone.
//!
//! Frames of two axes that a tree carried ([`Tangents::carry`]) differ along a link by a rotation through an angle
//! phi_ij, unless a cycle of links mirrors them. Turned by angles t_i they agree on the link where t_i - t_j = phi_ij,
//! and the sum of w_ij |O_i - O_ij O_j|^2 is that of 4 w_ij (1 - cos e_ij), e_ij = t_i - t_j - phi_ij. The cosine
//! bends nowhere more than at zero, so the quadratic sum of w_ij e_ij^2 / 2 lies above w_ij (1 - cos e_ij) and touches
//! it: its least, one scalar Laplacian system, never raises the sum, and a few such steps find a point where nothing
//! is left to gain. Where all angles are below sixty degrees the sum is convex between here and there.
//!
//! It is what [`synchronize`](super::synchronize) finds for frames of any dimension, with one unknown a point in place
//! of four. Singer, "Angular synchronization by eigenvectors and semidefinite programming" (2011), for the problem; the
//! steps are this project's. Cost: 4 bytes a link end, and a few tens of passes over the links and the preconditioner.

use super::transports::{CHUNK, split_rows};
use super::{Synchronized, Tangents};
use crate::graph::Links;
use crate::laplacian::conjugate_gradient::{Limits, LinearSystem, Operator, Preconditioner, conjugate_gradient};
use crate::linalg::block::subtract_means;
use crate::linalg::{Nearest, add_scaled, square};
use crate::{Result, Run};
use rayon::prelude::*;

/// The residual of a step, and the share of the first slope at which nothing is left to gain.
const LIMITS: Limits = Limits::new(1e-3, 500);
const SETTLED: f64 = 2e-3;
const MOST_STEPS: usize = 8;
/// Steps go on as long as one lowers the sum by this share.
const WORTHWHILE: f64 = 1e-3;
/// The least cosine of an angle between linked frames.
const LEAST_COSINE: f64 = 0.5;
/// Frames are mended so often, if no more than one in so many has to be.
const MOST_SWEEPS: usize = 8;
const FEW: usize = 100;

/// The angles between linked frames of two axes, one for each end of a link.
pub(crate) struct Angles<'a> {
    links: &'a Links,
    angles: Vec<f32>,
    least: f64,
}

impl<'a> Angles<'a> {
    /// The angles, or none where frames are mirrored or differ too much.
    pub(crate) fn between(tangents: &Tangents, links: &'a Links, run: &Run) -> Result<Option<Self>> {
        if tangents.dim() != 2 {
            return Ok(None);
        }
        run.check()?;
        let mut angles = vec![0.0; links.places()];
        let rows = split_rows(&mut angles, links, 1);
        let of_chunk = |(chunk, angles): (usize, &mut [f32])| {
            let (mut own, mut other) = (vec![0.0; tangents.cells()], vec![0.0; tangents.cells()]);
            let (mut product, mut least, mut near) = ([0.0; 4], 0.0, true);
            let mut angles = angles.iter_mut();
            for point in chunk * CHUNK..((chunk + 1) * CHUNK).min(links.len()) {
                tangents.copy(point, &mut own);
                for (place, angle) in links.of(point).zip(&mut angles) {
                    tangents.copy(links.end(place), &mut other);
                    tangents.product(&own, &other, &mut product);
                    let turn = Turn::of(&product);
                    near &= turn.is_small();
                    least += links.weight(place) * (2.0 - turn.length);
                    *angle = turn.sine.atan2(turn.cosine) as f32;
                }
            }
            (least, near)
        };
        let parts: Vec<(f64, bool)> = run.install(|| rows.into_par_iter().enumerate().map(of_chunk).collect());
        let near = parts.iter().all(|part| part.1);
        let least = parts.iter().map(|part| part.0).sum::<f64>().max(0.0);
        Ok(near.then_some(Self { links, angles, least }))
    }

    /// The value of f if all links could be aligned perfectly at the same time.
    pub(crate) fn least(&self) -> f64 {
        self.least
    }

    /// The rotations for which the frames agree best.
    pub(crate) fn synchronize(&self, preconditioner: &impl Preconditioner, run: &Run) -> Result<Synchronized> {
        let count = self.links.len();
        let mut turns = vec![0.0; count];
        let (mut slope, mut value) = self.slope(&turns, run);
        let first = square(&slope);
        let mut found = Synchronized { rotations: Vec::new(), steps: 0, residual: 0.0 };
        let operator = LinkLaplacian::new(self.links);
        for step in 0..MOST_STEPS {
            if square(&slope) <= SETTLED * SETTLED * first {
                break;
            }
            let mut change = vec![0.0; count];
            let system = LinearSystem { operator: &operator, preconditioner, rhs: &slope, columns: 1 };
            let solved = conjugate_gradient(&system, &mut change, LIMITS, run)?;
            found.steps += solved.steps;
            found.residual = if step == 0 { solved.residual } else { found.residual };
            turns.iter_mut().zip(&change).for_each(|(turn, change)| *turn += change);
            drop(change);
            let before = value;
            (slope, value) = self.slope(&turns, run);
            if value > (1.0 - WORTHWHILE) * before {
                break;
            }
        }
        drop((slope, operator));
        found.rotations = rotations(&turns, run);
        Ok(found)
    }

    /// For each point minus the derivative of the sum of w (1 - cos e) over links, and that sum.
    fn slope(&self, turns: &[f64], run: &Run) -> (Vec<f64>, f64) {
        let mut slope = vec![0.0; turns.len()];
        let parts: Vec<f64> = run.install(|| {
            let chunks = slope.par_chunks_mut(CHUNK).enumerate();
            chunks
                .map(|(chunk, slope)| {
                    let mut sum = 0.0;
                    for (point, slope) in (chunk * CHUNK..).zip(slope) {
                        for place in self.links.of(point) {
                            let weight = self.links.weight(place);
                            let misfit = turns[point] - turns[self.links.end(place)] - f64::from(self.angles[place]);
                            let (sine, cosine) = misfit.sin_cos();
                            *slope -= weight * sine;
                            sum += weight * (1.0 - cosine);
                        }
                    }
                    sum
                })
                .collect()
        });
        (slope, parts.iter().sum())
    }
}

/// The rotation between two frames of two axes, times the sum of the singular values of their product.
struct Turn {
    cosine: f64,
    sine: f64,
    length: f64,
    mirrored: bool,
}

impl Turn {
    /// From P_i'P_j, column by column.
    #[inline(always)]
    fn of(product: &[f64; 4]) -> Self {
        let (cosine, sine) = (product[0] + product[3], product[1] - product[2]);
        let length = (cosine * cosine + sine * sine).sqrt();
        Self { cosine, sine, length, mirrored: product[0] * product[3] <= product[1] * product[2] }
    }

    fn is_small(&self) -> bool {
        !self.mirrored && self.cosine >= LEAST_COSINE * self.length
    }
}

/// Turns frames of two axes that differ too much from most of those around them onto the sum of these, a few times; gives up
/// where there are many.
pub(crate) fn mend(tangents: &mut Tangents, links: &Links, run: &Run) -> Result<()> {
    let cells = tangents.cells();
    for _ in 0..MOST_SWEEPS {
        let frames = &*tangents;
        let strays = run.chunks("frames", links.len(), CHUNK, |range| {
            let (mut own, mut other, mut product) = (vec![0.0; cells], vec![0.0; cells], [0.0; 4]);
            Ok(range
                .filter(|&point| {
                    frames.copy(point, &mut own);
                    let apart = links.of(point).filter(|&place| {
                        frames.copy(links.end(place), &mut other);
                        frames.product(&own, &other, &mut product);
                        !Turn::of(&product).is_small()
                    });
                    2 * apart.count() > links.of(point).len()
                })
                .collect::<Vec<usize>>())
        })?;
        let strays = strays.concat();
        if strays.is_empty() || strays.len() > links.len() / FEW {
            break;
        }
        let (mut own, mut sum, mut other) = (vec![0.0; cells], vec![0.0; cells], vec![0.0; cells]);
        let (mut nearest, mut product) = (Nearest::default(), [0.0; 4]);
        let mut turns = Vec::with_capacity(strays.len());
        for &point in &strays {
            sum.fill(0.0);
            for place in links.of(point) {
                tangents.copy(links.end(place), &mut other);
                add_scaled(&mut sum, links.weight(place), &other);
            }
            tangents.copy(point, &mut own);
            tangents.product(&own, &sum, &mut product);
            let mut turn = [0.0; 4];
            nearest.find(&product, 2, &mut turn);
            turns.push(turn);
        }
        strays.iter().zip(&turns).for_each(|(&point, turn)| tangents.turn_at(point, turn, &mut [0.0; 2]));
    }
    Ok(())
}

/// One rotation for each angle, column by column.
fn rotations(turns: &[f64], run: &Run) -> Vec<f64> {
    let mut rotations = vec![0.0; 4 * turns.len()];
    run.install(|| {
        rotations.par_chunks_exact_mut(4).zip(turns).with_min_len(CHUNK).for_each(|(rotation, turn)| {
            let (sine, cosine) = turn.sin_cos();
            rotation.copy_from_slice(&[cosine, sine, -sine, cosine]);
        });
    });
    rotations
}

/// (L t)_i = sum_j w_ij (t_i - t_j).
struct LinkLaplacian<'a> {
    links: &'a Links,
    degrees: Vec<f64>,
}

impl<'a> LinkLaplacian<'a> {
    fn new(links: &'a Links) -> Self {
        Self { links, degrees: (0..links.len()).map(|point| links.degree(point)).collect() }
    }
}

impl Operator for LinkLaplacian<'_> {
    fn apply(&self, input: &[f64], output: &mut [f64], _: usize, _: &mut Vec<f64>) {
        output.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, output)| {
            for (point, out) in (chunk * CHUNK..).zip(output) {
                let others: f64 =
                    self.links.of(point).map(|place| self.links.weight(place) * input[self.links.end(place)]).sum();
                *out = self.degrees[point] * input[point] - others;
            }
        });
    }

    fn diagonal(&self) -> &[f64] {
        &self.degrees
    }

    fn project(&self, values: &mut [f64], columns: usize) {
        subtract_means(values, columns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{self, Request};
    use crate::frames::{ByDegree, Transports, identities, synchronize};
    use crate::{Neighborhoods, Points};

    fn surface(name: &str, count: usize) -> (Tangents, Links) {
        let points: Points = dataset::find(name).unwrap().sample(&Request::new().with_points(count)).unwrap().points;
        let run = Run::new();
        let neighborhoods = Neighborhoods::nearest(&points, 8, &run).unwrap();
        let mut tangents = Tangents::new(&points, &neighborhoods, 2, &run).unwrap();
        let links = Links::new(&neighborhoods, &run).unwrap();
        tangents.carry(links.walk(links.center()).steps().map(|(point, before, _)| (point, before)), &run);
        (tangents, links)
    }

    /// The sum of w |O_i - O_ij O_j|^2 of frames as they are, by the transports of any dimension.
    fn form(tangents: &Tangents, links: &Links) -> f64 {
        let transports = Transports::between(tangents, links.clone(), &Run::new()).unwrap();
        let rows = identities(links.len(), 2);
        let mut image = vec![0.0; rows.len()];
        transports.apply(&rows, &mut image, 2);
        crate::linalg::dot(&rows, &image)
    }

    #[test]
    fn angles_find_what_the_general_way_finds() {
        for name in ["swiss-roll", "s-curve"] {
            let (mut tangents, links) = surface(name, 900);
            let run = Run::new();
            let before = form(&tangents, &links);
            let angles = Angles::between(&tangents, &links, &run).unwrap().expect(name);
            let preconditioner = ByDegree::new(&links);
            // The sum over links of 4 w (1 - cos phi), each link at both ends.
            let (_, sum) = angles.slope(&vec![0.0; 900], &run);
            assert!((2.0 * sum - before).abs() < 1e-4 * before, "{name}: {sum} {before}");
            let mut transports = Transports::between(&tangents, links.clone(), &run).unwrap();
            assert!((angles.least() - transports.least()).abs() < 1e-9 * transports.least().max(1.0));
            let general = synchronize(&mut transports, &preconditioner, &run).unwrap();
            let found = angles.synchronize(&preconditioner, &run).unwrap();
            let mut other = surface(name, 900).0;
            other.turn(&general.rotations, &run);
            tangents.turn(&found.rotations, &run);
            let (after, beside) = (form(&tangents, &links), form(&other, &links));
            assert!(after <= before && after < 1.002 * beside, "{name}: {before} {after} {beside}");
            // Nothing to gain by small turns.
            let settled = Angles::between(&tangents, &links, &run).unwrap().unwrap();
            let (slope, _) = settled.slope(&vec![0.0; 900], &run);
            let (first, _) = angles.slope(&vec![0.0; 900], &run);
            assert!(square(&slope) < 1e-4 * square(&first), "{name}");
        }
    }

    #[test]
    fn a_strip_that_comes_back_mirrored_and_a_sphere_have_no_small_angles() {
        for name in ["moebius", "sphere"] {
            let (tangents, links) = surface(name, 1500);
            assert!(Angles::between(&tangents, &links, &Run::new()).unwrap().is_none(), "{name}");
        }
        let line = Points::new(30, 1, (0..30).map(f64::from).collect()).unwrap();
        let neighborhoods = Neighborhoods::nearest(&line, 2, &Run::new()).unwrap();
        let tangents = Tangents::new(&line, &neighborhoods, 1, &Run::new()).unwrap();
        let links = Links::new(&neighborhoods, &Run::new()).unwrap();
        assert!(Angles::between(&tangents, &links, &Run::new()).unwrap().is_none());
    }

    #[test]
    fn a_frame_that_lies_across_is_turned_as_those_around_it() {
        let (mut tangents, links) = surface("plane", 600);
        assert!(form(&tangents, &links) < 1e-3, "{}", form(&tangents, &links));
        tangents.turn_at(17, &[-1.0, 0.0, 0.0, -1.0], &mut [0.0; 2]);
        tangents.turn_at(230, &[1.0, 0.0, 0.0, -1.0], &mut [0.0; 2]);
        assert!(Angles::between(&tangents, &links, &Run::new()).unwrap().is_none());
        mend(&mut tangents, &links, &Run::new()).unwrap();
        assert!(form(&tangents, &links) < 1e-3, "{}", form(&tangents, &links));
        assert!(Angles::between(&tangents, &links, &Run::new()).unwrap().is_some());
    }
}
