//! The maps of several components, put side by side in rows, like words on a page, so that their boxes do not overlap.

/// The shift of each piece, given its coordinates row by row in `dim` dimensions.
///
/// Larger pieces come first; rows are filled along the first axis and stacked along the second (one row if there is
/// none); all other axes are centered.
pub(crate) fn side_by_side(pieces: &[&[f64]], dim: usize) -> Vec<Vec<f64>> {
    let boxes: Vec<(Vec<f64>, Vec<f64>)> = pieces.iter().map(|piece| bounds(piece, dim)).collect();
    let width = |piece: usize, axis: usize| boxes[piece].1[axis] - boxes[piece].0[axis];
    let widest = (0..pieces.len()).map(|piece| width(piece, 0)).fold(0.0, f64::max);
    let total: f64 = (0..pieces.len()).map(|piece| width(piece, 0)).sum();
    let area: f64 = (0..pieces.len()).map(|piece| width(piece, 0) * if dim > 1 { width(piece, 1) } else { 0.0 }).sum();
    // Components without extent still need a gap between them.
    let gap = if widest > 0.0 { 0.1 * widest } else { 1.0 };
    let line =
        if dim > 1 { (2.0 * area.sqrt()).max(1.5 * widest).max(10.0 * gap) } else { total + gap * pieces.len() as f64 };
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by(|&a, &b| pieces[b].len().cmp(&pieces[a].len()).then(a.cmp(&b)));
    let mut shifts = vec![vec![0.0; dim]; pieces.len()];
    let (mut along, mut up, mut tallest) = (0.0, 0.0, 0.0_f64);
    for piece in order {
        if along > 0.0 && along + width(piece, 0) > line {
            (along, up, tallest) = (0.0, up + tallest + gap, 0.0);
        }
        let (low, high) = &boxes[piece];
        for (axis, shift) in shifts[piece].iter_mut().enumerate() {
            *shift = match axis {
                0 => along - low[0],
                1 => up - low[1],
                _ => -(low[axis] + high[axis]) / 2.0,
            };
        }
        along += width(piece, 0) + gap;
        if dim > 1 {
            tallest = tallest.max(width(piece, 1));
        }
    }
    shifts
}

fn bounds(piece: &[f64], dim: usize) -> (Vec<f64>, Vec<f64>) {
    let mut bounds = (vec![f64::INFINITY; dim], vec![f64::NEG_INFINITY; dim]);
    for row in piece.chunks_exact(dim) {
        for (axis, &value) in row.iter().enumerate() {
            bounds.0[axis] = bounds.0[axis].min(value);
            bounds.1[axis] = bounds.1[axis].max(value);
        }
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_do_not_overlap() {
        let square = |side: f64| vec![0.0, 0.0, side, 0.0, side, side, 0.0, side];
        let pieces: Vec<Vec<f64>> = (1..20).map(|side| square(f64::from(side))).collect();
        let views: Vec<&[f64]> = pieces.iter().map(Vec::as_slice).collect();
        let shifts = side_by_side(&views, 2);
        let boxes: Vec<[f64; 4]> = shifts
            .iter()
            .zip(1..)
            .map(|(shift, side)| [shift[0], shift[0] + f64::from(side), shift[1], shift[1] + f64::from(side)])
            .collect();
        for (at, a) in boxes.iter().enumerate() {
            for b in &boxes[at + 1..] {
                assert!(a[1] < b[0] || b[1] < a[0] || a[3] < b[2] || b[3] < a[2], "{a:?} {b:?}");
            }
        }
    }
}
