//! What every method of the table promises: the same bits on any number of threads, a map that moves with the data, for
//! bad data a map or an error that says what to do, and parameters that are what the table says.

use truefold::Input;
use truefold::dataset::{self, Request};
use truefold::embed::Values::{Flag, Names, Null};
use truefold::embed::{EMBEDDERS, Embedder, Entry, GraphUse, ParameterInfo, Values};
use truefold::error::{Bound, Name};
use truefold::{Distances, Embedding, Error, Neighborhoods, Pieces, Points, Problem, Run, Search, fit, measure};

fn sample(name: &str, points: usize) -> dataset::Sample {
    dataset::find(name).unwrap().sample(&Request::new().with_points(points)).unwrap()
}

fn method(entry: &Entry) -> Box<dyn Embedder> {
    entry.build(&[]).unwrap()
}

fn embed(entry: &Entry, points: &Points, k: usize, dim: usize, run: &Run) -> Result<Embedding, Error> {
    let neighborhoods = Neighborhoods::nearest(points, k, run)?;
    fit(method(entry).as_ref(), &Problem::new(points, &neighborhoods, dim)?, Pieces::SideBySide, run)
}

/// A map of all points, of finite numbers about the origin; or an error with advice.
fn is_map_or_error(name: &str, case: &str, count: usize, dim: usize, result: Result<Embedding, Error>) {
    match result {
        Ok(embedding) => {
            assert_eq!((embedding.points.len(), embedding.points.dim()), (count, dim), "{name}, {case}");
            let values = embedding.points.values();
            assert!(values.iter().all(|value| value.is_finite()), "{name}, {case}");
            let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
            for column in 0..dim {
                let mean = values.iter().skip(column).step_by(dim).sum::<f64>() / count as f64;
                assert!(mean.abs() <= 1e-9 * largest, "{name}, {case}: mean {mean} of column {column}");
            }
        }
        Err(error) => {
            let advice = error.advice().unwrap_or_else(|| panic!("{name}, {case}: {error} has no advice"));
            let told = error.to_string();
            assert!(!advice.text.is_empty() && told.ends_with(&advice.text.to_string()), "{name}, {case}: {told}");
            assert!(!told.contains(['\n', '{', '}']) && !told.contains("NaN"), "{name}, {case}: {told}");
        }
    }
}

#[test]
fn seeds_and_threads_give_the_same_bits() {
    let curve = sample("s-curve", 500);
    for entry in EMBEDDERS {
        let with = |threads| {
            let run = Run::new().with_seed(4).with_threads(threads).unwrap();
            embed(entry, &curve.points, 12, 2, &run).unwrap().points.into_values()
        };
        let one = with(1);
        assert!(one == with(2) && one == with(8) && one == with(1), "{}", entry.info.name);
    }
}

/// The method, but of those that let points push each other about only the first steps: later on any rounding grows until
/// it decides between maps that are as good as each other.
fn beginning(entry: &Entry) -> Box<dyn Embedder> {
    let steps: &[(&str, &str)] = match entry.info.name {
        "tsne" => &[("early_iterations", "10"), ("iterations", "0")],
        "faithful" => &[("early_iterations", "5"), ("iterations", "5")],
        "umap" => &[("epochs", "20")],
        _ => &[],
    };
    let steps: Vec<(String, String)> = steps.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    entry.build(&steps).unwrap()
}

#[test]
fn a_rigid_motion_of_the_data_changes_nothing_but_rounding() {
    let curve = sample("s-curve", 500);
    let run = Run::new();
    let neighborhoods = Neighborhoods::nearest(&curve.points, 12, &run).unwrap();
    let rows: Vec<[f64; 3]> = curve
        .points
        .rows()
        .map(|p| {
            let (a, b) = (0.6 * p[0] - 0.8 * p[1], 0.8 * p[0] + 0.6 * p[1]);
            [a + 3.0, 0.28 * p[2] - 0.96 * b, 0.96 * p[2] + 0.28 * b - 7.0]
        })
        .collect();
    let moved = Points::from_rows(&rows).unwrap();
    // Noise of each variable alone is not turned with the data.
    let rows: Vec<[f64; 3]> = curve.points.rows().map(|p| [3.0 - p[1], p[2] - 7.0, p[0] + 1.0]).collect();
    let exchanged = Points::from_rows(&rows).unwrap();
    let mut moved_too_far = Vec::new();
    for entry in EMBEDDERS {
        let of = |points: &Points| {
            let problem = Problem::new(points, &neighborhoods, 2).unwrap();
            fit(beginning(entry).as_ref(), &problem, Pieces::Error, &run).unwrap().points
        };
        let by_variable = ["factor-analysis", "global-coordination"].contains(&entry.info.name);
        let (before, after) = (of(&curve.points), of(if by_variable { &exchanged } else { &moved }));
        let distance = |y: &Points, a: usize, b: usize| {
            ((y.row(a)[0] - y.row(b)[0]).powi(2) + (y.row(a)[1] - y.row(b)[1]).powi(2)).sqrt()
        };
        let pairs = || (0..500).map(|at| (at, at * 173 % 500));
        let largest = pairs().map(|(a, b)| distance(&before, a, b)).fold(0.0, f64::max);
        let change = pairs().map(|(a, b)| (distance(&before, a, b) - distance(&after, a, b)).abs()).fold(0.0, f64::max);
        // Iterations that end at a tolerance end elsewhere, and forces are in single precision.
        let loose = [
            "gp",
            "psa",
            "sde",
            "lsml",
            "tsne",
            "faithful",
            "factor-analysis",
            "global-coordination",
            "coordinated-pca",
        ];
        let limit = if loose.contains(&entry.info.name) { 1e-3 } else { 1e-6 };
        if change > limit * largest || largest == 0.0 {
            moved_too_far.push((entry.info.name, change / largest));
        }
    }
    assert!(moved_too_far.is_empty(), "{moved_too_far:?}");
}

#[test]
fn a_flat_patch_is_what_each_method_says_it_is() {
    let patch = sample("swiss-roll", 500);
    let rows: Vec<[f64; 5]> =
        patch.truth.rows().map(|p| [0.6 * p[0], 0.8 * p[0], 2.0, 0.28 * p[1], 0.96 * p[1]]).collect();
    let points = Points::from_rows(&rows).unwrap();
    let neighborhoods = Neighborhoods::nearest(&points, 12, &Run::new()).unwrap();
    let scale = points.values().iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    for entry in EMBEDDERS {
        let embedding = embed(entry, &points, 12, 2, &Run::new()).unwrap();
        let of = |name: &str| measure::evaluate(&points, &embedding.points, &neighborhoods, &[name]).unwrap()[0].value;
        let (name, limit) = match entry.info.name {
            "gp" | "psa" | "pca" | "mds" | "ptu" | "lsml" => ("r_n", 1e-9),
            // Affine functions are exactly what these keep.
            "ltsa" | "hessian-eigenmaps" => ("r_a", 1e-9),
            // The regularization of the weights changes these.
            "modified-lle" => ("r_a", 1e-5),
            "lle" => ("r_a", 0.01),
            "conformal-eigenmaps" => ("r_c", 0.01),
            "llc" => ("r_a", 0.05),
            // The map is linear in the data.
            "factor-analysis" => ("r_a", 1e-9),
            "global-coordination" | "coordinated-pca" => ("r_n", 1e-3),
            // Paths along the graph are longer than straight lines.
            "isomap" | "landmark-isomap" => ("r_n", 0.05),
            "sde" => ("r_n", 0.05),
            "c-isomap" => ("r_c", 0.3),
            // Smooth functions of the patch, which bend near its edge.
            "laplacian-eigenmaps" | "diffusion-maps" => ("r_a", 0.3),
            // Neighbors, not shapes.
            "tsne" | "umap" => ("r_a", 0.5),
            "faithful" => ("r_c", 0.3),
            other => panic!("what does {other} keep of a flat patch?"),
        };
        assert!(of(name) < limit, "{}: {name} = {}", entry.info.name, of(name));
        let size = embedding.points.values().iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        assert!(!entry.info.metric_scale || (0.5..2.0).contains(&(size / scale)), "{}: {size}", entry.info.name);
    }
}

#[test]
fn two_components_come_apart_along_the_graph_and_stay_together_elsewhere() {
    let pieces = sample("two-pieces", 400);
    let neighborhoods = Neighborhoods::nearest(&pieces.points, 10, &Run::new()).unwrap();
    let components = neighborhoods.components();
    assert_eq!(components.count(), 2);
    for entry in EMBEDDERS {
        let embedding = embed(entry, &pieces.points, 10, 2, &Run::new()).unwrap();
        let said = embedding
            .info
            .warnings
            .iter()
            .any(|warning| matches!(warning, truefold::Warning::SideBySide { components: 2 }));
        assert_eq!(said, entry.info.graph == GraphUse::Components, "{}", entry.info.name);
        // Neither piece is one point.
        for piece in 0..2 {
            let rows: Vec<&[f64]> =
                (0..400).filter(|&row| components.of()[row] == piece).map(|row| embedding.points.row(row)).collect();
            let far = rows.iter().map(|row| (row[0] - rows[0][0]).abs()).fold(0.0, f64::max);
            assert!(far > 0.1, "{}: piece {piece} is a point", entry.info.name);
        }
    }
}

#[test]
fn repeated_equal_and_collinear_points_give_a_map_or_an_error() {
    let curve = sample("s-curve", 60);
    let repeat = |times: usize| {
        let rows: Vec<&[f64]> = (0..60 * times).map(|at| curve.points.row(at % 60)).collect();
        Points::from_rows(&rows).unwrap()
    };
    let line: Vec<[f64; 3]> = (0..80).map(|at| [f64::from(at), 2.0 * f64::from(at), 1.0]).collect();
    let equal = vec![[1.0, 2.0, 3.0]; 50];
    let star: Vec<[f64; 3]> =
        (0..50).map(|at| if at < 30 { [0.0; 3] } else { [f64::from(at), f64::from(at * at % 7), 1.0] }).collect();
    let cases = [
        ("each point twice", repeat(2)),
        ("each point 20 times", repeat(20)),
        ("a line", Points::from_rows(&line).unwrap()),
        ("all points equal", Points::from_rows(&equal).unwrap()),
        ("half of the points equal", Points::from_rows(&star).unwrap()),
    ];
    for entry in EMBEDDERS {
        for (case, points) in &cases {
            is_map_or_error(entry.info.name, case, points.len(), 2, embed(entry, points, 12, 2, &Run::new()));
        }
    }
}

#[test]
fn small_and_large_requests_give_a_map_or_an_error() {
    let curve = sample("s-curve", 40);
    for entry in EMBEDDERS {
        let name = entry.info.name;
        for (k, dim) in [(1, 1), (1, 3), (2, 2), (3, 2), (4, 3), (39, 3), (39, 2)] {
            let result = embed(entry, &curve.points, k, dim, &Run::new());
            is_map_or_error(name, &format!("k = {k}, d = {dim}"), 40, dim, result);
        }
        assert!(
            matches!(embed(entry, &curve.points, 12, 4, &Run::new()), Err(Error::Parameter { .. })),
            "{name}: d > q"
        );
        assert!(
            matches!(embed(entry, &curve.points, 40, 2, &Run::new()), Err(Error::Parameter { .. })),
            "{name}: k >= n"
        );
        for count in [2, 3, 4] {
            let rows: Vec<&[f64]> = curve.points.rows().take(count).collect();
            let points = Points::from_rows(&rows).unwrap();
            for k in 1..count {
                let result = embed(entry, &points, k, 1, &Run::new());
                is_map_or_error(name, &format!("n = {count}, k = {k}"), count, 1, result);
            }
        }
    }
}

#[test]
fn tiny_and_huge_units_give_a_map_or_an_error() {
    let curve = sample("s-curve", 150);
    for entry in EMBEDDERS {
        for unit in [1e-150, 1e-30, 1e30, 1e120] {
            let values = curve.points.values().iter().map(|value| value * unit).collect();
            let points = Points::new(150, 3, values).unwrap();
            let result = embed(entry, &points, 12, 2, &Run::new());
            is_map_or_error(entry.info.name, &format!("unit {unit:e}"), 150, 2, result);
        }
    }
}

#[test]
fn distances_give_what_the_points_give_or_an_error() {
    let curve = sample("s-curve", 300);
    let run = Run::new();
    let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
    let table: Vec<f64> = curve.points.rows().flat_map(|a| curve.points.rows().map(move |b| distance(a, b))).collect();
    let distances = Distances::dense(300, table).unwrap();
    let neighborhoods = Search::nearest(12).run_on_distances(&distances, &run).unwrap();
    for entry in EMBEDDERS {
        let of = |input| {
            let problem = Problem::with_input(input, &neighborhoods, 2).unwrap();
            fit(beginning(entry).as_ref(), &problem, Pieces::Error, &run)
        };
        let found = of(Input::Distances(&distances));
        let need_points = ["pca", "psa", "ptu", "lsml", "factor-analysis", "global-coordination", "coordinated-pca"];
        if need_points.contains(&entry.info.name) {
            let error = found.unwrap_err();
            assert!(matches!(error, Error::Data { .. }), "{error:?}");
            assert!(error.to_string().contains(entry.info.name), "{error}");
            continue;
        }
        let (from_points, found) = (of(Input::Points(&curve.points)).unwrap().points, found.unwrap().points);
        let largest = from_points.values().iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        let apart = |y: &Points, a: usize, b: usize| distance(y.row(a), y.row(b));
        for (a, b) in (0..300).map(|at| (at, at * 101 % 300)) {
            let change = (apart(&from_points, a, b) - apart(&found, a, b)).abs();
            assert!(change < 1e-2 * largest, "{}: {a} {b} {change} of {largest}", entry.info.name);
        }
    }
}

#[test]
fn scale_is_kept_by_those_that_say_so() {
    let curve = sample("s-curve", 400);
    let twice = Points::new(400, 3, curve.points.values().iter().map(|value| 2.0 * value).collect()).unwrap();
    for entry in EMBEDDERS {
        let size = |points: &Points| {
            let embedding = embed(entry, points, 12, 2, &Run::new()).unwrap();
            embedding.points.values().iter().map(|value| value * value).sum::<f64>().sqrt()
        };
        let ratio = size(&twice) / size(&curve.points);
        // The others have a scale of their own, or the data's on the whole.
        let is_kept = (ratio - 2.0).abs() < 1e-3;
        let is_fixed = !entry.info.metric_scale && (ratio - 1.0).abs() < 1e-3;
        assert!(is_kept || is_fixed, "{}: {ratio}", entry.info.name);
    }
}

#[test]
fn every_field_has_a_line_in_the_table_and_a_default_that_it_takes() {
    for entry in EMBEDDERS {
        let (name, defaults) = (entry.info.name, (entry.defaults)());
        let fields: Vec<&str> = defaults.as_object().unwrap().keys().map(String::as_str).collect();
        let told: Vec<&str> = entry.info.parameters.iter().map(|info| info.name).collect();
        assert_eq!(fields, told, "{name}");
        method(entry).check_parameters(1).unwrap_or_else(|error| panic!("{name}: {error}"));
        for info in entry.info.parameters {
            let typed = match &defaults[info.name] {
                serde_json::Value::String(word) => word.clone(),
                value => value.to_string(),
            };
            let built = entry.build(&[(info.name.to_owned(), typed)]).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(built.parameters(), defaults, "{name}: {}", info.name);
            assert!(!info.values.is_empty() && !info.summary.is_empty(), "{name}: {}", info.name);
        }
        let unknown = entry.build(&[("nothing".to_owned(), "1".to_owned())]).err();
        assert!(matches!(unknown, Some(Error::Unknown { .. })), "{name}");
    }
}

#[test]
fn every_name_can_be_built_and_wrong_values_are_refused_by_name() {
    for entry in EMBEDDERS {
        for info in entry.info.parameters {
            let build = |text: &str| entry.build(&[(info.name.to_owned(), text.to_owned())]);
            let place = format!("{}: {}", entry.info.name, info.name);
            for text in taken(info) {
                let built = build(&text).unwrap_or_else(|error| panic!("{place} = {text}: {error}"));
                let given = &built.parameters()[info.name];
                let typed = serde_json::from_str(&text).unwrap_or_else(|_| serde_json::Value::from(text.as_str()));
                let same = given == &typed || given.as_f64().is_some_and(|value| typed.as_f64() == Some(value));
                assert!(same, "{place} = {text} became {given}");
            }
            for text in refused(info) {
                let Some(Error::Parameter { name, given, limit, .. }) = build(&text).err() else {
                    panic!("{place} = {text} is taken");
                };
                assert_eq!((name, given.as_str()), (Name::setting(info.name), text.as_str()), "{place}");
                let is_number = text.parse::<f64>().is_ok_and(|value| value.fract() == 0.0);
                let takes_numbers = info.values.iter().any(|values| !matches!(values, Names(_) | Flag | Null));
                let is_range = !matches!(limit.bound, Bound::Usable | Bound::OneOf(_));
                assert_eq!(is_range, is_number && takes_numbers, "{place} = {text}: {limit:?}");
            }
        }
    }
}

/// Values that the parameter takes, at the ends of its ranges.
fn taken(info: &ParameterInfo) -> Vec<String> {
    let of = |values: &Values| match *values {
        Names(names) => names.iter().map(|name| (*name).to_owned()).collect(),
        Flag => vec!["true".to_owned(), "false".to_owned()],
        Null => vec!["null".to_owned()],
        Values::Whole(least, usize::MAX) => vec![least.to_string(), (least + 1000).to_string()],
        Values::Whole(least, most) => vec![least.to_string(), most.to_string()],
        Values::Above(above) => vec![(above + 1e-9).to_string(), "1e9".to_owned()],
        Values::AtLeast(least) => vec![least.to_string(), "1e9".to_owned()],
        Values::Between(above, below) => vec![(above + 1e-9).to_string(), (below - 1e-9).to_string()],
        Values::Within(least, most) => vec![least.to_string(), most.to_string()],
        Values::FromBelow(least, below) => vec![least.to_string(), (below - 1e-9).to_string()],
        other => panic!("no value of {other:?} is known here"),
    };
    info.values.iter().flat_map(of).collect()
}

/// Values that no parameter of these kinds takes.
fn refused(info: &ParameterInfo) -> Vec<String> {
    let mut wrong = vec!["nonsense".to_owned(), "-1".to_owned()];
    for values in info.values {
        match *values {
            Values::Whole(least, most) => {
                wrong.push("2.5".to_owned());
                wrong.extend((least > 0).then(|| (least - 1).to_string()));
                wrong.extend((most < usize::MAX).then(|| (most + 1).to_string()));
            }
            Values::Above(edge) | Values::FromBelow(_, edge) => wrong.push(edge.to_string()),
            Values::Between(above, below) => wrong.extend([above.to_string(), below.to_string()]),
            Values::Within(_, most) => wrong.push((most + 1.0).to_string()),
            _ => {}
        }
    }
    if !info.values.contains(&Null) {
        wrong.push("null".to_owned());
    }
    if !info.values.contains(&Flag) {
        wrong.push("true".to_owned());
    }
    wrong
}
