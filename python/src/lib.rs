//! The library for Python: arrays in, arrays and JSON out. What users see is plain Python in `truefold/`.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod beside;
mod compare;
mod convert;
mod datasets;
mod denoise;
mod ellipses;
mod embed;
mod errors;
mod gate;
mod measure;
mod memory;
mod model;
mod neighbors;
mod refine;
mod report;
mod stability;
mod suggest;
mod sweep;
mod tables;
mod wording;

/// The compiled part of the package.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::beside::{
        counts_within, curve_of_kept, kept_within, listed_within, order_kept, rows_before, sampled_mean, sampled_rows,
        scale_sizes, stress_bins, stress_fit, stress_of_sums, stress_residuals,
    };
    #[pymodule_export]
    use crate::compare::{Comparison, compare};
    #[pymodule_export]
    use crate::convert::Source;
    #[pymodule_export]
    use crate::datasets::dataset;
    #[pymodule_export]
    use crate::denoise::denoise;
    #[pymodule_export]
    use crate::ellipses::ellipses;
    #[pymodule_export]
    use crate::embed::{Method, embed};
    #[pymodule_export]
    use crate::measure::{Judged, measure, measure_part, measures_named};
    #[pymodule_export]
    use crate::model::{Model, load_model, refuse_distances};
    #[pymodule_export]
    use crate::neighbors::{
        Neighborhoods, along, compared, distances_of, merge_lists, nearest_values, neighbors, neighbors_from_lists,
        neighbors_of_new, spread,
    };
    #[pymodule_export]
    use crate::refine::{check_refinement, refine, refine_first};
    #[pymodule_export]
    use crate::report::{report, report_drawn};
    #[pymodule_export]
    use crate::stability::stability;
    #[pymodule_export]
    use crate::suggest::{choose, suggest};
    #[pymodule_export]
    use crate::sweep::{Sweep, sweep};
    #[pymodule_export]
    use crate::tables::tables;
    #[pymodule_export]
    use crate::wording::{dimensions_in_words, number, points_in_words};
    /// From here on a call that runs out of memory ends with an exception.
    #[pymodule_init]
    fn begin(_module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        crate::memory::hold_reserve();
        Ok(())
    }

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
