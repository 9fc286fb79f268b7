//! Points: n rows of q finite numbers, with their ids and labels.

mod element;
mod make;
mod ration;
mod resident;
mod squares;
mod table;
#[cfg(test)]
mod tests;

pub use element::{Element, Half, Precision};
pub(crate) use element::{Scale, first_not_finite};
pub(crate) use ration::Ration;
pub use resident::Resident;
pub use table::Owner;
pub(crate) use table::{Keeper, Layout, Table, with_rows};

use crate::error::Advice;
use crate::{Error, Result};
use std::ops::Range;
use table::Cells;

/// A table of n points in q dimensions, row by row. It is checked: n and q are at least one and every cell is finite.
///
/// ```
/// use truefold::Points;
///
/// let points = Points::new(2, 3, vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0])?;
/// assert_eq!((points.len(), points.dim()), (2, 3));
/// assert_eq!(points.row(1), &[3.0, 4.0, 5.0]);
///
/// let error = Points::new(1, 2, vec![0.0, f64::NAN]).unwrap_err();
/// assert_eq!(error.to_string(), "row 1, column 2 holds NaN; fill it or leave it out: every cell must be a finite number");
/// assert_eq!(error.place(), Some(&truefold::error::Place::cell(0, 1)));
/// # Ok::<(), truefold::Error>(())
/// ```
///
/// Numbers of 32 or 16 bits and bytes stay what they are ([`Points::from_elements`], [`Points::from_shared`], files).
/// All results are those of the same numbers in double precision, bit for bit. [`Points::read_row`] and
/// [`Points::row_in`] widen one row at a time. [`Points::row`], [`Points::rows`] and [`Points::values`] need all numbers
/// in double precision: the first such call on a narrower table makes a copy that stays as long as the table.
#[derive(Clone)]
pub struct Points {
    len: usize,
    dim: usize,
    cells: Cells,
    ids: Option<Vec<String>>,
    labels: Option<Vec<String>>,
    columns: Option<Vec<String>>,
    resident: Option<Resident>,
}

impl Points {
    /// The most points that a table can hold: row numbers have 32 bits.
    pub const MOST: usize = u32::MAX as usize;

    /// The number of points, n.
    #[expect(clippy::len_without_is_empty, reason = "a table of points is never empty")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The number of coordinates of each point, q.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// How precise the numbers are that the table holds.
    pub fn precision(&self) -> Precision {
        match self.table() {
            Table::Double(_) => Precision::Double,
            Table::Single(_) => Precision::Single,
            Table::Half(_) => Precision::Half,
            Table::Byte(_) => Precision::Byte,
        }
    }

    /// The numbers in their own precision; see [`with_rows`].
    #[inline(always)]
    pub(crate) fn table(&self) -> Table<'_> {
        self.cells.table(self.dim)
    }

    /// Says that the table is not read for a while: of a mapped file the system then needs no memory. Reading it
    /// brings it back.
    pub(crate) fn set_aside(&self) {
        self.cells.set_aside();
    }

    /// A count of what is read of the table, so that about `most` bytes of a mapped file are in memory at a time.
    pub(crate) fn ration(&self, most: usize) -> Ration<'_> {
        Ration::new(&self.cells, [self.len, self.dim], most)
    }

    /// Whether a double-precision copy was made.
    #[cfg(test)]
    pub(crate) fn is_widened(&self) -> bool {
        self.cells.is_widened()
    }

    /// The coordinates of point `index`; of a table that is not in double precision by way of a copy of all of it.
    #[inline(always)]
    pub fn row(&self, index: usize) -> &[f64] {
        &self.values()[index * self.dim..(index + 1) * self.dim]
    }

    /// Writes the coordinates of point `index` to `out`, one for each dimension.
    ///
    /// # Panics
    ///
    /// If there is no such point or `out` has another length.
    pub fn read_row(&self, index: usize, out: &mut [f64]) {
        assert_eq!(out.len(), self.dim, "a row has as many numbers as there are dimensions");
        with_rows!(self.table(), rows => {
            out.iter_mut().zip(rows.row(index)).for_each(|(out, value)| *out = value.wide());
        });
    }

    /// The coordinates of point `index`: those of the table where it is in double precision, else a copy in `room`.
    ///
    /// ```
    /// use truefold::Points;
    ///
    /// let mut room = Vec::new();
    /// let points = Points::from_elements(2, 2, vec![0.0_f32, 1.0, 2.0, 3.5])?;
    /// assert_eq!(points.row_in(1, &mut room), &[2.0, 3.5]);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    #[inline(always)]
    pub fn row_in<'a>(&'a self, index: usize, room: &'a mut Vec<f64>) -> &'a [f64] {
        self.rows_in(index..index + 1, room)
    }

    /// The same for some points, row by row.
    #[inline(always)]
    pub(crate) fn rows_in<'a>(&'a self, range: Range<usize>, room: &'a mut Vec<f64>) -> &'a [f64] {
        if let Some(values) = self.cells.doubles(self.dim) {
            return &values[range.start * self.dim..range.end * self.dim];
        }
        room.clear();
        with_rows!(self.table(), rows => {
            range.for_each(|row| room.extend(rows.row(row).iter().map(|value| value.wide())));
        });
        room
    }

    /// The products of some rows with a direction, each summed in the order of the coordinates.
    ///
    /// ```
    /// use truefold::Points;
    ///
    /// let points = Points::from_elements(3, 2, vec![0.0_f32, 1.0, 2.0, 3.5, 1.0, 1.0])?;
    /// assert_eq!(points.along(&[1.0, -2.0], [2, 1]), &[-1.0, -5.0]);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If there is no such row, or the direction has not one number for each dimension.
    pub fn along(&self, direction: &[f64], rows: impl IntoIterator<Item = usize>) -> Vec<f64> {
        assert_eq!(direction.len(), self.dim, "a direction has as many numbers as there are dimensions");
        let mut room = Vec::new();
        let mut along =
            |row: usize| self.row_in(row, &mut room).iter().zip(direction).map(|(value, weight)| value * weight).sum();
        rows.into_iter().map(&mut along).collect()
    }

    /// Gives `take` all rows in order.
    pub(crate) fn each_row(&self, mut take: impl FnMut(usize, &[f64])) {
        let mut room = Vec::new();
        (0..self.len).for_each(|row| take(row, self.row_in(row, &mut room)));
    }

    /// The squared distance of two points, summed in the order of the coordinates.
    #[inline(always)]
    pub(crate) fn squared_distance(&self, a: usize, b: usize) -> f64 {
        with_rows!(self.table(), rows => rows.squared_distance(a, b))
    }

    /// Writes x_a - x_b to `out`.
    #[inline(always)]
    pub(crate) fn difference(&self, a: usize, b: usize, out: &mut [f64]) {
        with_rows!(self.table(), rows => {
            for ((out, a), b) in out.iter_mut().zip(rows.row(a)).zip(rows.row(b)) {
                *out = a.wide() - b.wide();
            }
        });
    }

    /// All coordinates in double precision, row by row; the first call makes a copy of a table that has another.
    #[inline(always)]
    pub fn values(&self) -> &[f64] {
        self.cells.wide(self.dim)
    }

    /// All coordinates, row by row, owned; a copy if the table does not own them in double precision.
    pub fn into_values(self) -> Vec<f64> {
        match self.cells {
            Cells::Owned(values) => values,
            cells => with_rows!(cells.table(self.dim), rows => rows.widened()),
        }
    }

    /// All rows in order; of a table that is not in double precision by way of a copy of all of it.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.values().chunks_exact(self.dim)
    }

    /// The points of these rows, in this order, with their ids and labels, in the same precision.
    ///
    /// ```
    /// use truefold::Points;
    ///
    /// let points = Points::new(3, 1, vec![0.0, 1.0, 2.0])?;
    /// assert_eq!(points.select(&[2, 0]).values(), &[2.0, 0.0]);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn select(&self, rows: &[u32]) -> Self {
        let pick = |texts: &Option<Vec<String>>| {
            texts.as_ref().map(|texts| rows.iter().map(|&row| texts[row as usize].clone()).collect())
        };
        Self {
            len: rows.len(),
            dim: self.dim,
            cells: self.table().select(rows),
            ids: pick(&self.ids),
            labels: pick(&self.labels),
            columns: self.columns.clone(),
            resident: None,
        }
    }

    /// With a name for each point.
    pub fn with_ids(mut self, ids: Vec<String>) -> Result<Self> {
        self.check_length("ids", ids.len(), self.len)?;
        self.ids = Some(ids);
        Ok(self)
    }

    /// With a class or other text for each point.
    pub fn with_labels(mut self, labels: Vec<String>) -> Result<Self> {
        self.check_length("labels", labels.len(), self.len)?;
        self.labels = Some(labels);
        Ok(self)
    }

    /// With names of the coordinates.
    pub fn with_columns(mut self, columns: Vec<String>) -> Result<Self> {
        self.check_length("column names", columns.len(), self.dim)?;
        self.columns = Some(columns);
        Ok(self)
    }

    /// With the ids and labels of `others`, row by row.
    pub fn with_names_of(mut self, others: &Self) -> Result<Self> {
        self.check_length("points with names", others.len, self.len)?;
        self.ids.clone_from(&others.ids);
        self.labels.clone_from(&others.labels);
        Ok(self)
    }

    /// Other coordinates with the ids, labels and column names of these points.
    ///
    /// ```
    /// use truefold::Points;
    ///
    /// let points = Points::new(2, 1, vec![0.0, 1.0])?.with_ids(vec!["a".into(), "b".into()])?;
    /// let moved = points.moved(vec![0.5, 2.0])?;
    /// assert_eq!((moved.row(1), moved.ids()), (&[2.0][..], points.ids()));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn moved(&self, values: Vec<f64>) -> Result<Self> {
        let mut moved = Self::new(self.len, self.dim, values)?.with_names_of(self)?;
        moved.columns.clone_from(&self.columns);
        Ok(moved)
    }

    /// The names of the points, if they have any.
    pub fn ids(&self) -> Option<&[String]> {
        self.ids.as_deref()
    }

    /// The labels of the points, if they have any.
    pub fn labels(&self) -> Option<&[String]> {
        self.labels.as_deref()
    }

    /// The names of the coordinates, if they have any.
    pub fn columns(&self) -> Option<&[String]> {
        self.columns.as_deref()
    }

    fn check_length(&self, what: &str, given: usize, needed: usize) -> Result<()> {
        if given == needed {
            return Ok(());
        }
        let problem = format!("there are {given} {what}, but {needed} are needed");
        Err(Error::data(problem, Advice::mend_data("give exactly one each")))
    }
}

/// Tables are equal if they hold the same numbers, in whatever precision, and the same names.
impl PartialEq for Points {
    fn eq(&self, other: &Self) -> bool {
        let (mut own, mut others) = (Vec::new(), Vec::new());
        let mut same = |row| self.row_in(row, &mut own) == other.row_in(row, &mut others);
        (self.len, self.dim, &self.ids, &self.labels, &self.columns)
            == (other.len, other.dim, &other.ids, &other.labels, &other.columns)
            && (0..self.len).all(&mut same)
    }
}

impl std::fmt::Debug for Points {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut room = Vec::new();
        let rows: Vec<Vec<f64>> = (0..self.len).map(|row| self.row_in(row, &mut room).to_vec()).collect();
        out.debug_struct("Points")
            .field("len", &self.len)
            .field("dim", &self.dim)
            .field("precision", &self.precision())
            .field("rows", &rows)
            .field("ids", &self.ids)
            .field("labels", &self.labels)
            .field("columns", &self.columns)
            .finish()
    }
}
