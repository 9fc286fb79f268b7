//! What `Suggest` finds in every built-in data set, and in unusual data.

mod beside;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use truefold::dataset::{self, DATASETS, Request};
use truefold::io::{ReadOptions, read};
use truefold::suggest::{Choice, Estimate, MethodReason, Reason};
use truefold::{
    Distances, Input, Method, Neighborhoods, Pieces, Points, Problem, Run, Search, Suggest, Suggestion, embed, fit,
    measure,
};

fn suggest(points: &Points) -> Suggestion {
    Suggest::default().run(points, &Run::new()).unwrap()
}

fn swiss_roll(points: usize, noise: f64) -> Points {
    let request = Request::new().with_points(points).with_noise(noise);
    dataset::find("swiss-roll").unwrap().sample(&request).unwrap().points
}

#[test]
fn every_data_set_is_recognized() {
    for dataset in DATASETS {
        let info = dataset.info();
        // One sample of pictures takes twice as long as one of every other data set.
        for seed in 0..if info.name == "glyph" { 1 } else { 4 } {
            let points = dataset.sample(&Request::new().with_seed(seed)).unwrap().points;
            let found = suggest(&points);
            let name = format!("{}, seed {seed}", info.name);
            assert_eq!(found.dim, info.intrinsic_dim, "{name}: {:?}", found.estimates);
            assert_eq!(found.edge.as_ref().unwrap().closed, info.closed, "{name}: {:?}", found.edge);
            let pieces = if info.name == "two-pieces" { 2 } else { 1 };
            assert_eq!(found.graph.components, pieces, "{name}: {:?}", found.graph);
            let noise = found.surface.as_ref().map_or(0.0, |surface| surface.relative_noise);
            assert!(noise < 0.02, "{name}: {:?}", found.surface);
            assert_eq!(found.tangent_k, found.k, "{name}: {}", found.tangent_k_reason);
            let lies_within = |one: &Estimate| Some(one.low) <= one.value && one.value <= one.high;
            assert!(found.estimates.iter().all(lies_within), "{name}");
        }
    }
}

#[test]
fn psa_is_near_its_best_with_the_suggested_neighbors() {
    let run = Run::new();
    for dataset in DATASETS.iter().filter(|dataset| !dataset.info().closed) {
        let points = dataset.sample(&Request::new().with_points(800)).unwrap().points;
        let found = suggest(&points);
        let reference = Neighborhoods::nearest(&points, 12, &run).unwrap();
        // Torn maps of different k are torn along different pairs, and no common neighborhoods compare them.
        let psa = embed::Psa { tear: embed::psa::Tearing::Never, ..embed::Psa::default() };
        let value = |k: usize| {
            let neighborhoods = Neighborhoods::nearest(&points, k, &run).unwrap();
            let problem = Problem::new(&points, &neighborhoods, found.dim).unwrap();
            let embedding = fit(&psa, &problem, Pieces::SideBySide, &run).unwrap().points;
            measure::evaluate(&points, &embedding, &reference, &["r_n"]).unwrap()[0].value
        };
        let chosen = value(found.k);
        let best = [6, 9, 15, 20].map(value).into_iter().fold(chosen, f64::min);
        assert!(chosen <= 1.1 * best + 1e-12, "{}: {chosen} with k = {}, {best} at best", dataset.info().name, found.k);
    }
}

#[test]
fn noise_is_told_from_curvature_and_widens_the_tangents() {
    let found = suggest(&swiss_roll(20_000, 0.3));
    assert_eq!(found.dim, 2, "{:?}", found.estimates);
    let surface = found.surface.unwrap();
    assert!((0.2..0.4).contains(&surface.noise), "{surface:?}");
    assert!(found.tangent_k >= 48 && found.tangent_k > found.k, "{}", found.tangent_k_reason);
    assert_eq!(found.sample, 2000);
    let clean = suggest(&swiss_roll(20_000, 0.0)).surface.unwrap();
    assert_eq!(clean.noise, 0.0, "{clean:?}");
    // The spiral's radius of curvature goes from about 5 to about 14.
    assert!((5.0..14.0).contains(&clean.curvature_radius.unwrap()), "{clean:?}");
    let plane = dataset::find("plane").unwrap().sample(&Request::new()).unwrap().points;
    assert_eq!(suggest(&plane).surface.unwrap().curvature_radius, None);
}

#[test]
fn noise_is_told_from_dimensions() {
    let scaled = |points: &Points, unit: f64| {
        let values = points.values().iter().map(|value| unit * value).collect();
        Points::new(points.len(), points.dim(), values).unwrap()
    };
    for (count, unit) in [(1500, 1e-3), (2500, 1.0), (5000, 1e3)] {
        let found = suggest(&scaled(&swiss_roll(count, 1.0), unit));
        assert_eq!(found.dim, 2, "{count}: {:?}", found.estimates);
        assert!(matches!(found.dim_reason, Reason::AboveNoise { charted: 3, .. }), "{count}: {}", found.dim_reason);
        assert_eq!((found.picture.method, found.coordinates.method), ("psa", "psa"), "{count}");
        let noise = found.surface.unwrap().noise / unit;
        assert!((0.8..1.2).contains(&noise) && found.tangent_k > found.k, "{count}: {noise}");
    }
    let noisy = |name: &str, noise: f64| {
        let request = Request::new().with_points(3000).with_noise(noise).with_seed(7);
        dataset::find(name).unwrap().sample(&request).unwrap().points
    };
    for (name, noise, dim) in [("s-curve", 0.15, 2), ("hemisphere", 0.1, 2), ("cylinder", 0.1, 2), ("helix", 0.1, 1)] {
        let found = suggest(&noisy(name, noise));
        assert_eq!(found.dim, dim, "{name}: {:?}", found.estimates);
    }
}

#[test]
fn what_fills_three_dimensions_is_no_noisy_surface() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut normal = || -> f64 { StandardNormal.sample(&mut random) };
    for count in [600, 3000, 9000] {
        let cloud: Vec<[f64; 3]> = (0..count).map(|_| [normal(), normal(), normal()]).collect();
        // In the direction of a normal vector, with the cube root of its share of the volume as the radius.
        let ball: Vec<[f64; 3]> = (0..count)
            .map(|at| {
                let way = [normal(), normal(), normal()];
                let length = way.iter().map(|value| value * value).sum::<f64>().sqrt();
                let radius = ((at as f64 + 0.5) / f64::from(count)).cbrt();
                way.map(|value| radius * value / length)
            })
            .collect();
        // A solid torus of radii 3 and 1: places of a disk, turned about an axis.
        let ring: Vec<[f64; 3]> = (0..count)
            .map(|at| {
                let (turn, across) = (2.399_963 * f64::from(at), 9.7 * f64::from(at).sqrt());
                let radius = (f64::from(at * 7919 % count) + 0.5) / f64::from(count);
                let (u, v) = (radius.sqrt() * across.cos(), radius.sqrt() * across.sin());
                [(3.0 + u) * turn.cos(), (3.0 + u) * turn.sin(), v]
            })
            .collect();
        for (name, rows) in [("cloud", cloud), ("ball", ball), ("ring", ring)] {
            let found = suggest(&Points::from_rows(&rows).unwrap());
            assert_eq!(found.dim, 3, "{name} of {count}: {:?} {}", found.estimates, found.dim_reason);
        }
    }
}

#[test]
fn a_graph_that_is_barely_connected_gets_more_neighbors() {
    // Two strips with few points between: joined only where a point looks farther than its own end.
    let mut rows: Vec<[f64; 2]> = Vec::new();
    for at in 0..200 {
        let (x, y) = (f64::from(at % 20), f64::from(at / 20) + 0.01 * f64::from(at * at % 7));
        rows.push([x, y]);
        rows.push([x + 23.0, y]);
    }
    let found = suggest(&Points::from_rows(&rows).unwrap());
    assert_eq!(found.dim, 2);
    assert!(found.graph.components == 1 && found.k > 12, "{} {:?}", found.k, found.graph);
    assert_eq!(found.k_reason, Reason::FewestComponents { k: found.k, components: 1 });
    assert_eq!(found.graph.connected_from, Some(found.k));
}

#[test]
fn the_same_points_get_the_same_suggestion_on_any_number_of_threads() {
    let points = swiss_roll(3000, 0.1);
    let with = |threads| Suggest::default().run(&points, &Run::new().with_threads(threads).unwrap()).unwrap();
    let one = with(1);
    assert!(one == with(2) && one == with(8));
    let local = |threads| Suggest::default().local(&points, &one, &Run::new().with_threads(threads).unwrap()).unwrap();
    let found = local(1);
    assert_eq!(found, local(4));
    assert_eq!((found.rows.len(), found.dimension.len(), found.sidedness.len()), (3000, 3000, 3000));
    let values = [&found.dimension, &found.radius, &found.off_tangent, &found.sidedness];
    assert!(values.iter().all(|values| values.iter().all(|value| value.is_finite() && *value >= 0.0)));
}

#[test]
fn points_at_the_edge_are_told_from_those_inside() {
    let sample = dataset::find("swiss-roll").unwrap().sample(&Request::new()).unwrap();
    let suggest = Suggest::default();
    let found = suggest.run(&sample.points, &Run::new()).unwrap();
    let local = suggest.local(&sample.points, &found, &Run::new()).unwrap();
    let sided = |inside: bool| {
        let rows = (0..2000).filter(|&row| {
            let height = sample.truth.row(row)[1];
            if inside { (6.0..15.0).contains(&height) } else { !(0.5..20.5).contains(&height) }
        });
        let values: Vec<f64> = rows.map(|row| local.sidedness[row]).collect();
        values.iter().filter(|&&value| value > 1.0).count() as f64 / values.len() as f64
    };
    assert!(sided(false) > 0.8 && sided(true) < 0.1, "{} at the edge, {} inside", sided(false), sided(true));
}

#[test]
fn odd_data_get_an_answer_or_a_sentence() {
    let cases = [
        ("copies", (0..400).map(|at| [f64::from(at % 40), f64::from(at % 40 * 7 % 13)]).collect::<Vec<_>>()),
        ("a line", (0..100).map(|at| [f64::from(at), 0.0]).collect()),
        ("a lattice", (0..400).map(|at| [f64::from(at % 20), f64::from(at / 20)]).collect()),
        (
            "two far pieces",
            (0..100).map(|at| [f64::from(at % 50) + 1e9 * f64::from(at / 50), f64::from(at * at % 11)]).collect(),
        ),
    ];
    for (name, rows) in cases {
        let points = Points::from_rows(&rows).unwrap();
        let found = suggest(&points);
        assert!((1..=2).contains(&found.dim) && (1..points.len()).contains(&found.k), "{name}: {found:?}");
        let surface = found.surface.iter().flat_map(|surface| [surface.noise, surface.relative_noise]);
        let numbers = [found.neighborhood_radius, found.edge.as_ref().unwrap().share];
        let estimates = found.estimates.iter().flat_map(|one| [one.value.unwrap(), one.low, one.high.unwrap()]);
        assert!(numbers.into_iter().chain(surface).chain(estimates).all(f64::is_finite), "{name}: {found:?}");
        Suggest::default().local(&points, &found, &Run::new()).unwrap();
    }
    for (unit, problem) in
        [(1e-200, "squares below 1e-140 vanish"), (1e200, "squares of numbers beyond 1e140 cannot be summed")]
    {
        let rows: Vec<[f64; 2]> = (1..101).map(|at| [unit * f64::from(at), unit * f64::from(at * at % 17)]).collect();
        let error = Suggest::default().run(&Points::from_rows(&rows).unwrap(), &Run::new()).unwrap_err().to_string();
        assert!(error.contains(problem) && error.ends_with("rescale the data"), "{error}");
    }
    let few = Points::from_rows(&(0..30).map(|at| [f64::from(at % 10)]).collect::<Vec<_>>()).unwrap();
    let error = Suggest::default().run(&few, &Run::new()).unwrap_err().to_string();
    assert_eq!(
        error,
        "a suggestion needs at least 20 points, but there are 10; give more points (20 are copies of others)"
    );
}

/// Normal coordinates in each of `dim` dimensions.
fn gaussian(points: usize, dim: usize) -> Points {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let values = (0..points * dim).map(|_| StandardNormal.sample(&mut random)).collect();
    Points::new(points, dim, values).unwrap()
}

fn charts(found: &Suggestion) -> &Estimate {
    found.estimates.iter().find(|one| one.name == "charts").unwrap()
}

#[test]
fn charts_that_show_no_dimension_do_not_outvote_the_distances() {
    let found = suggest(&gaussian(600, 50));
    assert_eq!((charts(&found).value, charts(&found).low, charts(&found).high), (None, 8.0, None));
    let distances = found.estimates.iter().filter_map(|one| one.value).fold(f64::INFINITY, f64::min);
    assert!(found.dim as f64 == distances.round() && found.dim > 20, "{:?}", found.estimates);
    assert_eq!(found.dim_reason, Reason::DistancesAlone { at_least: 8 });
    assert_eq!((&found.surface, &found.edge), (&None, &None));
    Suggest::default().local(&gaussian(500, 50), &found, &Run::new()).unwrap();
}

#[test]
fn points_that_fill_all_coordinates_have_as_many_dimensions_and_no_surface() {
    for dim in [2, 5, 12] {
        let found = suggest(&gaussian(2000, dim));
        assert_eq!(charts(&found).value, Some(dim as f64), "{:?}", found.estimates);
        assert!(found.dim + 2 >= dim && found.dim <= dim, "{dim}: {:?}", found.estimates);
        assert_ne!(found.dim_reason, Reason::FewerByLocalPca);
    }
    assert_eq!(suggest(&gaussian(2000, 2)).surface, None);
}

#[test]
fn digits_have_more_dimensions_than_charts_can_tell() {
    let Some(path) = beside::shared("data/mnist.npz") else { return };
    let options = ReadOptions { variable: Some("images".into()), ..ReadOptions::default() };
    let digits = read(path, &options).unwrap();
    let rows: Vec<u32> = (0..1000).collect();
    let found = suggest(&digits.select(&rows));
    assert_eq!(charts(&found).value, None, "{:?}", found.estimates);
    assert!(found.dim >= 8 && found.surface.is_none() && found.edge.is_none(), "{found:?}");
}

/// The two-sided score of a method in two dimensions, at 12 neighbors.
fn score(points: &Points, method: &str) -> f64 {
    Method::new(method, &[]).unwrap().embed(points, 12, 2).unwrap().judgment.score().unwrap()
}

#[test]
fn the_method_for_a_picture_is_near_the_best() {
    let sample = |name: &str, points: usize, noise: f64| {
        let request = Request::new().with_points(points).with_noise(noise).with_seed(5);
        dataset::find(name).unwrap().sample(&request).unwrap().points
    };
    // Other sizes and seeds than those of the table in docs/suggest.md.
    let cases = [
        ("plane", "pca", sample("plane", 500, 0.0)),
        ("swiss roll", "psa", sample("swiss-roll", 800, 0.0)),
        ("noisy roll", "psa", sample("swiss-roll", 1200, 0.4)),
        ("two pieces", "psa", sample("two-pieces", 900, 0.0)),
        ("helix", "faithful", sample("helix", 500, 0.0)),
        ("sphere", "psa", sample("sphere", 800, 0.0)),
        ("flat torus", "psa", sample("flat-torus", 900, 0.0)),
        ("noisy flat torus", "psa", sample("flat-torus", 2000, 0.03)),
        ("torus", "psa", sample("torus", 900, 0.0)),
        ("cloud of 4", "tsne", gaussian(700, 4)),
        ("cloud of 15", "faithful", gaussian(700, 15)),
    ];
    for (name, expected, points) in cases {
        let choice = suggest(&points).picture;
        assert_eq!((choice.method, choice.dim), (expected, 2), "{name}: {}", choice.reason);
        let own = score(&points, choice.method);
        let others = ["psa", "gp", "isomap", "pca", "tsne", "umap", "faithful"];
        for other in others.into_iter().filter(|&other| other != choice.method) {
            let theirs = score(&points, other);
            assert!(own >= theirs - 0.03, "{name}: {} has {own}, {other} has {theirs}", choice.method);
        }
    }
}

#[test]
fn coordinates_and_pictures_are_told_apart() {
    let helix = dataset::find("helix").unwrap().sample(&Request::new()).unwrap().points;
    let found = suggest(&helix);
    assert_eq!((found.coordinates.method, found.coordinates.dim), ("psa", 1));
    assert_eq!((found.picture.method, found.picture.dim), ("faithful", 2));
    assert_eq!(found.picture.reason, MethodReason::RoomToLieOnItself { data: 1 });
    let cloud = gaussian(600, 12);
    let found = Suggest { map_dim: Some(6), ..Suggest::default() }.run(&cloud, &Run::new()).unwrap();
    // It fills its dimensions, so that coordinates are those that it has; half of them show half of its shape.
    assert_eq!((found.picture.method, found.dim), ("faithful", 12));
    assert_eq!(found.coordinates.reason, MethodReason::AllCoordinates);
    let asked = found.asked.unwrap();
    assert_eq!((asked.method, asked.dim), ("gp", 6));
    assert!(matches!(asked.reason, MethodReason::ShapesOfMany { share } if (0.1..0.5).contains(&share)));
    // The same whatever the unit.
    for scale in [1e-6, 1e6] {
        let values = helix.values().iter().map(|value| scale * value).collect();
        let scaled = suggest(&Points::new(helix.len(), helix.dim(), values).unwrap());
        assert_eq!(scaled.picture, suggest(&helix).picture);
    }
    // Few different points: half of these are copies.
    let few = Points::from_rows(&(0..30).map(|at| [f64::from(at % 5), f64::from(at % 3)]).collect::<Vec<_>>()).unwrap();
    let choice = Suggest::default().method(&few, &Run::new()).unwrap();
    assert!(choice.method == "pca" && choice.dim == 2 && matches!(choice.reason, MethodReason::TooFewToTell { .. }));
}

#[test]
fn distances_get_a_method_that_takes_them() {
    let run = Run::new();
    let table = |points: &Points| {
        let count = points.len();
        let distance = |at: usize| {
            let pairs = points.row(at / count).iter().zip(points.row(at % count));
            pairs.map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        };
        Distances::dense(count, (0..count * count).map(distance).collect()).unwrap()
    };
    for (points, expected) in [(swiss_roll(500, 0.0), "gp"), (gaussian(300, 10), "faithful")] {
        let distances = table(&points);
        let neighborhoods = Search::nearest(12).run_on_distances(&distances, &run).unwrap();
        let choice = Choice::of_distances(&distances, &neighborhoods, 2).unwrap();
        assert_eq!(choice.method, expected, "{}", choice.reason);
        let problem = Problem::with_input(Input::Distances(&distances), &neighborhoods, 2).unwrap();
        Method::chosen(&choice, &[]).unwrap().fit(&problem, &run).unwrap();
    }
}
