//! The mean share of a neighborhood along each of its principal axes, (1/n) sum_i l_ia / sum_b l_ib, the l_ia being the
//! eigenvalues of the scatter of X_i in falling order.

use crate::data::Input;
use crate::local::Chart;
use crate::{Neighborhoods, Result, Run};

/// The shares of the first `axes` principal axes; fewer where the data have no more.
pub(super) fn spectrum(
    input: &Input<'_>,
    neighborhoods: &Neighborhoods,
    center: bool,
    axes: usize,
    run: &Run,
) -> Result<Vec<f64>> {
    let parts = run.chunks("principal axes", neighborhoods.len(), 512, |range| {
        let (mut chart, mut shares, mut counted) = (Chart::default(), vec![0.0; axes], 0_usize);
        for index in range {
            let members = if center { neighborhoods.members(index) } else { neighborhoods.neighbors(index) };
            chart.fill(input, members)?;
            let sizes: Vec<f64> = chart
                .columns()
                .chunks_exact(chart.stride())
                .map(|column| column.iter().map(|value| value * value).sum())
                .collect();
            let total: f64 = sizes.iter().sum();
            if total > 0.0 {
                counted += 1;
                shares.iter_mut().zip(&sizes).for_each(|(share, size)| *share += size / total);
            }
        }
        Ok((shares, counted))
    })?;
    let counted: usize = parts.iter().map(|part| part.1).sum();
    let most = input.dim().map_or(axes, |dim| dim.min(axes));
    let mean = |axis: usize| parts.iter().map(|part| part.0[axis]).sum::<f64>() / counted.max(1) as f64;
    Ok((0..most).map(mean).collect())
}
