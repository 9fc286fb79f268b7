//! The commands, one file each.

pub(crate) mod compare;
pub(crate) mod datasets;
pub(crate) mod demo;
pub(crate) mod denoise;
pub(crate) mod embed;
pub(crate) mod generate;
pub(crate) mod man;
pub(crate) mod measure;
pub(crate) mod measures;
pub(crate) mod methods;
pub(crate) mod neighbors;
pub(crate) mod paper;
pub(crate) mod refine;
pub(crate) mod stability;
pub(crate) mod suggest;
pub(crate) mod sweep;
pub(crate) mod transform;

use crate::session::{print, print_as_it_is, print_json};
