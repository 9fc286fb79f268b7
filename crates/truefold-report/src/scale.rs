//! Neighborhoods kept at every scale, as a chart.

use crate::facts::scale_curve;
use crate::words::decimals;
use crate::{Axis, Chart, Series};
use serde_json::Value;
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
    let facts: Vec<(String, Value)> = curves.into_iter().map(|(name, curve)| (name, scale_curve(curve))).collect();
    scale_chart_of_facts(facts.iter().map(|(name, curve)| (name.clone(), curve)))
}

/// The same of curves as JSON tells them; see [`facts::scale_curve`](crate::facts::scale_curve).
///
/// ```
/// let curve = serde_json::json!({"k": [1, 2, 4], "r_nx": [0.5, 0.6, 0.4], "area": 0.52, "split": 2});
/// let chart = truefold_report::scale_chart_of_facts([("pca".to_owned(), &curve)]).unwrap();
/// assert_eq!((chart.series[0].name.as_str(), chart.series[0].marked), ("pca, area 0.52", Some(1)));
/// ```
pub fn scale_chart_of_facts<'a>(curves: impl IntoIterator<Item = (String, &'a Value)>) -> Option<Chart> {
    let series = |(name, curve): (String, &Value)| {
        let [k, r_nx, errors] = ["k", "r_nx", "standard_error"].map(|key| numbers(&curve[key]));
        let places = places(&k);
        let around = |at: usize| (r_nx[at] - 2.0 * errors[at], r_nx[at] + 2.0 * errors[at]);
        Series {
            name: format!("{name}, area {}", decimals(curve["area"].as_f64().unwrap_or(f64::NAN), 2)),
            points: places.iter().map(|&at| (k[at], r_nx[at])).collect(),
            marked: places.iter().position(|&at| curve["split"].as_f64() == Some(k[at])),
            dashed: false,
            band: if errors.is_empty() { Vec::new() } else { places.iter().map(|&at| around(at)).collect() },
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

/// The numbers of a list; none where there is no list.
fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().into_iter().flatten().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect()
}

/// The places of the curve that are drawn: those near n lie on top of each other on a logarithmic axis.
fn places(sizes: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::new();
    for (at, &k) in sizes.iter().enumerate() {
        if places.last().is_none_or(|&last| k > APART * sizes[last]) {
            places.push(at);
        }
    }
    places
}
