//! A browser for the tests of the pages that the tool writes.

use crate::debian;
use anyhow::Result;
use std::path::PathBuf;

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The path of the browser, after installing Debian's Chromium if none is found; or the reason why there is none.
pub fn find_or_install() -> Result<Result<PathBuf, String>> {
    if let Some(path) = find() {
        return Ok(Ok(path));
    }
    println!("installing chromium");
    if let Err(reason) = debian::install("chromium")? {
        return Ok(Err(reason));
    }
    Ok(find().ok_or_else(|| "chromium was installed, but is not on PATH".to_owned()))
}

fn find() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    NAMES.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file()))
}
