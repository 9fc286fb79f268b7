//! What the tool calls the things that a user can set: the options of the command, as they are typed.

use clap::CommandFactory;
use std::sync::OnceLock;
use truefold::error::{Name, Vocabulary};

/// The options of one command, listed when the first of them is to be named: most runs name none.
#[derive(Debug, Default)]
pub(crate) struct Flags {
    command: Option<String>,
    known: OnceLock<Known>,
}

/// What a command takes.
#[derive(Debug)]
struct Known {
    options: Vec<String>,
    /// What stands before a parameter of a method, where the command takes any: `--set ` or `--set METHOD.`.
    setting: Option<&'static str>,
}

impl Flags {
    /// The options of the command of this name.
    pub(crate) fn of(command: Option<&str>) -> Self {
        Self { command: command.map(str::to_owned), known: OnceLock::new() }
    }

    fn known(&self) -> &Known {
        self.known.get_or_init(|| {
            let tool = crate::args::Cli::command();
            let command = self.command.as_ref().and_then(|name| tool.find_subcommand(name));
            let arguments = tool.get_arguments().chain(command.into_iter().flat_map(clap::Command::get_arguments));
            let options: Vec<String> = arguments.filter_map(|argument| Some(argument.get_long()?.to_owned())).collect();
            let setting = options.iter().any(|option| option == "set").then(|| {
                let of_methods = options.iter().any(|option| option == "methods");
                if of_methods { "--set METHOD." } else { "--set " }
            });
            Known { options, setting }
        })
    }

    /// The option as it is typed, where the command has it.
    fn flag(&self, plain: &str) -> Option<String> {
        let long = plain.replace(['_', ' '], "-");
        self.known().options.contains(&long).then(|| format!("--{long}"))
    }

    /// A parameter as it is typed, where the command takes parameters of methods or of data sets.
    fn setting(&self, name: &Name) -> Option<String> {
        match (name, self.known().setting) {
            // The method is in the name already.
            (Name::Setting(plain), Some(_)) if plain.contains('.') => Some(format!("--set {plain}")),
            (Name::Setting(plain), Some(before)) => Some(format!("{before}{plain}")),
            // What to do with a graph in several components is typed like a parameter of the method.
            (name, Some(before)) if name.plain() == "components" => Some(format!("{before}components")),
            _ => None,
        }
    }
}

impl Vocabulary for Flags {
    fn name(&self, name: &Name) -> String {
        let typed = self.setting(name).or_else(|| self.flag(name.plain()));
        typed.unwrap_or_else(|| name.plain().to_owned())
    }

    fn given(&self, name: &Name, value: &str) -> String {
        match (self.setting(name), self.flag(name.plain())) {
            (Some(setting), _) => format!("{setting}={value}"),
            (None, Some(flag)) => format!("{flag} {value}"),
            (None, None) => format!("{} = {value}", name.plain()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use truefold::error::Text;

    #[test]
    fn what_a_command_has_is_named_as_it_is_typed() {
        let (embed, compare, denoise) =
            (Flags::of(Some("embed")), Flags::of(Some("compare")), Flags::of(Some("denoise")));
        assert_eq!(embed.given(&"k".into(), "3"), "--k 3");
        assert_eq!(embed.given(&Name::setting("reg"), "-1"), "--set reg=-1");
        assert_eq!(embed.given(&"components".into(), "error"), "--set components=error");
        assert_eq!(compare.name(&Name::setting("reg")), "--set METHOD.reg");
        assert_eq!(denoise.given(&Name::setting("tangent_k"), "2"), "--tangent-k 2");
        assert_eq!(denoise.given(&"k".into(), "3"), "k = 3", "an option that the command does not have");
        let advice = Text::of("leave it out with {drop_columns}, or use {set tear=false} and {threads}");
        assert_eq!(advice.worded(&embed), "leave it out with --drop-columns, or use --set tear=false and --threads");
    }
}
