//! The data that are mapped.

use crate::bench::table::count;
use crate::bench::timed::Bench;
use anyhow::{Result, bail};
use std::ffi::{OsStr, OsString};

/// Data with a label for each row.
pub struct Data {
    pub name: String,
    pub x: OsString,
    pub labels: OsString,
}

impl Data {
    /// Data of a kind that `maps_data.py` makes, or of a swiss roll.
    pub fn make(bench: &Bench, kind: &str, rows: usize) -> Result<Self> {
        let name = format!("maps-{kind}-{rows}");
        let (mut x, labels) = (bench.file(&format!("{name}.npy")), bench.file(&format!("{name}.csv")));
        let number = rows.to_string();
        if kind == "roll" {
            x = bench.swiss_roll(rows)?.0;
            std::fs::write(&labels, format!("label\n{}", "0\n".repeat(rows)))?;
        } else {
            let mut words: Vec<&OsStr> = vec![kind.as_ref(), number.as_ref(), &x, &labels];
            match bench.data() {
                Some(folder) => words.push(folder.as_ref()),
                None if ["mnist", "mnist50", "faces"].contains(&kind) => {
                    bail!("needs the folder of mnist.npz and frey_faces.npy: --data DIR")
                }
                None => {}
            }
            bench.script("maps_data.py", None, &words)?;
        }
        let name = match kind {
            "digits" => "digits, 1,797 x 64".to_owned(),
            "faces" => "faces, 1,965 x 560".to_owned(),
            "mnist" => format!("MNIST, {} x 784", count(rows)),
            "mnist50" => format!("MNIST, {} x 50", count(rows)),
            "cells" => format!("made-up cells, {} x 50", count(rows)),
            _ => format!("swiss roll, {} x 3", count(rows)),
        };
        Ok(Self { name, x, labels })
    }
}
