//! The properties of every data set, checked over the whole table.

use super::shape_tests::{assert_bent, column, for_pairs};
use super::{DATASETS, Dataset, Isometric, Request, Sample, find};
use crate::Points;
use crate::linalg::distance;
use crate::memory::tests::asks_for;
use std::collections::BTreeSet;

fn draw(dataset: &Dataset, points: usize, seed: u64) -> Sample {
    dataset.sample(&Request::new().with_points(points).with_seed(seed)).unwrap()
}

#[test]
fn names_are_kebab_case_and_unique() {
    let names: BTreeSet<&str> = DATASETS.iter().map(|dataset| dataset.info().name).collect();
    assert_eq!(names.len(), DATASETS.len());
    for dataset in DATASETS {
        let info = dataset.info();
        assert!(info.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", info.name);
        assert!(std::ptr::eq(find(info.name).unwrap(), *dataset));
        assert!(!info.settings.is_empty() && !info.summary.contains('\n') && info.truth.len() >= info.intrinsic_dim);
    }
}

#[test]
fn tables_have_the_shape_that_the_info_tells() {
    for dataset in DATASETS {
        let info = dataset.info();
        for points in [1, 2, 137] {
            let sample = draw(dataset, points, 5);
            assert_eq!((sample.points.len(), sample.truth.len()), (points, points), "{}", info.name);
            assert_eq!(
                (sample.points.dim(), sample.truth.dim()),
                (info.input_dim, info.intrinsic_dim),
                "{}",
                info.name
            );
            assert_eq!(sample.points.columns().unwrap().len(), info.input_dim);
            assert_eq!(sample.truth.columns().unwrap(), &info.truth[..info.intrinsic_dim]);
        }
        assert_eq!(dataset.sample(&Request::new()).unwrap().points.len(), info.default_points);
    }
}

#[test]
fn a_seed_gives_the_same_bits_and_another_seed_others() {
    let bits = |table: &Points| table.values().iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    for dataset in DATASETS {
        let (first, again, other) = (draw(dataset, 300, 8), draw(dataset, 300, 8), draw(dataset, 300, 9));
        assert_eq!(bits(&first.points), bits(&again.points));
        assert_eq!(bits(&first.truth), bits(&again.truth));
        assert!(first.points.rows().zip(other.points.rows()).all(|(a, b)| a != b), "{}", dataset.info().name);
        assert!(first.truth.rows().zip(other.truth.rows()).all(|(a, b)| a != b), "{}", dataset.info().name);
    }
}

#[test]
fn any_seed_and_the_ends_of_every_setting_give_a_sample() {
    // A sample that is not finite would be an error: Points refuses it.
    for dataset in DATASETS {
        for seed in [0, 1, u64::MAX] {
            draw(dataset, 3, seed);
        }
        for setting in dataset.info().settings {
            let ends = match setting.kind {
                super::SettingKind::Number { least, most, .. } => [least.to_string(), most.to_string()],
                super::SettingKind::Whole { least, most, .. } => [least.to_string(), most.to_string()],
                super::SettingKind::Switch { .. } => ["true".to_owned(), "false".to_owned()],
            };
            for end in ends {
                let drawn = dataset.sample(&Request::new().with_points(3).with_setting(setting.name, &end));
                // Two settings may limit each other; the error then names both.
                if let Err(error) = drawn {
                    assert!(error.to_string().contains("run into itself"), "{}: {error}", dataset.info().name);
                }
            }
        }
    }
}

#[test]
fn the_truth_keeps_lengths_where_promised() {
    for dataset in DATASETS.iter().filter(|dataset| dataset.info().isometric != Isometric::No) {
        let mut near = 0;
        for_pairs(&draw(dataset, 2500, 4), |x, y, a, b| {
            let (apart, truth) = (distance(x, y), distance(a, b));
            assert!(apart <= truth * (1.0 + 1e-9) + 1e-12, "{}: {apart} is more than {truth}", dataset.info().name);
            if truth < 0.5 {
                assert_bent(apart, truth);
                near += 1;
            }
        });
        assert!(near > 500, "{}: only {near} near pairs", dataset.info().name);
    }
}

#[test]
fn noise_moves_the_points_by_its_standard_deviation_and_nothing_else() {
    for dataset in DATASETS {
        let points = 20_000 / dataset.info().input_dim.min(20) + 1;
        let still = draw(dataset, points, 6);
        let request = Request::new().with_points(points).with_seed(6).with_noise(0.25);
        let moved = dataset.sample(&request).unwrap();
        assert_eq!(still.truth, moved.truth);
        let steps = |axis| column(&moved.points, axis).zip(column(&still.points, axis)).map(|(a, b)| a - b);
        let all: Vec<f64> = (0..still.points.dim().min(20)).flat_map(steps).collect();
        let n = all.len() as f64;
        let mean = all.iter().sum::<f64>() / n;
        let deviation = (all.iter().map(|step| step * step).sum::<f64>() / n).sqrt();
        // Four and a half standard errors of each.
        assert!(mean.abs() < 4.5 * 0.25 / n.sqrt(), "{}: mean {mean}", dataset.info().name);
        assert!((deviation / 0.25 - 1.0).abs() < 4.5 / (2.0 * n).sqrt(), "{}: {deviation}", dataset.info().name);
    }
}

#[test]
fn bad_requests_are_one_sentence() {
    let roll = find("swiss-roll").unwrap();
    let told = |request: Request| roll.sample(&request).unwrap_err().to_string();
    assert_eq!(
        told(Request::new().with_noise(-0.5)),
        "noise = -0.5 is not from 0 to 1e100: it is a standard deviation; set noise to 0 for none"
    );
    assert!(told(Request::new().with_noise(f64::NAN)).starts_with("noise = NaN is not from 0 to 1e100"));
    assert!(told(Request::new().with_noise(f64::INFINITY)).starts_with("noise = inf is not from 0 to 1e100"));
    assert_eq!(
        told(Request::new().with_points(0)),
        "points = 0 is not from 1 to 4294967295; leave points out for 2000"
    );
    assert!(told(Request::new().with_points(Points::MOST + 1)).starts_with("points = 4294967296 is not from 1"));
    assert_eq!(
        told(Request::new().with_setting("height", "tall")),
        "height = tall is not from 0.001 to 1000: a number is needed; leave height out for 21"
    );
    assert_eq!(
        told(Request::new().with_setting("hight", 3)),
        "there is no setting named 'hight'; did you mean height?"
    );
}

#[test]
fn unknown_names_get_near_misses() {
    let told = |name| find(name).unwrap_err().to_string();
    assert_eq!(told("mobius"), "there is no data set named 'mobius'; did you mean moebius?");
    assert_eq!(told("klein"), "there is no data set named 'klein'; did you mean klein-bottle?");
    assert_eq!(told("Sphere"), "there is no data set named 'Sphere'; did you mean sphere or spherical-cap?");
    assert!(
        told("zzz").starts_with("there is no data set named 'zzz'; there are swiss-roll, swiss-roll-hole, s-curve")
    );
}

#[test]
fn what_a_data_set_holds_is_compared_with_the_memory_that_is_there() {
    for dataset in DATASETS {
        // Two coordinates of every place at the least.
        asks_for(137 * 16, || dataset.sample(&Request::new().with_points(137)));
    }
}
