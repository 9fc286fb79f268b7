//! The numbers of an array in the precision that the file has them in.

use super::kind::Kind;
use crate::points::{Element, Half, Precision};
use crate::{Points, Result};

/// Numbers in their order in a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Array {
    Double(Vec<f64>),
    Single(Vec<f32>),
    Half(Vec<Half>),
    Byte(Vec<u8>),
}

/// Gives the list of an [`Array`] to code that is compiled for each precision.
macro_rules! with_list {
    ($array:expr, $list:ident => $body:expr) => {
        match $array {
            Array::Double($list) => $body,
            Array::Single($list) => $body,
            Array::Half($list) => $body,
            Array::Byte($list) => $body,
        }
    };
}

/// The same with an array of the same precision as the result.
macro_rules! map_list {
    ($array:expr, $list:ident => $body:expr) => {
        match $array {
            Array::Double($list) => Array::Double($body),
            Array::Single($list) => Array::Single($body),
            Array::Half($list) => Array::Half($body),
            Array::Byte($list) => Array::Byte($body),
        }
    };
}

impl Array {
    /// An empty array for elements of this type: in double precision those that are no narrower floats and no bytes.
    pub(super) fn for_kind(kind: Kind) -> Self {
        match kind.precision() {
            Some(Precision::Single) => Self::Single(Vec::new()),
            Some(Precision::Half) => Self::Half(Vec::new()),
            Some(Precision::Byte) => Self::Byte(Vec::new()),
            _ => Self::Double(Vec::new()),
        }
    }

    /// Appends the elements in `bytes`, which are of the type that the array was made for.
    pub(super) fn append(&mut self, kind: Kind, bytes: &[u8]) {
        match self {
            Self::Double(list) => kind.decode(bytes, list),
            Self::Single(list) => list.extend(kind.cells(bytes).map(f32::from_le_bytes)),
            Self::Half(list) => list.extend(kind.cells(bytes).map(|cell| Half::from_bits(u16::from_le_bytes(cell)))),
            Self::Byte(list) => list.extend_from_slice(bytes),
        }
    }

    /// Number `at` in double precision.
    pub(super) fn wide(&self, at: usize) -> f64 {
        with_list!(self, list => list[at].wide())
    }

    /// All numbers in double precision.
    pub(super) fn widened(&self) -> Vec<f64> {
        with_list!(self, list => list.iter().map(|value| value.wide()).collect())
    }

    /// The numbers row by row that are here column by column, as Fortran and MATLAB store them.
    pub(super) fn turned(&self, rows: usize, columns: usize) -> Self {
        map_list!(self, list => {
            (0..rows).flat_map(|row| (0..columns).map(move |column| list[column * rows + row])).collect()
        })
    }

    /// Some columns of rows of `width` numbers.
    pub(super) fn picked(&self, width: usize, columns: &[usize]) -> Self {
        map_list!(self, list => {
            list.chunks_exact(width).flat_map(|row| columns.iter().map(|&column| row[column])).collect()
        })
    }

    /// One array of columns of equal length, row by row; in double precision unless all are single.
    pub(super) fn of_columns(columns: Vec<Self>, rows: usize) -> Self {
        if columns.iter().all(|column| matches!(column, Self::Single(_))) {
            let single = |column| if let Self::Single(list) = column { list } else { Vec::new() };
            return Self::Single(side_by_side(&columns.into_iter().map(single).collect::<Vec<_>>(), rows));
        }
        Self::Double(side_by_side(&columns.iter().map(Self::widened).collect::<Vec<_>>(), rows))
    }

    /// Rows of `dim` of them as points.
    pub(super) fn points(self, len: usize, dim: usize) -> Result<Points> {
        match self {
            Self::Double(list) => Points::new(len, dim, list),
            Self::Single(list) => Points::from_elements(len, dim, list),
            Self::Half(list) => Points::from_elements(len, dim, list),
            Self::Byte(list) => Points::from_elements(len, dim, list),
        }
    }
}

fn side_by_side<T: Copy>(columns: &[Vec<T>], rows: usize) -> Vec<T> {
    (0..rows).flat_map(|row| columns.iter().map(move |column| column[row])).collect()
}

impl Default for Array {
    fn default() -> Self {
        Self::Double(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_and_bytes_keep_their_precision_in_both_byte_orders() {
        let read = |kind: &str, bytes: &[u8]| {
            let kind = Kind::parse(kind).unwrap();
            let mut array = Array::for_kind(kind);
            array.append(kind, bytes);
            array
        };
        assert_eq!(read("<f4", &1.5_f32.to_le_bytes()), Array::Single(vec![1.5]));
        assert_eq!(read(">f4", &1.5_f32.to_be_bytes()), Array::Single(vec![1.5]));
        assert_eq!(read(">f2", &[0x3c, 0]), Array::Half(vec![Half::from_bits(0x3c00)]));
        assert_eq!(read("|u1", &[0, 255]), Array::Byte(vec![0, 255]));
        assert_eq!(read("<i2", &[0xfe, 0xff]), Array::Double(vec![-2.0]));
        assert_eq!(read("|b1", &[0, 7]), Array::Double(vec![0.0, 1.0]));
    }

    #[test]
    fn columns_of_different_precision_are_joined_in_double_precision() {
        let (single, double) = (Array::Single(vec![0.5, 1.5]), Array::Double(vec![0.1, 0.2]));
        let both = Array::of_columns(vec![single.clone(), single.clone()], 2);
        assert_eq!(both, Array::Single(vec![0.5, 0.5, 1.5, 1.5]));
        for columns in [[single.clone(), double.clone()], [double, single]] {
            let Array::Double(list) = Array::of_columns(columns.to_vec(), 2) else { panic!() };
            assert!(list.contains(&0.1) && list.contains(&1.5));
        }
        assert_eq!(both.picked(2, &[1]).points(2, 1).unwrap().precision(), Precision::Single);
    }
}
