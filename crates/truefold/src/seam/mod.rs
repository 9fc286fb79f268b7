//! Seams: the pairs of neighbors that the map of a closed surface does not keep together, and their places along the seam.
//!
//! Torn pairs stay neighbors in the data, and measures of the whole count them, but the embedding does not try to keep
//! them together. Pairs that noise brought together, shortcuts between sheets, are kept the same way.

mod places;

use crate::neighbors::Neighborhoods;

/// The torn pairs of an embedding.
///
/// ```
/// use truefold::embed::Psa;
/// use truefold::{Neighborhoods, Pieces, Problem, Run, dataset, fit, measure};
///
/// let sample = dataset::find("cylinder")?.sample(&dataset::Request::new().with_points(800))?;
/// let neighborhoods = Neighborhoods::nearest(&sample.points, 12, &Run::new())?;
/// let embedding = fit(&Psa::default(), &Problem::new(&sample.points, &neighborhoods, 2)?, Pieces::Error, &Run::new())?;
/// let tear = embedding.tear.as_ref().unwrap();
/// assert!(tear.share() < 0.02);
///
/// let rest = tear.rest(&neighborhoods);
/// let score = &measure::evaluate(&sample.points, &embedding.points, &rest, &["r_n"])?[0];
/// assert!(score.times_bound().unwrap() < 1.1);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Tear {
    pairs: Vec<(u32, u32)>,
    along: Vec<f64>,
    banks: Vec<(u32, f64)>,
    share: f64,
}

impl Tear {
    /// The tear that leaves `rest` of `whole`; `length` gives the length of a pair in the data.
    ///
    /// A pair is torn where it is in `whole` and not in `rest`, in either direction.
    pub(crate) fn new(whole: &Neighborhoods, rest: &Neighborhoods, length: impl Fn(usize, usize) -> f64) -> Self {
        let mut pairs = Vec::new();
        let mut dropped = 0;
        for center in 0..whole.len() {
            // Both lists are in one order, so the kept ones are met one after the other.
            let mut kept = rest.neighbors(center).iter().peekable();
            for &member in whole.neighbors(center) {
                if kept.peek() == Some(&&member) {
                    kept.next();
                } else {
                    dropped += 1;
                    pairs.push((member.min(center as u32), member.max(center as u32)));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let (banks, along) = along(whole, &pairs, length);
        let share = dropped as f64 / (whole.memberships() - whole.len()).max(1) as f64;
        Self { pairs, along, banks, share }
    }

    /// The torn pairs of rows, the smaller first, in increasing order.
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// The place of each pair along the seam, from 0 to 1.
    pub fn along(&self) -> &[f64] {
        &self.along
    }

    /// The rows on either side of the seam in increasing order, each with its place along it from 0 to 1: rows with the
    /// same place belong together.
    ///
    /// The branches of a seam that forks follow each other, so that every place is on one branch.
    pub fn banks(&self) -> &[(u32, f64)] {
        &self.banks
    }

    /// The share of the memberships, centers not counted, that were torn.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// The neighborhoods that are left of `whole`.
    pub fn rest(&self, whole: &Neighborhoods) -> Neighborhoods {
        whole.without(&self.pairs)
    }

    /// The same tear where row i is called `names[i]`.
    pub(crate) fn renamed(mut self, names: &[u32]) -> Self {
        let mut order: Vec<usize> = (0..self.pairs.len()).collect();
        for pair in &mut self.pairs {
            let (a, b) = (names[pair.0 as usize], names[pair.1 as usize]);
            *pair = (a.min(b), a.max(b));
        }
        order.sort_unstable_by_key(|&at| self.pairs[at]);
        self.along = order.iter().map(|&at| self.along[at]).collect();
        self.pairs = order.iter().map(|&at| self.pairs[at]).collect();
        self.banks.iter_mut().for_each(|bank| bank.0 = names[bank.0 as usize]);
        self.banks.sort_unstable_by_key(|bank| bank.0);
        self
    }

    /// The tears of several pieces, each with its memberships, as one; rows are those of the whole already.
    ///
    /// Their seams follow each other, each as long as it has torn pairs.
    pub(crate) fn merged(pieces: Vec<(Option<Self>, usize)>) -> Option<Self> {
        let memberships: usize = pieces.iter().map(|piece| piece.1).sum();
        let count: usize = pieces.iter().filter_map(|piece| piece.0.as_ref()).map(|tear| tear.pairs.len()).sum();
        let mut all = Self { pairs: Vec::new(), along: Vec::new(), banks: Vec::new(), share: 0.0 };
        for (tear, own) in pieces {
            let Some(tear) = tear else { continue };
            all.share += tear.share * own as f64 / memberships.max(1) as f64;
            let (done, length) = (all.pairs.len() as f64 / count as f64, tear.pairs.len() as f64 / count as f64);
            let moved = |place: f64| done + length * place;
            all.along.extend(tear.along.iter().map(|&place| moved(place)));
            all.banks.extend(tear.banks.iter().map(|&(row, place)| (row, moved(place))));
            all.pairs.extend(tear.pairs);
        }
        let every: Vec<u32> = (0..=all.pairs.iter().map(|pair| pair.1).max()?).collect();
        Some(all.renamed(&every))
    }
}

impl Neighborhoods {
    /// The same without the memberships of these pairs, whichever of the two is the center.
    ///
    /// ```
    /// use truefold::{Neighborhoods, Points, Run};
    ///
    /// let points = Points::from_rows(&[[0.0], [1.0], [2.0]])?;
    /// let neighborhoods = Neighborhoods::nearest(&points, 2, &Run::new())?;
    /// let rest = neighborhoods.without(&[(1, 0)]);
    /// assert_eq!((rest.neighbors(0), rest.neighbors(1)), (&[2][..], &[2][..]));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn without(&self, pairs: &[(u32, u32)]) -> Self {
        let mut ordered: Vec<(u32, u32)> = pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
        ordered.sort_unstable();
        self.filtered(|_, a, b| ordered.binary_search(&(a.min(b), a.max(b))).is_err())
    }

    /// The memberships for which `keep` of their place among all, the center and the member holds; centers always stay.
    pub(crate) fn filtered(&self, keep: impl Fn(usize, u32, u32) -> bool) -> Self {
        let mut offsets = Vec::with_capacity(self.len() + 1);
        let mut members = Vec::with_capacity(self.memberships());
        offsets.push(0);
        let mut place = 0;
        for center in 0..self.len() {
            members.push(center as u32);
            for (at, &member) in self.neighbors(center).iter().enumerate() {
                if keep(place + 1 + at, center as u32, member) {
                    members.push(member);
                }
            }
            place += self.members(center).len();
            offsets.push(members.len());
        }
        // The rows stay where they are.
        self.in_same_order(Self::from_parts(offsets, members, self.origin().clone()))
    }
}

/// The torn points with their places along the seam, and the place of each pair.
fn along(
    whole: &Neighborhoods,
    pairs: &[(u32, u32)],
    length: impl Fn(usize, usize) -> f64,
) -> (Vec<(u32, f64)>, Vec<f64>) {
    let mut rows: Vec<u32> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    rows.sort_unstable();
    rows.dedup();
    let seam = whole.restricted(&rows);
    let places = places::places(&seam, |a, b| length(rows[a] as usize, rows[b] as usize));
    let at = |row: u32| rows.binary_search(&row).map_or((0, 0.0), |at| places[at]);
    let of_pair = |&(a, b): &(u32, u32)| match (at(a), at(b)) {
        // Where branches meet, the mean of two places would be a third.
        (one, other) if one.0 != other.0 => one.1,
        (one, other) => 0.5 * (one.1 + other.1),
    };
    let along = pairs.iter().map(of_pair).collect();
    (rows.iter().zip(&places).map(|(&row, place)| (row, place.1)).collect(), along)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of eight points, cut between 7 and 0.
    fn ring() -> (Neighborhoods, Tear) {
        let lists: Vec<Vec<i64>> = (0..8).map(|at| vec![(at + 1) % 8, (at + 7) % 8]).collect();
        let whole = Neighborhoods::from_lists(&lists).unwrap();
        let rest = whole.filtered(|_, center, member| center.abs_diff(member) == 1);
        let tear = Tear::new(&whole, &rest, |_, _| 1.0);
        assert_eq!(tear.rest(&whole), rest);
        (whole, tear)
    }

    #[test]
    fn what_is_left_keeps_the_order_of_the_rows() {
        let mut whole = ring().0.with_walk(Some((0..8).rev().collect()));
        whole.mark_near();
        let rest = whole.without(&[(0, 1)]);
        assert!(rest.is_near() && rest.walk() == whole.walk() && rest.memberships() == whole.memberships() - 2);
    }

    #[test]
    fn a_pair_is_torn_both_ways_and_named_once() {
        let (_, tear) = ring();
        assert_eq!(tear.pairs(), &[(0, 7)]);
        assert_eq!(tear.share(), 2.0 / 16.0);
        assert_eq!(tear.along(), &[0.5]);
        assert_eq!(tear.banks(), &[(0, 1.0), (7, 0.0)]);
    }

    #[test]
    fn pieces_keep_their_pairs_under_new_names() {
        let (_, tear) = ring();
        let names: Vec<u32> = (0..8).map(|row| 20 - row).collect();
        let renamed = tear.clone().renamed(&names);
        assert_eq!(renamed.pairs(), &[(13, 20)]);
        let merged = Tear::merged(vec![(Some(renamed), 16), (None, 16), (Some(tear), 32)]).unwrap();
        assert_eq!(merged.pairs(), &[(0, 7), (13, 20)]);
        assert_eq!(merged.share(), 0.125 * 48.0 / 64.0);
        assert_eq!(merged.along(), &[0.75, 0.25]);
        assert_eq!(merged.banks(), &[(0, 1.0), (7, 0.5), (13, 0.0), (20, 0.5)]);
        assert_eq!(Tear::merged(vec![(None, 5)]), None);
    }

    #[test]
    fn the_place_along_a_seam_grows_from_one_end_to_the_other() {
        // A ladder: rungs 2i - (2i + 1) are torn, its sides stay.
        let lists: Vec<Vec<i64>> = (0..12_i64)
            .map(|at| [at - 2, at ^ 1, at + 2].into_iter().filter(|&row| (0..12).contains(&row)).collect())
            .collect();
        let whole = Neighborhoods::from_lists(&lists).unwrap();
        let rest = whole.filtered(|_, center, member| center % 2 == member % 2);
        let tear = Tear::new(&whole, &rest, |a, b| if a.abs_diff(b) == 1 { 0.1 } else { 1.0 });
        assert_eq!(tear.pairs().len(), 6);
        let along = tear.along();
        assert!(along.is_sorted() || along.iter().rev().is_sorted(), "{along:?}");
        assert!(along.iter().all(|&place| (0.0..=1.0).contains(&place)));
    }
}
