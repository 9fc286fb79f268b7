//! The repulsion of all points in space, by a tree of cubes.
//!
//! A cube that is far away for its size acts by its center and by its second moments (Barnes and Hut 1986, with one more
//! term): with r = y - c, K = 1 / (1 + |r|^2), m points and M = sum_j (y_j - c)(y_j - c)', the field is m K - K^2 tr M +
//! 4 K^3 r'M r, and the force minus half its gradient. Cost: O(n log n); memory: about 100 bytes a point.

use crate::{Result, Run};
use rayon::prelude::*;

/// A cube is far away if its side is less than this share of the distance from its center.
const FAR: f32 = 0.5;
/// Points of the smallest cubes.
const FEW: usize = 8;
/// Levels of cubes within cubes, at the most.
const LEVELS: u32 = 21;
/// Points of one task.
const TASK: usize = 1024;

/// The repulsion in space; keeps its room between calls.
#[derive(Debug, Default)]
pub(crate) struct Octree {
    codes: Vec<(u64, u32)>,
    places: Vec<[f32; 3]>,
    nodes: Vec<Node>,
}

/// A cube, followed by the cubes in it.
#[derive(Debug, Clone, Copy)]
struct Node {
    center: [f32; 3],
    /// xx, yy, zz, xy, xz, yz.
    moments: [f32; 6],
    side: f32,
    points: [u32; 2],
    /// The node after all that are within.
    next: u32,
    whole: bool,
    /// Whether it holds many points that no smaller cube tells apart: it acts as a whole however near, as it is far smaller
    /// than the kernel is wide.
    copies: bool,
}

impl Octree {
    /// Writes the sum of the repulsions on each point to `forces`, and gives the sum of K over all pairs.
    pub(crate) fn repulsion(&mut self, places: &[[f32; 3]], forces: &mut [[f32; 3]], run: &Run) -> Result<f64> {
        let side = self.sort(places, run);
        self.nodes.clear();
        self.grow(0..places.len(), 0, side);
        let parts = run.quiet().chunks("repulsion", places.len(), TASK, |range| {
            Ok(self.places[range].iter().map(|&place| self.at(place)).collect::<Vec<_>>())
        })?;
        let mut sum = 0.0;
        for (&(_, point), (force, field)) in self.codes.iter().zip(parts.iter().flatten()) {
            forces[point as usize] = *force;
            sum += f64::from(*field) - 1.0;
        }
        Ok(sum)
    }

    /// Sorts the points along the cubes; the side of the cube around all.
    fn sort(&mut self, places: &[[f32; 3]], run: &Run) -> f32 {
        let mut ends = [[f32::INFINITY, f32::NEG_INFINITY]; 3];
        for place in places {
            for (ends, at) in ends.iter_mut().zip(place) {
                *ends = [ends[0].min(*at), ends[1].max(*at)];
            }
        }
        let side = ends.iter().map(|[least, most]| most - least).fold(f32::MIN_POSITIVE, f32::max);
        let most = f64::from(1 << LEVELS) - 1.0;
        let code = |(point, place): (u32, &[f32; 3])| {
            let axes = [0, 1, 2].map(|axis| {
                let share = (f64::from(place[axis]) - f64::from(ends[axis][0])) / f64::from(side);
                apart((share * most) as u64)
            });
            (axes[0] | axes[1] << 1 | axes[2] << 2, point)
        };
        self.codes.clear();
        self.codes.extend((0..).zip(places).map(code));
        run.install(|| self.codes.par_sort_unstable());
        self.places.clear();
        self.places.extend(self.codes.iter().map(|(_, point)| places[*point as usize]));
        side
    }

    /// Adds the cube of these points and all within it.
    fn grow(&mut self, points: std::ops::Range<usize>, level: u32, side: f32) {
        let number = self.nodes.len();
        let whole = points.len() <= FEW || level == LEVELS;
        let mut node = node(&self.places[points.clone()], points.clone(), side, whole);
        node.copies = points.len() > FEW && level == LEVELS;
        self.nodes.push(node);
        if !whole {
            let shift = 3 * (LEVELS - 1 - level);
            let mut start = points.start;
            while start < points.end {
                let part = self.codes[start].0 >> shift;
                let end = start + self.codes[start..points.end].partition_point(|(code, _)| code >> shift == part);
                self.grow(start..end, level + 1, side / 2.0);
                start = end;
            }
        }
        self.nodes[number].next = self.nodes.len() as u32;
    }

    /// The force and the field at a place.
    fn at(&self, place: [f32; 3]) -> ([f32; 3], f32) {
        let (mut force, mut field) = ([0.0; 3], 0.0);
        let mut number = 0;
        while let Some(node) = self.nodes.get(number) {
            let away: [f32; 3] = std::array::from_fn(|axis| place[axis] - node.center[axis]);
            let square = away[0] * away[0] + away[1] * away[1] + away[2] * away[2];
            let far = node.copies || node.side * node.side < FAR * FAR * square;
            if far {
                act(node, away, square, &mut force, &mut field);
            } else if node.whole {
                for other in &self.places[node.points[0] as usize..node.points[1] as usize] {
                    let away: [f32; 3] = std::array::from_fn(|axis| place[axis] - other[axis]);
                    let near = 1.0 / (1.0 + away[0] * away[0] + away[1] * away[1] + away[2] * away[2]);
                    field += near;
                    force.iter_mut().zip(away).for_each(|(force, away)| *force += near * near * away);
                }
            }
            number = if far || node.whole { node.next as usize } else { number + 1 };
        }
        (force, field)
    }
}

/// Adds what a cube far away does.
#[inline(always)]
fn act(node: &Node, away: [f32; 3], square: f32, force: &mut [f32; 3], field: &mut f32) {
    let ([xx, yy, zz, xy, xz, yz], [x, y, z]) = (node.moments, away);
    let moved = [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z];
    let (trace, along) = (xx + yy + zz, moved[0] * x + moved[1] * y + moved[2] * z);
    let count = (node.points[1] - node.points[0]) as f32;
    let near = 1.0 / (1.0 + square);
    let (second, third) = (near * near, near * near * near);
    *field += count * near - second * trace + 4.0 * third * along;
    let straight = count * second - 2.0 * third * trace + 12.0 * second * second * along;
    for axis in 0..3 {
        force[axis] += straight * away[axis] - 4.0 * third * moved[axis];
    }
}

fn node(places: &[[f32; 3]], points: std::ops::Range<usize>, side: f32, whole: bool) -> Node {
    let mut mean = [0.0_f64; 3];
    for place in places {
        mean.iter_mut().zip(place).for_each(|(mean, at)| *mean += f64::from(*at) / places.len() as f64);
    }
    let mut moments = [0.0_f64; 6];
    for place in places {
        let [x, y, z]: [f64; 3] = std::array::from_fn(|axis| f64::from(place[axis]) - mean[axis]);
        let terms = [x * x, y * y, z * z, x * y, x * z, y * z];
        moments.iter_mut().zip(terms).for_each(|(moment, term)| *moment += term);
    }
    Node {
        center: mean.map(|mean| mean as f32),
        moments: moments.map(|moment| moment as f32),
        side,
        points: [points.start as u32, points.end as u32],
        next: 0,
        whole,
        copies: false,
    }
}

/// Puts two zeros after each of the lowest 21 bits.
fn apart(bits: u64) -> u64 {
    let mut apart = bits & 0x1F_FFFF;
    for (shift, mask) in [
        (32, 0x001F_0000_0000_FFFF),
        (16, 0x001F_0000_FF00_00FF),
        (8, 0x100F_00F0_0F00_F00F),
        (4, 0x10C3_0C30_C30C_30C3),
        (2, 0x1249_2492_4924_9249),
    ] {
        apart = (apart | apart << shift) & mask;
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_is_that_of_all_pairs() {
        let unit = |at: usize| ((at * 7919 + at * at % 613) % 10007) as f32 / 10007.0;
        for size in [1e-4, 1.0, 25.0, 300.0_f32] {
            let place = |at: usize| match at % 3 {
                0 => [unit(at) * 0.2, unit(at + 77) * 0.3, unit(at * 5) * 0.1],
                1 => [0.7 + unit(at) * 0.1, 0.5, unit(at + 1) * unit(at)],
                _ => [unit(3 * at), unit(7 * at + 1), unit(at)],
            };
            let mut places: Vec<[f32; 3]> = (0..2000).map(|at| place(at).map(|axis| size * (axis - 0.4))).collect();
            // Many at one place or nearly so: no cube tells them apart.
            let same = places[5];
            places[100..140].fill(same);
            let nearly = |at: usize| places[6].map(|axis| axis * (1.0 + at as f32 * f32::EPSILON));
            let nearly: Vec<[f32; 3]> = (0..30).map(nearly).collect();
            places[140..170].copy_from_slice(&nearly);
            let (mut octree, mut forces) = (Octree::default(), vec![[0.0; 3]; places.len()]);
            let sum = octree.repulsion(&places, &mut forces, &Run::new()).unwrap();
            let (mut expected, mut error, mut length) = (-(places.len() as f64), 0.0, 0.0);
            for (a, found) in places.iter().zip(&forces) {
                let mut force = [0.0; 3];
                for b in &places {
                    let away: [f64; 3] = std::array::from_fn(|axis| f64::from(a[axis]) - f64::from(b[axis]));
                    let near = 1.0 / (1.0 + away.iter().map(|away| away * away).sum::<f64>());
                    expected += near;
                    force.iter_mut().zip(away).for_each(|(force, away)| *force += near * near * away);
                }
                for (found, force) in found.iter().zip(force) {
                    error += (f64::from(*found) - force).powi(2);
                    length += force * force;
                }
            }
            assert!((sum / expected - 1.0).abs() < 1e-4, "{size}: {sum} {expected}");
            assert!(error.sqrt() < 1e-3 * length.sqrt(), "{size}: {}", (error / length).sqrt());
            let mut again = vec![[0.0; 3]; places.len()];
            assert_eq!(octree.repulsion(&places, &mut again, &Run::new().with_threads(3).unwrap()).unwrap(), sum);
            assert_eq!(again, forces);
        }
    }

    #[test]
    fn copies_act_as_one_place_that_counts_for_all() {
        // By pairs this would take 10^10 steps.
        let copies = 100_000;
        let mut places = vec![[0.25, -0.5, 1.0]; copies];
        places.extend([[1.25, -0.5, 1.0], [-3.0, 2.0, 0.0]]);
        let (mut octree, mut forces) = (Octree::default(), vec![[0.0; 3]; places.len()]);
        let sum = octree.repulsion(&places, &mut forces, &Run::new()).unwrap();
        let (near, far) = (1.0 / 2.0, 1.0 / (1.0 + 3.25 * 3.25 + 2.5 * 2.5 + 1.0));
        let between = 1.0 / (1.0 + 4.25 * 4.25 + 2.5 * 2.5 + 1.0);
        let expected = copies as f64 * (copies as f64 - 1.0 + 2.0 * (near + far)) + 2.0 * between;
        assert!((sum / expected - 1.0).abs() < 1e-6, "{sum} {expected}");
        let pushed = copies as f64 * near * near;
        assert!((f64::from(forces[copies][0]) / pushed - 1.0).abs() < 1e-3, "{:?}", forces[copies]);
        let own = -near * near + far * far * 3.25;
        assert!((f64::from(forces[7][0]) - own).abs() < 1e-3, "{:?}", forces[7]);
    }
}
