//! NumPy's `.npy`: a short header with the type, the order and the shape, then the bytes of the array.
//!
//! Format: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>. Booleans, integers and floats of
//! 16, 32 and 64 bits are read in both byte orders and both array orders; 64-bit integers past 2^53 are rounded.

mod header;
mod read;
mod write;

pub(super) use header::Header;
pub(super) use read::{dense, integers, numbers, read, strings};
pub(super) use write::{write_numbers, write_strings};
