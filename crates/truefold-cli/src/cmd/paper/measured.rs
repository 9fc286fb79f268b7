//! Every method for every k on a data set, and the minima that the paper's table holds.

use super::printed::Printed;
use super::sets::Loaded;
use truefold::Input;
use truefold::Method;
use truefold::compare::{Nested, Plan, Row, Trial};
use truefold::measure::Options;
use truefold::{Error, Run};

/// A row of the table: a name, and the ways in which the method is run.
pub(super) struct Contender {
    /// The name, as in `truefold methods`.
    pub(super) name: &'static str,
    /// The name in the paper.
    pub(super) title: &'static str,
    /// Parameters that differ from the defaults.
    settings: &'static [(&'static str, &'static str)],
    /// Parameters of a second run on data sets that are drawn.
    again: &'static [(&'static str, &'static str)],
    /// Whether only the smallest k is run, as every run takes long.
    once: bool,
}

const CONFORMAL: &[(&str, &str)] = &[("refine", "r-c")];
/// The paper tears nothing, and its cylinder is pressed flat.
const WHOLE: &[(&str, &str)] = &[("tear", "false")];
const CONFORMAL_WHOLE: &[(&str, &str)] = &[("refine", "r-c"), ("tear", "false")];

pub(super) static CONTENDERS: [Contender; 6] = [
    Contender { name: "gp", title: "GP", settings: &[], again: CONFORMAL, once: false },
    Contender { name: "psa", title: "PSA", settings: WHOLE, again: CONFORMAL_WHOLE, once: false },
    Contender { name: "lle", title: "LLE", settings: &[], again: &[], once: false },
    Contender { name: "isomap", title: "Isomap", settings: &[], again: &[], once: false },
    Contender { name: "ltsa", title: "LTSA", settings: &[], again: &[], once: false },
    Contender { name: "sde", title: "SDE", settings: &[("tolerance", "0.01")], again: &[], once: true },
];

impl Contender {
    /// What is particular about its numbers.
    pub(super) fn note(&self) -> Option<String> {
        match self.name {
            "gp" | "psa" => Some(format!(
                "{} is refined towards R_N, and on the data sets that are drawn once more towards R_C; the less of both \
                 counts.",
                self.title
            )),
            "sde" => Some(
                "SDE, which the paper names but could not run, takes long: it is run for the smallest k alone, to 1 % of \
                 every distance."
                    .to_owned(),
            ),
            _ => None,
        }
    }

    fn methods(&self, loaded: &Loaded) -> Result<Vec<Method>, Error> {
        let method = |settings: &[(&str, &str)]| {
            let typed: Vec<(String, String)> =
                settings.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
            let label: String = settings.iter().map(|(name, value)| format!(" {name}={value}")).collect();
            Ok(Method::new(self.name, &typed)?.with_label(format!("{}{label}", self.name)))
        };
        let mut methods = vec![method(self.settings)?];
        if !self.again.is_empty() && loaded.truth.is_some() {
            methods.push(method(self.again)?);
        }
        Ok(methods)
    }
}

/// A column of the table.
pub(super) struct Measured<'a> {
    pub(super) loaded: &'a Loaded,
    /// Every run of a contender, with the contender's name.
    pub(super) rows: Vec<(&'static Contender, Row)>,
}

/// The least value of a measure, and the run it comes from.
pub(super) struct Least<'a> {
    pub(super) value: f64,
    pub(super) k: usize,
    /// The method with its parameters.
    pub(super) way: &'a str,
}

impl<'a> Measured<'a> {
    /// Runs all contenders for each k, each on its own neighborhoods and without their centers.
    pub(super) fn new(
        loaded: &'a Loaded,
        contenders: &[&'static Contender],
        neighbors: &[usize],
        run: &Run,
    ) -> Result<Self, Error> {
        let run = run.within(loaded.set.name.to_owned());
        let options = Options { center: false, ..Options::default() };
        let mut rows = Vec::new();
        for contender in contenders {
            let neighbors = if contender.once { &neighbors[..1] } else { neighbors };
            let nested = Nested::nearest(&loaded.points, neighbors, &run)?;
            let plan = Plan::new(contender.methods(loaded)?, loaded.set.printed.dim)?
                .with_measures(&["r_n", "r_c"])?
                .with_options(options);
            let comparison = plan.run(Input::Points(&loaded.points), &nested, &run)?;
            rows.extend(comparison.rows.into_iter().map(|row| (*contender, row)));
        }
        Ok(Self { loaded, rows })
    }

    pub(super) fn printed(&self) -> &'static Printed {
        self.loaded.set.printed
    }

    /// The runs of a contender.
    pub(super) fn rows_of(&self, name: &str) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |(contender, _)| contender.name == name).map(|(_, row)| row)
    }

    /// What a contender gave for this k, run the first way.
    pub(super) fn trial(&self, name: &str, k: usize) -> Option<&Trial> {
        self.rows_of(name).find(|row| row.k == Some(k)).and_then(Row::trial)
    }

    /// The least value of a measure over all runs of a contender.
    pub(super) fn least(&self, name: &str, measure: &str) -> Option<Least<'_>> {
        let value = |row: &'_ Row| row.trial().and_then(|trial| trial.score(measure)).map(|score| score.value);
        let all = self.rows_of(name).filter_map(|row| Some(Least { value: value(row)?, k: row.k?, way: &row.method }));
        all.min_by(|a, b| a.value.total_cmp(&b.value))
    }

    /// The least of the lower bounds over all k.
    pub(super) fn bound(&self) -> Option<(f64, usize)> {
        let bound = |(_, row): &(&Contender, Row)| Some((row.trial()?.score("r_n")?.lower_bound?, row.k?));
        self.rows.iter().filter_map(bound).min_by(|a, b| a.0.total_cmp(&b.0))
    }
}
