//! Where the k-d tree and all pairs cross, and what `Algorithm::Auto` makes of it: the figures of docs/neighbors.md.
//!
//! `cargo run --release -p truefold --example crossing` takes some minutes; name one of `scaling`, `crossing`, `large` to
//! see a part.
#![allow(clippy::print_stdout, reason = "an example that prints its table")]

use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use std::time::Instant;
use truefold::{Algorithm, Neighborhoods, Origin, Points, Result, Run, Search};

const K: usize = 12;

fn main() -> Result<()> {
    let only = std::env::args().nth(1);
    let wanted = |part: &str| only.as_ref().is_none_or(|only| only == part);
    if wanted("scaling") {
        println!("swiss roll in R^3, k-d tree");
        for count in [10_000, 31_623, 100_000, 316_228, 1_000_000] {
            let (seconds, _) = best(5, &swiss_roll(count)?, Algorithm::Tree)?;
            println!("{count:>9} points {seconds:8.3} s {:6.0} ns a point", seconds / count as f64 * 1e9);
        }
    }
    if wanted("crossing") {
        println!("{:32} {:>8} {:>8} {:>8}  auto", "", "tree s", "pairs s", "auto s");
        for count in [2_000, 20_000] {
            for dim in [3, 6, 8, 10, 12, 16, 24] {
                row(&format!("gaussian, {count} x {dim}"), &mixture(count, dim, dim, 1)?)?;
            }
            for rank in [2, 6, 10, 14] {
                row(&format!("rank {rank}, {count} x 256"), &mixture(count, 256, rank, 20)?)?;
            }
        }
    }
    if wanted("large") {
        for count in [15_000, 60_000] {
            let points = mixture(count, 784, 40, 10)?;
            let (pairs, _) = best(1, &points, Algorithm::Brute)?;
            println!("rank 40, {count} x 784, all pairs {pairs:8.3} s");
        }
    }
    Ok(())
}

fn row(name: &str, points: &Points) -> Result<()> {
    let repeats = if points.len() > 30_000 { 1 } else { 2 };
    let (tree, by_tree) = best(repeats, points, Algorithm::Tree)?;
    let (pairs, by_pairs) = best(repeats, points, Algorithm::Brute)?;
    let (auto, by_auto) = best(repeats, points, Algorithm::Auto)?;
    assert!((0..points.len()).all(|row| by_tree.members(row) == by_pairs.members(row)));
    let chosen = match by_auto.origin() {
        Origin::Exact { algorithm, .. } => *algorithm,
        _ => Algorithm::Approximate,
    };
    println!("{name:32} {tree:8.3} {pairs:8.3} {auto:8.3}  {chosen:?}");
    Ok(())
}

/// The shortest of some runs, and what it found.
fn best(repeats: usize, points: &Points, algorithm: Algorithm) -> Result<(f64, Neighborhoods)> {
    let search = Search::nearest(K).with_algorithm(algorithm);
    let mut shortest = f64::INFINITY;
    let mut found = None;
    for _ in 0..repeats {
        let start = Instant::now();
        found = Some(search.run(points, &Run::new())?);
        shortest = shortest.min(start.elapsed().as_secs_f64());
    }
    Ok((shortest, found.expect("at least one run")))
}

fn swiss_roll(count: usize) -> Result<Points> {
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let mut values = Vec::with_capacity(3 * count);
    for _ in 0..count {
        let turn = 1.5 * std::f64::consts::PI * (1.0 + 2.0 * random.random::<f64>());
        values.extend([turn * turn.cos(), 21.0 * random.random::<f64>(), turn * turn.sin()]);
    }
    Points::new(count, 3, values)
}

/// Gaussian clusters of the given rank in more dimensions, with a little noise off their planes.
fn mixture(count: usize, dim: usize, rank: usize, clusters: usize) -> Result<Points> {
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(2);
    let mut normal = |number: usize| -> Vec<f64> { (0..number).map(|_| random.sample(StandardNormal)).collect() };
    let (centers, frames) = (normal(clusters * dim), normal(clusters * rank * dim));
    let mut values = Vec::with_capacity(count * dim);
    for point in 0..count {
        let cluster = point % clusters;
        let (inside, noise) = (normal(rank), normal(dim));
        for axis in 0..dim {
            let along: f64 = (0..rank).map(|way| inside[way] * frames[(cluster * rank + way) * dim + axis]).sum();
            let off = if dim > rank { 0.01 * noise[axis] } else { 0.0 };
            values.push(3.0 * centers[cluster * dim + axis] + along + off);
        }
    }
    Points::new(count, dim, values)
}
