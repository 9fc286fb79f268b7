//! The data as a person can see them: their own coordinates up to three, and principal ones beyond.

use truefold::{Points, Run, embed::Pca};

/// So many points, spread evenly, tell the principal axes.
const FOR_AXES: usize = 4000;

/// A view of some points.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct View {
    /// What is seen.
    pub(crate) caption: String,
    /// The names of its axes.
    pub(crate) axes: Vec<String>,
    /// The coordinates, axis by axis.
    pub(crate) coordinates: Vec<Vec<f64>>,
}

impl View {
    /// Of the points in these rows, or of all.
    pub(crate) fn new(points: &Points, rows: Option<&[u32]>, run: &Run) -> Self {
        let all: Vec<u32> = (0..points.len() as u32).collect();
        let rows = rows.unwrap_or(&all);
        match principal_axes(points, rows, run) {
            Some((center, axes)) => {
                let along = |axis: &Vec<f64>| -> Vec<f64> {
                    let (offset, mut room) = (dot(&center, axis), Vec::new());
                    rows.iter().map(|&row| dot(points.row_in(row as usize, &mut room), axis) - offset).collect()
                };
                Self {
                    caption: format!("The three principal coordinates of {}.", points.dim()),
                    axes: (1..=3).map(|at| format!("PC {at}")).collect(),
                    coordinates: axes.iter().map(along).collect(),
                }
            }
            None => Self::of_coordinates(points, rows),
        }
    }

    fn of_coordinates(points: &Points, rows: &[u32]) -> Self {
        let seen = points.dim().min(3);
        let caption = match points.dim() {
            1 => "The one coordinate, spread across its line by chance.".to_owned(),
            dim if dim > seen => format!("The first three coordinates of {dim}."),
            dim => format!("As they are, in {dim} dimensions."),
        };
        let along = |at: usize| {
            let mut room = Vec::new();
            rows.iter().map(|&row| points.row_in(row as usize, &mut room)[at]).collect()
        };
        Self { caption, axes: axis_names(points, seen), coordinates: (0..seen).map(along).collect() }
    }
}

/// The names of the first `seen` coordinates.
pub(crate) fn axis_names(points: &Points, seen: usize) -> Vec<String> {
    let name = |at: usize| points.columns().map_or_else(|| format!("{}", at + 1), |columns| columns[at].clone());
    (0..seen).map(name).collect()
}

/// The mean and the three principal axes of the points, told by some of them; none where their own coordinates are seen,
/// or where they span fewer directions.
fn principal_axes(points: &Points, rows: &[u32], run: &Run) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    if points.dim() <= 3 || rows.len() <= 3 {
        return None;
    }
    let some = rows.len().min(FOR_AXES);
    let chosen: Vec<u32> = (0..some).map(|at| rows[at * rows.len() / some]).collect();
    let chosen = points.select(&chosen);
    let seen = Pca::project(&chosen, 3, run).ok()?;
    let mut center = vec![0.0; points.dim()];
    for row in chosen.rows() {
        center.iter_mut().zip(row).for_each(|(sum, value)| *sum += value / some as f64);
    }
    let mut axes = vec![vec![0.0; points.dim()]; 3];
    // X'Y has the axes as its columns, each as long as its eigenvalue.
    for (row, place) in chosen.rows().zip(seen.rows()) {
        for (axis, along) in axes.iter_mut().zip(place) {
            axis.iter_mut().zip(row).zip(&center).for_each(|((sum, value), mean)| *sum += (value - mean) * along);
        }
    }
    let lengths: Vec<f64> = axes.iter().map(|axis| dot(axis, axis).sqrt()).collect();
    // What is left of directions that the points do not span is rounding.
    if !lengths.iter().all(|&length| length > 1e-10 * lengths[0] && length.is_finite()) {
        return None;
    }
    for (axis, length) in axes.iter_mut().zip(lengths) {
        axis.iter_mut().for_each(|value| *value /= length);
    }
    Some((center, axes))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_coordinates_are_seen_as_they_are() {
        let points = Points::from_rows(&[[1.0, 2.0], [3.0, 4.0]]).unwrap();
        let view = View::new(&points, Some(&[1]), &Run::new());
        assert_eq!((view.axes, view.coordinates), (vec!["1".into(), "2".into()], vec![vec![3.0], vec![4.0]]));
    }

    #[test]
    fn many_coordinates_are_seen_along_their_principal_axes() {
        // A box of sides 4, 2, 1 in six dimensions: turned so that no coordinate is an axis.
        let corner = |at: usize| [(at & 1) as f64 * 4.0, (at >> 1 & 1) as f64 * 2.0, (at >> 2) as f64];
        let rows: Vec<[f64; 6]> =
            (0..8).map(corner).map(|[a, b, c]| [a, a, b, -b, c, c].map(|value| value / 2_f64.sqrt() + 5.0)).collect();
        let view = View::new(&Points::from_rows(&rows).unwrap(), None, &Run::new());
        for (axis, side) in view.coordinates.iter().zip([4.0, 2.0, 1.0]) {
            assert!(axis.iter().all(|value| (value.abs() - side / 2.0).abs() < 1e-9), "{axis:?}");
        }
        assert_eq!(view.axes, ["PC 1", "PC 2", "PC 3"]);
        // On a line there are no three principal axes.
        let line: Vec<[f64; 4]> = (0..9).map(|at| [f64::from(at); 4]).collect();
        let view = View::new(&Points::from_rows(&line).unwrap(), None, &Run::new());
        assert_eq!(view.coordinates[2], (0..9).map(f64::from).collect::<Vec<_>>());
    }
}
