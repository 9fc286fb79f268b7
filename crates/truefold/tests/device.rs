//! Lists of a graphics processor, where there is one, beside those of the processor. `cargo xtask test` says which device was used.

use std::path::Path;
use truefold::{Device, Method, Metric, Points, Problem, Run, Search, Suggest};

/// The device that there is, written down for `cargo xtask test`.
fn device() -> Option<String> {
    let note = Path::new(env!("CARGO_TARGET_TMPDIR")).join("device");
    match Device::found() {
        Ok((name, cuda)) => {
            let found = format!("{name}, driver for CUDA {cuda}");
            std::fs::write(note, &found).unwrap();
            Some(found)
        }
        Err(_) => {
            // A note of an earlier run, on another machine.
            let _ = std::fs::remove_file(note);
            None
        }
    }
}

fn noise(at: usize) -> f64 {
    let bits = (at as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((bits ^ (bits >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
}

fn points(n: usize, q: usize, value: impl Fn(usize, usize) -> f64) -> Points {
    Points::new(n, q, (0..n * q).map(|at| value(at / q, at % q)).collect()).unwrap()
}

#[test]
fn lists_of_a_device_are_those_of_the_processor() {
    let there = device();
    let (n, q) = (3000, 40);
    let kinds = [
        ("plain", points(n, q, |row, axis| noise(row * q + axis))),
        ("ties", points(n, 7, |row, axis| (noise(row * 7 + axis) * 2.9).round())),
        ("copies", points(n, q, |row, axis| noise((if row % 10 == 9 { row / 2 } else { row }) * q + axis))),
        ("lengths", points(n, q, |row, axis| noise(row * q + axis) * 10_f64.powf(12.0 * noise(row + (1 << 30))))),
        ("far", points(n, q, |row, axis| 1e6 + noise(row * q + axis))),
    ];
    for (name, points) in &kinds {
        for (k, metric) in [
            (1, Metric::Euclidean),
            (12, Metric::Euclidean),
            (64, Metric::Euclidean),
            (200, Metric::Euclidean),
            (12, Metric::Cosine),
            (12, Metric::Correlation),
        ] {
            // A row without a direction has no cosine.
            if *name == "ties" && metric != Metric::Euclidean {
                continue;
            }
            let search = Search::nearest(k).with_metric(metric);
            let here = search.with_device(Device::Cpu).run(points, &Run::new()).unwrap();
            match (search.with_device(Device::Gpu).run(points, &Run::new()), &there) {
                (Ok(found), Some(_)) => {
                    let other = (0..n).find(|&row| found.members(row) != here.members(row));
                    assert_eq!(other, None, "{name}, k = {k}, {metric}");
                }
                (Err(error), None) => assert_eq!(error, Device::found().unwrap_err()),
                (found, there) => panic!("{:?} with {there:?}", found.err()),
            }
        }
    }
}

#[test]
fn every_search_of_a_run_is_on_its_device() {
    let x = points(1200, 30, |row, axis| noise(row * 30 + axis));
    let [cpu, gpu] = [Device::Cpu, Device::Gpu].map(|device| Run::new().with_device(device));
    let here = Search::nearest(5).run(&x, &cpu).unwrap();
    let problem = Problem::new(&x, &here, 2).unwrap();
    // Their own searches are for more neighbors than they are given.
    for name in ["tsne", "faithful"] {
        let method = Method::new(name, &[("iterations".to_owned(), "20".to_owned())]).unwrap();
        let fitted = |run: &Run| method.fit(&problem, run).map(|embedding| embedding.points);
        match fitted(&gpu) {
            Ok(there) => assert_eq!(there, fitted(&cpu).unwrap(), "{name}"),
            Err(error) => assert_eq!(error, Device::found().unwrap_err(), "{name}"),
        }
    }
    match Suggest::default().run(&x, &gpu) {
        Ok(there) => assert_eq!(there, Suggest::default().run(&x, &cpu).unwrap()),
        Err(error) => assert_eq!(error, Device::found().unwrap_err()),
    }
    match Search::nearest(5).run_on_part(&x, None, &gpu) {
        Ok(there) => assert_eq!(there, Search::nearest(5).run_on_part(&x, None, &cpu).unwrap()),
        Err(error) => assert_eq!(error, Device::found().unwrap_err()),
    }
    // A search that asks for a device of its own has it.
    assert_eq!(Search::nearest(5).with_device(Device::Cpu).run(&x, &gpu).unwrap(), here);
}

#[test]
fn what_a_device_does_not_do_stays_on_the_processor() {
    let x = points(300, 4, |row, axis| noise(row * 4 + axis));
    let gpu = Run::new().with_device(Device::Gpu);
    for search in [
        Search::within(0.6),
        Search::nearest(4).with_metric(Metric::Manhattan),
        Search::nearest(4).with_algorithm(truefold::Algorithm::Tree),
    ] {
        assert_eq!(search.run(&x, &gpu).unwrap(), search.run(&x, &Run::new()).unwrap(), "{search:?}");
    }
}
