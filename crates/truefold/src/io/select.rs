//! The columns of a file: which are coordinates, which one names the points, which one labels them, which are left out.

use super::ReadOptions;
use crate::error::{Advice, Place, Text};
use crate::names::near_misses;
use crate::{Error, Points, Result};
use std::path::Path;

/// The name of the column of ids, when written; recognized when read.
pub(super) const ID: &str = "point_id";
/// The name of the column of labels, when written; recognized when read.
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
            let advice = "name fewer of them in {id_column}, {label_column} and {drop_columns}";
            let problem = format!("no coordinates are left of its {count} columns");
            return Err(Error::file(path, problem, Advice::change("drop_columns", advice)));
        }
        Ok(selection)
    }

    /// Gives the column of exactly this name a role, unless it has one already or another column has this role.
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
            let advice = "name it in only one of {id_column}, {label_column} and {drop_columns}";
            let error = Error::file(self.path, "has two uses", Advice::change("drop_columns", advice));
            return Err(error.at(self.column(column)));
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
                    format!("and column {} have the same name", second + 1),
                    Advice::mend_file("name the column by its number"),
                )
                .at(self.column(first))),
            };
        }
        match given.parse::<usize>() {
            Ok(number) if (1..=self.roles.len()).contains(&number) => Ok(number - 1),
            _ => {
                let problem = format!("there is no column '{given}'");
                Err(Error::file(self.path, problem, Advice::mend_file(self.suggest(given))))
            }
        }
    }

    fn suggest(&self, given: &str) -> String {
        let count = self.roles.len();
        let Some(names) = &self.names else {
            return format!("the columns have no names: give a number from 1 to {count}");
        };
        let near: Vec<String> = near_misses(given, names).iter().map(|name| format!("'{name}'")).collect();
        if !near.is_empty() {
            return format!("did you mean {}?", near.join(" or "));
        }
        let shown: Vec<String> = names.iter().take(12).map(|name| format!("'{name}'")).collect();
        let more = if count > shown.len() { format!(" and {} more", count - shown.len()) } else { String::new() };
        format!("the columns are {}{more}; a number from 1 to {count} also names one", shown.join(", "))
    }

    /// The roles, column by column.
    pub(super) fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// The number of coordinates.
    pub(super) fn dim(&self) -> usize {
        self.roles.iter().filter(|&&role| role == Role::Coordinate).count()
    }

    /// The place of a cell, with the name of its column.
    pub(super) fn cell(&self, row: usize, column: usize) -> Place {
        Place::cell(row, column).in_column_named(self.name(column))
    }

    /// The place of a column, with its name.
    pub(super) fn column(&self, column: usize) -> Place {
        Place::column(column).in_column_named(self.name(column))
    }

    fn name(&self, column: usize) -> &str {
        self.names.as_ref().map_or("", |names| &names[column])
    }

    /// The error of text in a place where a number is needed.
    pub(super) fn text(&self, place: Place, value: &str) -> Error {
        let problem = format!("holds the text '{}', but a number is needed", shorten(value));
        let advice = "declare the column with {id_column} or {label_column}, or leave it out with {drop_columns}";
        Error::file(self.path, problem, Advice::leave_out("drop_columns", advice)).at(place)
    }

    /// The error of a place where a number is needed and there is none, or one that is not finite.
    pub(super) fn missing(&self, place: Place, value: &str) -> Error {
        let found = if value.is_empty() { "is empty".to_owned() } else { format!("holds {}", shorten(value)) };
        self.not_a_number(place, found.into())
    }

    fn not_a_number(&self, place: Place, found: Text) -> Error {
        let advice = "fill it, remove the row, or leave the column out with {drop_columns}";
        let problem = found.and(", but a finite number is needed");
        Error::file(self.path, problem, Advice::leave_out("drop_columns", advice)).at(place)
    }

    /// The points that the coordinates make, with the texts of the other columns.
    pub(super) fn points(
        self,
        points: Result<Points>,
        ids: Option<Vec<String>>,
        labels: Option<Vec<String>>,
    ) -> Result<Points> {
        match points {
            Ok(points) => self.with_texts(points, ids, labels),
            Err(error) => Err(self.about_coordinates(error)),
        }
    }

    /// The points with the texts of the other columns and the names of the coordinates.
    pub(super) fn with_texts(
        self,
        points: Points,
        ids: Option<Vec<String>>,
        labels: Option<Vec<String>>,
    ) -> Result<Points> {
        let Self { path, names, roles } = self;
        let build = move || {
            let points = if let Some(ids) = ids { points.with_ids(ids)? } else { points };
            let points = if let Some(labels) = labels { points.with_labels(labels)? } else { points };
            let Some(names) = names else { return Ok(points) };
            let coordinates = names.into_iter().zip(roles).filter(|(_, role)| *role == Role::Coordinate);
            points.with_columns(coordinates.map(|(name, _)| name).collect())
        };
        build().map_err(|error| in_file(path, error))
    }

    /// An error of the coordinates as one of the file, with the column that the coordinate has there.
    fn about_coordinates(&self, error: Error) -> Error {
        if let Error::Data { place: Some(place), problem, .. } = &error
            && let (Some(row), Some(coordinate)) = (place.row, place.column)
        {
            let mut columns = (0..self.roles.len()).filter(|&column| self.roles[column] == Role::Coordinate);
            return self.not_a_number(self.cell(row, columns.nth(coordinate).unwrap_or_default()), problem.clone());
        }
        in_file(self.path, error)
    }
}

/// Names the file in an error about its data.
pub(super) fn in_file(path: &Path, error: Error) -> Error {
    match error {
        Error::Data { place, problem, advice } => {
            let error = Error::file(path, problem, *advice);
            if let Some(place) = place { error.at(*place) } else { error }
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
