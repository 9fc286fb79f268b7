//! MATLAB files of version 5 to 7: a header of 128 bytes, then one element for each variable.
//!
//! Format: "MAT-File Format", The MathWorks, chapter 1. Elements may be compressed; both byte orders and every numeric
//! class are read. The points are the variable that is asked for by name, or the only matrix of numbers; vectors and
//! single numbers do not count beside a matrix. Texts named `ids`, `labels` and `columns` are read with it if their
//! lengths fit; they are written the same way, as cell arrays beside the matrix `points`. Version 7.3 is HDF5, a
//! different format, and is refused with advice.

mod element;
mod read;
mod variable;
mod write;

pub(super) use read::read;
pub(super) use write::write;
