//! Searches of digits and of points that are hard in one way or another, by all programs.

use super::claims::Compared;
use super::points::{Kind, Known, Points};
use super::programs::{self, Program};
use super::searched::{Searched, least_of};
use super::{RECALLS, Sizes};
use crate::bench::Findings;
use crate::bench::table::{Row, Section};
use crate::bench::timed::Bench;
use anyhow::Result;
use serde_json::{Value, json};

/// Points that are ranked exactly to measure a recall.
const SAMPLE: usize = 2_000;

/// After a setting that takes so many times the tool's longest search, no others of the program are tried.
const PATIENCE: f64 = 4.0;

/// The digits after principal component analysis and as they are, each with the most of pynndescent's time.
const DIGITS: [(usize, f64); 2] = [(50, 0.8), (784, 0.5)];

/// Points whose neighbors are hard to find in 100 dimensions, of very unequal density, on a sphere, and on a curved sheet.
const KINDS: [Kind; 4] = [
    Kind::euclidean("uniform", 100),
    Kind::euclidean("clustered", 64),
    Kind::cosine("spherical", 64),
    Kind::euclidean("curved", 64),
];

pub fn digits(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let mut findings = Collected::default();
    for (width, most) in DIGITS {
        let known = Points::make(bench, Kind::euclidean("digits", width), sizes.digits)?.known(bench, SAMPLE)?;
        let compared = compare(bench, &known, &programs::approximate(), sizes.rounds)?;
        findings.rows.extend(compared.times(Some(most)));
        findings.add(&compared);
    }
    Ok(findings.finish())
}

pub fn kinds(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    let mut findings = Collected::default();
    for kind in KINDS {
        let known = Points::make(bench, kind, sizes.kinds)?.known(bench, SAMPLE)?;
        let compared = compare(bench, &known, &programs::approximate(), 1)?;
        findings.rows.extend(compared.times(None));
        findings.add(&compared);
    }
    Ok(findings.finish())
}

/// All programs in turn on the same points.
pub fn compare(bench: &Bench, known: &Known, programs: &[Program], rounds: usize) -> Result<Compared> {
    println!("  {}", known.points.text());
    let (mut ours, mut others) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let own = promised(bench, known)?;
        let most = PATIENCE * own.iter().map(|search| search.cpu).fold(0.0, f64::max);
        for program in programs {
            others.push(Searched::others(bench, known, program, most)?);
        }
        ours.push(own);
    }
    Ok(Compared::new(&known.points, least_of(ours), least_of(others)))
}

/// The tool's search at each recall.
pub fn promised(bench: &Bench, known: &Known) -> Result<Vec<Searched>> {
    let one = |recall: f64| Searched::ours(bench, known, &["--approximate", "--recall", &recall.to_string()]);
    RECALLS.into_iter().map(one).collect()
}

/// What several comparisons give.
#[derive(Default)]
pub struct Collected {
    pub rows: Vec<Row>,
    sections: Vec<Section>,
    numbers: Vec<Value>,
}

impl Collected {
    /// Adds the tables, the row of the recalls and the numbers of a comparison.
    pub fn add(&mut self, compared: &Compared) {
        self.rows.push(compared.recalls());
        self.sections.extend([compared.equal(), compared.section()]);
        let each = |searches: &[Searched]| searches.iter().map(Searched::json).collect::<Vec<_>>();
        self.numbers.push(json!({
            "data": compared.data, "truefold": each(&compared.ours), "others": each(&compared.others),
        }));
    }

    pub fn finish(self) -> Findings {
        Findings { rows: self.rows, sections: self.sections, numbers: Value::Array(self.numbers) }
    }
}
