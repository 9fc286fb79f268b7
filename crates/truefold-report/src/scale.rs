//! Neighborhoods kept at every scale, as a chart.

use crate::words::decimals;
use crate::{Axis, Chart, Series};
use truefold::measure::ScaleCurve;

/// K that are drawn are more than this ratio apart.
const APART: f64 = 1.1;

/// R_NX over K, a curve for each map under its name, with the place where its halves meet marked; nothing
/// where there are no curves.
///
/// ```
/// use truefold::measure::{Evaluation, Options, scale_curve};
/// use truefold::{Input, Neighborhoods, Points, Run};
///
/// let (x, run) = (Points::new(9, 1, (0..9).map(f64::from).collect())?, Run::new());
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &run)?;
/// let evaluation = Evaluation::new(Input::Points(&x), &x, &neighborhoods, Options::default(), &run)?;
/// let chart = truefold_report::scale_chart([("copy".to_owned(), scale_curve(&evaluation)?)]).unwrap();
/// assert_eq!((chart.series[0].name.as_str(), chart.series[0].points[6]), ("copy, area 1.00", (7.0, 1.0)));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn scale_chart<'a>(curves: impl IntoIterator<Item = (String, &'a ScaleCurve)>) -> Option<Chart> {
    let series = |(name, curve): (String, &ScaleCurve)| {
        let places = places(curve);
        let errors = curve.standard_error.as_ref();
        let around = |at: usize, error: f64| (curve.r_nx[at] - 2.0 * error, curve.r_nx[at] + 2.0 * error);
        Series {
            name: format!("{name}, area {}", decimals(curve.area, 2)),
            points: places.iter().map(|&at| (curve.k[at] as f64, curve.r_nx[at])).collect(),
            marked: places.iter().position(|&at| curve.k[at] == curve.split),
            dashed: false,
            band: errors.map_or(Vec::new(), |errors| places.iter().map(|&at| around(at, errors[at])).collect()),
        }
    };
    let series: Vec<Series> = curves.into_iter().map(series).collect();
    (!series.is_empty()).then(|| Chart {
        title: "Neighborhoods kept at every scale".into(),
        caption: "How much of the K nearest points of each point the map keeps, beyond chance: 1 all of them, 0 as many \
                  as a map unrelated to the data. A mark shows where the local half of the area ends and the global one \
                  begins, a band two standard errors to either side where points were sampled."
            .into(),
        x: Axis { title: "K".into(), log: true },
        y: Axis { title: "R_NX".into(), log: false },
        series,
    })
}

/// The places of the curve that are drawn: those near n lie on top of each other on a logarithmic axis.
fn places(curve: &ScaleCurve) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::new();
    for (at, &k) in curve.k.iter().enumerate() {
        if places.last().is_none_or(|&last| k as f64 > APART * curve.k[last] as f64) {
            places.push(at);
        }
    }
    places
}
