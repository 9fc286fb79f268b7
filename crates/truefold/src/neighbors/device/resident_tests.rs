//! Rows that lie on a device: operands made there have the bits of the processor's, and searches send none of them.

use super::emulated::Emulated;
use super::emulated_convert::convert;
use super::operands::{Halves, Operands, Slab};
use super::passes::Passes;
use super::*;
use crate::{Half, Metric, Points, Resident, Search};
use std::sync::Arc;

fn noise(at: usize) -> f64 {
    (crate::random::hash(11, at as u64) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
}

/// Lets an emulated device read the table where it lies, and keeps it there.
fn on_device<T: crate::Element + Send + Sync>(n: usize, q: usize, values: Vec<T>) -> Points {
    let (points, there) = (Points::from_elements(n, q, values.clone()).unwrap(), Arc::new(values));
    let address = there.as_ptr().expose_provenance() as u64;
    // SAFETY: the owner keeps the same numbers there.
    unsafe { points.with_resident(Resident::at(address, there)) }
}

/// Tables of all precisions, and of numbers that are hard.
fn tables(n: usize, q: usize) -> Vec<(&'static str, Points)> {
    let every = |value: &dyn Fn(usize) -> f64| (0..n * q).map(value).collect::<Vec<f64>>();
    let lengths = |at: usize| noise(at) * 10_f64.powf(12.0 * noise(at / q + (1 << 30)));
    vec![
        ("double", on_device(n, q, every(&noise))),
        ("single", on_device(n, q, every(&noise).into_iter().map(|value| value as f32).collect())),
        ("half", on_device(n, q, (0..n * q).map(|at| Half::from_bits((at * 40503 % 31000) as u16)).collect())),
        ("byte", on_device(n, q, (0..n * q).map(|at| (at * 40503 % 251) as u8).collect())),
        ("lengths", on_device(n, q, every(&lengths))),
        ("single lengths", on_device(n, q, every(&lengths).into_iter().map(|value| value as f32).collect())),
        ("far", on_device(n, q, every(&|at| 1e6 + noise(at)))),
        ("tiny", on_device(n, q, every(&|at| 1e-30 * noise(at)))),
        ("one row for all", on_device(n, q, every(&|at| (at % q) as f64 + 0.5))),
    ]
}

#[test]
fn operands_made_on_a_device_have_the_bits_of_the_processor() {
    let (n, run) = (60, Run::new());
    for q in [1, 7, 8, 32, 70] {
        for (name, points) in tables(n, q) {
            for metric in [Metric::Euclidean, Metric::Cosine, Metric::Correlation] {
                let Ok(space) = Space::new(&points, metric) else { continue };
                let mut operands = Operands::new(&space, &run).unwrap();
                for halves in [Halves::One, Halves::Two] {
                    operands.set_halves(halves);
                    // Rows of length one are made once of numbers in double precision, and are then not those of the array.
                    let Some(raw) = operands.raw() else {
                        assert!(points.precision() == crate::Precision::Double && metric != Metric::Euclidean);
                        continue;
                    };
                    let (stride, padded) = (operands.stride(), 128);
                    let ids: Vec<u32> = (0..n as u32).rev().collect();
                    let low = if halves == Halves::Two { padded * stride } else { 0 };
                    let made = [false, true].map(|there| {
                        let mut made = (vec![1_u16; padded * stride], vec![1_u16; low], vec![[f32::NAN; 2]; padded]);
                        let mut slab = Slab { high: &mut made.0, low: &mut made.1, terms: &mut made.2 };
                        if there {
                            convert(&raw, &ids, stride, &mut slab);
                        } else {
                            operands.fill(&|at| ids[at], n, &mut slab, &run).unwrap();
                        }
                        let terms: Vec<[u32; 2]> = made.2.iter().map(|term| term.map(f32::to_bits)).collect();
                        (made.0, made.1, terms)
                    });
                    assert!(made[0] == made[1], "{name} {q} {metric} {halves:?}");
                }
            }
        }
    }
}

/// The lists that an emulated device proves, the rows that it leaves, and how many rows were sent and were read there, in how many batches.
fn searched(points: &Points, metric: Metric, bytes: usize) -> (usize, [usize; 3]) {
    let (k, run, device) = (12, Run::new(), Emulated::new(bytes, 128));
    let (space, moved) = (Space::new(points, metric).unwrap(), Arc::clone(&device.moved));
    let truth = Search::nearest(k).with_metric(metric).with_device(Device::Cpu).run(points, &run).unwrap();
    let emit = |row: u32, list: &[(f64, u32)]| {
        let list: Vec<u32> = list.iter().map(|one| one.1).collect();
        assert_eq!(list, truth.neighbors(row as usize), "{metric}, row {row}");
        Ok(())
    };
    let left = Passes::new(Operands::new(&space, &run).unwrap(), device, k).each_nearest(&emit, &run).unwrap();
    let moved = *moved.lock().unwrap();
    (left.len(), moved)
}

#[test]
fn rows_that_lie_on_a_device_are_read_there() {
    let (n, q) = (400, 21);
    for (name, points) in tables(n, q) {
        for metric in [Metric::Euclidean, Metric::Cosine] {
            let (left, [sent, read, _]) = searched(&points, metric, 1 << 30);
            let stays = metric == Metric::Euclidean || points.precision() != crate::Precision::Double;
            assert_eq!((sent == 0, read >= n), (stays, stays), "{name} {metric}");
            assert!(left == 0 || name == "one row for all", "{name} {metric}: {left}");
        }
    }
}

#[test]
fn where_little_fits_they_are_read_piece_by_piece() {
    let points = on_device(900, 100, (0..90_000).map(|at| noise(at) as f32).collect());
    let (left, [sent, read, _]) = searched(&points, Metric::Euclidean, 900_000);
    assert_eq!((left, sent), (0, 0));
    assert!(read > 2 * 900, "columns pass through two places for each batch: {read}");
}

#[test]
fn parts_and_other_coordinates_do_not_lie_there() {
    let points = on_device(3, 1, vec![0.0, 1.0, 3.0]);
    assert!(points.clone().resident().is_some());
    assert!(points.select(&[0, 1, 2]).resident().is_none());
    assert!(points.moved(vec![0.0, 1.0, 3.0]).unwrap().resident().is_none());
}

#[test]
fn numbers_that_are_not_aligned_are_sent() {
    let there: Arc<Vec<f64>> = Arc::new(vec![0.0, 1.0, 3.0]);
    let points = Points::new(3, 1, there.to_vec()).unwrap();
    // SAFETY: nothing is read there.
    let points = unsafe { points.with_resident(Resident::at(there.as_ptr().expose_provenance() as u64 + 4, there)) };
    let space = Space::new(&points, Metric::Euclidean).unwrap();
    assert!(Operands::new(&space, &Run::new()).unwrap().raw().is_none());
}

#[test]
fn a_device_that_decides_nothing_leaves_the_rest_at_once() {
    // One row is so far away that the others are the same in single precision.
    let (n, q) = (1500, 2);
    let value = |at: usize| if at < q { 1e6 } else { 1e-9 * noise(at) };
    let points = Points::new(n, q, (0..n * q).map(value).collect()).unwrap();
    let (left, [_, _, batches]) = searched(&points, Metric::Euclidean, 1 << 30);
    // Of six batches: two with one half, all with two halves, and two with long lists.
    assert!(left > n - 10, "{left}");
    assert_eq!(batches, 2 + 6 + 2);
}
