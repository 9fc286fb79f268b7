//! The points that are searched, as files that `neighbors_data.py` makes, with their true neighbors.

use super::K;
use crate::bench::table::count;
use crate::bench::timed::Bench;
use anyhow::{Result, bail};
use std::ffi::{OsStr, OsString};

/// How the points are made; see `neighbors_data.py`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    pub name: &'static str,
    pub width: usize,
    pub metric: &'static str,
}

impl Kind {
    pub const fn euclidean(name: &'static str, width: usize) -> Self {
        Self { name, width, metric: "euclidean" }
    }

    pub const fn cosine(name: &'static str, width: usize) -> Self {
        Self { name, width, metric: "cosine" }
    }
}

/// Points in a file.
pub struct Points {
    pub kind: Kind,
    pub count: usize,
    pub x: OsString,
}

/// Points in a file, with the true neighbors of some of them in another one.
pub struct Known {
    pub points: Points,
    pub truth: OsString,
}

impl Points {
    /// Makes the file; digits come from the folder given by `--data`.
    pub fn make(bench: &Bench, kind: Kind, count: usize) -> Result<Self> {
        let x = bench.file(&format!("neighbors-{}-{count}-{}.npy", kind.name, kind.width));
        let (number, width) = (count.to_string(), kind.width.to_string());
        let mut words: Vec<&OsStr> = vec![kind.name.as_ref(), number.as_ref(), width.as_ref(), &x];
        if kind.name == "digits" {
            let Some(data) = bench.data() else {
                bail!("needs the folder of mnist.npz or of the idx files of MNIST: --data DIR")
            };
            words.push(data.as_ref());
        }
        bench.script("neighbors_data.py", None, &words)?;
        Ok(Self { kind, count, x })
    }

    /// Ranks all points around `sample` of them.
    pub fn known(self, bench: &Bench, sample: usize) -> Result<Known> {
        let truth = bench.file("neighbors-true.npz");
        let sample = sample.to_string();
        let words: [&OsStr; 6] =
            ["true".as_ref(), &self.x, self.kind.metric.as_ref(), K.as_ref(), sample.as_ref(), &truth];
        bench.script("neighbors_recall.py", None, &words)?;
        Ok(Known { points: self, truth })
    }

    /// What they are, for a table.
    pub fn text(&self) -> String {
        let metric = if self.kind.metric == "cosine" { ", angles" } else { "" };
        format!("{}, {} x {}{metric}", self.kind.name, count(self.count), self.kind.width)
    }
}
