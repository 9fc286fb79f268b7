//! Apache Parquet: a table of named and typed columns.
//!
//! Columns of integers, floats, decimals and booleans are coordinates; columns of text may be the ids or the labels.
//! Ids and labels are written as the columns `point_id` and `point_label`, and read back as such. The index that
//! pandas writes as `__index_level_0__` becomes the ids if it is text and is left out otherwise, because a row number
//! is not a coordinate. Columns of nested values and of times must be left out by name.

mod column;
mod ending;
mod read;
mod write;

pub(super) use read::read;
pub(super) use write::write;
