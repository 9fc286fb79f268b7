//! Features of places: weights of the centers around them, f_l(x) = w_l / sum w, w_l = (1 - |x - c_l|^2 / r^2)^2.
//!
//! r is the distance to the first center that is left out, so that features are as wide as centers are sparse, in any unit, and
//! change continuously as x moves. They sum to one: a constant basis needs constant Theta, and a plane is learned exactly.
//! Centers are spread over the points, each the farthest from those before it (Gonzalez 1985). Cost: O(p^2 q) for p centers,
//! chosen among a fixed number of points each; a search among the centers a place.

use crate::{Points, Result, Run, Search};

/// The fewest centers that make the features of a place.
const AROUND: usize = 12;

/// Points per center among which centers are chosen.
const CHOICE: usize = 20;

/// The centers of features.
pub(super) struct Centers {
    points: Points,
    /// How many make the features of a place.
    around: usize,
}

/// The features of places that are not zero, as many for each place, by increasing center.
pub(super) struct Features {
    around: usize,
    entries: Vec<(u32, f64)>,
}

impl Features {
    /// The centers and features of one place.
    pub(super) fn of(&self, place: usize) -> &[(u32, f64)] {
        &self.entries[place * self.around..][..self.around]
    }
}

impl Centers {
    /// Up to `wanted` centers, none two in the same place, for bases of `dim` columns.
    pub(super) fn spread(points: &Points, wanted: usize, dim: usize) -> Result<Self> {
        let every = (points.len() / (CHOICE * wanted)).max(1);
        let choice: Vec<u32> = (0..points.len() as u32).step_by(every).collect();
        let mut nearest = vec![f64::INFINITY; choice.len()];
        let mut chosen = vec![choice[0]];
        while chosen.len() < wanted {
            let last = chosen[chosen.len() - 1] as usize;
            let mut next = 0;
            for (at, &row) in choice.iter().enumerate() {
                nearest[at] = nearest[at].min(points.squared_distance(last, row as usize));
                if nearest[at] > nearest[next] {
                    next = at;
                }
            }
            if nearest[next] == 0.0 {
                break;
            }
            chosen.push(choice[next]);
        }
        let around = AROUND.max(dim + 2).min(chosen.len().saturating_sub(1)).max(1);
        Ok(Self { points: points.select(&chosen), around })
    }

    /// The number of features.
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// The features of places.
    pub(super) fn features(&self, places: &Points, run: &Run) -> Result<Features> {
        let around = self.around;
        let searched = (around + 1).min(self.len());
        let found = Search::nearest(searched).run_on_new(&self.points, places, &run.quiet())?;
        let mut entries = Vec::with_capacity(places.len() * around);
        for (rows, distances) in found.rows.chunks_exact(searched).zip(found.distances.chunks_exact(searched)) {
            let reach = if searched > around { distances[around] } else { f64::INFINITY };
            let weight = |distance: f64| (1.0 - (distance / reach) * (distance / reach)).powi(2);
            let sum: f64 = distances[..around].iter().map(|&distance| weight(distance)).sum();
            let first = entries.len();
            entries.extend(rows[..around].iter().zip(distances).map(|(&row, &distance)| {
                // All centers are as far as the first that is left out.
                (row, if sum > 0.0 { weight(distance) / sum } else { 1.0 / around as f64 })
            }));
            entries[first..].sort_unstable_by_key(|entry| entry.0);
        }
        Ok(Features { around, entries })
    }
}
