//! Pictures that belong to the points: files, or pictures written out as text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use truefold::{Error, Result};

/// How files of the kinds that every browser shows begin, and what the page calls them.
const KINDS: [(&[u8], &str); 2] = [(b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg")];

/// A picture for each point, PNG or JPEG: the path of a file, or a data URI; an empty text where a point has none.
///
/// ```
/// use truefold_report::Gallery;
///
/// let dot = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";
/// let gallery = Gallery::new(vec![dot.into(), String::new()], ".")?;
/// assert_eq!(gallery.len(), 2);
/// assert!(Gallery::new(vec!["no-such-file.png".into()], ".").is_err());
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gallery {
    pictures: Vec<Source>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    None,
    Text(String),
    File { path: PathBuf, kind: &'static str, size: usize },
}

impl Gallery {
    /// From one text per point; paths are relative to `folder`. An error unless every picture is there.
    pub fn new(texts: Vec<String>, folder: impl AsRef<Path>) -> Result<Self> {
        let pictures = texts.into_iter().enumerate().map(|(row, text)| Source::new(text, folder.as_ref(), row));
        Ok(Self { pictures: pictures.collect::<Result<_>>()? })
    }

    /// The number of points that it was made for.
    #[expect(clippy::len_without_is_empty, reason = "it is that of the points, of which there is at least one")]
    pub fn len(&self) -> usize {
        self.pictures.len()
    }

    /// How many letters the picture of a row takes on a page; 0 where it has none.
    pub(crate) fn letters(&self, row: usize) -> usize {
        match &self.pictures[row] {
            Source::None => 0,
            Source::Text(text) => text.len(),
            Source::File { size, .. } => size.div_ceil(3) * 4,
        }
    }

    /// The picture of a row as a data URI.
    pub(crate) fn picture(&self, row: usize) -> Result<String> {
        match &self.pictures[row] {
            Source::None => Ok(String::new()),
            Source::Text(text) => Ok(text.clone()),
            Source::File { path, kind, .. } => {
                let bytes = std::fs::read(path).map_err(|cause| unreadable(path, row, cause))?;
                Ok(format!("data:{kind};base64,{}", STANDARD.encode(bytes)))
            }
        }
    }
}

impl Source {
    fn new(text: String, folder: &Path, row: usize) -> Result<Self> {
        if text.is_empty() {
            return Ok(Self::None);
        }
        if text.starts_with("data:") {
            let letter = |letter: u8| letter.is_ascii_alphanumeric() || b"+/=".contains(&letter);
            let is_picture = |kind: &str| {
                let rest = text.strip_prefix(&format!("data:{kind};base64,"));
                rest.is_some_and(|rest| rest.bytes().all(letter))
            };
            return match KINDS.iter().any(|(_, kind)| is_picture(kind)) {
                true => Ok(Self::Text(text)),
                false => Err(Error::data(
                    format!("the picture of row {} is no PNG or JPEG in base 64", row + 1),
                    "begin it with data:image/png;base64, or data:image/jpeg;base64,",
                )),
            };
        }
        let path = folder.join(text);
        let mut start = Vec::new();
        let file = File::open(&path).map_err(|cause| unreadable(&path, row, cause))?;
        let size = file.metadata().map_err(|cause| unreadable(&path, row, cause))?.len() as usize;
        file.take(4).read_to_end(&mut start).map_err(|cause| unreadable(&path, row, cause))?;
        match KINDS.iter().find(|(first, _)| start.starts_with(first)) {
            Some(&(_, kind)) => Ok(Self::File { path, kind, size }),
            None => Err(Error::file(
                &path,
                format!("is no PNG or JPEG file, but the picture of row {}", row + 1),
                "save it as one of these",
            )),
        }
    }
}

fn unreadable(path: &Path, row: usize, cause: std::io::Error) -> Error {
    Error::file(
        path,
        format!("cannot be read, but is the picture of row {}", row + 1),
        "give paths relative to the data file",
    )
    .caused_by(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_become_text_and_what_is_no_picture_is_told() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.png"), b"\x89PNG\r\n\x1a\nrest").unwrap();
        std::fs::write(folder.path().join("b.gif"), b"GIF89a").unwrap();
        let gallery = Gallery::new(vec!["a.png".into(), String::new()], folder.path()).unwrap();
        let text = gallery.picture(0).unwrap();
        assert_eq!(text, "data:image/png;base64,iVBORw0KGgpyZXN0");
        assert_eq!((gallery.letters(0), gallery.letters(1), gallery.picture(1).unwrap().len()), (16, 0, 0));
        let said = |text: &str| Gallery::new(vec![String::new(), text.into()], folder.path()).unwrap_err().to_string();
        assert!(said("b.gif").contains("is no PNG or JPEG file, but the picture of row 2"));
        assert!(said("c.png").contains("cannot be read, but is the picture of row 2"));
        assert!(said("data:text/html,<b>").contains("the picture of row 2 is no PNG or JPEG in base 64"));
        assert!(said("data:image/png;base64,<b>").contains("no PNG or JPEG"));
    }
}
