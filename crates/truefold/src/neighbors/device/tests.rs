//! The search of a device with the kernel's work done on the processor: bounds, cuts, proofs, passes; and the choice of a device.

use super::emulated::{Emulated, cut};
use super::operands::{Halves, Operands, Slab, of_half};
use super::passes::Passes;
use super::proof::{Outcome, Row, settle, threshold_for};
use super::scanner::{Plan, Scanner};
use super::*;
use crate::{Metric, Neighborhoods, Points, Search};
use std::sync::Arc;

/// Memory in which everything fits.
const AMPLE: usize = 1 << 30;

fn noise(at: usize) -> f64 {
    (crate::random::hash(7, at as u64) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
}

/// Points that are easy, and points that are hard: tied, repeated, far from the origin, of very different lengths.
fn kinds(n: usize, q: usize) -> Vec<(&'static str, Points)> {
    let made = |value: &dyn Fn(usize, usize) -> f64| {
        Points::new(n, q, (0..n * q).map(|at| value(at / q, at % q)).collect()).unwrap()
    };
    vec![
        ("plain", made(&|row, axis| noise(row * q + axis))),
        ("ties", made(&|row, axis| (noise(row * q + axis) * 2.9).round())),
        ("copies", made(&|row, axis| noise((if row % 10 == 9 { row / 2 } else { row }) * q + axis))),
        ("lengths", made(&|row, axis| noise(row * q + axis) * 10_f64.powf(12.0 * noise(row + (1 << 30))))),
        ("far", made(&|row, axis| 1e6 + noise(row * q + axis))),
        ("clusters", made(&|row, axis| (row % 7) as f64 * 10.0 + 1e-3 * noise(row * q + axis))),
        ("tiny", made(&|row, axis| 1e-200 * noise(row * q + axis))),
    ]
}

/// What a search on an emulated device gives: the lists that it proves, and the rows that it leaves.
fn searched(points: &Points, metric: Metric, k: usize, device: impl Scanner) -> (Vec<Option<Vec<u32>>>, Vec<u32>) {
    let (space, run) = (Space::new(points, metric).unwrap(), Run::new());
    let lists: Vec<Mutex<Option<Vec<u32>>>> = points_of(points).map(|_| Mutex::new(None)).collect();
    let emit = |row: u32, list: &[(f64, u32)]| {
        let before = lists[row as usize].lock().unwrap().replace(list.iter().map(|one| one.1).collect());
        assert!(before.is_none(), "a row is given once");
        Ok(())
    };
    let left = Passes::new(Operands::new(&space, &run).unwrap(), device, k).each_nearest(&emit, &run).unwrap();
    (lists.into_iter().map(|list| list.into_inner().unwrap()).collect(), left)
}

fn points_of(points: &Points) -> std::ops::Range<usize> {
    0..points.len()
}

fn expected(points: &Points, metric: Metric, k: usize) -> Neighborhoods {
    Search::nearest(k).with_metric(metric).with_device(Device::Cpu).run(points, &Run::new()).unwrap()
}

/// Compares all lists that are proven, and returns how many rows are left.
fn compared(name: &str, points: &Points, metric: Metric, k: usize, device: impl Scanner) -> usize {
    let (lists, left) = searched(points, metric, k, device);
    let truth = expected(points, metric, k);
    for (row, list) in lists.iter().enumerate() {
        match list {
            Some(list) => assert_eq!(list, truth.neighbors(row), "{name}, {metric}, k = {k}, row {row}"),
            None => assert!(left.contains(&(row as u32)), "{name}: row {row} is neither proven nor left"),
        }
    }
    assert_eq!(lists.iter().flatten().count() + left.len(), points.len());
    left.len()
}

#[test]
fn the_lists_are_those_of_the_processor() {
    for (name, points) in kinds(500, 21) {
        for metric in [Metric::Euclidean, Metric::Cosine, Metric::Correlation] {
            let left = compared(name, &points, metric, 12, Emulated::new(AMPLE, 128));
            assert_eq!(left, 0, "{name}, {metric}");
        }
    }
}

#[test]
fn short_and_long_lists_are_proven() {
    let points = &kinds(700, 9)[0].1;
    for k in [1, 64, 200, 699] {
        assert_eq!(compared("plain", points, Metric::Euclidean, k, Emulated::new(AMPLE, 256)), 0);
    }
}

#[test]
fn columns_that_do_not_fit_pass_through_two_places() {
    let points = &kinds(900, 100)[0].1;
    let device = Emulated::new(900_000, 128);
    let opened = Arc::clone(&device.opened);
    assert_eq!(compared("plain", points, Metric::Euclidean, 12, device), 0);
    let plans = opened.lock().unwrap();
    assert!(plans.iter().any(|plan| plan.places == 2 && plan.columns < 900 && plan.own_rows), "{plans:?}");
}

#[test]
fn too_little_memory_is_an_error_of_one_sentence() {
    let points = &kinds(300, 40)[0].1;
    let (space, run) = (Space::new(points, Metric::Euclidean).unwrap(), Run::new());
    let passes = Passes::new(Operands::new(&space, &run).unwrap(), Emulated::new(50_000, 128), 12);
    let error = passes.each_nearest(&|_, _| Ok(()), &run).unwrap_err().to_string();
    assert_eq!(
        error,
        "device = gpu has 50000 free bytes of memory, which is too little for this search; choose cpu for device, or free \
         memory of the device"
    );
}

#[test]
fn tight_clusters_need_two_halves_and_equal_points_the_processor() {
    let clusters = &kinds(600, 21)[5].1;
    let device = Emulated::new(AMPLE, 128);
    let opened = Arc::clone(&device.opened);
    assert_eq!(compared("clusters", clusters, Metric::Euclidean, 12, device), 0);
    let halves: Vec<Halves> = opened.lock().unwrap().iter().map(|plan| plan.halves).collect();
    assert!(halves[0] == Halves::One && halves.contains(&Halves::Two), "{halves:?}");

    let equal = Points::new(1600, 2, vec![0.5; 3200]).unwrap();
    assert_eq!(compared("equal", &equal, Metric::Euclidean, 3, Emulated::new(AMPLE, 128)), 1600);
}

#[test]
fn a_search_that_is_cancelled_stops() {
    let points = &kinds(300, 5)[0].1;
    let space = Space::new(points, Metric::Euclidean).unwrap();
    let passes = Passes::new(Operands::new(&space, &Run::new()).unwrap(), Emulated::new(AMPLE, 128), 3);
    let run = Run::new().with_cancel(Arc::new(std::sync::atomic::AtomicBool::new(true)));
    assert_eq!(passes.each_nearest(&|_, _| Ok(()), &run).unwrap_err(), Error::Cancelled);
}

/// Operands of all rows of a space.
struct Made {
    high: Vec<u16>,
    low: Vec<u16>,
    terms: Vec<[f32; 2]>,
}

fn made(operands: &Operands, n: usize) -> Made {
    let low = if operands.halves() == Halves::Two { n * operands.stride() } else { 0 };
    let mut made = Made { high: vec![1; n * operands.stride()], low: vec![1; low], terms: vec![[0.0; 2]; n] };
    let mut slab = Slab { high: &mut made.high, low: &mut made.low, terms: &mut made.terms };
    operands.fill(&|row| row as u32, n, &mut slab, &Run::new()).unwrap();
    made
}

/// The lower bound of a pair as the kernel computes it, with sums that are rounded down, up, or to the nearest.
fn bounds_of(made: &Made, stride: usize, a: usize, b: usize) -> [f64; 2] {
    let row = |values: &[u16], row: usize| -> Vec<f64> {
        values[row * stride..][..stride].iter().map(|half| f64::from(of_half(*half))).collect()
    };
    let [mut down, mut up] = [0.0_f32; 2];
    let mut add = |a: &[f64], b: &[f64]| {
        for (a, b) in a.iter().zip(b) {
            let (low, high) = (f64::from(down) + a * b, f64::from(up) + a * b);
            // One step beyond the nearest: at least as far as any rounding goes.
            down = (low as f32).next_down();
            up = (high as f32).next_up();
        }
    };
    let (highs, lows) = ([row(&made.high, a), row(&made.high, b)], !made.low.is_empty());
    if lows {
        add(&row(&made.low, a), &highs[1]);
        add(&highs[0], &row(&made.low, b));
    }
    add(&highs[0], &highs[1]);
    let ([c, l], [d, m]) = (made.terms[a], made.terms[b]);
    [down, up].map(|product| f64::from((-2.0 * c * d).mul_add(product, m)) + f64::from(l))
}

#[test]
fn no_bound_is_above_the_value_and_all_are_near() {
    for (name, points) in kinds(60, 70) {
        let space = Space::new(&points, Metric::Euclidean).unwrap();
        let mut operands = Operands::new(&space, &Run::new()).unwrap();
        for (halves, share) in [(Halves::One, 2e-3), (Halves::Two, 1e-4)] {
            operands.set_halves(halves);
            let made = made(&operands, 60);
            for a in 0..60 {
                for b in (0..60).filter(|&b| b != a) {
                    let value = operands.scaled(space.value(a, b));
                    let both = f64::from(made.terms[a][1]) + f64::from(made.terms[b][1]);
                    for bound in bounds_of(&made, operands.stride(), a, b) {
                        assert!(bound <= value, "{name} {halves:?} {a} {b}: {bound} is above {value}");
                        assert!(bound >= value - share * (both + 1e-20), "{name} {halves:?} {a} {b}: {bound} {value}");
                    }
                }
            }
        }
    }
}

#[test]
fn halves_are_the_nearest_numbers() {
    let points = Points::new(2, 4, vec![1.0, -1.0, 0.3, 1e-7, -1.0, 1.0, -0.3, -1e-7]).unwrap();
    let space = Space::new(&points, Metric::Euclidean).unwrap();
    let mut operands = Operands::new(&space, &Run::new()).unwrap();
    operands.set_halves(Halves::Two);
    let made = made(&operands, 2);
    let c = made.terms[0][0];
    for (axis, value) in [1.0_f32, -1.0, 0.3, 1e-7].into_iter().enumerate() {
        let (high, low) = (of_half(made.high[axis]) * c, of_half(made.low[axis]) * c);
        assert!((high - value).abs() <= value.abs() / 2048.0, "{high} for {value}");
        assert!((high + low - value).abs() <= value.abs() / 4_000_000.0 + c / 16384.0, "{high} {low} for {value}");
    }
    assert_eq!(&made.high[4..32], [0; 28]);
}

#[test]
fn a_cut_keeps_what_is_below_the_threshold() {
    for (case, kinds) in [(0, 1_000_000), (1, 1000), (2, 3), (3, 1)] {
        for keep in [1, 8, 32, 100] {
            let t = |at: usize| ((noise(at + case * 1000) * kinds as f64).round() / 7.0) as f32;
            let all: Vec<[u32; 2]> = (0..250).map(|at| [t(at).to_bits(), at as u32]).collect();
            let (mut kept, mut threshold) = (all.clone(), f32::INFINITY);
            cut(&mut kept, &mut threshold, keep);
            assert!(kept.len() >= keep && kept.len() <= keep + keep / 4, "{} of {keep}", kept.len());
            for entry in &all {
                let value = f32::from_bits(entry[0]);
                assert!(kept.contains(entry) || value >= threshold);
                assert!(!kept.contains(entry) || value <= threshold);
            }
        }
    }
}

#[test]
fn a_list_proves_what_its_threshold_allows() {
    let points = Points::new(5, 1, vec![0.0, 1.0, 2.0, 3.0, 10.0]).unwrap();
    let space = Space::new(&points, Metric::Euclidean).unwrap();
    let operands = Operands::new(&space, &Run::new()).unwrap();
    let made = made(&operands, 5);
    let entries: Vec<[u32; 2]> = (1..4)
        .map(|column| {
            let bound = bounds_of(&made, operands.stride(), 0, column)[0] - f64::from(made.terms[0][1]);
            [(bound as f32).to_bits(), column as u32]
        })
        .collect();
    let lowered = made.terms[0][1];
    let row = |threshold| Row { id: 0, lowered, threshold, entries: &entries };
    let proven = Outcome::Proven(vec![(1.0, 1), (4.0, 2)]);
    assert_eq!(settle(&operands, &row(f32::INFINITY), 2), proven);
    let needed = threshold_for(&operands, lowered, 4.0);
    assert_eq!(settle(&operands, &row(needed), 2), proven);
    assert_eq!(settle(&operands, &row(needed.next_down()), 2), Outcome::Open(4.0));
    assert_eq!(settle(&operands, &row(f32::INFINITY), 4), Outcome::Open(f64::INFINITY));
}

#[test]
fn plans_leave_room_for_a_tile() {
    for keep in [1, 32, 96, 320, 1024, 5000] {
        let plan = Plan {
            stride: 32,
            halves: Halves::One,
            keep,
            batch: 128,
            columns: 128,
            places: 1,
            own_rows: false,
            lists: 2,
            piece: 128,
        };
        assert!(plan.capacity() >= plan.handed() + scanner::TILE);
    }
}

#[test]
fn devices_are_chosen_by_name_and_by_the_work() {
    for device in Device::ALL {
        assert_eq!(device.to_string().parse::<Device>(), Ok(device));
    }
    let error = "cuda".parse::<Device>().unwrap_err().to_string();
    assert!(error.starts_with("there is no device named 'cuda'"), "{error}");
    assert!(!is_worth(1e9, 1) && is_worth(1e12, 16) && !is_worth(1e10, 16));
}

#[test]
fn what_a_device_cannot_do_is_said() {
    let points = Points::new(4, 1, vec![0.0, 1.0, 3.0, 3.5]).unwrap();
    let said = |search: Search| search.with_device(Device::Gpu).run(&points, &Run::new()).unwrap_err().to_string();
    let advice = "; choose auto or cpu for device";
    let cases = [
        (Search::within(1.0), "radius: only a number of nearest neighbors is searched there"),
        (
            Search::nearest(1).with_metric(Metric::Manhattan),
            "this metric: distances there are euclidean, cosine or correlation",
        ),
        (Search::nearest(1).with_algorithm(Algorithm::Tree), "this algorithm: a tree is searched on the processor"),
    ];
    for (search, why) in cases {
        assert_eq!(said(search), format!("device = gpu cannot be used with {why}{advice}"));
    }
}

#[test]
fn without_a_device_only_gpu_says_so() {
    let points = &kinds(200, 8)[0].1;
    let here = expected(points, Metric::Euclidean, 5);
    assert_eq!(Search::nearest(5).run(points, &Run::new()).unwrap(), here);
    match Search::nearest(5).with_device(Device::Gpu).run(points, &Run::new()) {
        Ok(there) => assert_eq!((0..200).find(|&row| there.members(row) != here.members(row)), None),
        Err(error) => assert_eq!(error, Device::found().unwrap_err()),
    }
}

#[test]
fn a_device_of_little_memory_finds_the_same() {
    // Without a device there is nothing to try; `tests/device.rs` says so.
    let points = &kinds(5000, 100)[0].1;
    for limit in [900_000, 20_000_000] {
        if let Ok(gpu) = Gpu::new(limit) {
            assert_eq!(compared("plain", points, Metric::Euclidean, 12, gpu), 0);
        }
    }
}
