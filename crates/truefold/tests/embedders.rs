//! What every method of the table promises: the same bits from any number of threads, an answer that moves with the
//! data, and for bad data an answer or one sentence, never a panic or a number that is none.

use truefold::Input;
use truefold::dataset::{self, Request};
use truefold::embed::{EMBEDDERS, Embedder, Entry};
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

/// An embedding of finite numbers about the origin, or an error of one line that says what to do.
fn is_answer_or_sentence(name: &str, case: &str, result: Result<Embedding, Error>) {
    match result {
        Ok(embedding) => {
            let values = embedding.points.values();
            assert!(values.iter().all(|value| value.is_finite()), "{name}, {case}");
        }
        Err(error) => {
            let text = error.to_string();
            assert!(text.contains("; ") && !text.contains('\n') && !text.contains("NaN"), "{name}, {case}: {text}");
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
    for entry in EMBEDDERS {
        let of = |points: &Points| {
            let problem = Problem::new(points, &neighborhoods, 2).unwrap();
            fit(method(entry).as_ref(), &problem, Pieces::Error, &run).unwrap().points
        };
        let (before, after) = (of(&curve.points), of(&moved));
        let distance = |y: &Points, a: usize, b: usize| {
            ((y.row(a)[0] - y.row(b)[0]).powi(2) + (y.row(a)[1] - y.row(b)[1]).powi(2)).sqrt()
        };
        let pairs = || (0..500).map(|at| (at, at * 173 % 500));
        let largest = pairs().map(|(a, b)| distance(&before, a, b)).fold(0.0, f64::max);
        for (a, b) in pairs() {
            let change = (distance(&before, a, b) - distance(&after, a, b)).abs();
            assert!(change < 1e-3 * largest, "{}: {a} {b} {change}", entry.info.name);
        }
    }
}

#[test]
fn a_flat_patch_is_what_each_method_says_it_is() {
    let patch = sample("swiss-roll", 500);
    let rows: Vec<[f64; 5]> =
        patch.truth.rows().map(|p| [0.6 * p[0], 0.8 * p[0], 2.0, 0.28 * p[1], 0.96 * p[1]]).collect();
    let points = Points::from_rows(&rows).unwrap();
    let neighborhoods = Neighborhoods::nearest(&points, 12, &Run::new()).unwrap();
    for entry in EMBEDDERS {
        let embedding = embed(entry, &points, 12, 2, &Run::new()).unwrap();
        let of = |name: &str| measure::evaluate(&points, &embedding.points, &neighborhoods, &[name]).unwrap()[0].value;
        let (name, limit) = match entry.info.name {
            "gp" | "psa" | "pca" | "mds" => ("r_n", 1e-9),
            // Affine functions are exactly what these keep.
            "ltsa" | "hessian-eigenmaps" => ("r_a", 1e-9),
            // But for the regularization of its weights.
            "modified-lle" => ("r_a", 1e-5),
            "isomap" | "landmark-isomap" => ("r_n", 0.05),
            "lle" => ("r_a", 0.01),
            "c-isomap" => ("r_c", 0.3),
            _ => continue,
        };
        assert!(of(name) < limit, "{}: {name} = {}", entry.info.name, of(name));
    }
}

#[test]
fn two_components_come_apart_along_the_graph_and_stay_together_elsewhere() {
    let pieces = sample("two-pieces", 400);
    let components = Neighborhoods::nearest(&pieces.points, 10, &Run::new()).unwrap().components();
    assert_eq!(components.count(), 2);
    for entry in EMBEDDERS {
        let embedding = embed(entry, &pieces.points, 10, 2, &Run::new()).unwrap();
        let said = embedding
            .info
            .warnings
            .iter()
            .any(|warning| matches!(warning, truefold::Warning::SideBySide { components: 2 }));
        assert_eq!(said, method(entry).follows_graph(), "{}", entry.info.name);
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
fn repeated_equal_and_collinear_points_get_an_answer_or_a_sentence() {
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
            is_answer_or_sentence(entry.info.name, case, embed(entry, points, 12, 2, &Run::new()));
        }
    }
}

#[test]
fn small_and_large_requests_get_an_answer_or_a_sentence() {
    let curve = sample("s-curve", 40);
    for entry in EMBEDDERS {
        let name = entry.info.name;
        for (k, dim) in [(1, 1), (1, 3), (2, 2), (3, 2), (4, 3), (39, 3), (39, 2)] {
            is_answer_or_sentence(
                name,
                &format!("k = {k}, d = {dim}"),
                embed(entry, &curve.points, k, dim, &Run::new()),
            );
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
                is_answer_or_sentence(name, &format!("n = {count}, k = {k}"), embed(entry, &points, k, 1, &Run::new()));
            }
        }
    }
}

#[test]
fn tiny_and_huge_units_give_an_answer_or_a_sentence() {
    let curve = sample("s-curve", 150);
    for entry in EMBEDDERS {
        for unit in [1e-150, 1e-30, 1e30, 1e120] {
            let values = curve.points.values().iter().map(|value| value * unit).collect();
            let points = Points::new(150, 3, values).unwrap();
            is_answer_or_sentence(
                entry.info.name,
                &format!("unit {unit:e}"),
                embed(entry, &points, 12, 2, &Run::new()),
            );
        }
    }
}

#[test]
fn distances_give_what_the_points_give_or_a_sentence() {
    let curve = sample("s-curve", 300);
    let run = Run::new();
    let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
    let table: Vec<f64> = curve.points.rows().flat_map(|a| curve.points.rows().map(move |b| distance(a, b))).collect();
    let distances = Distances::dense(300, table).unwrap();
    let neighborhoods = Search::nearest(12).run_on_distances(&distances, &run).unwrap();
    for entry in EMBEDDERS {
        let of = |input| {
            let problem = Problem::with_input(input, &neighborhoods, 2).unwrap();
            fit(method(entry).as_ref(), &problem, Pieces::Error, &run)
        };
        match of(Input::Distances(&distances)) {
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("distances") && text.contains(entry.info.name), "{text}");
            }
            Ok(found) => {
                let points = of(Input::Points(&curve.points)).unwrap().points;
                let largest = points.values().iter().copied().fold(0.0, f64::max);
                for (a, b) in points.values().iter().zip(found.points.values()) {
                    assert!((a.abs() - b.abs()).abs() < 1e-2 * largest, "{}: {a} {b}", entry.info.name);
                }
            }
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
