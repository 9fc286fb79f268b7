//! The file formats there are, and how a path or a word names one.

use crate::error::{Advice, Text};
use crate::{Error, Result};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A format in which points are read and, unless it is raw, written.
///
/// ```
/// use std::path::Path;
/// use truefold::io::Format;
///
/// assert_eq!(Format::from_path(Path::new("data/rolls.NPY"))?, Format::Npy);
/// assert_eq!("parquet".parse::<Format>()?, Format::Parquet);
/// assert_eq!(Format::Mat.to_string(), "mat");
///
/// let error = Format::from_path(Path::new("rolls.xlsx")).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "rolls.xlsx: the ending '.xlsx' names no known format; \
///      use .csv, .tsv, .npy, .npz, .parquet, .mat, .fbin, .u8bin, .fvecs or .bvecs, \
///      or name the format of an input with input_format"
/// );
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Separated text; the separator is detected.
    Csv,
    /// Text separated by tabs.
    Tsv,
    /// One NumPy array.
    Npy,
    /// A zip archive of NumPy arrays.
    Npz,
    /// An Apache Parquet table.
    Parquet,
    /// A MATLAB file, version 5 to 7.
    Mat,
    /// Raw 32-bit floats after the numbers of rows and columns; only read.
    Fbin,
    /// Raw bytes after the numbers of rows and columns; only read.
    U8bin,
    /// Raw rows of 32-bit floats, each after its length; only read.
    Fvecs,
    /// Raw rows of bytes, each after its length; only read.
    Bvecs,
}

impl Format {
    /// Every format, in the order in which help texts name them.
    pub const ALL: [Self; 10] = [
        Self::Csv,
        Self::Tsv,
        Self::Npy,
        Self::Npz,
        Self::Parquet,
        Self::Mat,
        Self::Fbin,
        Self::U8bin,
        Self::Fvecs,
        Self::Bvecs,
    ];

    /// The formats that are written too: what they hold reads back as the same bits.
    pub const WRITTEN: [Self; 6] = [Self::Csv, Self::Tsv, Self::Npy, Self::Npz, Self::Parquet, Self::Mat];

    /// The format that the ending of `path` names, in either case; an error where this build does not have it.
    pub fn from_path(path: &Path) -> Result<Self> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned());
        if let Some(format) = ending.as_deref().and_then(Self::from_word) {
            return format.available(path);
        }
        let problem = match ending {
            Some(ending) => format!("the ending '.{ending}' names no known format"),
            None => "the name has no ending that names a format".into(),
        };
        let advice = Text::from(format!("use {}, or name the format of an input with ", Self::endings(&Self::ALL)));
        Err(Error::file(path, problem, Advice::mend_file(advice.name("input_format"))))
    }

    /// The same for a file that is to be written; an error where the format is only read.
    ///
    /// ```
    /// use std::path::Path;
    /// use truefold::io::Format;
    ///
    /// let error = Format::for_writing(Path::new("y.fbin")).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "y.fbin: .fbin files are only read, not written; use .csv, .tsv, .npy, .npz, .parquet or .mat"
    /// );
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn for_writing(path: &Path) -> Result<Self> {
        let format = Self::from_path(path)?;
        if Self::WRITTEN.contains(&format) {
            return Ok(format);
        }
        let advice = Advice::mend_file(format!("use {}", Self::endings(&Self::WRITTEN)));
        Err(Error::file(path, format!(".{format} files are only read, not written"), advice))
    }

    /// The feature of the crate that reads and writes the format, and whether this build has it.
    fn feature(self) -> (&'static str, bool) {
        match self {
            Self::Csv | Self::Tsv => ("csv", cfg!(feature = "csv")),
            Self::Npy | Self::Fbin | Self::U8bin | Self::Fvecs | Self::Bvecs => ("", true),
            Self::Npz => ("npz", cfg!(feature = "npz")),
            Self::Parquet => ("parquet", cfg!(feature = "parquet")),
            Self::Mat => ("mat", cfg!(feature = "mat")),
        }
    }

    /// The format, if this build has it.
    pub(super) fn available(self, path: &Path) -> Result<Self> {
        if self.feature().1 { Ok(self) } else { Err(self.left_out(path)) }
    }

    /// The error of a format that this build does not have.
    pub(super) fn left_out(self, path: &Path) -> Error {
        let problem = format!("this build neither reads nor writes .{self} files");
        let advice = format!("enable the feature `{}` of the crate truefold", self.feature().0);
        Error::file(path, problem, Advice::mend_file(advice))
    }

    /// The ending of the format's files, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Npy => "npy",
            Self::Npz => "npz",
            Self::Parquet => "parquet",
            Self::Mat => "mat",
            Self::Fbin => "fbin",
            Self::U8bin => "u8bin",
            Self::Fvecs => "fvecs",
            Self::Bvecs => "bvecs",
        }
    }

    /// The endings of these formats as a clause: `.csv, .tsv, .npy, .npz, .parquet or .mat`.
    pub fn endings(formats: &[Self]) -> String {
        let dotted: Vec<String> = formats.iter().map(|format| format!(".{format}")).collect();
        match dotted.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }

    /// The format whose files begin with these bytes, if they show it.
    pub(super) fn from_first_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\x93NUMPY") {
            Some(Self::Npy)
        } else if bytes.starts_with(b"PK\x03\x04") {
            Some(Self::Npz)
        } else if bytes.starts_with(b"PAR1") {
            Some(Self::Parquet)
        } else if bytes.starts_with(b"MATLAB 5") {
            Some(Self::Mat)
        } else {
            None
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.ending().eq_ignore_ascii_case(word))
    }
}

impl FromStr for Format {
    type Err = Error;

    /// The ending, with or without its dot.
    fn from_str(word: &str) -> Result<Self> {
        Self::from_word(word.strip_prefix('.').unwrap_or(word)).ok_or_else(|| Error::Unknown {
            kind: "format",
            given: word.into(),
            suggestions: Vec::new(),
            known: Self::ALL.iter().map(Self::to_string).collect(),
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.ending())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_found_by_its_own_ending() {
        for format in Format::ALL.into_iter().filter(|format| format.feature().1) {
            assert_eq!(Format::from_path(Path::new(&format!("a.b.{format}"))).unwrap(), format);
            assert_eq!(format!(".{format}").parse::<Format>().unwrap(), format);
        }
    }

    #[test]
    fn a_format_that_was_left_out_names_its_feature() {
        let error = Format::Parquet.left_out(Path::new("a.parquet")).to_string();
        assert_eq!(
            error,
            "a.parquet: this build neither reads nor writes .parquet files; enable the feature `parquet` of the crate truefold"
        );
        for format in Format::ALL {
            let path = format!("a.{format}");
            assert_eq!(Format::from_path(Path::new(&path)).is_ok(), format.feature().1, "{format}");
        }
    }

    #[test]
    fn no_ending_is_a_clear_error() {
        let error = Format::from_path(Path::new("points")).unwrap_err().to_string();
        assert!(error.starts_with("points: the name has no ending that names a format; use .csv, .tsv"), "{error}");
        let error = "hdf5".parse::<Format>().unwrap_err().to_string();
        assert_eq!(
            error,
            "there is no format named 'hdf5'; there are csv, tsv, npy, npz, parquet, mat, fbin, u8bin, fvecs, bvecs"
        );
    }
}
