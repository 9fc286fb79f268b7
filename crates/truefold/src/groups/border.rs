//! Which groups touch: whether two groups have a border as long as groups of their size can have.
//!
//! The border of two groups is a set of pairs of neighbors, one point of each group, in which no point is used twice: so
//! a single point astray inside another group counts once, and not once for each of its neighbors. Pairs are taken in
//! the order of rows, nearest first. A point without any neighbor of its own label makes no border with one that has some:
//! it is astray among them.
//!
//! A front as wide as a group of m points in d dimensions, with neighborhoods of k, makes about 0.4 m (k / m)^(1/d) pairs:
//! the points nearer to it than a neighborhood is wide (found with uniform points, m = 100 to 10,000, k = 6 to 30: 0.33 for
//! d = 1, 0.4 for d = 2, 0.5 for d = 3). Two groups touch where their border is significantly longer than a front half as
//! wide as the smaller group, and are apart where it is significantly shorter; otherwise it is open. The number of pairs
//! is taken to have a Poisson distribution, and the false discovery rate over all pairs of groups is controlled for each
//! of the two questions. d is the dimension of the map for the data too: data have at least as many dimensions and then
//! longer borders, so one length serves both. Small groups stay open, and in one dimension most do: a front is k / 3
//! pairs there, however many points there are.
//!
//! Cost: O(n k); at most [`MOST`] groups, the largest.

use super::Groups;
use crate::Neighborhoods;
use crate::statistics::{adjusted, gamma_tail};

/// Pairs of groups are looked at among this many groups, the largest.
pub(super) const MOST: usize = 100;
/// The pairs of a front half as wide as a group, in units of m (k / m)^(1/d).
const HALF_FRONT: f64 = 0.2;

/// Whether two groups touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contact {
    /// Their border is longer than a front half as wide as the smaller group.
    Touch,
    /// It is shorter.
    Apart,
    /// Too few points to tell.
    Open,
}

/// The border of two groups in the data and in the map.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Border {
    /// The two groups, the first one first.
    pub groups: [usize; 2],
    /// The number of pairs of neighbors along the border in the data, each point used once.
    pub data_pairs: usize,
    /// The same in the map.
    pub map_pairs: usize,
    /// The number of pairs of a front half as wide as the smaller group.
    pub half_front: f64,
    /// Whether they touch in the data.
    pub data: Contact,
    /// Whether they touch in the map.
    pub map: Contact,
}

impl Border {
    /// Whether the groups touch in the map but not in the data.
    pub fn is_invented(&self) -> bool {
        (self.data, self.map) == (Contact::Apart, Contact::Touch)
    }

    /// Whether the groups touch in the data but not in the map.
    pub fn is_lost(&self) -> bool {
        (self.data, self.map) == (Contact::Touch, Contact::Apart)
    }
}

/// The borders of all pairs of `chosen` groups, in order.
pub(super) fn borders(
    data: &Neighborhoods,
    map: &Neighborhoods,
    groups: &Groups,
    chosen: &[usize],
    level: f64,
    dim: usize,
) -> Vec<Border> {
    let k = (data.memberships() - data.len()) as f64 / data.len() as f64;
    let (in_data, in_map) = (pairs(data, groups, chosen), pairs(map, groups, chosen));
    let half_front = |a: usize, b: usize| {
        let size = groups.sizes()[a].min(groups.sizes()[b]) as f64;
        // Neighborhoods larger than the group reach over all of it.
        HALF_FRONT * size * (k / size).min(1.0).powf(1.0 / dim as f64)
    };
    let places = (0..chosen.len()).flat_map(|a| (a + 1..chosen.len()).map(move |b| (a, b)));
    let mut borders: Vec<Border> = places
        .map(|(a, b)| Border {
            groups: [chosen[a], chosen[b]],
            data_pairs: in_data[a * chosen.len() + b],
            map_pairs: in_map[a * chosen.len() + b],
            half_front: half_front(chosen[a], chosen[b]),
            data: Contact::Open,
            map: Contact::Open,
        })
        .collect();
    let in_data = contacts(&borders, |border| border.data_pairs, level);
    let in_map = contacts(&borders, |border| border.map_pairs, level);
    for (border, (data, map)) in borders.iter_mut().zip(in_data.into_iter().zip(in_map)) {
        (border.data, border.map) = (data, map);
    }
    borders
}

fn contacts(borders: &[Border], pairs: impl Fn(&Border) -> usize, level: f64) -> Vec<Contact> {
    // The tails of a Poisson distribution are those of gamma distributions; none at all is never more than expected.
    let at_least = |pairs: usize, mean: f64| if pairs == 0 { 1.0 } else { 1.0 - gamma_tail(pairs as f64, mean) };
    let longer: Vec<f64> = borders.iter().map(|border| at_least(pairs(border), border.half_front)).collect();
    let shorter: Vec<f64> =
        borders.iter().map(|border| gamma_tail(pairs(border) as f64 + 1.0, border.half_front)).collect();
    let contact = |(longer, shorter): (f64, f64)| match () {
        () if longer <= level => Contact::Touch,
        () if shorter <= level => Contact::Apart,
        () => Contact::Open,
    };
    adjusted(&longer).into_iter().zip(adjusted(&shorter)).map(contact).collect()
}

/// The number of pairs of neighbors between each two of `chosen` groups, each point used once for each other group; entry
/// a, b of a square table with a before b.
fn pairs(neighborhoods: &Neighborhoods, groups: &Groups, chosen: &[usize]) -> Vec<usize> {
    let mut place_of = vec![None; groups.names().len()];
    for (place, &group) in chosen.iter().enumerate() {
        place_of[group] = Some(place);
    }
    let place = |row: usize| groups.group(row).and_then(|group| place_of[group]);
    let is_at_home = |row: usize| {
        let own = groups.group(row);
        neighborhoods.neighbors(row).iter().any(|&other| groups.group(other as usize) == own)
    };
    let at_home: Vec<bool> = (0..groups.points()).map(is_at_home).collect();
    // One bit for each of the groups with which a point already makes a pair.
    let mut used = vec![0_u128; groups.points()];
    let mut counts = vec![0; chosen.len() * chosen.len()];
    for row in 0..groups.points() {
        let Some(own) = place(row) else { continue };
        for &other in neighborhoods.neighbors(row) {
            let other = other as usize;
            let Some(theirs) = place(other).filter(|&theirs| theirs != own && at_home[row] == at_home[other]) else {
                continue;
            };
            if used[row] & (1 << theirs) == 0 && used[other] & (1 << own) == 0 {
                used[row] |= 1 << theirs;
                used[other] |= 1 << own;
                counts[own.min(theirs) * chosen.len() + own.max(theirs)] += 1;
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Points, Run};
    use rand::{RngExt, SeedableRng};

    #[test]
    fn a_point_astray_makes_no_border_and_no_point_is_used_twice() {
        // a a a b | b b b a: row 3 and row 7 have no neighbor of their own label.
        let lists = [
            vec![1, 2, 3],
            vec![0, 2, 3],
            vec![1, 3, 6],
            vec![2, 1, 0],
            vec![5, 6, 7],
            vec![4, 2],
            vec![5, 2],
            vec![4, 5],
        ];
        let neighborhoods = Neighborhoods::from_lists(&lists).unwrap();
        let groups = Groups::of(&["a", "a", "a", "b", "b", "b", "b", "a"]);
        // Left are 2-6, 5-2 and 6-2, which share row 2.
        assert_eq!(pairs(&neighborhoods, &groups, &[0, 1]), [0, 1, 0, 0]);
        assert_eq!(pairs(&neighborhoods, &groups, &[1]), [0]);
    }

    #[test]
    fn a_front_has_the_length_that_is_expected_of_it() {
        for (dim, count, k) in [(2, 400, 6), (2, 3000, 12), (2, 3000, 30), (3, 3000, 12), (1, 1000, 30)] {
            let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
            let points = Points::new(count, dim, (0..count * dim).map(|_| rng.random::<f64>()).collect()).unwrap();
            let labels: Vec<&str> = points.rows().map(|row| if row[0] < 0.5 { "a" } else { "b" }).collect();
            let neighborhoods = Neighborhoods::nearest(&points, k, &Run::new()).unwrap();
            let groups = Groups::of(&labels);
            let found = borders(&neighborhoods, &neighborhoods, &groups, &[0, 1], 0.05, dim)[0];
            let fronts = found.data_pairs as f64 / (2.0 * found.half_front);
            assert!((0.5..1.5).contains(&fronts), "{dim} {count} {k}: {fronts}");
            assert_eq!((found.is_invented(), found.is_lost()), (false, false));
        }
    }
}
