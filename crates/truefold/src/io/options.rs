//! How a file is to be read, beyond its path.

use super::Format;

/// How to read a file; the default detects everything.
///
/// A column is named as in the header; if no column has that name, by its number, counted from one.
///
/// ```
/// use truefold::io::{ReadOptions, read_from};
///
/// let text = "name,x,y,kind\nana,1,2,a\nbo,3,4,b\n";
/// let options = ReadOptions {
///     id_column: Some("name".into()),
///     label_column: Some("4".into()),
///     ..ReadOptions::default()
/// };
/// let points = read_from(text.as_bytes(), "standard input", &options)?;
/// assert_eq!(points.values(), &[1.0, 2.0, 3.0, 4.0]);
/// assert_eq!(points.ids().unwrap(), &["ana", "bo"]);
/// assert_eq!(points.labels().unwrap(), &["a", "b"]);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format, if the ending of the path does not name it.
    pub format: Option<Format>,
    /// Whether separated text begins with a row of names; detected if left out.
    pub header: Option<bool>,
    /// What separates the cells of text; a blank stands for runs of blanks; detected if left out.
    pub separator: Option<u8>,
    /// The column that names the points.
    pub id_column: Option<String>,
    /// The column that holds a class or other text for each point.
    pub label_column: Option<String>,
    /// Columns to leave out.
    pub drop_columns: Vec<String>,
    /// The array or variable to read from a `.npz` or `.mat` file that holds several.
    pub variable: Option<String>,
}
