//! A map of the data, or of some of their rows, and its own neighborhoods.

use crate::data::Input;
use crate::error::Advice;
use crate::measure::embedded_neighbors;
use crate::{Error, Neighborhoods, Points, Result, Run};

/// Stands for a row that a map does not have.
const NONE: u32 = u32::MAX;

/// A map of the data from any program.
///
/// ```
/// use truefold::Points;
/// use truefold::stability::Map;
///
/// let points = Points::new(3, 1, vec![0.0, 1.0, 2.0])?;
/// let of_some = Map::new(&points).with_rows(&[0, 2, 5]);
/// assert_eq!(of_some.rows, Some(&[0, 2, 5][..]));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Map<'a> {
    /// The coordinates.
    pub points: &'a Points,
    /// The row of the data of each point, where not all were mapped.
    pub rows: Option<&'a [u32]>,
}

impl<'a> Map<'a> {
    /// A map of all rows: row i belongs to row i of the data.
    pub fn new(points: &'a Points) -> Self {
        Self { points, rows: None }
    }

    /// Of these rows of the data alone, one for each point.
    #[must_use]
    pub fn with_rows(mut self, rows: &'a [u32]) -> Self {
        self.rows = Some(rows);
        self
    }

    /// An error unless the map, the `at`-th from 0, can be one of `input`.
    pub(super) fn check(&self, at: usize, input: &Input<'_>) -> Result<()> {
        let (name, wanted) = (format!("Y{}", at + 1), self.rows.map_or(input.len(), <[u32]>::len));
        let advice = Advice::mend_data("row i of every map must be the place of row i of X");
        if self.points.len() != wanted {
            let problem = format!("{name} has {} rows for {wanted} points", self.points.len());
            return Err(Error::data(problem, advice));
        }
        if let Some(dim) = input.dim().filter(|&dim| self.points.dim() > dim) {
            let problem = format!("{name} has {} dimensions, but X has only {dim}", self.points.dim());
            let advice = Advice::mend_data("a map has at most as many dimensions as the data; were they swapped?");
            return Err(Error::data(problem, advice));
        }
        let mut seen = vec![false; input.len()];
        for &row in self.rows.unwrap_or_default() {
            match seen.get_mut(row as usize) {
                Some(seen) if !*seen => *seen = true,
                found => {
                    let how = if found.is_some() { "twice" } else { "which X does not have" };
                    let advice = Advice::mend_data("give every row of X at most once, counted from 0");
                    return Err(Error::data(format!("{name} names row {row} {how}"), advice));
                }
            }
        }
        self.points.check_squares(&name)
    }
}

/// A map that is found by the rows of the data, with the nearest points of each of its points.
#[derive(Debug)]
pub(super) struct Placed<'a> {
    pub(super) map: &'a Map<'a>,
    /// The place of each row of the data in the map, where the map does not have all.
    places: Option<Vec<u32>>,
    nearest: Neighborhoods,
}

impl<'a> Placed<'a> {
    /// Finds the nearest points: for each as many as it has neighbors in the data among the points of the map.
    pub(super) fn new(map: &'a Map<'a>, neighborhoods: &Neighborhoods, run: &Run) -> Result<Self> {
        let Some(rows) = map.rows else {
            let nearest = embedded_neighbors(map.points, neighborhoods, run)?;
            return Ok(Self { map, places: None, nearest });
        };
        let mut places = vec![NONE; neighborhoods.len()];
        for (place, &row) in rows.iter().enumerate() {
            places[row as usize] = place as u32;
        }
        let among = neighborhoods.restricted(rows);
        let nearest = if among.largest_k() == 0 { among } else { embedded_neighbors(map.points, &among, run)? };
        Ok(Self { map, places: Some(places), nearest })
    }

    /// Where a row of the data is in the map.
    pub(super) fn place(&self, row: u32) -> Option<u32> {
        match &self.places {
            None => Some(row),
            Some(places) => Some(places[row as usize]).filter(|&place| place != NONE),
        }
    }

    /// The number of rows that two maps share.
    pub(super) fn shared(&self, other: &Self, rows: usize) -> usize {
        (0..rows as u32).filter(|&row| self.place(row).is_some() && other.place(row).is_some()).count()
    }

    /// Sets `nearest` to the rows of the data that are nearest to a place of the map and that `other` has too.
    pub(super) fn nearest_shared(&self, place: u32, other: &Self, nearest: &mut Vec<u32>) {
        let row = |&place: &u32| self.map.rows.map_or(place, |rows| rows[place as usize]);
        nearest.clear();
        let found = self.nearest.neighbors(place as usize).iter().map(row);
        nearest.extend(found.filter(|&row| other.place(row).is_some()));
    }
}
