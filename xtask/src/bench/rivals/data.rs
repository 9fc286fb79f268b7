//! The data sets on which methods are compared.

use anyhow::{Context, Result};

/// A data set of the tool, by its settings.
pub struct Data {
    /// By which its files and its picture are called.
    pub name: &'static str,
    pub title: &'static str,
    /// What `truefold generate` is asked for.
    pub words: &'static [&'static str],
    pub points: usize,
    pub dim: usize,
    pub k: usize,
    /// Whether its true coordinates are a perfect map.
    pub truth: bool,
    /// What others published of such data.
    pub published: &'static str,
}

const fn flat(name: &'static str, title: &'static str, words: &'static [&'static str], points: usize) -> Data {
    Data { name, title, words, points, dim: 2, k: 12, truth: true, published: "" }
}

const fn closed(name: &'static str, title: &'static str, words: &'static [&'static str]) -> Data {
    let published = "pyLDLE2 426 to 941 s";
    Data { name, title, words, points: 10_000, dim: 2, k: 12, truth: false, published }
}

pub const OPEN: &[Data] = &[
    Data { k: 10, published: "PTU 0.574 %", ..flat("s-hole", "S with a hole", &["s-curve-hole"], 1_825) },
    Data { k: 10, published: "PTU 1.404 %", ..flat("s-uneven", "irregular S", &["s-curve-uneven"], 2_000) },
    Data { dim: 3, ..flat("solid-torus", "solid torus", &["solid-torus"], 2_000) },
    flat("petals", "petals in 100 dimensions", &["petals"], 2_000),
    flat("roll-hole", "swiss roll with a hole", &["swiss-roll-hole"], 2_000),
    flat("roll-noise", "noisy swiss roll", &["swiss-roll", "--noise", "0.5"], 2_500),
    Data { truth: false, ..flat("cap", "spherical cap", &["spherical-cap"], 2_000) },
];

pub const CLOSED: &[Data] = &[
    closed("sphere", "sphere", &["sphere"]),
    closed("flat-torus", "flat torus", &["flat-torus"]),
    closed("klein-bottle", "Klein bottle", &["klein-bottle"]),
    closed("moebius", "Moebius strip", &["moebius"]),
];

/// Data sets whose errors were published for parallel transport unfolding, with these.
pub const SEEDS: &[(&str, f64)] = &[("s-hole", 0.00574), ("s-uneven", 0.01404)];

/// The open data set of this name.
pub fn find(name: &str) -> Result<&'static Data> {
    OPEN.iter().find(|data| data.name == name).with_context(|| format!("there are no data named {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_errors_belong_to_data_that_say_so() {
        for (name, published) in SEEDS {
            assert_eq!(find(name).unwrap().published, format!("PTU {:.3} %", 100.0 * published));
        }
        assert!(find("sphere").is_err());
    }
}
