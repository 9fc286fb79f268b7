//! The neighbor search beside pynndescent, hnswlib, FAISS and scikit-learn: processor time and memory at equal recall.

mod approximate;
mod claims;
mod exact;
mod million;
pub(super) mod points;
mod product;
mod programs;
mod searched;
mod whole;

use super::Benchmark;

/// Neighbors per point.
const K: &str = "12";

/// The recalls that are asked for.
const RECALLS: [f64; 3] = [0.95, 0.99, 0.999];

/// How large the data are.
pub struct Sizes {
    /// Digits of the 70,000.
    digits: usize,
    /// Times that the searches of digits are run; the least of each counts.
    rounds: usize,
    /// Points of the kinds of data that are hard in one way or another.
    kinds: usize,
    /// Points between which the growth is measured.
    growth: [usize; 2],
    /// Points whose exact search is compared with a plain product.
    product: usize,
}

pub(super) static BENCHMARK: Benchmark<Sizes> = Benchmark {
    name: "neighbors",
    note: "k = 12, float32, and the digits of 784 columns as they are, bytes, which other programs get as float32; two \
           threads each. Seconds are processor seconds of all threads. Those of truefold are of its \
           whole process, with reading and writing of files; those of other programs are of their index and search \
           alone, after everything was compiled and loaded. Memory is the peak of the whole process, mapped files \
           included. At each recall that is asked for stands the cheapest setting of another program, from the list \
           tried, that reaches it, or reaches what truefold reached where that is less; after one that takes four times \
           as long as truefold's longest search no others are tried. Recalls are measured on sampled \
           points against exact products.",
    packages: &["numpy", "pynndescent", "hnswlib", "faiss-cpu", "scikit-learn"],
    examples: &[],
    full: Sizes { digits: 70_000, rounds: 2, kinds: 100_000, growth: [100_000, 1_000_000], product: 30_000 },
    quick: Sizes { digits: 6_000, rounds: 1, kinds: 6_000, growth: [4_000, 20_000], product: 4_000 },
    parts: &[
        ("digits", approximate::digits),
        ("exact", exact::run),
        ("kinds", approximate::kinds),
        ("million", million::run),
        ("product", product::run),
        ("whole", whole::run),
    ],
};
