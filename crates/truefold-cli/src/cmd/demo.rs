//! `truefold demo`: two built-in data sets embedded, compared and shown in reports to open.

use super::print;
use crate::args::DemoArgs;
use crate::session::Session;
use crate::terminal::bold;
use serde_json::json;
use std::path::Path;
use truefold::compare::{Comparison, Nested, Plan, Row, Trial};
use truefold::dataset::{self, Request, Sample};
use truefold::{Error, Input, Method, Run, io};
use truefold_report::words::count;
use truefold_report::{Coloring, Report, comparison};

const NEIGHBORS: usize = 12;
const METHODS: [&str; 5] = ["psa", "isomap", "lle", "ltsa", "pca"];

/// A data set of the demo.
struct Scene {
    name: &'static str,
    title: &'static str,
    points: usize,
    about: &'static str,
    report: &'static str,
}

static SCENES: [Scene; 2] = [
    Scene {
        name: "swiss-roll",
        title: "swiss roll",
        points: 1500,
        about: "A sheet rolled up in space: it can be laid flat without stretching it anywhere.",
        report: "report.html",
    },
    Scene {
        name: "cylinder",
        title: "cylinder",
        points: 1000,
        about: "The side of a cylinder: every small piece can be laid flat, the whole only if it is cut or squeezed.",
        report: "cylinder.html",
    },
];

const READING: &str = "R_N is the share of each neighborhood's shape that a map loses, 0 to 1 and beyond; no map into the \
                       plane can have less than the best possible. R_C forgives every neighborhood a scale of its own. \
                       The score looks both ways, at the neighborhoods of the data and at those of the map: 1 is the best \
                       possible, 0 is chance. Collapse is the share of distant pairs that a map puts into each other's \
                       neighborhood. Color by verdict to see what is said of every point.";

pub(crate) fn execute(args: &DemoArgs, session: &Session) -> anyhow::Result<()> {
    let run = &session.run;
    io::make_folder(&args.output)?;
    for scene in &SCENES {
        io::check_writable(args.output.join(scene.report))?;
    }
    let judged = SCENES.iter().map(|scene| Judged::new(scene, run)).collect::<Result<Vec<_>, Error>>()?;
    judged.iter().try_for_each(|judged| judged.write(&args.output, session))?;
    for judged in &judged {
        print(&bold(&format!("Five maps of a {}, judged", judged.scene.title)))?;
        print(&format!("{}\n", comparison::text(&judged.comparison, &session.voice())))?;
    }
    for line in judged[0].roll_lines().into_iter().chain([judged[1].cylinder_line()]) {
        print(&line)?;
    }
    let [data, map, cylinder, roll] =
        ["swiss-roll.csv", "swiss-roll-pca.csv", SCENES[1].report, SCENES[0].report].map(|name| args.output.join(name));
    print(&format!(
        "\nThe same for any data and any embedding:\n  truefold measure {} {}\nAnd an embedding by the method that suits your data:\n  truefold embed {} --method auto --output y.csv\n\nOpen {}\nand  {}",
        data.display(),
        map.display(),
        data.display(),
        cylinder.display(),
        roll.display()
    ))
}

/// A data set, its maps, and how faithful they are.
struct Judged {
    scene: &'static Scene,
    sample: Sample,
    nested: Nested,
    comparison: Comparison,
}

impl Judged {
    fn new(scene: &'static Scene, run: &Run) -> Result<Self, Error> {
        let sample = dataset::find(scene.name)?.sample(&Request::new().with_points(scene.points))?;
        let methods = METHODS.iter().map(|name| Method::new(name, &[])).collect::<Result<Vec<_>, Error>>()?;
        let nested = Nested::nearest(&sample.points, &[NEIGHBORS], run)?;
        let comparison =
            Plan::new(methods, 2)?.run(Input::Points(&sample.points), &nested, &run.within(scene.title.to_owned()))?;
        Ok(Self { scene, sample, nested, comparison })
    }

    fn rows(&self) -> impl Iterator<Item = (&Row, &Trial)> {
        self.comparison.rows.iter().filter_map(|row| Some((row, row.trial()?)))
    }

    /// Writes the data, their true coordinates, every map, and the report.
    fn write(&self, folder: &Path, session: &Session) -> Result<(), Error> {
        let file = |part: &str| folder.join(format!("{}{part}.csv", self.scene.name));
        io::write(file(""), &self.sample.points)?;
        io::write(file("-truth"), &self.sample.truth)?;
        for (row, trial) in self.rows() {
            if let Some(points) = &trial.points {
                let columns = (1..=points.dim()).map(|axis| format!("y{axis}")).collect();
                io::write(file(&format!("-{}", row.method)), &points.clone().with_columns(columns)?)?;
            }
        }
        let Scene { name, title, points, about, report } = self.scene;
        let neighborhoods = self.nested.get(0)?;
        let mut page = Report {
            title: format!("How faithful are these maps of a {title}?"),
            paragraphs: vec![format!("{about} {} points, {NEIGHBORS} neighbors each. {READING}", count(*points))],
            input: Some(&self.sample.points),
            neighbors: Some(&neighborhoods),
            colorings: Coloring::of_coordinates("true coordinate", &self.sample.truth),
            facts: json!({
                "command": "truefold demo",
                "truefold": env!("CARGO_PKG_VERSION"),
                "data": format!("truefold generate {name} --points {points}"),
            }),
            ..Report::default()
        };
        comparison::fill(&mut page, &self.comparison, &session.flags);
        page.find_ellipses(Input::Points(&self.sample.points), &neighborhoods, &session.run)?;
        page.write(folder.join(report), &session.run)?;
        Ok(())
    }

    /// Which map of the roll is nearest to the best possible, which is farthest from it, and where.
    fn roll_lines(&self) -> Vec<String> {
        let times = |trial: &Trial| trial.times_bound("r_n").unwrap_or(f64::INFINITY);
        let best = self.rows().min_by(|a, b| times(a.1).total_cmp(&times(b.1)));
        let worst = self.rows().max_by(|a, b| value(a.1, "r_c").total_cmp(&value(b.1, "r_c")));
        let mut lines = Vec::new();
        if let Some((row, trial)) = best {
            lines.push(format!(
                "{} is nearest to the best possible map of the roll: {:.2} times its R_N.",
                row.method,
                times(trial)
            ));
        }
        if let Some((row, trial)) = worst {
            let mut line = format!(
                "{} is the least faithful: it loses {:.0} % of the shape of an average neighborhood, whatever the scale",
                row.method,
                100.0 * value(trial, "r_c")
            );
            // A place is named only where it is small.
            if let Some((from, to, length)) =
                self.worst_places(trial).filter(|(from, to, length)| 2.0 * (to - from) < *length)
            {
                line += &format!(", and most between {from:.0} and {to:.0} along the roll's length of {length:.0}");
            }
            lines.push(line + ".");
        }
        lines
    }

    /// Between which true first coordinates most of the worst tenth of the neighborhoods lies, and the largest.
    fn worst_places(&self, trial: &Trial) -> Option<(f64, f64, f64)> {
        let scored = trial.judgment.scores.scored("r_c").filter(|_| trial.judgment.rows.is_none())?;
        let mut order = scored.largest_first();
        order.truncate(order.len().div_ceil(10));
        let mut places: Vec<f64> = order.iter().map(|&row| self.sample.truth.row(row)[0]).collect();
        places.sort_by(f64::total_cmp);
        let at = |share: f64| places.get((share * places.len().checked_sub(1)? as f64) as usize).copied();
        let length = self.sample.truth.rows().map(|row| row[0]).fold(0.0, f64::max);
        Some((at(0.1)?, at(0.9)?, length))
    }

    /// How near any map comes to a cylinder, and what cutting it open gains.
    fn cylinder_line(&self) -> String {
        let whole = self.rows().min_by(|a, b| value(a.1, "r_n").total_cmp(&value(b.1, "r_n")));
        let mut sentences = Vec::new();
        if let Some((row, trial)) = whole {
            sentences.push(format!(
                "No flat map of a whole cylinder is perfect: the best, {}, loses {:.1} % where {:.1} % must be lost, and \
                 puts {:.1} % of distant pairs together.",
                row.method,
                100.0 * value(trial, "r_n"),
                100.0 * trial.score("r_n").and_then(|score| score.lower_bound).unwrap_or(0.0),
                100.0 * value(trial, "collapse")
            ));
        }
        let left = self.rows().find_map(|(row, trial)| {
            let rest = trial.judgment.rest.as_ref()?;
            Some((row, rest, rest.scores.get("r_n")?))
        });
        if let Some((row, rest, left)) = left {
            sentences.push(format!(
                "{} cuts it open: {:.1} % of the memberships are torn, and of what is left it loses {:.2} % where {:.2} % \
                 must be lost.",
                row.method,
                100.0 * rest.tear.share(),
                100.0 * left.value,
                100.0 * left.lower_bound.unwrap_or(0.0)
            ));
        }
        sentences.join(" ")
    }
}

fn value(trial: &Trial, measure: &str) -> f64 {
    trial.score(measure).map_or(f64::INFINITY, |score| score.value)
}
