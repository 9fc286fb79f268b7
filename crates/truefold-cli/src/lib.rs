//! The truefold command-line tool: arguments as typed, then ready objects, then one file per command.
//!
//! The program calls [`main`] and nothing else; [`command`] and [`check`] let tests look at the command line without running it.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod args;
mod cmd;
mod data;
mod measuring;
mod numbers;
mod plan;
mod session;
mod showing;
mod signals;
mod tables;
mod terminal;
mod vocabulary;

use clap::{CommandFactory, FromArgMatches};
use session::Session;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use vocabulary::Flags;

/// The command line: every command with its options.
pub fn command() -> clap::Command {
    <args::Cli as CommandFactory>::command()
}

/// Reads a command line, the name of the program first, and runs nothing.
pub fn check<W: Into<OsString> + Clone>(words: impl IntoIterator<Item = W>) -> Result<(), clap::Error> {
    let matches = command().try_get_matches_from(words)?;
    args::Cli::from_arg_matches(&matches).map(drop)
}

/// Runs the tool on the arguments of the process, and gives its exit status.
pub fn main() -> ExitCode {
    let matches = command().get_matches();
    let cli = match args::Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    match truefold::io::together(|| dispatch(cli, Flags::of(matches.subcommand_name()))) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader of our output may stop reading; that is no failure.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let flags = Flags::of(matches.subcommand_name());
            let known = error.downcast_ref::<truefold::Error>();
            let text =
                known.map_or_else(|| truefold::error::readable(&format!("{error:#}")), |error| error.worded(&flags));
            eprintln!("error: {text}");
            ExitCode::from(match known {
                Some(truefold::Error::Parameter { .. } | truefold::Error::Unknown { .. }) => 2,
                Some(truefold::Error::Cancelled) => signals::status(),
                _ => 1,
            })
        }
    }
}

fn dispatch(cli: args::Cli, flags: Flags) -> anyhow::Result<()> {
    use args::Command;
    match cli.command {
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command(), "truefold", &mut script);
            return Ok(std::io::stdout().lock().write_all(&script)?);
        }
        Command::Man { of } => return cmd::man::execute(of.as_deref()),
        Command::Generate(args) => {
            signals::end_at_once();
            return cmd::generate::execute(&args);
        }
        _ => {}
    }
    let session = Session::new(&cli.run, flags)?;
    match cli.command {
        Command::Neighbors(args) => cmd::neighbors::execute(&args, &session),
        Command::Measure(args) => cmd::measure::execute(&args, &session),
        Command::Embed(args) => cmd::embed::execute(&args, &session),
        Command::Denoise(args) => cmd::denoise::execute(&args, &session),
        Command::Refine(args) => cmd::refine::execute(&args, &session),
        Command::Compare(args) => cmd::compare::execute(&args, &session),
        Command::Sweep(args) => cmd::sweep::execute(&args, &session),
        Command::Suggest(args) => cmd::suggest::execute(&args, &session),
        Command::Transform(args) => cmd::transform::execute(&args, &session),
        Command::Stability(args) => cmd::stability::execute(&args, &session),
        Command::Methods(args) => cmd::methods::execute(&args),
        Command::Measures(args) => cmd::measures::execute(&args),
        Command::Datasets(args) => cmd::datasets::execute(&args),
        Command::Paper(args) => cmd::paper::execute(&args, &session),
        Command::Demo(args) => cmd::demo::execute(&args, &session),
        Command::Completions { .. } | Command::Man { .. } | Command::Generate(_) => Ok(()),
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}
