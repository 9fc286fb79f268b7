//! Making a table from numbers, wherever they lie: its shape and every cell are checked.

use super::table::{Cells, Keeper, Layout, Owner};
use super::{Element, Points, Precision, Ration};
use crate::error::{Advice, Place};
use crate::{Error, Result};
use std::sync::Arc;

/// Bytes of a mapped file that are in memory while its cells are checked.
const CHECKED: usize = 256 << 20;

impl Points {
    /// `len` rows of `dim` numbers, row by row; an error names the first cell that is not finite.
    pub fn new(len: usize, dim: usize, values: Vec<f64>) -> Result<Self> {
        check_shape(len, dim, values.len())?;
        Self::checked(len, dim, Cells::Owned(values))
    }

    /// The same of numbers in any precision, which they keep.
    ///
    /// ```
    /// use truefold::{Points, Precision};
    ///
    /// let points = Points::from_elements(2, 2, vec![0_u8, 1, 2, 255])?;
    /// assert_eq!(points.precision(), Precision::Byte);
    /// let mut row = [0.0; 2];
    /// points.read_row(1, &mut row);
    /// assert_eq!(row, [2.0, 255.0]);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn from_elements<T: Element>(len: usize, dim: usize, values: Vec<T>) -> Result<Self> {
        check_shape(len, dim, values.len())?;
        Self::checked(len, dim, Cells::of(values, dim))
    }

    /// The same without a copy, of the first `len * dim` numbers among the bytes that `owner` keeps, in the byte order
    /// of this machine. They must not change while the table or a copy of it lives.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use truefold::{Points, Precision};
    ///
    /// let bytes: Vec<u8> = [0.5_f32, -2.0].iter().flat_map(|value| value.to_ne_bytes()).collect();
    /// let points = Points::from_shared(1, 2, Precision::Single, Arc::new(bytes))?;
    /// assert_eq!(points.row(0), &[0.5, -2.0]);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn from_shared(len: usize, dim: usize, precision: Precision, owner: Owner) -> Result<Self> {
        let cells = AsRef::<[u8]>::as_ref(&*owner).len() / precision.bytes();
        let needed = len.checked_mul(dim).filter(|needed| *needed <= cells);
        check_shape(len, dim, needed.unwrap_or(cells))?;
        Self::from_layout(&Layout { precision, len, dim, offset: 0, stride: dim }, Arc::new(owner))
    }

    /// The same of numbers that lie among other bytes.
    pub(crate) fn from_layout(layout: &Layout, owner: Arc<dyn Keeper>) -> Result<Self> {
        let &Layout { precision, len, dim, .. } = layout;
        let found = owner.bytes().len() / precision.bytes();
        let cells = Cells::of_bytes(owner, layout);
        check_shape(len, dim, if cells.is_some() { len.saturating_mul(dim) } else { found })?;
        cells.map_or_else(|| Err(shape(len, dim, found)), |cells| Self::checked(len, dim, cells))
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
        check_shape(len, dim, values.len())?;
        Self::checked(len, dim, Cells::of_static(values, dim))
    }

    /// The same of numbers that a reader already found to be finite, one by one.
    #[cfg(feature = "csv")]
    pub(crate) fn from_finite(len: usize, dim: usize, values: Vec<f64>) -> Result<Self> {
        debug_assert!(super::first_not_finite(&values).is_none());
        check_shape(len, dim, values.len())?;
        Ok(Self { len, dim, cells: Cells::Owned(values), ids: None, labels: None, columns: None, resident: None })
    }

    fn checked(len: usize, dim: usize, cells: Cells) -> Result<Self> {
        if let Some((row, column, value)) = cells.table(dim).not_finite(&Ration::new(&cells, [len, dim], CHECKED)) {
            let advice = Advice::mend_data("fill it or leave it out: every cell must be a finite number");
            return Err(Error::data(format!("holds {value}"), advice).at(Place::cell(row, column)));
        }
        Ok(Self { len, dim, cells, ids: None, labels: None, columns: None, resident: None })
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
        return Err(shape(len, dim, cells));
    }
    if len > Points::MOST {
        let problem = format!("there are {len} points, more than {}", Points::MOST);
        return Err(Error::data(problem, Advice::mend_data("take a sample of them")));
    }
    Ok(())
}

/// The error of a number of cells that does not make such a table.
fn shape(len: usize, dim: usize, cells: usize) -> Error {
    let needed = len as u128 * dim as u128;
    let problem = format!("{len} rows of {dim} numbers need {needed} cells, but {cells} were given");
    Error::data(problem, same_number_of_cells())
}

fn same_number_of_cells() -> Advice {
    Advice::mend_data("give every row the same number of cells")
}
