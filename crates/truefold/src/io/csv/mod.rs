//! Separated text, as many programs write it.
//!
//! A byte order mark, comment lines that begin with `#` at the top, blank lines and blanks around cells are skipped.
//! The separator (`layout`) and the header (`header`) are detected unless given. Between semicolons a comma may be the
//! decimal point. Text that is not UTF-8 is read as Latin-1. A first column with an empty heading, as R and pandas
//! write it, names the points.

mod header;
mod layout;
mod read;
mod records;
mod write;

pub(super) use read::read;
pub(super) use write::write;
