//! Which points a page shows when there are too many: the most distorted of every embedding, some of every label, and
//! the rest spread evenly over labels and places.

use crate::Report;
use crate::labels::Labels;
use truefold::Points;

/// The most points that a page shows.
pub(crate) const MOST: usize = 200_000;
/// One in so many of the points shown is there because it is distorted.
const DISTORTED: usize = 10;
/// So many of each label are shown, where labels are few enough.
const OF_EACH_LABEL: usize = 20;

/// The rows that a page of at most `most` points shows, in order; none where it shows all `count` of them.
pub(crate) fn shown(report: &Report<'_>, count: usize, labels: Option<&Labels>, most: usize) -> Option<Vec<u32>> {
    if count <= most {
        return None;
    }
    let mut taken = vec![false; count];
    take_distorted(report, most / DISTORTED, &mut taken);
    if let Some(labels) = labels.filter(|labels| labels.names.len() * OF_EACH_LABEL <= most / DISTORTED) {
        let mut left = vec![OF_EACH_LABEL; labels.names.len()];
        for (row, &code) in labels.codes.iter().enumerate() {
            if left[code as usize] > 0 {
                left[code as usize] -= 1;
                taken[row] = true;
            }
        }
    }
    // The others are sorted by label and place, and taken at even distances.
    let places =
        report.input.filter(|input| input.dim() <= 3).or_else(|| report.whole_panel().map(|panel| panel.points));
    let places = places.map(|points| (points, Scale::of(points)));
    let key = |row: u32| {
        let place = places.as_ref().map_or(0, |(points, scale)| scale.place(points.row(row as usize)));
        (labels.map_or(0, |labels| labels.codes[row as usize]), place, row)
    };
    let mut others: Vec<(u32, u64, u32)> = (0..count as u32).filter(|&row| !taken[row as usize]).map(key).collect();
    others.sort_unstable();
    let wanted = most - (count - others.len());
    for place in 0..wanted {
        taken[others[place * others.len() / wanted].2 as usize] = true;
    }
    Some((0..count as u32).filter(|&row| taken[row as usize]).collect())
}

/// Takes the most distorted points, as many of each embedding.
fn take_distorted(report: &Report<'_>, most: usize, taken: &mut [bool]) {
    let panels: Vec<_> = report.panels.iter().filter_map(|panel| Some((panel, panel.channels.first()?))).collect();
    for (panel, channel) in &panels {
        for &own in channel.worst_first().iter().take(most / panels.len()) {
            taken[panel.rows.map_or(own, |rows| rows[own as usize]) as usize] = true;
        }
    }
}

/// Cells of a grid over the first coordinates, numbered so that near cells have near numbers.
struct Scale {
    low: Vec<f64>,
    unit: f64,
}

/// Cells along each axis, as a power of two.
const BITS: u32 = 10;

impl Scale {
    fn of(points: &Points) -> Self {
        let dim = points.dim().min(3);
        let (mut low, mut high) = (points.row(0)[..dim].to_vec(), points.row(0)[..dim].to_vec());
        for row in points.rows() {
            for axis in 0..dim {
                low[axis] = low[axis].min(row[axis]);
                high[axis] = high[axis].max(row[axis]);
            }
        }
        let extent = low.iter().zip(&high).map(|(low, high)| high / 2.0 - low / 2.0).fold(0.0, f64::max);
        Self { low, unit: if extent > 0.0 { extent } else { 1.0 } }
    }

    /// The cell of a point: the bits of its coordinates in turn.
    fn place(&self, row: &[f64]) -> u64 {
        let cells = f64::from((1_u32 << BITS) - 1);
        let mut place = 0;
        let cell = |axis: usize| ((row[axis] / 2.0 - self.low[axis] / 2.0) / self.unit * cells) as u64;
        let along: Vec<u64> = (0..self.low.len()).map(cell).collect();
        for bit in (0..BITS).rev() {
            for &cell in &along {
                place = place << 1 | cell >> bit & 1;
            }
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Channel, Panel};

    #[test]
    fn a_sample_keeps_the_worst_and_some_of_every_label() {
        let count = 5000;
        let input = Points::new(count, 1, (0..count).map(|row| row as f64).collect()).unwrap();
        let distortion: Vec<f64> = (0..count).map(|row| if row % 100 == 7 { 1.0 } else { 0.1 }).collect();
        let channels = vec![Channel::new("R_N", &distortion)];
        let panel = Panel { channels, ..Panel::new("p", &input) };
        let report = Report { input: Some(&input), panels: vec![panel], ..Report::default() };
        let texts: Vec<String> = (0..count).map(|row| if row < 30 { "rare" } else { "common" }.to_owned()).collect();
        let labels = Labels::new(&texts);
        assert_eq!(shown(&report, count, Some(&labels), count), None);
        let rows = shown(&report, count, Some(&labels), 1000).unwrap();
        assert_eq!(rows.len(), 1000);
        assert!(rows.is_sorted());
        assert!((7..count as u32).step_by(100).all(|row| rows.contains(&row)));
        assert!(rows.iter().filter(|&&row| row < 30).count() >= OF_EACH_LABEL);
        // The rest is spread evenly: no stretch of the line is empty.
        assert!(rows.windows(2).all(|pair| pair[1] - pair[0] < 12));
        assert_eq!(shown(&report, count, Some(&labels), 1000), Some(rows));
    }

    #[test]
    fn near_points_have_near_places() {
        let points = Points::from_rows(&[[0.0, 0.0], [1.0, 1.0], [0.999, 1.0], [f64::MAX / 1e300, 0.0]]).unwrap();
        let scale = Scale::of(&points);
        let place = |row: usize| scale.place(points.row(row));
        assert!(place(1) >= place(2) && place(3) > place(1) && place(0) == 0);
    }
}
