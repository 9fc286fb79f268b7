//! The pictures that the points are, for as many of the shown points as there is room for.

use crate::pack::Blocks;
use crate::{Gallery, Report};
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
    if let Some(gallery) = report.gallery {
        return pack_gallery(gallery, rows, shown, blocks).map(Some);
    }
    let (Some(images), Some(input)) = (report.images, report.input) else { return Ok(None) };
    let count = shown.min((PICTURES / input.dim()).max(1));
    let places: Vec<u32> = (0..count).map(|at| (at * shown / count) as u32).collect();
    let chosen: Vec<u32> = places.iter().map(|&place| rows.map_or(place, |rows| rows[place as usize])).collect();
    let pictures = input.select(&chosen);
    let (low, high) = pictures
        .values()
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)));
    let width = if high > low { high / 2.0 - low / 2.0 } else { 1.0 };
    let gray = |value: f64| ((value / 2.0 - low / 2.0) / width * 255.0).round() as u8;
    let mut pixels = Vec::with_capacity(count * input.dim());
    for picture in pictures.rows() {
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

/// Pictures of their own formats, of as many points as there is room for: of all, of every other one, and so on.
fn pack_gallery(gallery: &Gallery, rows: Option<&[u32]>, shown: usize, blocks: &mut Blocks) -> Result<(Value, usize)> {
    let row_of = |place: usize| rows.map_or(place, |rows| rows[place] as usize);
    let total: usize = (0..shown).map(|place| gallery.letters(row_of(place))).sum();
    let count = match total > PICTURES {
        true => (shown as f64 * PICTURES as f64 / total as f64).max(1.0) as usize,
        false => shown,
    };
    let places: Vec<u32> = (0..count).map(|at| (at * shown / count) as u32).collect();
    let pictures = places.iter().map(|&place| gallery.picture(row_of(place as usize))).collect::<Result<Vec<_>>>()?;
    let table = json!({
        "pictures": blocks.add(json!(pictures).to_string().as_bytes())?,
        "places": (count < shown).then(|| blocks.add_indices(places.into_iter())).transpose()?,
    });
    Ok((table, count))
}
