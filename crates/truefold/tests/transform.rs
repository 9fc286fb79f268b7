//! What a model guarantees for new points, with every method: fitted points keep their places, neighbors stay neighbors,
//! results are the same bits on any number of threads and from a file, and confidence is low where the map is not known.

use truefold::dataset::{self, Request, Sample};
use truefold::embed::{EMBEDDERS, Entry};
use truefold::local::procrustes;
use truefold::{Metric, Model, Neighborhoods, Pieces, Points, Problem, Run, Search, fit};

fn sample(name: &str, points: usize) -> Sample {
    dataset::find(name).unwrap().sample(&Request::new().with_points(points)).unwrap()
}

/// The first `fitted` points, and the others.
fn split(points: &Points, fitted: u32) -> (Points, Points) {
    let rows = |range: std::ops::Range<u32>| points.select(&range.collect::<Vec<_>>());
    (rows(0..fitted), rows(fitted..points.len() as u32))
}

fn model(entry: &Entry, points: &Points, pieces: Pieces) -> (Model, Points) {
    let run = Run::new();
    let neighborhoods = Neighborhoods::nearest(points, 12, &run).unwrap();
    let problem = Problem::new(points, &neighborhoods, 2).unwrap();
    let embedding = fit(entry.build(&[]).unwrap().as_ref(), &problem, pieces, &run).unwrap();
    (Model::new(points, &embedding, &neighborhoods, &run).unwrap(), embedding.points)
}

fn psa() -> &'static Entry {
    truefold::embed::find("psa").unwrap()
}

/// Row by row the distance between two tables.
fn apart(a: &Points, b: &Points) -> Vec<f64> {
    a.rows().zip(b.rows()).map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()).collect()
}

#[test]
fn every_method_keeps_its_points_and_comes_back_from_bytes_the_same() {
    let curve = sample("s-curve", 700);
    let (fitted, fresh) = split(&curve.points, 500);
    let run = Run::new();
    for entry in EMBEDDERS {
        let name = entry.info.name;
        let (model, embedded) = model(entry, &fitted, Pieces::SideBySide);
        let kept = model.transform(&fitted, &run).unwrap();
        assert!(kept.points.values() == embedded.values(), "{name} moved fitted points");
        assert!(kept.distance.iter().all(|&distance| distance == 0.0), "{name}");
        assert!(kept.confidence.iter().all(|&confidence| confidence == 1.0), "{name}");
        let placed = model.transform(&fresh, &run).unwrap();
        assert!(placed.confidence.iter().all(|confidence| (0.0..=1.0).contains(confidence)), "{name}");
        let again = Model::from_bytes(&model.to_bytes().unwrap(), &run).unwrap();
        assert_eq!(again.origin(), model.origin(), "{name}");
        for threads in [1, 2, 8] {
            let run = Run::new().with_threads(threads).unwrap();
            assert_eq!(again.transform(&fresh, &run).unwrap(), placed, "{name}, {threads} threads");
        }
    }
}

#[test]
fn new_points_beside_a_seam_lie_on_the_side_of_the_nearest_fitted_one() {
    let tube = sample("cylinder", 1100);
    let (fitted, fresh) = split(&tube.points, 800);
    let (model, embedded) = model(psa(), &fitted, Pieces::Error);
    assert!(model.neighborhoods().uniform_k().is_none(), "torn pairs are no neighbors");
    let placed = model.transform(&fresh, &Run::new()).unwrap().points;
    let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    for (point, image) in fresh.rows().zip(placed.rows()) {
        let to = |row: &usize| distance(point, fitted.row(*row));
        let nearest = (0..fitted.len()).min_by(|a, b| to(a).total_cmp(&to(b))).unwrap();
        let (before, after) = (to(&nearest), distance(image, embedded.row(nearest)));
        assert!(after <= 1.5 * before + 0.02, "{before} {after}");
    }
}

#[test]
fn new_points_lie_among_the_images_of_their_neighbors_whatever_the_method() {
    let curve = sample("s-curve", 1500);
    let (fitted, fresh) = split(&curve.points, 1000);
    let run = Run::new();
    for entry in EMBEDDERS {
        let (model, embedded) = model(entry, &fitted, Pieces::SideBySide);
        let placed = model.transform(&fresh, &run).unwrap().points;
        // The mean image of the three nearest fitted points, which is right up to their distance.
        let all = Points::new(1500, 3, [fitted.values(), fresh.values()].concat()).unwrap();
        let lists = Neighborhoods::nearest(&all, 60, &run).unwrap();
        let (mut off, mut width) = (Vec::new(), Vec::new());
        for row in 0..500 {
            let near: Vec<&[f64]> = lists
                .neighbors(1000 + row)
                .iter()
                .filter(|&&at| at < 1000)
                .take(3)
                .map(|&at| embedded.row(at as usize))
                .collect();
            let mean = [0, 1].map(|axis| near.iter().map(|image| image[axis]).sum::<f64>() / 3.0);
            let from = |image: &[f64]| (image[0] - mean[0]).hypot(image[1] - mean[1]);
            off.push(from(placed.row(row)));
            width.push(near.iter().map(|image| from(image)).fold(0.0, f64::max));
        }
        let median = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values[250]
        };
        let (off, width) = (median(off), median(width));
        assert!(off <= width, "{}: {off} from the mean of neighbors {width} apart", entry.info.name);
    }
}

#[test]
fn isometric_data_are_placed_to_rounding() {
    let plane = sample("swiss-roll", 900).truth;
    let rows: Vec<[f64; 5]> = plane.rows().map(|p| [0.6 * p[0], 0.8 * p[0], 2.0, 0.28 * p[1], 0.96 * p[1]]).collect();
    let (fitted, fresh) = split(&Points::from_rows(&rows).unwrap(), 600);
    let (truth, expected) = split(&plane, 600);
    let run = Run::new();
    let lists = Neighborhoods::nearest(&fitted, 10, &run).unwrap();
    let placed = Model::of(&fitted, &truth, &lists, &run).unwrap().transform(&fresh, &run).unwrap();
    assert!(apart(&placed.points, &expected).iter().all(|&off| off < 1e-9));
    assert!(placed.off_tangent.iter().chain(&placed.misfit).all(|&part| part < 1e-6));
}

#[test]
fn in_many_dimensions_products_with_the_members_do_what_axes_do_in_few() {
    let plane = sample("swiss-roll", 700).truth;
    // The same plane in 3 and in 40 dimensions.
    let axes: Vec<[f64; 2]> = (0..40).map(|at| [f64::from(at).sin(), f64::from(at * at).cos()]).collect();
    let wide: Vec<Vec<f64>> = plane.rows().map(|p| axes.iter().map(|a| a[0] * p[0] + a[1] * p[1]).collect()).collect();
    let (fitted, fresh) = split(&Points::from_rows(&wide).unwrap(), 600);
    let (truth, expected) = split(&plane, 600);
    let run = Run::new();
    let lists = Neighborhoods::nearest(&fitted, 10, &run).unwrap();
    let placed = Model::of(&fitted, &truth, &lists, &run).unwrap().transform(&fresh, &run).unwrap();
    // Only the damping of the stretch is left.
    assert!(apart(&placed.points, &expected).iter().all(|&off| off < 0.05), "{:?}", apart(&placed.points, &expected));
}

#[test]
fn the_error_on_new_points_is_that_on_the_fitted_ones() {
    let roll = sample("swiss-roll", 12_000);
    let (fitted, fresh) = split(&roll.points, 4000);
    let (truth, expected) = split(&roll.truth, 4000);
    let (model, embedded) = model(psa(), &fitted, Pieces::Error);
    let placed = model.transform(&fresh, &Run::new()).unwrap().points;
    let error = |truth: &Points, map: &Points| (procrustes(truth, map).unwrap().residual / truth.len() as f64).sqrt();
    let (own, new) = (error(&truth, &embedded), error(&expected, &placed));
    assert!(new <= 1.5 * own, "{new} on new points, {own} on fitted ones");
}

#[test]
fn the_map_is_continuous() {
    let roll = sample("swiss-roll", 2000).points;
    let (model, _) = model(psa(), &roll, Pieces::Error);
    let run = Run::new();
    // The largest jump between steps on ways between near points; it must shrink with the steps.
    let largest_jump = |steps: usize| {
        let mut jump = 0.0_f64;
        for from in (0..2000).step_by(97) {
            let to = model.neighborhoods().neighbors(from)[11] as usize;
            let (a, b) = (roll.row(from), roll.row(to));
            let way: Vec<Vec<f64>> = (0..=steps)
                .map(|step| {
                    let share = step as f64 / steps as f64;
                    a.iter().zip(b).map(|(a, b)| a + share * (b - a)).collect()
                })
                .collect();
            let placed = model.transform(&Points::from_rows(&way).unwrap(), &run).unwrap().points;
            let (first, last) = split(&placed, steps as u32);
            assert_eq!(last.len(), 1);
            let (_, next) = split(&placed, 1);
            jump = apart(&first, &next).into_iter().fold(jump, f64::max);
        }
        jump
    };
    let (coarse, fine) = (largest_jump(200), largest_jump(6400));
    assert!(fine < coarse / 8.0, "{coarse} at 200 steps, {fine} at 6400");
}

#[test]
fn copies_lattices_and_few_points_get_an_answer() {
    let run = Run::new();
    let curve = sample("s-curve", 60).points;
    let copies = curve.select(&(0..1200).map(|at| at % 60).collect::<Vec<_>>());
    let lists = Neighborhoods::nearest(&copies, 12, &run).unwrap();
    let images = Points::new(1200, 2, (0..2400).map(f64::from).collect()).unwrap();
    let model = Model::of(&copies, &images, &lists, &run).unwrap();
    let placed = model.transform(&curve, &run).unwrap();
    assert_eq!(placed.points.values(), &images.values()[..120], "the first copy speaks for all");
    let moved: Vec<f64> = curve.values().iter().map(|value| value + 0.01).collect();
    model.transform(&Points::new(60, 3, moved).unwrap(), &run).unwrap();

    let lattice: Vec<[f64; 3]> =
        (0..125).map(|at| [f64::from(at % 5), f64::from(at / 5 % 5), f64::from(at / 25)]).collect();
    let lattice = Points::from_rows(&lattice).unwrap();
    let lists = Neighborhoods::nearest(&lattice, 6, &run).unwrap();
    let model = Model::of(&lattice, &lattice, &lists, &run).unwrap();
    let middle = Points::from_rows(&[[1.5, 1.5, 1.5], [0.5, 2.0, 2.0]]).unwrap();
    assert!(apart(&model.transform(&middle, &run).unwrap().points, &middle).iter().all(|&off| off < 1e-9));

    let two = Points::from_rows(&[[0.0, 0.0], [2.0, 0.0]]).unwrap();
    let images = Points::from_rows(&[[0.0], [4.0]]).unwrap();
    let model = Model::of(&two, &images, &Neighborhoods::nearest(&two, 1, &run).unwrap(), &run).unwrap();
    let placed = model.transform(&Points::from_rows(&[[1.0, 0.0]]).unwrap(), &run).unwrap();
    assert!((placed.points.row(0)[0] - 2.0).abs() < 1e-9);
}

#[test]
fn every_metric_finds_the_fitted_points_again() {
    let run = Run::new();
    let curve = sample("s-curve", 300);
    for metric in Metric::ALL {
        let lists = Search::nearest(10).with_metric(metric).run(&curve.points, &run).unwrap();
        let model = Model::of(&curve.points, &curve.truth, &lists, &run).unwrap();
        assert_eq!(model.metric(), metric);
        assert_eq!(model.transform(&curve.points, &run).unwrap().points.values(), curve.truth.values(), "{metric}");
        let moved: Vec<f64> = curve.points.values().iter().map(|value| 1.01 * value).collect();
        let placed = model.transform(&Points::new(300, 3, moved).unwrap(), &run).unwrap();
        assert!(placed.confidence.iter().all(|confidence| (0.0..=1.0).contains(confidence)), "{metric}");
    }
}

#[test]
fn confidence_falls_with_the_distance_off_and_away_from_the_surface() {
    let roll = sample("swiss-roll", 3000);
    let (fitted, fresh) = split(&roll.points, 2000);
    let (model, _) = model(psa(), &fitted, Pieces::Error);
    let run = Run::new();
    let mean = |points: &Points| {
        let placed = model.transform(points, &run).unwrap();
        placed.confidence.iter().sum::<f64>() / points.len() as f64
    };
    let shifted = |by: f64| {
        let rows: Vec<[f64; 3]> = fresh.rows().map(|p| [p[0], p[1] + by, p[2]]).collect();
        Points::from_rows(&rows).unwrap()
    };
    let (here, away) = (mean(&fresh), mean(&shifted(100.0)));
    assert!(here > 0.5 && away < 0.01, "{here} on the surface, {away} far from it");
    // Off the roll, towards the next turn of it.
    let rows: Vec<[f64; 3]> = fresh.rows().map(|p| [1.15 * p[0], p[1], 1.15 * p[2]]).collect();
    let off = mean(&Points::from_rows(&rows).unwrap());
    assert!(off < 0.7 * here, "{here} on the surface, {off} off it");
}

/// Eight groups of `dim` dimensions, in turn; in the map a disc each, in which places follow the first two coordinates
/// of the data only roughly.
fn groups(count: usize, dim: usize) -> (Points, Points) {
    let mut state = 1_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let centers: Vec<f64> = (0..8 * dim).map(|_| 1.5 * draw()).collect();
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for at in 0..count {
        let own: Vec<f64> = (0..dim).map(|axis| centers[at % 8 * dim + axis] + draw()).collect();
        y.extend([0, 1].map(|axis| 10.0 * centers[at % 8 * dim + axis] + own[axis] + 0.3 * draw()));
        x.extend(own);
    }
    (Points::new(count, dim, x).unwrap(), Points::new(count, 2, y).unwrap())
}

#[test]
fn in_many_dimensions_the_nearest_fitted_points_vote() {
    let (x, y) = groups(2600, 20);
    let ((fitted, fresh), (images, expected)) = (split(&x, 2400), split(&y, 2400));
    let run = Run::new();
    let model = Model::of(&fitted, &images, &Neighborhoods::nearest(&fitted, 12, &run).unwrap(), &run).unwrap();
    let placed = model.transform(&fresh, &run).unwrap();
    assert!(placed.support.iter().any(|&support| support < 1.0), "no vote was taken");
    assert!(placed.support.iter().all(|support| (0.0..=1.0).contains(support)));
    // Every place is among the images of its own group, which are no farther than this from each other.
    let off = apart(&placed.points, &expected);
    assert!(off.iter().all(|&off| off < 2.0), "{:?}", off.iter().fold(0.0_f64, |most, &off| most.max(off)));
    assert_eq!(model.transform(&fitted, &run).unwrap().points.values(), images.values());
    for threads in [1, 2] {
        let run = Run::new().with_threads(threads).unwrap();
        let again = Model::from_bytes(&model.to_bytes().unwrap(), &run).unwrap();
        assert_eq!(again.transform(&fresh, &run).unwrap(), placed);
    }
    // Towards a fitted point the place becomes its image, as it does where maps alone speak.
    let near = |share: f64| {
        let rows: Vec<Vec<f64>> = (0..50)
            .map(|row| fitted.row(row).iter().zip(fresh.row(row)).map(|(a, b)| a + share * (b - a)).collect())
            .collect();
        let places = model.transform(&Points::from_rows(&rows).unwrap(), &run).unwrap();
        apart(&places.points, &split(&images, 50).0).into_iter().fold(0.0, f64::max)
    };
    assert!(near(1e-3) < 0.1 && near(1e-6) < 1e-3, "{} {}", near(1e-3), near(1e-6));
}

#[test]
fn no_votes_are_taken_on_surfaces() {
    let run = Run::new();
    let curve = sample("s-curve", 900);
    let (fitted, fresh) = split(&curve.points, 700);
    for name in ["psa", "pca", "tsne", "faithful"] {
        let (model, _) = model(truefold::embed::find(name).unwrap(), &fitted, Pieces::Error);
        let placed = model.transform(&fresh, &run).unwrap();
        let voted = placed.support.iter().filter(|&&support| support < 1.0).count();
        assert!(voted <= 2, "{name}: {voted} of 200");
    }
}

#[test]
fn confidence_is_the_share_of_places_that_are_right() {
    let run = Run::new();
    let drawn =
        |name: &str| dataset::find(name).unwrap().sample(&Request::new().with_points(2000).with_seed(1)).unwrap();
    let (hole, like, whole) = (sample("swiss-roll-hole", 2000), drawn("swiss-roll-hole"), drawn("swiss-roll"));
    let (x, y) = groups(4000, 20);
    let surface = (hole.points.clone(), hole.truth.clone(), like.points, like.truth);
    let with_hole = (hole.points, hole.truth, whole.points, whole.truth);
    let ((fitted, fresh), (images, expected)) = (split(&x, 2000), split(&y, 2000));
    let many = (fitted, images, fresh, expected);
    for (name, data) in [("roll", surface), ("points in a hole", with_hole), ("groups", many)] {
        let (fitted, images, fresh, expected) = data;
        let model = Model::of(&fitted, &images, &Neighborhoods::nearest(&fitted, 12, &run).unwrap(), &run).unwrap();
        let placed = model.transform(&fresh, &run).unwrap();
        // The median distance in the map between a point and its neighbors.
        let all = |a: &Points, b: &Points| Points::new(4000, a.dim(), [a.values(), b.values()].concat()).unwrap();
        let lists = Neighborhoods::nearest(&all(&fitted, &fresh), 12, &run).unwrap();
        let every = all(&images, &expected);
        let spread = |row: usize| {
            let from = |at: u32| every.row(row).iter().zip(every.row(at as usize)).map(|(a, b)| (a - b).powi(2)).sum();
            let mut off: Vec<f64> = lists.neighbors(row).iter().map(|&at| f64::sqrt(from(at))).collect();
            off.sort_by(f64::total_cmp);
            off[5]
        };
        let off = apart(&placed.points, &expected);
        let is_right: Vec<bool> = (0..2000).map(|row| off[row] <= spread(2000 + row)).collect();
        let mut order: Vec<usize> = (0..2000).collect();
        order.sort_by(|&a, &b| placed.confidence[a].total_cmp(&placed.confidence[b]));
        for fifth in order.chunks(400) {
            let told = fifth.iter().map(|&row| placed.confidence[row]).sum::<f64>() / 400.0;
            let found = fifth.iter().filter(|&&row| is_right[row]).count() as f64 / 400.0;
            let off = if name == "points in a hole" { told - found } else { (told - found).abs() };
            // In a hole, where nothing was tried, less may be told than is so.
            assert!(off < 0.1, "{name}: {found} are right of places of confidence {told}");
        }
    }
}

#[test]
fn pieces_laid_side_by_side_are_not_mixed() {
    let pieces = sample("two-pieces", 900);
    let (fitted, fresh) = split(&pieces.points, 600);
    let (model, embedded) = model(psa(), &fitted, Pieces::SideBySide);
    let placed = model.transform(&fresh, &Run::new()).unwrap();
    let (labels, new_labels) = (fitted.labels().unwrap(), fresh.labels().unwrap());
    let near = |row: usize| {
        let image = placed.points.row(row);
        let off = |at: &usize| (embedded.row(*at)[0] - image[0]).hypot(embedded.row(*at)[1] - image[1]);
        (0..600).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap()
    };
    assert!((0..300).all(|row| labels[near(row)] == new_labels[row]));
}

#[test]
fn a_model_of_the_largest_piece_is_of_its_points() {
    let pieces = sample("two-pieces", 600).points;
    let (model, images) = model(psa(), &pieces, Pieces::Largest);
    assert!(images.len() < 600 && model.points().len() == images.len());
    assert_eq!(model.transform(model.points(), &Run::new()).unwrap().points.values(), images.values());
}

#[test]
fn points_that_do_not_fit_the_model_get_one_sentence() {
    let curve = sample("s-curve", 200);
    let run = Run::new();
    let lists = Neighborhoods::nearest(&curve.points, 8, &run).unwrap();
    let model = Model::of(&curve.points, &curve.truth, &lists, &run).unwrap();
    let refuse = |points: &Points| model.transform(points, &run).unwrap_err().to_string();
    assert_eq!(
        refuse(&curve.truth),
        "the new points have 2 dimensions and the fitted ones 3; give the same columns in the same order as in the fit"
    );
    let swapped = curve.points.clone().with_columns(["x", "z", "y"].map(String::from).to_vec()).unwrap();
    assert!(refuse(&swapped).starts_with("column 2 is 'z' in the new points and 'y' in the fitted ones; "));
    let far = Points::new(1, 3, vec![1e300, -1e300, 1e300]).unwrap();
    assert!(refuse(&far).starts_with("row 1 lies too far from all fitted points to be placed; "));
}
