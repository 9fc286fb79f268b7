//! The paper's figures: the data and the maps of five methods, LLE over k, and the noisy swiss roll.

use super::measured::{CONTENDERS, Measured};
use super::printed::{LLE_ON_CYLINDER, NEIGHBORS};
use super::sets::Loaded;
use truefold::compare::Trial;
use truefold::dataset::{self, Request};
use truefold::embed::{self, Pca};
use truefold::local::procrustes;
use truefold::{Error, Neighborhoods, Pieces, Points, Problem, Run, fit};
use truefold_report::figure::{ColorScale, Curve, Curves, Figure, Scatter, View};
use truefold_report::words::{count, number};

/// The methods of the paper's figures.
const SHOWN: [&str; 5] = ["gp", "psa", "lle", "isomap", "ltsa"];
/// The noisy swiss roll: points, standard deviation of the noise, neighbors, and those from which tangents come.
const NOISY: (usize, f64, usize, usize) = (2500, 0.5, 12, 40);

/// A figure, the name of its files, and what there is to say about it.
pub(super) struct Drawn {
    pub(super) name: &'static str,
    pub(super) title: String,
    pub(super) caption: String,
    pub(super) figure: Figure,
}

fn title_of(method: &str) -> &'static str {
    CONTENDERS.iter().find(|contender| contender.name == method).map_or("", |contender| contender.title)
}

fn value(trial: &Trial, measure: &str) -> f64 {
    trial.score(measure).map_or(f64::NAN, |score| score.value)
}

/// R_N [R_C], as the paper writes them.
fn values(trial: &Trial) -> String {
    format!("R_N {} [R_C {}]", number(value(trial, "r_n")), number(value(trial, "r_c")))
}

/// What the points are colored by, and from where they are seen.
fn look(loaded: &Loaded) -> Option<(Vec<f64>, &'static str, View)> {
    let truth = loaded.truth.as_ref()?;
    Some(match loaded.set.name {
        "hemisphere" => {
            (truth.rows().map(|row| row[0].hypot(row[1])).collect(), "distance from the pole", View::default())
        }
        "cylinder" => {
            (truth.rows().map(|row| row[0]).collect(), "length around the cylinder", View { turn: 0.0, raise: 35.0 })
        }
        _ => (truth.rows().map(|row| row[0]).collect(), "length along the roll", View::default()),
    })
}

/// The data and their maps by five methods.
pub(super) fn maps(measured: &Measured<'_>, k: usize, run: &Run) -> Result<Option<Drawn>, Error> {
    let Some((colors, label, view)) = look(measured.loaded) else { return Ok(None) };
    let set = measured.loaded.set;
    let points = &measured.loaded.points;
    let mut figure = Figure::new(format!("{}: {} points, k = {k}", set.title, count(points.len())))
        .with_columns(3)
        .with_letters()
        .with_colors(ColorScale::Linear, label)
        .with(Scatter::new("data", points).with_values(&colors)?.with_view(view));
    let mut shown = 0;
    for method in SHOWN {
        let Some(trial) = measured.trial(method, k) else { continue };
        let Some(map) = &trial.points else { continue };
        let colors: Vec<f64> = match &trial.judgment.rows {
            Some(rows) => rows.iter().map(|&row| colors[row as usize]).collect(),
            None => colors.clone(),
        };
        let panel = Scatter::new(title_of(method), &turned(map, run)?);
        figure = figure.with(panel.with_values(&colors)?.with_caption(values(trial)));
        shown += 1;
    }
    let caption = format!(
        "The data and {shown} maps of them into the plane for k = {k}, colored by {label}. The bar below each panel is \
         its scale: methods that normalize their output lose it."
    );
    let title = format!("{} and its maps", set.title);
    Ok((shown > 0).then_some(Drawn { name: set.name, title, caption, figure }))
}

/// LLE's maps of the cylinder for every k, and R_C over k beside the paper's.
pub(super) fn lle_over_k(measured: &Measured<'_>, neighbors: &[usize]) -> Result<Option<Drawn>, Error> {
    let Some((colors, label, view)) = look(measured.loaded) else { return Ok(None) };
    let runs: Vec<(usize, &Trial)> = neighbors.iter().filter_map(|&k| Some((k, measured.trial("lle", k)?))).collect();
    let Some(best) = (0..runs.len()).min_by(|&a, &b| value(runs[a].1, "r_c").total_cmp(&value(runs[b].1, "r_c")))
    else {
        return Ok(None);
    };
    let mut figure = Figure::new(format!("{}: LLE over k", measured.loaded.set.title))
        .with_columns(3)
        .with_letters()
        .with_colors(ColorScale::Linear, label)
        .with(Scatter::new("data", &measured.loaded.points).with_values(&colors)?.with_view(view));
    for &(k, trial) in &runs {
        let Some(map) = trial.points.as_ref().filter(|_| trial.judgment.rows.is_none()) else { continue };
        let caption = format!("R_C {}", number(value(trial, "r_c")));
        figure = figure.with(Scatter::new(format!("k = {k}"), map).with_values(&colors)?.with_caption(caption));
    }
    let curve = |of: &dyn Fn(&Trial) -> f64| -> Vec<(f64, f64)> {
        runs.iter().map(|&(k, trial)| (k as f64, of(trial))).collect()
    };
    let printed: Vec<(f64, f64)> = NEIGHBORS
        .iter()
        .zip(LLE_ON_CYLINDER)
        .filter(|(k, _)| neighbors.contains(k))
        .map(|(&k, value)| (k as f64, value))
        .collect();
    let bound = curve(&|trial| trial.score("r_c").and_then(|score| score.lower_bound).unwrap_or(f64::NAN));
    let curves = Curves::new("R_C of LLE over k", "k", "R_C")
        .with_log_y()
        .with(Curve::new("LLE", &curve(&|trial| value(trial, "r_c"))).marked(best))
        .with(Curve::new("LLE, as printed", &printed))
        .with(Curve::new("best possible", &bound).dashed());
    figure = figure.with(curves);
    let (best_k, _) = runs[best];
    let caption = format!(
        "LLE's maps of the cylinder for each k. They look alike, yet R_C, which forgives a scale of its own to every \
         neighborhood, tells them apart: it is least for k = {best_k}."
    );
    Ok(Some(Drawn { name: "lle-over-k", title: "LLE over the number of neighbors".to_owned(), caption, figure }))
}

/// The noisy swiss roll and its maps by five methods.
pub(super) fn noisy_swiss_roll(run: &Run) -> Result<Drawn, Error> {
    let (points, noise, k, tangent_k) = NOISY;
    let request = Request::new().with_points(points).with_noise(noise);
    let sample = dataset::find("swiss-roll")?.sample(&request)?;
    let colors: Vec<f64> = sample.truth.rows().map(|row| row[0]).collect();
    let run = run.within("noisy swiss roll".to_owned());
    let neighborhoods = Neighborhoods::nearest(&sample.points, k, &run)?;
    let problem = Problem::new(&sample.points, &neighborhoods, 2)?;
    let title = format!("Swiss roll with noise of standard deviation {noise}: {} points, k = {k}", count(points));
    let profile = View { turn: 0.0, raise: 0.0 };
    let mut figure = Figure::new(title)
        .with_columns(3)
        .with_letters()
        .with_colors(ColorScale::Linear, "length along the roll")
        .with(Scatter::new("data, seen from the side", &sample.points).with_values(&colors)?.with_view(profile));
    for method in SHOWN {
        let typed = |name: &str, value: String| (name.to_owned(), value);
        let settings = match method {
            "psa" => vec![typed("tangent_k", tangent_k.to_string()), typed("tear", "false".to_owned())],
            _ => Vec::new(),
        };
        let embedder = embed::find(method)?.build(&settings)?;
        let map = turned(&fit(embedder.as_ref(), &problem, Pieces::SideBySide, &run)?.points, &run)?;
        let caption = format!("error {:.1} %", 100.0 * error(&sample.truth, &map)?);
        figure = figure.with(Scatter::new(title_of(method), &map).with_values(&colors)?.with_caption(caption));
    }
    let caption = format!(
        "Gaussian noise of standard deviation {noise} on every coordinate of {} points. The error is how far a map is from \
         the true sheet after the best similarity, as a share of the sheet's extent. PSA takes its tangents from \
         {tangent_k} neighbors, further than the noise reaches.",
        count(points)
    );
    Ok(Drawn { name: "noisy-swiss-roll", title: "The swiss roll with noise".to_owned(), caption, figure })
}

/// How far `map` is from the truth after the best similarity, as a share of the truth's extent.
fn error(truth: &Points, map: &Points) -> Result<f64, Error> {
    let mean = |column: usize| truth.rows().map(|row| row[column]).sum::<f64>() / truth.len() as f64;
    let means: Vec<f64> = (0..truth.dim()).map(mean).collect();
    let extent: f64 = truth.rows().flat_map(|row| row.iter().zip(&means).map(|(a, b)| (a - b).powi(2))).sum();
    Ok((procrustes(truth, map)?.conformal_residual / extent).sqrt())
}

/// The first two principal coordinates of a map: how it is turned means nothing, so it may as well lie level.
pub(super) fn turned(map: &Points, run: &Run) -> Result<Points, Error> {
    let neighborhoods = Neighborhoods::nearest(map, 1, run)?;
    let problem = Problem::new(map, &neighborhoods, map.dim().min(2))?;
    Ok(fit(&Pca::default(), &problem, Pieces::SideBySide, run)?.points)
}
