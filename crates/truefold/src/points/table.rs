//! The numbers of a table: owned, or held in their own precision by whoever keeps them alive.

use super::element::{Element, Half, Precision, first_not_finite};
use super::ration::Ration;
use std::sync::{Arc, OnceLock};

/// Numbers that are looked at together, about.
const LOOKED_AT: usize = 1 << 20;

/// Rows of numbers in one precision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows<'a, T> {
    cells: &'a [T],
    dim: usize,
    /// From the start of a row to that of the next.
    stride: usize,
}

impl<'a, T: Element> Rows<'a, T> {
    /// Row `index`.
    #[inline(always)]
    pub(crate) fn row(&self, index: usize) -> &'a [T] {
        &self.cells[index * self.stride..][..self.dim]
    }

    /// All rows in order.
    #[inline(always)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'a [T]> + use<'a, T> {
        let dim = self.dim;
        self.cells.chunks(self.stride).map(move |row| &row[..dim])
    }

    /// The squared distance of two rows, summed in the order of the coordinates.
    #[inline(always)]
    pub(crate) fn squared_distance(&self, a: usize, b: usize) -> f64 {
        self.row(a).iter().zip(self.row(b)).fold(0.0, |sum, (a, b)| {
            let difference = a.wide() - b.wide();
            sum + difference * difference
        })
    }

    pub(super) fn widened(&self) -> Vec<f64> {
        self.iter().flatten().map(|value| value.wide()).collect()
    }

    fn bytes_of_row(&self) -> usize {
        self.stride * size_of::<T>()
    }

    /// The row and the column of the first number that is NaN or infinite, and the number.
    fn not_finite(&self, ration: &Ration) -> Option<(usize, usize, f64)> {
        let together = (LOOKED_AT / self.stride).max(1);
        for (number, part) in self.cells.chunks(together * self.stride).enumerate() {
            let found = if self.stride == self.dim {
                first_not_finite(part).map(|at| (at / self.dim, at % self.dim))
            } else {
                let mut rows = part.chunks(self.stride).map(|row| &row[..self.dim]).enumerate();
                rows.find_map(|(row, cells)| Some((row, first_not_finite(cells)?)))
            };
            if let Some((row, column)) = found {
                let row = number * together + row;
                return Some((row, column, self.row(row)[column].wide()));
            }
            ration.rows(together);
        }
        None
    }

    fn select(&self, rows: &[u32]) -> Vec<T> {
        rows.iter().flat_map(|&row| self.row(row as usize)).copied().collect()
    }
}

/// The rows of a table, whatever their precision.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Table<'a> {
    Double(Rows<'a, f64>),
    Single(Rows<'a, f32>),
    Half(Rows<'a, Half>),
    Byte(Rows<'a, u8>),
}

/// Gives the rows of a [`Table`] to code that is compiled for each precision.
macro_rules! with_rows {
    ($table:expr, $rows:pat => $body:expr) => {
        match $table {
            $crate::points::Table::Double($rows) => $body,
            $crate::points::Table::Single($rows) => $body,
            $crate::points::Table::Half($rows) => $body,
            $crate::points::Table::Byte($rows) => $body,
        }
    };
}

pub(crate) use with_rows;

impl Table<'_> {
    /// The row and the column of the first number that is NaN or infinite, and the number.
    pub(super) fn not_finite(&self, ration: &Ration) -> Option<(usize, usize, f64)> {
        with_rows!(self, rows => rows.not_finite(ration))
    }

    /// Rows of `dim` double-precision numbers.
    #[cfg(all(test, feature = "npz"))]
    pub(crate) fn of_doubles(cells: &[f64], dim: usize) -> Table<'_> {
        Table::Double(Rows { cells, dim, stride: dim })
    }

    /// Some rows, in the same precision.
    pub(super) fn select(&self, chosen: &[u32]) -> Cells {
        match self {
            Self::Double(rows) => Cells::Owned(rows.select(chosen)),
            Self::Single(rows) => Cells::of(rows.select(chosen), rows.dim),
            Self::Half(rows) => Cells::of(rows.select(chosen), rows.dim),
            Self::Byte(rows) => Cells::of(rows.select(chosen), rows.dim),
        }
    }
}

/// The numbers of a [`Held`] in their own precision.
#[derive(Debug, Clone, Copy)]
pub enum View {
    Double(&'static [f64]),
    Single(&'static [f32]),
    Half(&'static [Half]),
    Byte(&'static [u8]),
}

/// Something that keeps bytes where they are: a mapped file, an array of another program.
pub type Owner = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// The same, where it may be able to give memory back and still have the bytes.
pub(crate) trait Keeper: Send + Sync {
    /// The bytes, which stay where they are.
    fn bytes(&self) -> &[u8];

    /// Whether [`Keeper::set_aside`] gives memory back.
    fn can_be_set_aside(&self) -> bool {
        false
    }

    /// They are not read for a while.
    fn set_aside(&self) {}
}

impl Keeper for Owner {
    fn bytes(&self) -> &[u8] {
        AsRef::<[u8]>::as_ref(&**self)
    }
}

impl Keeper for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }
}

/// Numbers that something else keeps alive, and the double-precision copy of them, if it was ever needed.
pub(super) struct Held {
    // Points into what the keeper holds, so that it must not leave this struct with its lifetime.
    view: View,
    stride: usize,
    widened: OnceLock<Vec<f64>>,
    kept: Kept,
}

/// What keeps numbers: a list of them that is never looked at again, or the keeper of their bytes.
enum Kept {
    List(#[expect(dead_code, reason = "only kept")] Arc<dyn Send + Sync>),
    Bytes(Arc<dyn Keeper>),
}

/// Where the numbers of a table lie among bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) precision: Precision,
    pub(crate) len: usize,
    pub(crate) dim: usize,
    /// The bytes before the first row.
    pub(crate) offset: usize,
    /// From the start of a row to that of the next, in numbers.
    pub(crate) stride: usize,
}

impl Layout {
    /// The bytes up to the end of the last row, unless they cannot be counted.
    pub(crate) fn end(&self) -> Option<usize> {
        let last = self.len.checked_sub(1)?.checked_mul(self.stride)?;
        last.checked_add(self.dim)?.checked_mul(self.precision.bytes())?.checked_add(self.offset)
    }
}

/// The numbers of a table.
#[derive(Clone)]
pub(super) enum Cells {
    Owned(Vec<f64>),
    /// Shared by the copies of a table, so that one double-precision copy serves all.
    Held(Arc<Held>),
}

impl Cells {
    /// Numbers of any precision, row by row.
    pub(super) fn of<T: Element>(values: Vec<T>, dim: usize) -> Self {
        let keeper = Arc::new(values);
        // SAFETY: the list is behind an `Arc` that nobody else has, so it is neither changed nor moved, and the view is
        // dropped with it.
        let cells: &'static [T] = unsafe { &*std::ptr::from_ref(keeper.as_slice()) };
        Self::held(T::view(cells), dim, Kept::List(keeper))
    }

    /// Double-precision numbers that live as long as the program.
    pub(super) fn of_static(values: &'static [f64], dim: usize) -> Self {
        Self::held(View::Double(values), dim, Kept::List(Arc::new(())))
    }

    /// Numbers among the bytes of `owner`, in the byte order of this machine; `None` if the bytes end before them.
    ///
    /// Bytes that do not begin where such numbers may lie in memory are copied.
    pub(super) fn of_bytes(owner: Arc<dyn Keeper>, layout: &Layout) -> Option<Self> {
        let bytes = owner.bytes().get(layout.offset..layout.end()?)?;
        // SAFETY: the bytes are borrowed from what the `Arc` holds, which stays as long as the `Arc` does, and the view
        // is dropped with it.
        let bytes: &'static [u8] = unsafe { &*std::ptr::from_ref(bytes) };
        Some(match layout.precision {
            Precision::Double => Self::cast::<f64>(bytes, layout.stride, owner),
            Precision::Single => Self::cast::<f32>(bytes, layout.stride, owner),
            Precision::Half => Self::cast::<Half>(bytes, layout.stride, owner),
            Precision::Byte => Self::cast::<u8>(bytes, layout.stride, owner),
        })
    }

    fn cast<T: Element>(bytes: &'static [u8], stride: usize, owner: Arc<dyn Keeper>) -> Self {
        // SAFETY: all bits are numbers of every one of the four types.
        let (before, cells, _) = unsafe { bytes.align_to::<T>() };
        if before.is_empty() && size_of_val(cells) == bytes.len() {
            return Self::held(T::view(cells), stride, Kept::Bytes(owner));
        }
        let size = size_of::<T>();
        // SAFETY: each chunk holds the bytes of one number, read from wherever they lie.
        let one = |chunk: &[u8]| unsafe { chunk.as_ptr().cast::<T>().read_unaligned() };
        Self::of(bytes.chunks_exact(size).map(one).collect(), stride)
    }

    fn held(view: View, stride: usize, kept: Kept) -> Self {
        Self::Held(Arc::new(Held { view, stride, widened: OnceLock::new(), kept }))
    }

    /// Whether the numbers need no memory while they are not read.
    pub(super) fn can_be_set_aside(&self) -> bool {
        matches!(self, Self::Held(held) if matches!(&held.kept, Kept::Bytes(keeper) if keeper.can_be_set_aside()))
    }

    /// The bytes of a row, with those up to the next one.
    pub(super) fn bytes_of_row(&self, dim: usize) -> usize {
        with_rows!(self.table(dim), rows => rows.bytes_of_row())
    }

    /// The numbers are not read for a while.
    pub(super) fn set_aside(&self) {
        if let Self::Held(held) = self
            && let Kept::Bytes(keeper) = &held.kept
        {
            keeper.set_aside();
        }
    }

    /// The numbers in their own precision.
    #[inline(always)]
    pub(super) fn table(&self, dim: usize) -> Table<'_> {
        match self {
            Self::Owned(cells) => Table::Double(Rows { cells, dim, stride: dim }),
            Self::Held(held) => held.table(dim),
        }
    }

    /// All numbers in double precision, row by row; made once and kept where they are not.
    #[inline(always)]
    pub(super) fn wide(&self, dim: usize) -> &[f64] {
        match self {
            Self::Owned(values) => values,
            Self::Held(held) => held.wide(dim),
        }
    }

    /// All numbers, row by row, if they are in double precision.
    #[inline(always)]
    pub(super) fn doubles(&self, dim: usize) -> Option<&[f64]> {
        match self {
            Self::Owned(values) => Some(values),
            Self::Held(held) => held.doubles(dim),
        }
    }

    /// Whether the double-precision copy was made.
    #[cfg(test)]
    pub(super) fn is_widened(&self) -> bool {
        matches!(self, Self::Held(held) if held.widened.get().is_some())
    }
}

impl Held {
    #[inline(always)]
    fn table(&self, dim: usize) -> Table<'_> {
        let stride = self.stride;
        match self.view {
            View::Double(cells) => Table::Double(Rows { cells, dim, stride }),
            View::Single(cells) => Table::Single(Rows { cells, dim, stride }),
            View::Half(cells) => Table::Half(Rows { cells, dim, stride }),
            View::Byte(cells) => Table::Byte(Rows { cells, dim, stride }),
        }
    }

    #[inline(always)]
    fn wide(&self, dim: usize) -> &[f64] {
        self.doubles(dim)
            .unwrap_or_else(|| self.widened.get_or_init(|| with_rows!(self.table(dim), rows => rows.widened())))
    }

    #[inline(always)]
    fn doubles(&self, dim: usize) -> Option<&[f64]> {
        match self.view {
            View::Double(cells) if self.stride == dim => Some(cells),
            _ => None,
        }
    }
}
