//! Copies of a point: a search for different places must see each place only once.

use crate::Points;
use crate::points::{Element, with_rows};

/// The first row of each place, in order; `None` if no point has a copy.
pub(crate) fn first_of_copies(points: &Points) -> Option<Vec<u32>> {
    let mut keyed: Vec<(u64, u32)> = with_rows!(points.table(), rows => rows.iter().map(key).zip(0..).collect());
    keyed.sort_unstable();
    let mut copies = vec![false; points.len()];
    for same in keyed.chunk_by(|a, b| a.0 == b.0) {
        for (at, &(_, row)) in same.iter().enumerate() {
            let is = |earlier: &(u64, u32)| {
                with_rows!(points.table(), rows => {
                    let pairs = rows.row(earlier.1 as usize).iter().zip(rows.row(row as usize));
                    pairs.into_iter().all(|(a, b)| a.wide() == b.wide())
                })
            };
            copies[row as usize] = same[..at].iter().any(is);
        }
    }
    let any = copies.contains(&true);
    any.then(|| (0..points.len() as u32).filter(|&row| !copies[row as usize]).collect())
}

/// A well-mixed function of the coordinates, the same for both zeros.
fn key<T: Element>(row: &[T]) -> u64 {
    row.iter().fold(0, |mixed: u64, value| {
        let mixed = (mixed ^ (value.wide() + 0.0).to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ (mixed >> 29)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_each_place_is_kept() {
        let points = Points::new(6, 2, vec![1.0, 2.0, 0.0, 0.0, 1.0, 2.0, -0.0, 0.0, 2.0, 1.0, 1.0, 2.0]).unwrap();
        assert_eq!(first_of_copies(&points), Some(vec![0, 1, 4]));
        assert_eq!(first_of_copies(&points.select(&[0, 1, 4])), None);
    }
}
