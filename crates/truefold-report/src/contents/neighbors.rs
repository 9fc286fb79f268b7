//! Which points are near to each other in the data, for as many of the shown points as there is room for.

use crate::pack::Blocks;
use serde_json::{Value, json};
use truefold::{Neighborhoods, Result};

/// The most neighbors on a page: some 10 MB of it.
const MOST: usize = 4 << 20;

/// The lists of neighbors among the points that are shown, and the number of points that have one.
///
/// What a search finds among all points it finds among the shown ones too, so a list without those left out is that of
/// the nearest points shown.
pub(super) fn pack(
    neighbors: &Neighborhoods,
    rows: Option<&[u32]>,
    shown: usize,
    blocks: &mut Blocks,
) -> Result<(Value, usize)> {
    let mut place_of: Vec<u32> = (0..neighbors.len() as u32).collect();
    if let Some(rows) = rows {
        place_of.fill(u32::MAX);
        rows.iter().zip(0..).for_each(|(&row, place)| place_of[row as usize] = place);
    }
    let list = |place: usize| -> Vec<u32> {
        let row = rows.map_or(place, |rows| rows[place] as usize);
        let places = neighbors.neighbors(row).iter().map(|&other| place_of[other as usize]);
        let mut list: Vec<u32> = places.filter(|&other| other != u32::MAX).collect();
        list.sort_unstable();
        list
    };
    let total: usize = (0..shown).map(|place| list(place).len()).sum();
    let count = if total > MOST { (shown * (MOST / 1024) / (total / 1024)).max(1) } else { shown };
    let places: Vec<u32> = (0..count).map(|at| (at * shown / count) as u32).collect();
    let (mut lengths, mut gaps) = (Vec::with_capacity(count), Vec::new());
    for &place in &places {
        let list = list(place as usize);
        lengths.push(list.len() as u32);
        // Numbers in order are told by the gaps between them, which are smaller.
        gaps.extend(list.iter().scan(0, |before, &other| Some(other - std::mem::replace(before, other))));
    }
    let table = json!({
        "lengths": blocks.add(&planes(&lengths))?,
        "gaps": blocks.add(&planes(&gaps))?,
        "places": (count < shown).then(|| blocks.add_indices(places.into_iter())).transpose()?,
    });
    Ok((table, count))
}

/// The lowest bytes of all numbers, then the next, and so on: high bytes are mostly zero, and together take little room.
fn planes(numbers: &[u32]) -> Vec<u8> {
    (0..4).flat_map(|plane| numbers.iter().map(move |number| number.to_le_bytes()[plane])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use truefold::{Points, Run};

    #[test]
    fn lists_of_two_hundred_thousand_points_take_a_few_megabytes() {
        let count = 20_000;
        let mut draw = 1_u64;
        let values = (0..2 * count).map(|_| {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (draw >> 11) as f64
        });
        let points = Points::new(count, 2, values.collect()).unwrap();
        let neighbors = Neighborhoods::nearest(&points, 12, &Run::new()).unwrap();
        let mut blocks = Blocks::default();
        assert_eq!(pack(&neighbors, None, count, &mut blocks).unwrap().1, count);
        // Points in no order at all: less than three letters for each neighbor.
        assert!(blocks.html().len() < 12 * count * 3, "{}", blocks.html().len());
    }
}
