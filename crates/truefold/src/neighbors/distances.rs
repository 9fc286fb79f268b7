//! Given distances instead of coordinates: all of them, or only the known ones.

use super::radius::within;
use super::search::nearest;
use super::shortlist::{Candidate, order};
use super::{Neighborhoods, Origin, Reach, Search};
use crate::error::{Advice, Place, Text};
use crate::{Error, Result, Run};

/// The largest distance whose square can be summed over any number of pairs.
const LARGEST: f64 = 1e140;

/// How far two entries for the same pair may differ, relative to the larger.
const AGREEMENT: f64 = 1e-9;

/// Distances among n points: symmetric, not negative, zero from each point to itself.
///
/// ```
/// use truefold::{Distances, Run, Search};
///
/// let distances = Distances::dense(3, vec![0.0, 1.0, 4.0, 1.0, 0.0, 2.0, 4.0, 2.0, 0.0])?;
/// let neighborhoods = Search::nearest(1).run_on_distances(&distances, &Run::new())?;
/// assert_eq!(neighborhoods.neighbors(2), &[1]);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Distances {
    len: usize,
    storage: Storage,
}

#[derive(Debug, Clone, PartialEq)]
enum Storage {
    /// All distances, row by row.
    Dense(Vec<f64>),
    /// The known distances of each row, in order of columns, without the diagonal.
    Sparse { offsets: Vec<usize>, columns: Vec<u32>, values: Vec<f64> },
}

impl Distances {
    /// All n x n distances, row by row.
    pub fn dense(len: usize, values: Vec<f64>) -> Result<Self> {
        if len == 0 || len.checked_mul(len) != Some(values.len()) {
            return Err(Error::data(
                format!("{} distances were given for {len} points", values.len()),
                Advice::mend_data("give a square table with one row and one column for each point"),
            ));
        }
        for row in 0..len {
            for column in 0..len {
                let value = values[row * len + column];
                check(row, column, value)?;
                agree(row, column, value, values[column * len + row])?;
            }
        }
        Ok(Self { len, storage: Storage::Dense(values) })
    }

    /// The known distances, row by row: those of row i are at `offsets[i]..offsets[i + 1]` of `columns` and `values`.
    ///
    /// A distance given from i to j also holds from j to i. A pair without a distance is taken to be farther apart than
    /// any pair with one.
    ///
    /// ```
    /// use truefold::Distances;
    ///
    /// let distances = Distances::sparse(3, vec![0, 1, 2, 2], vec![1, 2], vec![0.5, 2.0])?;
    /// assert_eq!((distances.get(2, 1), distances.get(0, 2)), (Some(2.0), None));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn sparse(len: usize, offsets: Vec<usize>, columns: Vec<u32>, values: Vec<f64>) -> Result<Self> {
        let ordered = offsets.first() == Some(&0) && offsets.windows(2).all(|pair| pair[0] <= pair[1]);
        let whole = offsets.last() == Some(&columns.len()) && columns.len() == values.len();
        if len == 0 || offsets.len() != len + 1 || !ordered || !whole {
            return Err(Error::data(
                format!(
                    "{} offsets, {} columns and {} values do not make a sparse table of {len} rows",
                    offsets.len(),
                    columns.len(),
                    values.len()
                ),
                Advice::mend_data("give one offset more than rows, rising from 0 to the number of entries"),
            ));
        }
        let mut rows: Vec<Vec<(u32, f64)>> = vec![Vec::new(); len];
        for row in 0..len {
            for at in offsets[row]..offsets[row + 1] {
                let (column, value) = (columns[at] as usize, values[at]);
                if column >= len {
                    let problem = format!("of the distances names column {}, but there are {len} points", column + 1);
                    let advice = Advice::mend_data("number the columns like the rows");
                    return Err(Error::data(problem, advice).at(Place::row(row)));
                }
                check(row, column, value)?;
                if column != row {
                    rows[row].push((column as u32, value));
                    rows[column].push((row as u32, value));
                }
            }
        }
        let (mut all_offsets, mut all_columns, mut all_values) = (vec![0], Vec::new(), Vec::new());
        for (row, entries) in rows.iter_mut().enumerate() {
            entries.sort_by_key(|entry| entry.0);
            for (place, &(column, value)) in entries.iter().enumerate() {
                if place > 0 && entries[place - 1].0 == column {
                    agree(row, column as usize, value, entries[place - 1].1)?;
                } else {
                    all_columns.push(column);
                    all_values.push(value);
                }
            }
            all_offsets.push(all_columns.len());
        }
        Ok(Self { len, storage: Storage::Sparse { offsets: all_offsets, columns: all_columns, values: all_values } })
    }

    /// The number of points.
    #[expect(clippy::len_without_is_empty, reason = "a table of distances is never empty")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The distances among these rows, in this order.
    pub fn select(&self, rows: &[u32]) -> Self {
        let storage = match &self.storage {
            Storage::Dense(values) => {
                let row = |row: u32| rows.iter().map(move |&column| values[row as usize * self.len + column as usize]);
                Storage::Dense(rows.iter().flat_map(|&from| row(from)).collect())
            }
            Storage::Sparse { offsets, columns, values } => {
                let mut place = vec![u32::MAX; self.len];
                rows.iter().zip(0..).for_each(|(&row, at)| place[row as usize] = at);
                let (mut all_offsets, mut entries) = (vec![0], Vec::new());
                for &row in rows {
                    let start = entries.len();
                    for at in offsets[row as usize]..offsets[row as usize + 1] {
                        let column = place[columns[at] as usize];
                        if column != u32::MAX {
                            entries.push((column, values[at]));
                        }
                    }
                    entries[start..].sort_by_key(|entry| entry.0);
                    all_offsets.push(entries.len());
                }
                let (columns, values) = entries.into_iter().unzip();
                Storage::Sparse { offsets: all_offsets, columns, values }
            }
        };
        Self { len: rows.len(), storage }
    }

    /// All distances, row by row, if all are known.
    pub fn values(&self) -> Option<&[f64]> {
        match &self.storage {
            Storage::Dense(values) => Some(values),
            Storage::Sparse { .. } => None,
        }
    }

    /// The distance between two points, if it is known.
    pub fn get(&self, row: usize, column: usize) -> Option<f64> {
        match &self.storage {
            Storage::Dense(values) => Some(values[row * self.len + column]),
            Storage::Sparse { .. } if row == column => Some(0.0),
            Storage::Sparse { offsets, columns, values } => {
                let range = offsets[row]..offsets[row + 1];
                columns[range.clone()].binary_search(&(column as u32)).ok().map(|at| values[range.start + at])
            }
        }
    }

    /// The distances among some of the points, row by row, `members.len()` squared of them.
    ///
    /// A pair without a known distance gets the length of the shortest path over known pairs of members.
    ///
    /// ```
    /// use truefold::Distances;
    ///
    /// let distances = Distances::sparse(3, vec![0, 1, 2, 2], vec![1, 2], vec![0.5, 2.0])?;
    /// let mut block = [0.0; 9];
    /// distances.block(&[0, 1, 2], &mut block)?;
    /// assert_eq!(block[2], 2.5);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn block(&self, members: &[u32], out: &mut [f64]) -> Result<()> {
        let size = members.len();
        let mut holes = false;
        for (a, &row) in members.iter().enumerate() {
            for (b, &column) in members.iter().enumerate() {
                let value = self.get(row as usize, column as usize).unwrap_or(f64::INFINITY);
                holes |= value == f64::INFINITY;
                out[a * size + b] = value;
            }
        }
        if !holes {
            return Ok(());
        }
        for via in 0..size {
            for a in 0..size {
                let to = out[a * size + via];
                for b in 0..size {
                    out[a * size + b] = out[a * size + b].min(to + out[via * size + b]);
                }
            }
        }
        match out[..size * size].iter().position(|value| value.is_infinite()) {
            None => Ok(()),
            Some(at) => Err(Error::data(
                format!("is not connected to row {} by known distances in a neighborhood", members[at % size] + 1),
                Advice::mend_data("give more distances"),
            )
            .at(Place::row(members[at / size] as usize))),
        }
    }

    /// The other points with a known distance to a row, nearest first.
    fn sorted(&self, row: usize) -> Vec<Candidate> {
        let mut list: Vec<Candidate> = match &self.storage {
            Storage::Dense(values) => {
                let values = values[row * self.len..].iter().zip(0..self.len as u32);
                values.filter(|(_, column)| *column as usize != row).map(|(value, column)| (*value, column)).collect()
            }
            Storage::Sparse { offsets, columns, values } => {
                let range = offsets[row]..offsets[row + 1];
                values[range.clone()].iter().copied().zip(columns[range].iter().copied()).collect()
            }
        };
        list.sort_unstable_by(order);
        list
    }
}

impl Search {
    /// Finds the neighborhoods in given distances; the metric and the algorithm are not used.
    pub fn run_on_distances(&self, distances: &Distances, run: &Run) -> Result<Neighborhoods> {
        let count = distances.len();
        self.check(count)?;
        let origin = Origin::Distances { reach: self.reach() };
        let each = |work: &(dyn Fn(u32, &[Candidate]) -> Result<()> + Sync)| -> Result<()> {
            let rows = |range: std::ops::Range<usize>| {
                range.into_iter().try_for_each(|row| work(row as u32, &distances.sorted(row)))
            };
            run.chunks("neighbors", count, 64, rows).map(|_| ())
        };
        match self.reach() {
            Reach::Nearest(k) => nearest(count, k, origin, |emit| {
                each(&|row, list| {
                    if list.len() < k {
                        let distances = if list.len() == 1 { "distance" } else { "distances" };
                        let problem = Text::from(format!("has {} known {distances}, too few for ", list.len()));
                        let advice = Advice::change("k", "give more distances or choose a smaller {k}");
                        let error = Error::data(problem.name("k").and(format!(" = {k}")), advice);
                        return Err(error.at(Place::row(row as usize)));
                    }
                    emit(row, &list[..k])
                })
            }),
            Reach::Within(radius) => within(
                count,
                radius,
                origin,
                |emit| each(&|row, list| emit(row, &list[..list.partition_point(|one| one.0 <= radius)])),
                || {
                    let nearest = |row| {
                        distances.sorted(row).first().map(|one| one.0).ok_or_else(|| {
                            let advice = Advice::mend_data("give more distances");
                            Error::data("has no known distance", advice).at(Place::row(row))
                        })
                    };
                    (0..count).map(nearest).collect()
                },
            ),
        }
    }
}

/// An error unless `value` can be the distance of these two points.
fn check(row: usize, column: usize, value: f64) -> Result<()> {
    let problem = if !value.is_finite() {
        "is not a finite number"
    } else if value < 0.0 {
        "is negative"
    } else if value > LARGEST {
        "is beyond 1e140, so that its square cannot be summed"
    } else if row == column && value != 0.0 {
        "must be zero, as it is on the diagonal"
    } else {
        return Ok(());
    };
    let advice = Advice::mend_data("give distances, not similarities, and leave out what is not known");
    Err(Error::data(format!("of the distances holds {value}, which {problem}"), advice).at(Place::cell(row, column)))
}

/// An error unless the two entries of a pair agree.
fn agree(row: usize, column: usize, a: f64, b: f64) -> Result<()> {
    if (a - b).abs() <= AGREEMENT * a.abs().max(b.abs()) {
        return Ok(());
    }
    let problem = format!("of the distances holds {a}, but the same pair the other way round has {b}");
    Err(Error::data(problem, Advice::mend_data("make the table symmetric")).at(Place::cell(row, column)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Points;

    #[test]
    fn given_distances_find_what_the_points_find() {
        let values: Vec<f64> = (0..80).map(|i| f64::from(i * 37 % 101)).collect();
        let points = Points::new(40, 2, values).unwrap();
        let table: Vec<f64> = (0..1600)
            .map(|at| {
                let (a, b) = (points.row(at / 40), points.row(at % 40));
                ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
            })
            .collect();
        let offsets = (0..=40).map(|row| row * 40).collect();
        let sparse = Distances::sparse(40, offsets, (0..1600).map(|at| at % 40).collect(), table.clone()).unwrap();
        let dense = Distances::dense(40, table).unwrap();
        for search in [Search::nearest(5), Search::within(60.0)] {
            let expected = search.run(&points, &Run::new()).unwrap();
            for distances in [&dense, &sparse] {
                let found = search.run_on_distances(distances, &Run::new()).unwrap();
                assert!((0..40).all(|row| found.members(row) == expected.members(row)));
                assert_eq!(found.origin(), &Origin::Distances { reach: search.reach() });
            }
        }
    }

    #[test]
    fn faults_are_named() {
        let said = |len, values| Distances::dense(len, values).unwrap_err().to_string();
        assert!(said(2, vec![0.0; 3]).starts_with("3 distances were given for 2 points"));
        assert!(said(2, vec![0.0, 1.0, 2.0, 0.0]).starts_with("row 1, column 2 of the distances holds 1, but"));
        assert!(
            said(2, vec![0.0, 1.0, 1.0, 3.0])
                .starts_with("row 2, column 2 of the distances holds 3, which must be zero")
        );
        assert!(
            said(2, vec![0.0, -1.0, -1.0, 0.0])
                .starts_with("row 1, column 2 of the distances holds -1, which is negative")
        );
        assert!(said(2, vec![0.0, f64::NAN, 1.0, 0.0]).contains("is not a finite number"));
        let sparse = |values| Distances::sparse(3, vec![0, 1, 2, 2], vec![1, 0], values);
        assert!(sparse(vec![1.0, 2.0]).is_err());
        let distances = sparse(vec![1.0, 1.0]).unwrap();
        let error = Search::nearest(1).run_on_distances(&distances, &Run::new()).unwrap_err().to_string();
        assert!(error.starts_with("row 3 has 0 known distances, too few for k = 1"), "{error}");
        assert!(Search::within(1.0).run_on_distances(&distances, &Run::new()).is_err());
        assert!(distances.block(&[0, 1, 2], &mut [0.0; 9]).is_err());
        assert!(Distances::sparse(2, vec![0, 1], vec![1], vec![1.0]).is_err());
    }
}
