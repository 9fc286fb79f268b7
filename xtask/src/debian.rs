//! Packages of the system, on Debian and systems like it, if they may be installed.

use crate::project::{command, works};
use anyhow::Result;

/// Installs `package` without questions; the reason when that is not possible.
///
/// The output of the package manager is dropped: only its success matters.
pub fn install(package: &str) -> Result<Result<(), String>> {
    if !works(command("apt-get", &["--version"])?) {
        return Ok(Err(format!("this system has no apt-get to install {package} with")));
    }
    let prefix: &[&str] = if is_root()? {
        &[]
    } else if works(command("sudo", &["-n", "true"])?) {
        &["sudo", "-n"]
    } else {
        return Ok(Err(format!("installing {package} needs root or sudo without a password")));
    };
    let apt = |words: &[&str]| -> Result<bool> {
        let line = [prefix, &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"], words].concat();
        Ok(works(command(line[0], &line[1..])?))
    };
    // An update may fail for a source that does not matter here; the installation decides.
    apt(&["update"])?;
    if apt(&["install", "-y", "--no-install-recommends", package])? {
        return Ok(Ok(()));
    }
    Ok(Err(format!("apt-get could not install {package}")))
}

fn is_root() -> Result<bool> {
    Ok(command("id", &["-u"])?.output().is_ok_and(|output| output.stdout.trim_ascii() == b"0"))
}
