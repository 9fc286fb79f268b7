//! Separated text, as it is found in the wild.
//!
//! A byte order mark, comment lines that begin with `#` at the top, blank lines and blanks around cells are passed
//! over. The separator is looked for unless given (`layout`), and so is the header (`header`). Between semicolons a
//! comma may be the decimal point. Text that is not UTF-8 is taken for Latin-1. A first column with an empty heading,
//! as R and pandas write it, names the points.

mod header;
mod layout;
mod read;
mod records;
mod write;

pub(super) use read::read;
pub(super) use write::write;
