//! A panel as the scripts are given it: coordinates, channels, verdicts, ellipses and seam of its points that are shown.

use super::channels::pack_values;
use super::pick;
use crate::pack::Blocks;
use crate::view::{View, axis_names};
use crate::{Panel, Verdicts};
use serde_json::{Value, json};
use std::f64::consts::PI;
use truefold::{Result, Tear};

/// The points of a panel that are on the page.
struct Shown {
    /// Their places among the panel's own points, where these are not all.
    own: Option<Vec<u32>>,
    /// Which of the points on the page they are, where the panel has not all of these.
    places: Option<Vec<u32>>,
}

impl Shown {
    /// `rows` are those on the page, of `points` that there are.
    fn new(panel: &Panel<'_>, rows: Option<&[u32]>, points: usize) -> Self {
        let (own, places) = match (panel.rows, rows) {
            (None, None) => (None, None),
            (None, Some(rows)) => (Some(rows.to_vec()), None),
            (Some(own_rows), rows) => {
                let mut place_of = vec![u32::MAX; points];
                match rows {
                    Some(rows) => rows.iter().zip(0..).for_each(|(&row, place)| place_of[row as usize] = place),
                    None => place_of.iter_mut().zip(0..).for_each(|(slot, place)| *slot = place),
                }
                let shown = own_rows.iter().zip(0_u32..).filter(|&(&row, _)| place_of[row as usize] != u32::MAX);
                let (places, own): (Vec<u32>, Vec<u32>) =
                    shown.map(|(&row, own)| (place_of[row as usize], own)).unzip();
                (Some(own), Some(places))
            }
        };
        Self { own, places }
    }
}

/// A panel; its channels are in the order of `names`.
pub(super) fn pack(
    panel: &Panel<'_>,
    rows: Option<&[u32]>,
    points: usize,
    names: &[&str],
    blocks: &mut Blocks,
) -> Result<Value> {
    let shown = Shown::new(panel, rows, points);
    let own = shown.own.as_deref();
    let seen = panel.points.dim().min(3);
    let count = own.map_or(panel.points.len(), <[u32]>::len);
    let row_of = |at: usize| own.map_or(at, |own| own[at] as usize);
    let along = |axis: usize| (0..count).map(move |at| panel.points.row(row_of(at))[axis]);
    let mut channels = Vec::new();
    for name in names {
        let channel = panel.channels.iter().find(|channel| channel.name == *name);
        channels.push(channel.map(|channel| pack_values(channel, own, blocks)).transpose()?);
    }
    Ok(json!({
        "title": panel.title,
        "axes": axis_names(panel.points, seen),
        "dim": panel.points.dim(),
        "coordinates": (0..seen).map(|axis| blocks.add_numbers(along(axis))).collect::<Result<Vec<_>>>()?,
        "places": shown.places.map(|places| blocks.add_indices(places.into_iter())).transpose()?,
        "channels": channels,
        "verdicts": panel.verdicts.as_ref().map(|verdicts| pack_verdicts(verdicts, own, blocks)).transpose()?,
        "ellipses": panel.ellipses.as_ref().map(|all| pack_ellipses(all, own, blocks)).transpose()?,
        "seam": panel.seam.map(|tear| pack_seam(tear, own, panel.points.len(), blocks)).transpose()?,
    }))
}

/// The data as they are seen.
pub(super) fn pack_view(view: &View, blocks: &mut Blocks) -> Result<Value> {
    let coordinates = view.coordinates.iter().map(|values| blocks.add_numbers(values.iter().copied()));
    Ok(json!({
        "title": "the data",
        "axes": view.axes,
        "coordinates": coordinates.collect::<Result<Vec<_>>>()?,
        "places": null,
        "channels": [],
        "verdicts": null,
        "ellipses": null,
        "seam": null,
    }))
}

/// The class of each point, and how many each class has of all points.
fn pack_verdicts(verdicts: &Verdicts<'_>, own: Option<&[u32]>, blocks: &mut Blocks) -> Result<Value> {
    let mut counts = vec![0_usize; verdicts.names.len()];
    verdicts.codes.iter().for_each(|&code| counts[usize::from(code)] += 1);
    Ok(json!({
        "codes": blocks.add(&pick(&verdicts.codes, own).collect::<Vec<u8>>())?,
        "counts": counts,
    }))
}

/// Ellipses as half their axes, the longer one first, and the angle of that one to the first coordinate.
fn pack_ellipses(all: &[[f64; 3]], own: Option<&[u32]>, blocks: &mut Blocks) -> Result<Value> {
    let axes: Vec<[f64; 3]> = pick(all, own).map(half_axes).collect();
    Ok(json!({
        "long": blocks.add_logarithms(axes.iter().map(|axes| axes[0]))?,
        "short": blocks.add_logarithms(axes.iter().map(|axes| axes[1]))?,
        "angle": blocks.add_numbers(axes.iter().map(|axes| axes[2]))?,
    }))
}

/// The absolute eigenvalues of a symmetric matrix, the larger first, and the angle of its eigenvector from 0 to pi.
fn half_axes([xx, xy, yy]: [f64; 3]) -> [f64; 3] {
    let (mean, half) = (xx / 2.0 + yy / 2.0, xx / 2.0 - yy / 2.0);
    let spread = half.hypot(xy);
    let angle = xy.atan2(half) / 2.0;
    // The eigenvalue of the other sign is the longer one where the mean is negative.
    let angle = if mean < 0.0 { angle + PI / 2.0 } else { angle };
    [mean.abs() + spread, (mean.abs() - spread).abs(), angle.rem_euclid(PI)]
}

/// The torn points and pairs of a panel, of its `own` points that are shown.
fn pack_seam(tear: &Tear, own: Option<&[u32]>, points: usize, blocks: &mut Blocks) -> Result<Value> {
    let mut shown_as: Vec<u32> = (0..points as u32).collect();
    if let Some(own) = own {
        shown_as.fill(u32::MAX);
        own.iter().zip(0..).for_each(|(&row, at)| shown_as[row as usize] = at);
    }
    let is_shown = |row: u32| shown_as[row as usize] != u32::MAX;
    let banks: Vec<(u32, f64)> = tear.banks().iter().copied().filter(|bank| is_shown(bank.0)).collect();
    let pairs = tear.pairs().iter().filter(|pair| is_shown(pair.0) && is_shown(pair.1));
    let ends = pairs.flat_map(|&(a, b)| [shown_as[a as usize], shown_as[b as usize]]);
    Ok(json!({
        "points": blocks.add_indices(banks.iter().map(|bank| shown_as[bank.0 as usize]))?,
        "along": blocks.add_numbers(banks.iter().map(|bank| bank.1))?,
        "pairs": blocks.add_indices(ends)?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_of_an_ellipse_give_its_matrix_back() {
        for matrix in [[2.0, 0.0, 1.0], [1.0, 0.0, 3.0], [1.5, 0.7, 0.4], [-2.0, 0.3, -1.0], [1.0, 2.0, -1.0], [0.0; 3]]
        {
            let [long, short, angle] = half_axes(matrix);
            assert!(long >= short && short >= 0.0 && (0.0..PI).contains(&angle), "{matrix:?}");
            // The ellipse of S is that of the square root of S S.
            let [xx, xy, yy] = matrix;
            let squares = [xx * xx + xy * xy, xx * xy + xy * yy, xy * xy + yy * yy];
            let (cos, sin) = (angle.cos(), angle.sin());
            let (l, s) = (long * long, short * short);
            let back = [l * cos * cos + s * sin * sin, (l - s) * cos * sin, l * sin * sin + s * cos * cos];
            assert!(squares.iter().zip(back).all(|(a, b)| (a - b).abs() < 1e-12), "{matrix:?}");
        }
    }
}
