//! Which columns of a file are coordinates, which names the points, which labels them, and which is left out.

use super::ReadOptions;
use crate::{Error, Points, Result};
use std::path::Path;

/// The name under which ids are written where columns have names; read back as ids without being asked.
pub(super) const ID: &str = "point_id";
/// The name under which labels are written where columns have names; read back as labels without being asked.
pub(super) const LABEL: &str = "point_label";
/// What pandas calls the index of a data frame in a Parquet file.
pub(super) const PANDAS_INDEX: &str = "__index_level_0__";

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Coordinate,
    Id,
    Label,
    Left,
}

/// The columns of one file with their names and roles.
pub(super) struct Selection<'a> {
    path: &'a Path,
    names: Option<Vec<String>>,
    roles: Vec<Role>,
}

impl<'a> Selection<'a> {
    /// Finds the columns that `options` names among `count` columns.
    pub(super) fn new(path: &'a Path, names: Option<Vec<String>>, count: usize, options: &ReadOptions) -> Result<Self> {
        let mut selection = Self { path, names, roles: vec![Role::Coordinate; count] };
        let asked = [(&options.id_column, Role::Id), (&options.label_column, Role::Label)];
        for (given, role) in asked.into_iter().filter_map(|(given, role)| Some((given.as_ref()?, role))) {
            selection.assign(given, role)?;
        }
        for given in &options.drop_columns {
            selection.assign(given, Role::Left)?;
        }
        selection.recognize(ID, Role::Id);
        selection.recognize(LABEL, Role::Label);
        // Spreadsheet programs, R and pandas write the names of rows under an empty heading.
        if selection.names.as_ref().is_some_and(|names| names[0].is_empty() && names.iter().any(|n| !n.is_empty())) {
            selection.recognize("", Role::Id);
        }
        if !selection.roles.contains(&Role::Coordinate) {
            return Err(Error::file(
                path,
                format!("no coordinates are left of its {count} columns"),
                "name fewer of them in --id-column, --label-column and --drop-columns",
            ));
        }
        Ok(selection)
    }

    /// Gives the column with exactly this name a role, unless it has one; ids and labels that were asked for win.
    pub(super) fn recognize(&mut self, name: &str, role: Role) {
        let Some(column) = self.names.as_ref().and_then(|names| names.iter().position(|known| known == name)) else {
            return;
        };
        if self.roles[column] == Role::Coordinate {
            self.roles[column] = if self.roles.contains(&role) { Role::Left } else { role };
        }
    }

    fn assign(&mut self, given: &str, role: Role) -> Result<()> {
        let column = self.find(given)?;
        if self.roles[column] != Role::Coordinate {
            return Err(Error::file(
                self.path,
                format!("the column '{given}' is asked for twice"),
                "name it in only one of --id-column, --label-column and --drop-columns",
            ));
        }
        self.roles[column] = role;
        Ok(())
    }

    fn find(&self, given: &str) -> Result<usize> {
        let names = self.names.as_deref().unwrap_or_default();
        let mut named = (0..names.len()).filter(|&column| names[column] == given);
        if let Some(first) = named.next() {
            return match named.next() {
                None => Ok(first),
                Some(second) => Err(Error::file(
                    self.path,
                    format!("the columns {} and {} are both named '{given}'", first + 1, second + 1),
                    "name the column by its number",
                )),
            };
        }
        match given.parse::<usize>() {
            Ok(number) if (1..=self.roles.len()).contains(&number) => Ok(number - 1),
            _ => Err(Error::file(self.path, format!("there is no column '{given}'"), self.suggest(given))),
        }
    }

    fn suggest(&self, given: &str) -> String {
        let count = self.roles.len();
        let Some(names) = &self.names else {
            return format!("the columns have no names: give a number from 1 to {count}");
        };
        let wanted = given.to_lowercase();
        let mut near: Vec<(f64, &String)> = names
            .iter()
            .map(|name| (strsim::normalized_damerau_levenshtein(&wanted, &name.to_lowercase()), name))
            .filter(|(likeness, _)| *likeness > 0.5)
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0));
        if !near.is_empty() {
            let near: Vec<String> = near.iter().take(3).map(|(_, name)| format!("'{name}'")).collect();
            return format!("did you mean {}?", near.join(" or "));
        }
        let shown: Vec<String> = names.iter().take(12).map(|name| format!("'{name}'")).collect();
        let more = if count > shown.len() { format!(" and {} more", count - shown.len()) } else { String::new() };
        format!("the columns are {}{more}; a number from 1 to {count} names one too", shown.join(", "))
    }

    /// The roles, column by column.
    pub(super) fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// The number of coordinates.
    pub(super) fn dim(&self) -> usize {
        self.roles.iter().filter(|&&role| role == Role::Coordinate).count()
    }

    /// A cell as messages name it; `row` and `column` count from zero here and from one in the message.
    pub(super) fn place(&self, row: usize, line: Option<usize>, column: usize) -> String {
        let line = line.map_or(String::new(), |line| format!(" (line {line})"));
        format!("row {}{line}, {}", row + 1, self.column(column))
    }

    /// A column as messages name it.
    pub(super) fn column(&self, column: usize) -> String {
        match self.names.as_ref().map(|names| names[column].as_str()) {
            Some(name) if !name.is_empty() => format!("column {} ('{name}')", column + 1),
            _ => format!("column {}", column + 1),
        }
    }

    /// A number was needed and text was found.
    pub(super) fn text(&self, row: usize, line: Option<usize>, column: usize, value: &str) -> Error {
        let problem =
            format!("{} holds the text '{}' where a number is needed", self.place(row, line, column), shorten(value));
        let advice = "declare the column with --id-column or --label-column, or leave it out with --drop-columns";
        Error::file(self.path, problem, advice)
    }

    /// A number was needed and there is none, or one that is not finite.
    pub(super) fn missing(&self, row: usize, line: Option<usize>, column: usize, value: &str) -> Error {
        let found = if value.is_empty() { "is empty".into() } else { format!("holds {}", shorten(value)) };
        let problem = format!("{} {found} where a finite number is needed", self.place(row, line, column));
        Error::file(self.path, problem, "fill it, remove the row, or leave the column out with --drop-columns")
    }

    /// Puts the points together from the coordinates in row order and what was found in the other columns.
    pub(super) fn points(
        self,
        rows: usize,
        values: Vec<f64>,
        ids: Option<Vec<String>>,
        labels: Option<Vec<String>>,
    ) -> Result<Points> {
        let dim = self.dim();
        if dim > 0
            && let Some(at) = values.iter().position(|value| !value.is_finite())
        {
            let coordinates = (0..self.roles.len()).filter(|&column| self.roles[column] == Role::Coordinate);
            let column = coordinates.into_iter().nth(at % dim).unwrap_or_default();
            return Err(self.missing(at / dim, None, column, &values[at].to_string()));
        }
        let (path, roles) = (self.path, self.roles);
        let names = self.names.map(|names| {
            let kept = names.into_iter().zip(roles).filter(|(_, role)| *role == Role::Coordinate);
            kept.map(|(name, _)| name).collect()
        });
        let build = || {
            let mut points = Points::new(rows, dim, values)?;
            if let Some(ids) = ids {
                points = points.with_ids(ids)?;
            }
            if let Some(labels) = labels {
                points = points.with_labels(labels)?;
            }
            match names {
                Some(names) => points.with_columns(names),
                None => Ok(points),
            }
        };
        build().map_err(|error| in_file(path, error))
    }
}

/// Names the file in an error about its data.
pub(super) fn in_file(path: &Path, error: Error) -> Error {
    match error {
        Error::Data { place, problem, advice } => {
            let error = Error::file(path, problem, advice);
            if let Some(place) = place { error.at(place) } else { error }
        }
        other => other,
    }
}

/// A value as messages show it: its beginning, on one line.
pub(super) fn shorten(value: &str) -> String {
    let mut shown: String =
        value.chars().take(40).map(|char| if char.is_control() { char::REPLACEMENT_CHARACTER } else { char }).collect();
    if value.chars().nth(40).is_some() {
        shown.push_str("...");
    }
    shown
}
