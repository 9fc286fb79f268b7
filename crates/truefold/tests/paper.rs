//! The paper's data sets at its sizes: what `gp` and `psa` reach there. Faces and digits are read where they are
//! present.

mod beside;

use beside::shared;
use truefold::Input;
use truefold::dataset::{self, Request};
use truefold::embed::find;
use truefold::io::{ReadOptions, read};
use truefold::measure::{self, Evaluation, Options};
use truefold::{Neighborhoods, Pieces, Points, Problem, Run, fit};

/// The points of a file of `../shared/data`, where it is there.
fn data(name: &str) -> Option<Points> {
    shared(&format!("data/{name}")).map(|path| read(path, &ReadOptions::default()).unwrap())
}

/// The parameters of `psa` that keep a surface whole; those of `gp` have no such thing.
const WHOLE: &[(&str, &str)] = &[("tear", "false")];

/// R_N of both methods, with or without the centers of the neighborhoods.
fn r_n(points: &Points, k: usize, dim: usize, center: bool, settings: &[(&str, &str)]) -> [f64; 2] {
    let run = Run::new();
    let neighborhoods = Neighborhoods::nearest(points, k, &run).unwrap();
    let settings: Vec<(String, String)> = settings.iter().map(|&(name, text)| (name.into(), text.into())).collect();
    ["gp", "psa"].map(|name| {
        let known = |setting: &&(String, String)| name == "psa" || setting.0 != "tear";
        let settings: Vec<(String, String)> = settings.iter().filter(known).cloned().collect();
        let method = find(name).unwrap().build(&settings).unwrap();
        let problem = Problem::new(points, &neighborhoods, dim).unwrap();
        let embedding = fit(method.as_ref(), &problem, Pieces::Error, &run).unwrap();
        let options = Options { center, ..Options::default() };
        let evaluation =
            Evaluation::new(Input::Points(points), &embedding.points, &neighborhoods, options, &run).unwrap();
        measure::find("r_n").unwrap().score(&evaluation).unwrap().value
    })
}

fn sample(name: &str, points: usize, seed: u64) -> Points {
    dataset::find(name).unwrap().sample(&Request::new().with_points(points).with_seed(seed)).unwrap().points
}

#[test]
fn the_hemisphere_opens() {
    for seed in 0..3 {
        let values = r_n(&sample("hemisphere", 2500, seed), 6, 2, true, &[]);
        assert!(values.iter().all(|&value| value <= 0.0110), "seed {seed}: {values:?}");
    }
}

#[test]
fn the_cylinder_is_pressed_flat() {
    for seed in 0..3 {
        let values = r_n(&sample("cylinder", 800, seed), 9, 2, true, WHOLE);
        assert!(values.iter().all(|&value| value <= 0.04), "seed {seed}: {values:?}");
    }
}

/// The paper prints 0.45 for gp and 0.35 for psa.
#[test]
fn the_faces_are_laid_out_in_three_dimensions() {
    let Some(faces) = data("frey_faces.npy") else { return };
    let values = r_n(&faces, 6, 3, false, &[]);
    assert!(values.iter().all(|&value| value <= 0.19), "{values:?}");
}

/// Neighborhoods of seven points span six directions, so nothing need be lost in ten.
#[test]
fn the_twos_fit_in_ten_dimensions() {
    let Some(twos) = data("usps_twos.npy") else { return };
    let values = r_n(&twos, 6, 10, true, &[("iterations", "80")]);
    assert!(values.iter().all(|&value| value < 0.005), "{values:?}");
}
