//! Given distances instead of coordinates: all of them, or those that are known.

use super::radius::within;
use super::search::nearest;
use super::shortlist::{Candidate, order};
use super::{Neighborhoods, Origin, Reach, Search};
use crate::{Error, Result, Run};

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
    known: Known,
}

#[derive(Debug, Clone, PartialEq)]
enum Known {
    All(Vec<f64>),
    /// Per row the columns in order, without the diagonal.
    Some {
        offsets: Vec<usize>,
        columns: Vec<u32>,
        values: Vec<f64>,
    },
}

impl Distances {
    /// All n x n distances, row by row.
    pub fn dense(len: usize, values: Vec<f64>) -> Result<Self> {
        if len == 0 || len.checked_mul(len) != Some(values.len()) {
            return Err(Error::data(
                format!("{} distances were given for {len} points", values.len()),
                "give a square table: one row and one column per point",
            ));
        }
        for row in 0..len {
            for column in 0..len {
                let value = values[row * len + column];
                check(row, column, value)?;
                agree(row, column, value, values[column * len + row])?;
            }
        }
        Ok(Self { len, known: Known::All(values) })
    }

    /// The known distances, row by row: those of row i are at `offsets[i]..offsets[i + 1]` of `columns` and `values`.
    ///
    /// A distance given one way holds both ways; what is not given is taken to be farther than what is.
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
                "give offsets that rise from 0 to the number of entries, one more of them than rows",
            ));
        }
        let mut rows: Vec<Vec<(u32, f64)>> = vec![Vec::new(); len];
        for row in 0..len {
            for at in offsets[row]..offsets[row + 1] {
                let (column, value) = (columns[at] as usize, values[at]);
                if column >= len {
                    return Err(Error::data(
                        format!("row {} of the distances names column {}", row + 1, column + 1),
                        format!("there are {len} points"),
                    ));
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
        Ok(Self { len, known: Known::Some { offsets: all_offsets, columns: all_columns, values: all_values } })
    }

    /// The number of points.
    #[expect(clippy::len_without_is_empty, reason = "a table of distances is never empty")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The distance of two points where it is known.
    pub fn get(&self, row: usize, column: usize) -> Option<f64> {
        match &self.known {
            Known::All(values) => Some(values[row * self.len + column]),
            Known::Some { .. } if row == column => Some(0.0),
            Known::Some { offsets, columns, values } => {
                let range = offsets[row]..offsets[row + 1];
                columns[range.clone()].binary_search(&(column as u32)).ok().map(|at| values[range.start + at])
            }
        }
    }

    /// The distances among some of the points, row by row, `members.len()` squared of them.
    ///
    /// A pair that is not known gets the shortest way over known pairs of members.
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
                format!(
                    "no known distances lead from row {} to row {} inside a neighborhood",
                    members[at / size] + 1,
                    members[at % size] + 1
                ),
                "give more distances",
            )),
        }
    }

    /// The known others of a row, in order.
    fn sorted(&self, row: usize) -> Vec<Candidate> {
        let mut list: Vec<Candidate> = match &self.known {
            Known::All(values) => {
                let values = values[row * self.len..].iter().zip(0..self.len as u32);
                values.filter(|(_, column)| *column as usize != row).map(|(value, column)| (*value, column)).collect()
            }
            Known::Some { offsets, columns, values } => {
                let range = offsets[row]..offsets[row + 1];
                values[range.clone()].iter().copied().zip(columns[range].iter().copied()).collect()
            }
        };
        list.sort_unstable_by(order);
        list
    }
}

impl Search {
    /// Finds the neighborhoods in given distances; the metric and the algorithm play no part.
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
                        return Err(Error::data(
                            format!("row {} has {} known distances, too few for k = {k}", row + 1, list.len()),
                            "give more distances or choose a smaller k",
                        ));
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
                            Error::data(format!("row {} has no known distance", row + 1), "give more distances")
                        })
                    };
                    (0..count).map(nearest).collect()
                },
            ),
        }
    }
}

fn check(row: usize, column: usize, value: f64) -> Result<()> {
    let what = if !value.is_finite() {
        "is not a finite number"
    } else if value < 0.0 {
        "is negative"
    } else if row == column && value != 0.0 {
        "is not zero on the diagonal"
    } else {
        return Ok(());
    };
    Err(Error::data(
        format!("the distance in row {}, column {} is {value}: it {what}", row + 1, column + 1),
        "give distances, not similarities, and leave out what is not known",
    ))
}

fn agree(row: usize, column: usize, a: f64, b: f64) -> Result<()> {
    if (a - b).abs() <= AGREEMENT * a.abs().max(b.abs()) {
        return Ok(());
    }
    Err(Error::data(
        format!("the distance in row {}, column {} is {a} one way and {b} the other", row + 1, column + 1),
        "make the table symmetric",
    ))
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
        assert!(said(2, vec![0.0, 1.0, 2.0, 0.0]).starts_with("the distance in row 1, column 2 is 1 one way and 2"));
        assert!(said(2, vec![0.0, 1.0, 1.0, 3.0]).contains("row 2, column 2 is 3: it is not zero on the diagonal"));
        assert!(said(2, vec![0.0, -1.0, -1.0, 0.0]).contains("row 1, column 2 is -1: it is negative"));
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
