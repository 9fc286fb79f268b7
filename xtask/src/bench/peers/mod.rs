//! Every method beside the other programs that have it, in turn on the same swiss rolls: seconds, memory, R_N and R_C.

mod claims;
mod trial;

use super::timed::{Bench, Bounds};
use super::{Benchmark, Findings};
use anyhow::Result;
use serde_json::json;
use trial::{Task, Trial};

/// How large the data are, and what a rival may use.
pub struct Sizes {
    points: &'static [usize],
    /// Rolls for the methods that no other program finishes at this size.
    beyond: &'static [usize],
    bounds: Bounds,
}

/// A method and the other programs that have it, each with the size beyond which it needs an hour or all memory.
struct Method {
    name: &'static str,
    /// The most points for which the tool runs; Isomap and MDS store all pairs.
    most: usize,
    rivals: &'static [(&'static str, usize)],
}

impl Method {
    /// Whether the method needs neighbors; for the others the tool only searches them for its measures.
    fn searches(&self) -> bool {
        !matches!(self.name, "pca" | "mds")
    }
}

const fn method(name: &'static str, most: usize, rivals: &'static [(&'static str, usize)]) -> Method {
    Method { name, most, rivals }
}

/// No bound on the size.
const ANY: usize = usize::MAX;

const METHODS: &[Method] = &[
    method("psa", ANY, &[]),
    method("gp", ANY, &[]),
    method("pca", ANY, &[("scikit-learn", ANY), ("tapkee", ANY)]),
    method("mds", 10_000, &[("tapkee", 2_000)]),
    method("isomap", 10_000, &[("scikit-learn", 10_000), ("tapkee", 2_000)]),
    method("landmark-isomap", ANY, &[("tapkee", 100_000)]),
    method("lle", ANY, &[("scikit-learn", 100_000), ("tapkee", 100_000)]),
    method("modified-lle", ANY, &[("scikit-learn", 50_000)]),
    method("ltsa", ANY, &[("scikit-learn", 50_000), ("tapkee", 100_000)]),
    method("hessian-eigenmaps", ANY, &[("scikit-learn", 50_000), ("tapkee", 100_000)]),
    method("laplacian-eigenmaps", ANY, &[("scikit-learn", 100_000), ("tapkee", 100_000)]),
    method("umap", 0, &[("umap-learn", 10_000)]),
];

/// Methods that no other program finishes at a million points.
const BEYOND: &[&str] = &["landmark-isomap", "ltsa"];

pub(super) static BENCHMARK: Benchmark<Sizes> = Benchmark {
    name: "peers",
    note: "Swiss roll, k = 12, d = 2, one run each (the median of five if it takes less than a tenth of a second), \
           the other programs right after the tool. Seconds are of the neighbor search (if the method has one) and \
           the embedding, without starting, reading and writing; memory is that of the whole process. LLE and related \
           methods normalize their maps, so compare R_C for them.",
    packages: &["numpy", "scipy", "scikit-learn", "tapkee", "umap-learn"],
    examples: &[],
    full: Sizes {
        points: &[2_000, 10_000, 50_000, 100_000],
        beyond: &[1_000_000],
        bounds: Bounds { bytes: 16_000_000_000, seconds: 150 },
    },
    quick: Sizes { points: &[2_000], beyond: &[10_000], bounds: Bounds { bytes: 16_000_000_000, seconds: 120 } },
    parts: &[("methods", methods), ("million", million)],
};

fn methods(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let mut trials = Vec::new();
    for &points in sizes.points {
        let (x, _) = bench.swiss_roll(points)?;
        for method in METHODS {
            println!("  {points} points: {}", method.name);
            let task = Task { bench, method: method.name, points, x: &x };
            if points <= method.most {
                trials.push(task.ours(method.searches())?);
            }
            for (rival, _) in method.rivals.iter().filter(|rival| points <= rival.1) {
                trials.push(task.rival(rival, sizes.bounds)?);
            }
        }
    }
    let section = claims::section("All methods", &trials);
    let numbers = json!(trials.iter().map(Trial::json).collect::<Vec<_>>());
    Ok(Findings { rows: claims::claims(&trials), sections: vec![section], numbers })
}

fn million(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let mut trials = Vec::new();
    for &points in sizes.beyond {
        let (x, _) = bench.swiss_roll(points)?;
        for name in BEYOND {
            println!("  {points} points: {name}");
            trials.push(Task { bench, method: name, points, x: &x }.ours(true)?);
        }
    }
    let section = claims::section("Beyond the other programs", &trials);
    let numbers = json!(trials.iter().map(Trial::json).collect::<Vec<_>>());
    Ok(Findings { rows: Vec::new(), sections: vec![section], numbers })
}
