//! MATLAB files of version 5 to 7: a header of 128 bytes, then one element for each variable.
//!
//! Format: "MAT-File Format", The MathWorks, chapter 1. Elements may be compressed; both byte orders and every numeric
//! class are read. The points are the variable that is asked for by name, or the only matrix of numbers, vectors and
//! single numbers not counting where there is a matrix beside them. Texts named `ids`, `labels` and `columns` of the
//! right length go with it; that is also how they are written, as cell arrays beside the matrix `points`.
//! Version 7.3 is HDF5, another format altogether, and is refused with advice.

mod element;
mod read;
mod variable;
mod write;

pub(super) use read::read;
pub(super) use write::write;
