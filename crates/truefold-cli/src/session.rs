//! What every command is given beside its arguments: the run, and how the tool speaks.

use crate::args::{DeviceArgs, FindArgs, RunArgs};
use crate::vocabulary::Flags;
use crate::{signals, terminal};
use serde_json::{Map, Value};
use std::io::Write;
use std::time::Instant;
use truefold::{Device, Error, Run};
use truefold_report::facts;
use truefold_report::words::{Table, Voice};

/// One call of the tool.
pub(crate) struct Session {
    /// Threads, progress and a clean stop at Ctrl-C; the seed is that of the command.
    pub(crate) run: Run,
    pub(crate) flags: Flags,
}

impl Session {
    /// With a progress bar and Ctrl-C where there is a terminal.
    pub(crate) fn new(args: &RunArgs, flags: Flags) -> Result<Self, Error> {
        let mut run = Run::started().with_cancel(signals::asked_to_stop());
        if let Some(threads) = args.threads {
            run = run.with_threads(threads)?;
        }
        if let Some(bar) = terminal::Bar::on_terminal() {
            run = run.with_progress(bar);
        }
        Ok(Self { run, flags })
    }

    /// The run with the seed of a command, and with the device for all its searches.
    pub(crate) fn searching(&self, find: &FindArgs) -> Result<Run, Error> {
        Ok(self.on(find.on)?.with_seed(find.random.seed))
    }

    /// The run with the device for all searches of a command; an error if it is missing.
    pub(crate) fn on(&self, on: DeviceArgs) -> Result<Run, Error> {
        Ok(self.run.clone().with_device(Device::from(on.device).or_missing()?))
    }

    /// How the tool speaks: options as typed, and bold on a terminal.
    pub(crate) fn voice(&self) -> Voice<'_> {
        Voice { vocabulary: &self.flags, bold: &terminal::bold }
    }
}

/// Prints text and a newline on standard output; files that were written are there before it is said so.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    print_as_it_is(&terminal::tamed(text))
}

/// The same for what programs read: JSON, tables of numbers and pages, whose texts stay what they are.
pub(crate) fn print_as_it_is(text: &str) -> anyhow::Result<()> {
    truefold::io::settle()?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

/// Prints JSON on standard output, with the version of its format.
pub(crate) fn print_json(value: &Value) -> anyhow::Result<()> {
    print_as_it_is(&serde_json::to_string_pretty(&facts::versioned(value))?)
}

/// Prints a table on standard output.
pub(crate) fn print_table(table: &Table) -> anyhow::Result<()> {
    print(&table.text(&terminal::bold))
}

/// The seconds of the stages of a command.
pub(crate) struct Clock {
    lap: Instant,
    stages: Vec<(String, f64)>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { lap: Instant::now(), stages: Vec::new() }
    }

    /// Ends a stage.
    pub(crate) fn lap(&mut self, stage: &str) {
        self.stages.push((stage.to_owned(), self.lap.elapsed().as_secs_f64()));
        self.lap = Instant::now();
    }

    /// All stages together.
    pub(crate) fn total(&self) -> f64 {
        self.stages.iter().map(|stage| stage.1).sum()
    }

    /// For programs: each stage, the total, and what is known of the parts of stages.
    pub(crate) fn json(&self, parts: impl Iterator<Item = (String, f64)>) -> Value {
        let total = [("total".to_owned(), self.total())];
        self.stages
            .iter()
            .cloned()
            .chain(total)
            .chain(parts)
            .map(|(name, time)| (name, time.into()))
            .collect::<Map<_, _>>()
            .into()
    }
}
