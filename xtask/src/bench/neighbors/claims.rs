//! The claims about searches at equal recall, and whether they hold.

use super::programs::PYNNDESCENT;
use super::searched::{HEADS, OURS, Searched, best, cheapest};
use super::{RECALLS, points::Points};
use crate::bench::table::{Row, Section, head, megabytes, seconds};

/// How far below the recall that was asked for the one reached may be.
const SLACK: f64 = 0.005;

/// All searches of the same points: the tool's at each recall, in order, and those of other programs.
pub struct Compared {
    /// What the points are.
    pub data: String,
    pub ours: Vec<Searched>,
    pub others: Vec<Searched>,
}

impl Compared {
    pub fn new(points: &Points, ours: Vec<Searched>, others: Vec<Searched>) -> Self {
        Self { data: points.text(), ours, others }
    }

    /// The tool's search at each recall, each with that recall.
    fn asked(&self) -> impl Iterator<Item = (f64, &Searched)> {
        RECALLS.into_iter().zip(&self.ours)
    }

    /// The processor time at each recall over that of pynndescent, with a target for all where there is one.
    pub fn times(&self, most: Option<f64>) -> Vec<Row> {
        self.asked().map(|(recall, own)| self.time(recall, own, most)).collect()
    }

    /// The cheapest search by another program that finds as much as was asked, or as the tool found where that is less.
    fn beside(&self, program: &str, recall: f64, own: &Searched) -> Option<&Searched> {
        cheapest(&self.others, program, recall.min(own.recall))
    }

    fn time(&self, recall: f64, own: &Searched, most: Option<f64>) -> Row {
        let row = Row {
            what: format!("{}, recall {recall}: processor time", self.data),
            tool: own.text(),
            target: most.map_or(String::new(), |most| format!("<= {most}")),
            ..Row::default()
        };
        match self.beside(PYNNDESCENT, recall, own) {
            Some(other) => {
                let ratio = own.cpu / other.cpu;
                Row {
                    beside: format!("{PYNNDESCENT} ({}): {}", other.settings, other.text()),
                    figure: format!("ratio {ratio:.2}"),
                    holds: most.map(|most| ratio <= most),
                    ..row
                }
            }
            None => {
                let told = best(&self.others, PYNNDESCENT).map_or(String::new(), |best| {
                    format!("{PYNNDESCENT}: no setting tried reaches it; at most ({}) {}", best.settings, best.text())
                });
                Row { beside: told, figure: "reached by truefold alone".to_owned(), target: String::new(), ..row }
            }
        }
    }

    /// Whether each recall is as asked, in one row.
    pub fn recalls(&self) -> Row {
        let short = self.asked().map(|(recall, own)| recall - own.recall).fold(f64::NEG_INFINITY, f64::max);
        let told = self.asked().map(|(recall, own)| format!("{recall}: {:.4}", own.recall));
        Row {
            what: format!("{}: recall as asked", self.data),
            tool: told.collect::<Vec<_>>().join(", "),
            figure: format!("{:.4} below at most", short.max(0.0)),
            target: format!("<= {SLACK}"),
            holds: Some(short <= SLACK),
            ..Row::default()
        }
    }

    /// The peak memory at each recall over that of pynndescent at the same one: the greatest ratio, in one row.
    pub fn memory(&self, most: f64) -> Row {
        let mut worst: Option<(f64, &Searched, &Searched)> = None;
        for (recall, own) in self.asked() {
            let Some(other) = self.beside(PYNNDESCENT, recall, own) else { continue };
            let ratio = own.peak / other.peak;
            if worst.is_none_or(|worst| ratio > worst.0) {
                worst = Some((ratio, own, other));
            }
        }
        let row = Row { what: format!("{}: peak memory", self.data), ..Row::default() };
        match worst {
            Some((ratio, own, other)) => Row {
                tool: megabytes(own.peak),
                beside: format!("{PYNNDESCENT}: {}", megabytes(other.peak)),
                figure: format!("ratio {ratio:.2} at most"),
                target: format!("<= {most}"),
                holds: Some(ratio <= most),
                ..row
            },
            None => row,
        }
    }

    /// The table of all programs at each recall.
    pub fn equal(&self) -> Section {
        let mut programs: Vec<&str> = self.others.iter().map(|other| other.program.as_str()).collect();
        programs.dedup();
        let mut rows = vec![vec![OURS.to_owned()]];
        rows[0].extend(self.ours.iter().map(|own| seconds(own.cpu)));
        for program in programs {
            let each = self.asked().map(|(recall, own)| match self.beside(program, recall, own) {
                Some(other) => format!("{} ({:.2} x)", seconds(other.cpu), other.cpu / own.cpu),
                None => "not reached".to_owned(),
            });
            rows.push(std::iter::once(program.to_owned()).chain(each).collect());
        }
        Section {
            title: format!("{}, at equal recall", self.data),
            note: "Processor time, in brackets as a multiple of truefold's.".to_owned(),
            head: head(&["program", "recall 0.95", "recall 0.99", "recall 0.999"]),
            rows,
            ..Section::default()
        }
    }

    /// The table of all searches.
    pub fn section(&self) -> Section {
        Section {
            title: format!("{}, all searches", self.data),
            note: "Every search that was run; the settings of other programs in the order in which they were tried, until \
                   one reaches the largest recall."
                .to_owned(),
            head: head(&HEADS),
            rows: self.ours.iter().chain(&self.others).map(Searched::cells).collect(),
            ..Section::default()
        }
    }
}

/// The exponent e of seconds ~ n^e between two sizes at each recall: the greatest, in one row.
pub fn growth(what: &str, points: [usize; 2], fewer: &[Searched], more: &[Searched], most: f64) -> Row {
    let sizes = (points[1] as f64 / points[0] as f64).ln();
    let exponents: Vec<f64> = fewer.iter().zip(more).map(|(a, b)| (b.cpu / a.cpu).ln() / sizes).collect();
    let greatest = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let told = RECALLS.iter().zip(&exponents).map(|(recall, exponent)| format!("{recall}: {exponent:.2}"));
    Row {
        what: what.to_owned(),
        tool: told.collect::<Vec<_>>().join(", "),
        figure: format!("exponent {greatest:.2} at most"),
        target: format!("<= {most}"),
        holds: Some(greatest <= most),
        ..Row::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::searched::tests::search;
    use super::*;

    fn compared(recalls: [f64; 3]) -> Compared {
        Compared {
            data: "points".to_owned(),
            ours: recalls.iter().map(|&recall| search("truefold", "", 1.0, recall)).collect(),
            others: vec![
                search(PYNNDESCENT, "short", 1.5, 0.988),
                search(PYNNDESCENT, "long", 4.0, 0.992),
                search("hnswlib", "", 0.5, 1.0),
            ],
        }
    }

    #[test]
    fn times_compare_with_the_cheapest_setting_that_finds_as_much() {
        let rows = compared([0.96, 0.991, 1.0]).times(Some(0.5));
        assert_eq!(rows[0].figure, "ratio 0.67");
        assert_eq!(rows[0].holds, Some(false));
        assert_eq!((rows[1].figure.as_str(), rows[1].holds), ("ratio 0.25", Some(true)));
        assert_eq!((rows[2].figure.as_str(), rows[2].holds), ("reached by truefold alone", None));
    }

    #[test]
    fn all_programs_stand_beside_each_other() {
        let section = compared([0.96, 0.991, 1.0]).equal();
        assert_eq!(section.rows[0], ["truefold", "1.00 s", "1.00 s", "1.00 s"]);
        assert_eq!(section.rows[1], [PYNNDESCENT, "1.50 s (1.50 x)", "4.00 s (4.00 x)", "not reached"]);
        assert_eq!(section.rows[2], ["hnswlib", "0.50 s (0.50 x)", "0.50 s (0.50 x)", "0.50 s (0.50 x)"]);
    }

    #[test]
    fn a_tool_that_falls_short_is_compared_at_what_it_reached() {
        let compared = compared([0.96, 0.987, 0.99]);
        assert_eq!(compared.times(None)[1].figure, "ratio 0.67");
        let row = compared.recalls();
        assert_eq!((row.figure.as_str(), row.holds), ("0.0090 below at most", Some(false)));
    }

    #[test]
    fn growth_is_the_exponent_between_the_sizes() {
        let fewer = [search("truefold", "", 1.0, 0.95), search("truefold", "", 2.0, 0.99)];
        let more = [search("truefold", "", 10.0, 0.95), search("truefold", "", 40.0, 0.99)];
        let row = growth("growth", [1_000, 10_000], &fewer, &more, 1.15);
        assert_eq!((row.tool.as_str(), row.figure.as_str()), ("0.95: 1.00, 0.99: 1.30", "exponent 1.30 at most"));
        assert_eq!(row.holds, Some(false));
    }
}
