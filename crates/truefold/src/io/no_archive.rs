//! Saved models in a build without the feature `npz`: each is refused with the feature's name.

use crate::error::Advice;
use crate::{Error, Points, Result};
use std::path::Path;

const ADVICE: &str = "enable the feature `npz` of the crate truefold";

/// An array to be written.
pub(crate) struct Archived;

impl Archived {
    /// The coordinates of points.
    pub(crate) fn points(_points: &Points) -> Self {
        Self
    }

    /// A list of integers.
    pub(crate) fn whole(_values: &[i64]) -> Self {
        Self
    }
}

/// No archive is written.
pub(crate) fn write_archive(_manifest: &str, _arrays: &[(&str, Archived)]) -> std::io::Result<Vec<u8>> {
    Err(std::io::Error::other(format!("this build saves no models; {ADVICE}")))
}

/// No archive is read.
pub(crate) struct Archive;

impl Archive {
    /// Refuses the archive in `bytes`.
    pub(crate) fn open(_bytes: &[u8], path: &Path, what: &str) -> Result<Self> {
        Err(Error::file(path, format!("this build reads no {what}"), Advice::mend_file(ADVICE)))
    }

    /// Refuses, as there is no archive.
    pub(crate) fn text(&mut self, name: &str) -> Result<String> {
        Err(refused(name))
    }

    /// Refuses, as there is no archive.
    pub(crate) fn real(&mut self, name: &str) -> Result<Vec<f64>> {
        Err(refused(name))
    }

    /// Refuses, as there is no archive.
    pub(crate) fn whole(&mut self, name: &str) -> Result<Vec<i64>> {
        Err(refused(name))
    }
}

fn refused(name: &str) -> Error {
    Error::data(format!("this build reads no '{name}' of a saved model"), Advice::mend_file(ADVICE))
}
