//! Tails of the distributions that values take by chance, and which of many small p-values count as found.

mod discovery;
mod gamma;
mod hypergeometric;
mod median;

pub(crate) use discovery::{adjusted, simes};
pub(crate) use gamma::gamma_tail;
pub(crate) use hypergeometric::Hypergeometric;
pub(crate) use median::median_cut;
