//! The tool as it is published, and the archive around it.

use super::version;
use crate::debian;
use crate::project::{cargo, command, root, succeed, target, works};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The shells that have completions.
const SHELLS: [(&str, &str); 4] =
    [("bash", "truefold.bash"), ("zsh", "_truefold"), ("fish", "truefold.fish"), ("powershell", "_truefold.ps1")];

/// What goes with the tool, from the folder of the project.
const BESIDE: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// The target that the tool is compiled for: on Linux one whose programs need nothing of the system.
fn triple() -> Option<String> {
    cfg!(target_os = "linux").then(|| format!("{}-unknown-linux-musl", std::env::consts::ARCH))
}

/// Folders of this machine, of which nothing may be left in a program.
pub fn folders() -> Result<Vec<PathBuf>> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let registry = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| home.map(|home| home.join(".cargo")));
    Ok([Some(root()?), registry].into_iter().flatten().collect())
}

/// The flags of the compiler that cut these folders from messages.
pub fn flags() -> Result<String> {
    let cut = |(folder, name): (&PathBuf, &str)| format!("--remap-path-prefix={}={name}", folder.display());
    Ok(folders()?.iter().zip(["truefold", "crates"]).map(cut).collect::<Vec<_>>().join(" "))
}

/// Compiles the tool as it is published, and gives its path.
pub fn build() -> Result<PathBuf> {
    let mut build = cargo(&["build", "--quiet", "--locked", "--profile", "dist", "--package", "truefold-cli"])?;
    build.env("RUSTFLAGS", flags()?);
    let name = format!("truefold{}", std::env::consts::EXE_SUFFIX);
    let Some(triple) = triple() else {
        succeed(build)?;
        return Ok(target()?.join("dist").join(name));
    };
    require(&triple)?;
    build.args(["--target", &triple]);
    succeed(build)?;
    Ok(target()?.join(triple).join("dist").join(name))
}

/// Adds the target, and the compiler of C for it, unless they are there.
fn require(triple: &str) -> Result<()> {
    succeed(command("rustup", &["--quiet", "target", "add", triple])?)
        .with_context(|| format!("the target {triple} could not be added"))?;
    if works(command("musl-gcc", &["--version"])?) {
        return Ok(());
    }
    match debian::install("musl-tools")? {
        Ok(()) => Ok(()),
        Err(reason) => bail!("there is no musl-gcc, which compiles C for {triple}: {reason}"),
    }
}

/// The archive of the tool with its manual pages and completions.
pub fn pack(tool: &Path, folder: &Path) -> Result<()> {
    let system = triple().unwrap_or_else(|| format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS));
    let name = format!("truefold-{}-{system}", version());
    let inside = target()?.join("release-archive").join(&name);
    if inside.exists() {
        fs::remove_dir_all(&inside).context("the archive made before cannot be removed")?;
    }
    for part in ["man", "completions"] {
        fs::create_dir_all(inside.join(part))?;
    }
    fs::copy(tool, inside.join(tool.file_name().unwrap_or_default()))?;
    for file in BESIDE {
        fs::copy(root()?.join(file), inside.join(file)).with_context(|| format!("cannot copy {file}"))?;
    }
    fs::write(inside.join("man").join("truefold.1"), page(tool, &["man"])?)?;
    for word in commands(tool)? {
        fs::write(inside.join("man").join(format!("truefold-{word}.1")), page(tool, &["man", &word])?)?;
    }
    for (shell, file) in SHELLS {
        fs::write(inside.join("completions").join(file), output(tool, &["completions", shell])?)?;
    }
    // The same files make the same archive.
    let words = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=2000-01-01 00:00Z"];
    let mut tar = command("tar", if cfg!(target_os = "linux") { &words } else { &[] })?;
    tar.arg("-czf").arg(folder.join(format!("{name}.tar.gz"))).arg("-C").arg(inside.with_file_name("")).arg(&name);
    tar.env("GZIP", "-n");
    succeed(tar)
}

/// A manual page, which must be one.
fn page(tool: &Path, words: &[&str]) -> Result<Vec<u8>> {
    let text = output(tool, words)?;
    if !text.windows(4).any(|bytes| bytes == b".TH ") {
        bail!("`truefold {}` printed no manual page", words.join(" "));
    }
    Ok(text)
}

/// The commands of the tool, by its help.
fn commands(tool: &Path) -> Result<Vec<String>> {
    let help = String::from_utf8(output(tool, &["--help"])?)?;
    let list = help.split_once("Commands:\n").and_then(|(_, rest)| rest.split_once("\n\n")).context("no commands")?.0;
    let name = |line: &str| Some(line.strip_prefix("  ")?.split(' ').next()?.to_owned());
    Ok(list.lines().filter_map(name).filter(|name| !name.is_empty() && name != "help").collect())
}

/// What the tool prints.
fn output(tool: &Path, words: &[&str]) -> Result<Vec<u8>> {
    let done = command(tool, words)?.stderr(Stdio::inherit()).output()?;
    if !done.status.success() {
        bail!("`truefold {}` ended with {}", words.join(" "), done.status);
    }
    Ok(done.stdout)
}
