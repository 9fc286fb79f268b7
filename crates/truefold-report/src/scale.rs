//! Neighborhoods kept at every scale, as a chart.

use crate::{Axis, Chart, Series};
use truefold::measure::ScaleCurve;

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
    let series = |(name, curve): (String, &ScaleCurve)| Series {
        name: format!("{name}, area {:.2}", curve.area),
        points: curve.k.iter().zip(&curve.r_nx).map(|(&k, &value)| (k as f64, value)).collect(),
        marked: curve.k.iter().position(|&k| k == curve.split),
        dashed: false,
        band: band(curve),
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

/// Two standard errors to either side, where there are any.
fn band(curve: &ScaleCurve) -> Vec<(f64, f64)> {
    let errors = curve.standard_error.iter().flatten();
    curve.r_nx.iter().zip(errors).map(|(value, error)| (value - 2.0 * error, value + 2.0 * error)).collect()
}
