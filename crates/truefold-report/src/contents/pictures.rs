//! The pictures that the points are, for as many of the shown points as there is room for.

use crate::Report;
use crate::pack::Blocks;
use serde_json::{Value, json};
use truefold::Result;

/// The most bytes of pictures on a page.
const PICTURES: usize = 12 << 20;

/// The pictures of as many points as there is room for, evenly spread, and their number.
pub(super) fn pack(
    report: &Report<'_>,
    rows: Option<&[u32]>,
    shown: usize,
    blocks: &mut Blocks,
) -> Result<Option<(Value, usize)>> {
    let (Some(images), Some(input)) = (report.images, report.input) else { return Ok(None) };
    let count = shown.min((PICTURES / input.dim()).max(1));
    let places: Vec<u32> = (0..count).map(|at| (at * shown / count) as u32).collect();
    let pictures: Vec<&[f64]> =
        places.iter().map(|&place| input.row(rows.map_or(place, |rows| rows[place as usize]) as usize)).collect();
    let (low, high) = pictures
        .iter()
        .copied()
        .flatten()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)));
    let width = if high > low { high / 2.0 - low / 2.0 } else { 1.0 };
    let gray = |value: f64| ((value / 2.0 - low / 2.0) / width * 255.0).round() as u8;
    let mut pixels = Vec::with_capacity(count * input.dim());
    for picture in pictures {
        pixels.extend((0..input.dim()).map(|at| gray(picture[images.coordinate(at)])));
    }
    let table = json!({
        "height": images.height,
        "width": images.width,
        "pixels": blocks.add(&pixels)?,
        "places": (count < shown).then(|| blocks.add_indices(places.into_iter())).transpose()?,
    });
    Ok(Some((table, count)))
}
