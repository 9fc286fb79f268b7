//! Ellipses over a map, thinned so that none covers another: what balls of one size in the data become in the map.
//!
//! All ellipses of a panel are drawn larger or smaller by one factor, so that the usual one can be seen; their sizes
//! relative to each other are those of the map. Longer ones than a quarter of the panel are cut to that, and dashed.

use super::scene::{Area, INK, PAPER, Scene, Shape};
use std::collections::BTreeSet;
use std::f64::consts::{PI, TAU};

/// The usual half axis, the geometric mean of both, as a share of the panel's shorter side: at least, and at most.
const USUAL: (f64, f64) = (0.012, 0.03);
/// In between, this many usual ellipses would fill half of what the points cover.
const FILLING: f64 = 60.0;
/// A half axis of more usual ones than this is long.
const LONG: f64 = 5.0;
/// The longest half axis as a share of the shorter side.
const LONGEST: f64 = 0.25;
/// No half axis is drawn shorter than this many units, or an outline would be no more than a blot.
const SHORTEST: f64 = 0.4;
/// Of more points than this, as many spread over all rows are tried.
const TRIED: usize = 4000;
/// The corners of an outline.
const CORNERS: usize = 36;
/// The share of the golden ratio, whose multiples fill an interval evenly.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// An ellipse on the page: a place and the half axes of a symmetric matrix.
struct Outline {
    center: (f64, f64),
    /// The entries xx, xy, yy, y upwards.
    matrix: [f64; 3],
    cut: bool,
}

/// Draws as many of the ellipses as have room in `area`, one factor larger or smaller; `at` gives the place of a row.
pub(super) fn draw(scene: &mut Scene, area: Area, ellipses: &[[f64; 3]], at: impl Fn(usize) -> (f64, f64)) {
    let Some(usual) = usual(ellipses) else { return };
    let side = area.width.min(area.height);
    let tried = ellipses.len().min(TRIED);
    let mut order: Vec<usize> = (0..tried).map(|at| at * ellipses.len() / tried).collect();
    let wanted = (0.5 * covered(USUAL.1 * side, order.iter().map(|&row| at(row))) / (FILLING * PI)).sqrt();
    let factor = wanted.clamp(USUAL.0 * side, USUAL.1 * side) / usual;
    // Long ones come last, or a few of them would take the room of many.
    let key = |row: usize| (axes(ellipses[row]).0 > LONG * usual, (row as f64 * GOLDEN).fract());
    order.sort_by(|&a, &b| key(a).0.cmp(&key(b).0).then(key(a).1.total_cmp(&key(b).1)));
    let mut kept: Vec<Outline> = Vec::new();
    for row in order {
        let scaled = ellipses[row].map(|entry| entry * factor);
        if axes(scaled).0 <= 0.0 {
            continue;
        }
        let outline = Outline::new(at(row), scaled, LONGEST * side);
        if outline.is_inside(area) && kept.iter().all(|other| outline.is_apart(other)) {
            kept.push(outline);
        }
    }
    // A light rim first, so that outlines stand out from the points.
    for (color, width) in [(PAPER, 2.4), (INK, 0.9)] {
        for outline in &kept {
            let dashed = outline.cut && color == INK;
            scene.shapes.push(Shape::Line { points: outline.corners(), color, width, dashed });
        }
    }
}

/// The area of the cells of this side in which there are points.
fn covered(side: f64, places: impl Iterator<Item = (f64, f64)>) -> f64 {
    let cells: BTreeSet<(i64, i64)> =
        places.map(|(x, y)| ((x / side).floor() as i64, (y / side).floor() as i64)).collect();
    cells.len() as f64 * side * side
}

/// The median of the geometric means of the half axes that are not zero.
fn usual(ellipses: &[[f64; 3]]) -> Option<f64> {
    let mean = |&matrix: &[f64; 3]| {
        let (long, short) = axes(matrix);
        (long * short.max(0.0)).sqrt()
    };
    let mut sizes: Vec<f64> = ellipses.iter().map(mean).filter(|&size| size > 0.0 && size.is_finite()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    sizes.get(sizes.len() / 2).copied()
}

/// The half axes of a symmetric matrix, the longer first.
fn axes([xx, xy, yy]: [f64; 3]) -> (f64, f64) {
    let (middle, off) = (0.5 * (xx + yy), (0.5 * (xx - yy)).hypot(xy));
    (middle + off, middle - off)
}

impl Outline {
    fn new(center: (f64, f64), matrix: [f64; 3], longest: f64) -> Self {
        let (long, short) = axes(matrix);
        let bounded = [long, short].map(|axis| axis.clamp(SHORTEST, longest));
        // The same directions with other lengths: m I + s (S - middle I).
        let spread = long - short;
        let share = if spread > 0.0 { (bounded[0] - bounded[1]) / spread } else { 0.0 };
        let shift = 0.5 * (bounded[0] + bounded[1]) - share * 0.5 * (long + short);
        let matrix = [matrix[0] * share + shift, matrix[1] * share, matrix[2] * share + shift];
        Self { center, matrix, cut: long > longest }
    }

    /// How far the ellipse reaches in a direction of length one, y upwards.
    fn reach(&self, (x, y): (f64, f64)) -> f64 {
        let [xx, xy, yy] = self.matrix;
        (xx * x + xy * y).hypot(xy * x + yy * y)
    }

    fn is_inside(&self, area: Area) -> bool {
        let (x, y) = self.center;
        let (across, up) = (self.reach((1.0, 0.0)), self.reach((0.0, 1.0)));
        x - across >= area.x && x + across <= area.right() && y - up >= area.y && y + up <= area.bottom()
    }

    /// Whether a line between the centers separates the two, which is enough to be apart.
    fn is_apart(&self, other: &Self) -> bool {
        let (x, y) = (other.center.0 - self.center.0, self.center.1 - other.center.1);
        let distance = x.hypot(y);
        let towards = (x / distance, y / distance);
        distance > 0.0 && self.reach(towards) + other.reach(towards) < distance
    }

    fn corners(&self) -> Vec<(f64, f64)> {
        let [xx, xy, yy] = self.matrix;
        let corner = |at: usize| {
            let (y, x) = (at as f64 * TAU / CORNERS as f64).sin_cos();
            (self.center.0 + xx * x + xy * y, self.center.1 - xy * x - yy * y)
        };
        (0..=CORNERS).map(|at| corner(at % CORNERS)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Area = Area { x: 0.0, y: 0.0, width: 400.0, height: 400.0 };

    fn drawn(ellipses: &[[f64; 3]], at: impl Fn(usize) -> (f64, f64)) -> Vec<(Vec<(f64, f64)>, bool)> {
        let mut scene = Scene { width: 400.0, height: 400.0, shapes: Vec::new() };
        draw(&mut scene, AREA, ellipses, at);
        let ink = |shape: &Shape| match shape {
            Shape::Line { points, color, dashed, .. } if *color == INK => Some((points.clone(), *dashed)),
            _ => None,
        };
        scene.shapes.iter().filter_map(ink).collect()
    }

    #[test]
    fn an_outline_has_the_axes_of_its_matrix() {
        // Half axes 3 and 1 along the diagonals, y upwards; the usual size is the geometric mean.
        let found = drawn(&[[2.0, 1.0, 2.0]], |_| (200.0, 200.0));
        assert_eq!(found.len(), 1);
        // A single place covers next to nothing, so the ellipse is as small as any.
        let unit = USUAL.0 * 400.0 / 3_f64.sqrt();
        let lengths: Vec<f64> = found[0].0.iter().map(|&(x, y)| (x - 200.0).hypot(y - 200.0)).collect();
        let (least, most) = lengths.iter().fold((f64::MAX, 0.0_f64), |(a, b), &c| (a.min(c), b.max(c)));
        // Corners lie up to five degrees off the axes.
        assert!((least / unit - 1.0).abs() < 0.05 && (most / unit - 3.0).abs() < 0.05, "{least} {most}");
        // The long axis rises to the right, which is up on the page.
        let tip = found[0].0.iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        assert!(tip.0 > 200.0 && tip.1 < 200.0);
    }

    #[test]
    fn what_is_drawn_does_not_overlap_and_fills_the_map() {
        let at = |row: usize| (20.0 + 360.0 * (row as f64 * GOLDEN).fract(), 20.0 + 0.18 * row as f64);
        let found = drawn(&vec![[1.0, 0.0, 1.0]; 2000], at);
        let centers: Vec<(f64, f64)> = found
            .iter()
            .map(|(points, _)| {
                let sum = points[..CORNERS].iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
                (sum.0 / CORNERS as f64, sum.1 / CORNERS as f64)
            })
            .collect();
        let radius = USUAL.1 * 400.0;
        for (place, one) in centers.iter().enumerate() {
            assert!(centers[..place].iter().all(|other| (one.0 - other.0).hypot(one.1 - other.1) >= 2.0 * radius));
        }
        // At least a third of the area, as random discs that do not overlap fill more than half.
        let filled = centers.len() as f64 * PI * radius * radius / (360.0 * 360.0);
        assert!(filled > 0.33, "{filled}");
    }

    #[test]
    fn long_ones_are_cut_and_dashed_and_missing_ones_left_out() {
        let mut ellipses = vec![[1.0, 0.0, 1.0]; 9];
        ellipses[4] = [500.0, 0.0, 1.0];
        ellipses[7] = [0.0; 3];
        let found = drawn(&ellipses, |row| (120.0 + 80.0 * (row % 3) as f64, 60.0 + 140.0 * (row / 3) as f64));
        assert_eq!(found.len(), 8 - usize::from(!found.iter().any(|outline| outline.1)));
        assert!(found.iter().flat_map(|outline| &outline.0).all(|point| (0.0..=400.0).contains(&point.0)));
        assert!(drawn(&[[0.0; 3]; 4], |_| (9.0, 9.0)).is_empty());
    }
}
