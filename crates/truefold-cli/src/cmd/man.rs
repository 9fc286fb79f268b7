//! `truefold man`: manual pages, as `man` reads them.

use crate::command;
use std::io::Write;
use truefold::Error;

/// Prints the page of the tool, or of one of its commands.
pub(crate) fn execute(of: Option<&str>) -> anyhow::Result<()> {
    let mut tool = command();
    // Options of all commands and the names of pages are known after this.
    tool.build();
    let page = match of {
        None => clap_mangen::Man::new(tool),
        Some(name) => {
            let Some(found) = tool.find_subcommand(name) else {
                let known = tool.get_subcommands().map(|command| command.get_name().to_owned()).collect();
                let given = name.to_owned();
                return Err(Error::Unknown { kind: "command", given, suggestions: Vec::new(), known }.into());
            };
            clap_mangen::Man::new(found.clone())
        }
    };
    let mut text = Vec::new();
    page.render(&mut text)?;
    Ok(std::io::stdout().lock().write_all(&text)?)
}
