//! Points: n rows of q finite numbers, with their ids and labels.

use crate::error::{Advice, Place};
use crate::{Error, Result};
use std::borrow::Cow;

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
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    len: usize,
    dim: usize,
    values: Cow<'static, [f64]>,
    ids: Option<Vec<String>>,
    labels: Option<Vec<String>>,
    columns: Option<Vec<String>>,
}

/// The index of the first number that is NaN or infinite.
pub(crate) fn first_not_finite(values: &[f64]) -> Option<usize> {
    // Whole blocks without a branch for each number: the index matters only in the first bad block.
    let block = 1024;
    let bad = values.chunks(block).position(|block| block.iter().fold(false, |bad, value| bad | !value.is_finite()))?;
    let within = values[bad * block..].iter().position(|value| !value.is_finite())?;
    Some(bad * block + within)
}

impl Points {
    /// The most points that a table can hold: row numbers have 32 bits.
    pub const MOST: usize = u32::MAX as usize;

    /// `len` rows of `dim` numbers, row by row; an error names the first cell that is not finite.
    pub fn new(len: usize, dim: usize, values: Vec<f64>) -> Result<Self> {
        Self::checked(len, dim, Cow::Owned(values))
    }

    /// The same without a copy, of numbers that live as long as the program.
    ///
    /// ```
    /// use truefold::Points;
    ///
    /// static CORNERS: [f64; 8] = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0];
    /// let points = Points::from_static(4, 2, &CORNERS)?;
    /// assert_eq!(points.values().as_ptr(), CORNERS.as_ptr());
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn from_static(len: usize, dim: usize, values: &'static [f64]) -> Result<Self> {
        Self::checked(len, dim, Cow::Borrowed(values))
    }

    /// The same of numbers that a reader already found to be finite, one by one.
    #[cfg(feature = "csv")]
    pub(crate) fn from_finite(len: usize, dim: usize, values: Vec<f64>) -> Result<Self> {
        debug_assert!(first_not_finite(&values).is_none());
        check_shape(len, dim, values.len())?;
        Ok(Self { len, dim, values: Cow::Owned(values), ids: None, labels: None, columns: None })
    }

    fn checked(len: usize, dim: usize, values: Cow<'static, [f64]>) -> Result<Self> {
        check_shape(len, dim, values.len())?;
        if let Some(at) = first_not_finite(&values) {
            let advice = Advice::mend_data("fill it or leave it out: every cell must be a finite number");
            return Err(Error::data(format!("holds {}", values[at]), advice).at(Place::cell(at / dim, at % dim)));
        }
        Ok(Self { len, dim, values, ids: None, labels: None, columns: None })
    }

    /// From rows that each hold the same number of cells.
    ///
    /// ```
    /// use truefold::Points;
    ///
    /// let points = Points::from_rows(&[[0.0, 1.0], [2.0, 3.0]])?;
    /// assert_eq!(points.row(1), &[2.0, 3.0]);
    /// let error = Points::from_rows(&[vec![0.0, 1.0], vec![2.0]]).unwrap_err();
    /// assert_eq!(error.to_string(), "row 2 has 1 cell, but row 1 has 2; give every row the same number of cells");
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn from_rows<R: AsRef<[f64]>>(rows: &[R]) -> Result<Self> {
        let dim = rows.first().map_or(0, |row| row.as_ref().len());
        let mut values = Vec::with_capacity(rows.len() * dim);
        for (number, row) in rows.iter().enumerate() {
            let row = row.as_ref();
            if row.len() != dim {
                let cells = if row.len() == 1 { "cell" } else { "cells" };
                let problem = format!("has {} {cells}, but row 1 has {dim}", row.len());
                return Err(Error::data(problem, same_number_of_cells()).at(Place::row(number)));
            }
            values.extend_from_slice(row);
        }
        Self::new(rows.len(), dim, values)
    }

    /// The number of points, n.
    #[expect(clippy::len_without_is_empty, reason = "a table of points is never empty")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The number of coordinates of each point, q.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The coordinates of point `index`.
    #[inline(always)]
    pub fn row(&self, index: usize) -> &[f64] {
        &self.values[index * self.dim..(index + 1) * self.dim]
    }

    /// All coordinates, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All coordinates, row by row, owned; a copy if the table borrowed them.
    pub fn into_values(self) -> Vec<f64> {
        self.values.into_owned()
    }

    /// All rows in order.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.values.chunks_exact(self.dim)
    }

    /// The points of these rows, in this order, with their ids and labels.
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
            values: rows.iter().flat_map(|&row| self.row(row as usize)).copied().collect(),
            ids: pick(&self.ids),
            labels: pick(&self.labels),
            columns: self.columns.clone(),
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

/// An error unless `cells` numbers make `len` rows of `dim` columns, both at least one.
fn check_shape(len: usize, dim: usize, cells: usize) -> Result<()> {
    if len == 0 || dim == 0 {
        return Err(Error::data(
            format!("the table is empty: it has {len} rows and {dim} columns of numbers"),
            Advice::mend_data("give at least one point with one coordinate"),
        ));
    }
    if len.checked_mul(dim) != Some(cells) {
        let needed = len as u128 * dim as u128;
        let problem = format!("{len} rows of {dim} numbers need {needed} cells, but {cells} were given");
        return Err(Error::data(problem, same_number_of_cells()));
    }
    if len > Points::MOST {
        let problem = format!("there are {len} points, more than {}", Points::MOST);
        return Err(Error::data(problem, Advice::mend_data("take a sample of them")));
    }
    Ok(())
}

fn same_number_of_cells() -> Advice {
    Advice::mend_data("give every row the same number of cells")
}
