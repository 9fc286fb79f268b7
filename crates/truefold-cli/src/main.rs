//! The truefold command-line tool: arguments as typed, then ready objects, then one file per command.

mod args;
mod cmd;
mod judgment;
mod measuring;
mod numbers;
mod plan;
mod showing;
mod table;
mod terminal;
mod torn;

use clap::{CommandFactory, Parser};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    match dispatch(cli) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads our output may stop reading; that is no failure.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            let wrong_use = matches!(
                error.downcast_ref::<truefold::Error>(),
                Some(truefold::Error::Parameter { .. } | truefold::Error::Unknown { .. })
            );
            ExitCode::from(if wrong_use { 2 } else { 1 })
        }
    }
}

fn dispatch(cli: args::Cli) -> anyhow::Result<()> {
    use args::Command;
    if let Command::Completions { shell } = cli.command {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut args::Cli::command(), "truefold", &mut script);
        std::io::stdout().lock().write_all(&script)?;
        return Ok(());
    }
    let run = plan::run(&cli.run)?;
    match cli.command {
        Command::Generate(args) => cmd::generate::execute(&args),
        Command::Neighbors(args) => cmd::neighbors::execute(&args, run),
        Command::Measure(args) => cmd::measure::execute(&args, run),
        Command::Embed(args) => cmd::embed::execute(&args, run),
        Command::Denoise(args) => cmd::denoise::execute(&args, run),
        Command::Refine(args) => cmd::refine::execute(&args, run),
        Command::Compare(args) => cmd::compare::execute(&args, run),
        Command::Sweep(args) => cmd::sweep::execute(&args, run),
        Command::Suggest(args) => cmd::suggest::execute(&args, run),
        Command::Transform(args) => cmd::transform::execute(&args, run),
        Command::Methods(args) => cmd::methods::execute(&args),
        Command::Measures(args) => cmd::measures::execute(&args),
        Command::Datasets(args) => cmd::datasets::execute(&args),
        Command::Paper(args) => cmd::paper::execute(&args, run),
        Command::Demo(args) => cmd::demo::execute(&args, run),
        Command::Completions { .. } => Ok(()),
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}
