//! `truefold measure`: how faithful embeddings are, where they are not, and how far they are from the best possible.

use super::{print, print_json};
use crate::args::{Format, MeasureArgs, TableFormat};
use crate::session::{Clock, Session};
use crate::showing::{self, Showing};
use crate::{data, measuring, plan, tables};
use serde_json::Value;
use std::path::Path;
use truefold::compare::{Comparison, GivenMap, Nested, Plan};
use truefold::error::{Advice, Text};
use truefold::measure::Measure;
use truefold::{Data, Error, Judge, Neighborhoods, Run};
use truefold_report::{Report, comparison, facts, words};

pub(crate) fn execute(args: &MeasureArgs, session: &Session) -> anyhow::Result<()> {
    let measures = check(args)?;
    let run = session.searching(&args.neighborhoods.search.find)?;
    let mut clock = Clock::start();
    let looked_at = Maps::read(args, &mut clock, &run)?;
    match looked_at.maps.as_slice() {
        [map] => looked_at.one(args, map, (measures, clock), session, &run),
        _ => looked_at.several(args, clock, session, &run),
    }
}

/// Everything that can be wrong before anything that takes long; the measures to take.
fn check(args: &MeasureArgs) -> Result<Vec<&'static dyn Measure>, Error> {
    let measures = measuring::chosen(&args.measuring)?;
    plan::check_metric(&args.neighborhoods.search.find)?;
    let given = [&args.show.labels, &args.show.truth, &args.neighborhoods.given.neighbors];
    let mut others: Vec<&Path> = given.into_iter().flatten().map(|path| path.as_path()).collect();
    others.push(&args.data.x);
    others.extend(args.y.iter().map(|path| path.as_path()));
    if let Some(path) = &args.per_point {
        if args.y.len() > 1 {
            let why = Text::of("takes the values of one embedding");
            let advice = Advice::leave_out("per_point", "give one Y at a time");
            return Err(Error::parameter("per_point", path.display(), why, advice));
        }
        tables::check_per_point(path)?;
        plan::check_different(path, &others)?;
        others.push(path);
    }
    showing::check(&args.show, TableFormat::Table, &args.data.x, true)?;
    for path in [&args.show.report, &args.show.figure].into_iter().flatten() {
        plan::check_different(path, &others)?;
    }
    if others.iter().filter(|path| **path == Path::new("-")).count() > 1 {
        let advice = Advice::mend_file("give files for the others");
        return Err(Error::parameter("Y", "-", "cannot be standard input twice", advice));
    }
    Ok(measures)
}

/// The data, their neighborhoods, and embeddings of them.
struct Maps {
    data: Data,
    showing: Showing,
    neighborhoods: Neighborhoods,
    maps: Vec<GivenMap>,
}

impl Maps {
    fn read(args: &MeasureArgs, clock: &mut Clock, run: &Run) -> Result<Self, Error> {
        let data = data::read(&args.data.x, &args.show.numbers(&args.read), &args.neighborhoods.search.find)?;
        let options = plan::embedding_options(&args.read, args.y_id_column.clone(), args.y_drop_columns.clone())?;
        let labels = labels(args);
        let map = |(path, label): (&std::path::PathBuf, String)| {
            Ok(GivenMap::new(label, data::read_embedding(path, &options, &data)?))
        };
        let maps = args.y.iter().zip(labels).map(map).collect::<Result<Vec<_>, Error>>()?;
        let showing = Showing::read(&args.show, &data, (&args.data.x, &args.read))?;
        clock.lap("read");
        let neighborhoods = data::neighborhoods(&data, &args.neighborhoods, run)?;
        clock.lap("neighbors");
        Ok(Self { data, showing, neighborhoods, maps })
    }

    /// Judges one embedding.
    fn one(
        &self,
        args: &MeasureArgs,
        map: &GivenMap,
        (measures, mut clock): (Vec<&'static dyn Measure>, Clock),
        session: &Session,
        run: &Run,
    ) -> anyhow::Result<()> {
        let mut judge = Judge::new(self.data.input(), &self.neighborhoods)
            .with_measures(measures)
            .with_options(measuring::options(&args.measuring, &args.neighborhoods.search.find));
        if let Some(groups) = self.showing.groups(&args.show, &self.data) {
            judge = judge.with_groups(groups);
        }
        let judgment = judge.judge(&map.points, run)?;
        clock.lap("measures");
        if let Some(path) = &args.per_point {
            let labels = self.showing.labels(&self.data);
            tables::write_scores(path, &judgment, self.data.points(), labels)?;
        }
        let row = |row| data::row_name(&self.data, row);
        let mut report = self.report(map.label.clone());
        if showing::is_wanted(&args.show, TableFormat::Table) {
            truefold_report::fill(&mut report, (&map.label, &map.points), &judgment, &row, &session.voice());
            self.find_ellipses(&mut report, args, run)?;
        }
        let written = showing::write(&report, &args.show, run)?;
        clock.lap("write");
        match args.shown.format {
            Format::Table => {
                let mut lines = vec![words::judgment(&judgment, &row, &session.voice())];
                lines.extend(written);
                print(&lines.join("\n"))
            }
            Format::Json => {
                let mut result = facts::judgment(&judgment, &session.flags);
                result["seconds"] = clock.json(std::iter::empty());
                print_json(&result)
            }
        }
    }

    /// Holds several embeddings beside each other.
    fn several(&self, args: &MeasureArgs, mut clock: Clock, session: &Session, run: &Run) -> anyhow::Result<()> {
        let comparison = self.compared(args, run)?;
        clock.lap("measures");
        let mut report = self.report("Embeddings compared".to_owned());
        if showing::is_wanted(&args.show, TableFormat::Table) {
            comparison::fill(&mut report, &comparison, &session.flags);
            self.find_ellipses(&mut report, args, run)?;
        }
        let written = showing::write(&report, &args.show, run)?;
        clock.lap("write");
        match args.shown.format {
            Format::Table => {
                let mut lines = vec![comparison::text(&comparison, &session.voice())];
                lines.extend(written);
                print(&lines.join("\n"))
            }
            Format::Json => {
                let mut result: Value = comparison::json(&comparison, &session.flags);
                result["seconds"] = clock.json(std::iter::empty());
                print_json(&result)
            }
        }
    }

    fn compared(&self, args: &MeasureArgs, run: &Run) -> Result<Comparison, Error> {
        let plan = Plan::of_maps(self.maps.clone())?
            .with_options(measuring::options(&args.measuring, &args.neighborhoods.search.find))
            .with_groups(self.showing.groups(&args.show, &self.data))
            .with_embeddings(showing::is_wanted(&args.show, TableFormat::Table));
        let plan = match args.measuring.measures.as_slice() {
            [] => plan,
            names => {
                let chosen: Vec<&str> = measuring::named(names)?.iter().map(|measure| measure.info().name).collect();
                plan.with_measures(&chosen)?
            }
        };
        plan.run(self.data.input(), &Nested::one(self.neighborhoods.clone()), run)
    }

    fn find_ellipses(&self, report: &mut Report<'_>, args: &MeasureArgs, run: &Run) -> Result<(), Error> {
        showing::find_ellipses(report, (&args.show, TableFormat::Table), (&self.data, &self.neighborhoods), run)
    }

    fn report(&self, title: String) -> Report<'_> {
        Report { neighbors: Some(&self.neighborhoods), ..self.showing.report(&self.data, title) }
    }
}

/// What the embeddings are called: the names of their files, with their folders where these alone tell them apart.
fn labels(args: &MeasureArgs) -> Vec<String> {
    let stem =
        |path: &Path| path.file_stem().map_or_else(|| path.display().to_string(), |stem| stem.to_string_lossy().into());
    let stems: Vec<String> = args.y.iter().map(|path| stem(path)).collect();
    let is_unique = |at: usize| stems.iter().filter(|other| **other == stems[at]).count() == 1;
    (0..stems.len())
        .map(|at| if is_unique(at) { stems[at].clone() } else { args.y[at].display().to_string() })
        .collect()
}
