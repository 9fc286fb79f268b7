//! `truefold paper`: the paper's two tables and its figures from its data sets, beside the numbers that it prints.

mod figures;
mod measured;
mod pages;
mod printed;
mod results;
mod sets;
mod walk;

use super::print;
use crate::args::PaperArgs;
use crate::session::{Session, print_table};
use figures::Drawn;
use measured::{CONTENDERS, Contender, Measured};
use results::Results;
use sets::{Loaded, SETS, Set};
use std::io::Write;
use std::path::Path;
use std::time::Instant;
use truefold::error::{Advice, Bound, Limit};
use truefold::{Error, Run, io};
use truefold_report::words::counted;
use truefold_report::{Cell, Table};

/// The name of the figure that has a data set of its own.
const NOISY: &str = "noisy-swiss-roll";
/// The number of neighbors of the paper's figures.
const SHOWN_K: usize = 12;

pub(crate) fn execute(args: &PaperArgs, session: &Session) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut wanted = check(args)?;
    let mut loaded = Vec::new();
    for set in std::mem::take(&mut wanted.sets) {
        match set.load(args.data.as_deref())? {
            Ok(set) => loaded.push(set),
            Err(note) => wanted.notes.push(note),
        }
    }
    wanted.notes.extend(wanted.contenders.iter().filter_map(|contender| contender.note()));
    let results = results(&loaded, wanted, &session.run)?;
    write(&results, &args.output)?;
    tell(&results, &args.output, start)
}

/// What is asked for.
struct Wanted {
    contenders: Vec<&'static Contender>,
    sets: Vec<&'static Set>,
    /// Whether the noisy swiss roll is drawn.
    noisy: bool,
    neighbors: Vec<usize>,
    notes: Vec<String>,
}

/// Everything that can be wrong before anything that takes long.
fn check(args: &PaperArgs) -> Result<Wanted, Error> {
    let contenders = contenders(&args.methods)?;
    let (sets, noisy) = parts(&args.only)?;
    let neighbors = neighbors(&args.k)?;
    let folder = args.output.join("figures");
    io::make_folder(&folder)?;
    for path in [args.output.join("index.html"), folder.join("cylinder.svg")] {
        io::check_writable(path)?;
    }
    if let Some(data) = args.data.as_ref().filter(|data| !data.is_dir()) {
        let advice = Advice::mend_file("name the folder that holds the faces and the twos");
        return Err(Error::file(data, "is no folder", advice));
    }
    Ok(Wanted { contenders, sets, noisy, neighbors, notes: Vec::new() })
}

/// Measures, then draws.
fn results<'a>(loaded: &'a [Loaded], wanted: Wanted, run: &Run) -> Result<Results<'a>, Error> {
    let Wanted { contenders, noisy, neighbors, notes, .. } = wanted;
    let mut measured = Vec::new();
    for loaded in loaded {
        measured.push(Measured::new(loaded, &contenders, &neighbors, run)?);
    }
    let k = if neighbors.contains(&SHOWN_K) { SHOWN_K } else { neighbors[0] };
    let mut figures: Vec<Drawn> = Vec::new();
    for measured in &measured {
        figures.extend(figures::maps(measured, k, run)?);
        if measured.loaded.set.name == "faces" {
            figures.extend(walk::pictures(measured, k, run)?);
        }
        if measured.loaded.set.name == "cylinder" {
            figures.extend(figures::lle_over_k(measured, &neighbors)?);
        }
    }
    if noisy {
        figures.push(figures::noisy_swiss_roll(run)?);
    }
    Ok(Results { measured, contenders, neighbors, figures, notes, seed: run.seed() })
}

fn write(results: &Results<'_>, folder: &Path) -> Result<(), Error> {
    for drawn in &results.figures {
        for ending in ["svg", "png"] {
            drawn.figure.write(folder.join(format!("figures/{}.{ending}", drawn.name)))?;
        }
    }
    let json = format!("{:#}\n", results.json());
    for (name, text) in [("results.json", json), ("index.md", results.markdown()), ("index.html", results.html())] {
        io::atomic(folder.join(name), |out| out.write_all(text.as_bytes()))?;
    }
    Ok(())
}

fn tell(results: &Results<'_>, folder: &Path, start: Instant) -> anyhow::Result<()> {
    let entries = results.entries();
    if !entries.is_empty() {
        let row = |entry: &results::Entry| {
            let cells = [entry.set, entry.method, &entry.ours, &entry.printed, &entry.difference];
            cells.map(Cell::from).to_vec()
        };
        print_table(&Table {
            header: ["data set", "method", "ours", "printed", "difference"].map(str::to_owned).into(),
            left: vec![1],
            rows: entries.iter().map(row).collect(),
            ..Table::default()
        })?;
        print("\nR_N [R_C], least over k, without centers.")?;
    }
    for line in results.verdict().iter().chain(&results.notes) {
        print(line)?;
    }
    let figures = counted(results.figures.len(), "figure", "figures");
    print(&format!(
        "\n{figures}, in {:.0} s. Open {}",
        start.elapsed().as_secs_f64(),
        folder.join("index.html").display()
    ))
}

/// The methods asked for, in the order of the table.
fn contenders(names: &[String]) -> Result<Vec<&'static Contender>, Error> {
    chosen("method", names, CONTENDERS.iter().map(|contender| (contender.name, contender)))
}

/// The data sets asked for, and whether the noisy swiss roll is.
fn parts(names: &[String]) -> Result<(Vec<&'static Set>, bool), Error> {
    let all = SETS.iter().map(|set| (set.name, Some(set))).chain([(NOISY, None)]);
    let parts = chosen("part of the paper", names, all)?;
    Ok((parts.iter().copied().flatten().collect(), parts.iter().any(Option::is_none)))
}

/// What of `all` is named, in its own order; everything where nothing is.
fn chosen<T: Copy>(
    kind: &'static str,
    names: &[String],
    all: impl Iterator<Item = (&'static str, T)>,
) -> Result<Vec<T>, Error> {
    let all: Vec<(&str, T)> = all.collect();
    if let Some(unknown) = names.iter().find(|name| all.iter().all(|(known, _)| known != name)) {
        return Err(Error::unknown(kind, unknown, all.iter().map(|(name, _)| *name)));
    }
    let wanted = |name: &str| names.is_empty() || names.iter().any(|known| known == name);
    Ok(all.into_iter().filter(|(name, _)| wanted(name)).map(|(_, item)| item).collect())
}

/// The numbers of neighbors asked for, in order.
fn neighbors(given: &[usize]) -> Result<Vec<usize>, Error> {
    let mut neighbors = if given.is_empty() { printed::NEIGHBORS.to_vec() } else { given.to_vec() };
    neighbors.sort_unstable();
    neighbors.dedup();
    match neighbors.iter().find(|&&k| k < 2) {
        Some(k) => {
            let reason = "without its center a neighborhood would hold one point or none";
            let limit = Limit::because(Bound::AtLeast(2.0), reason);
            Err(Error::parameter("k", k, limit, Advice::change("k", "choose a larger {k}")))
        }
        None => Ok(neighbors),
    }
}
