//! Units of the data's own: a length for each coordinate, in which the coordinates of a surface are comparable.
//!
//! Where one coordinate is many times as long as the others, it is as if the surface were pressed flat: neighbors reach from
//! one side of it to the other. In units of its own neighbors differ by as much along every coordinate, so that its tangents
//! point in all directions alike. A coordinate is divided by its standard deviation, then in rounds by the mean square
//! difference of neighbors along it, who are searched anew each time. Whatever factor a coordinate is multiplied by, its
//! length is multiplied by the same one, and the points in these units do not change; a power of two changes no bit.
//!
//! Not every surface has such units: along the axis of a tube neighbors differ by more than around it, however long the tube.
//! Rounds end where they do not bring the differences much nearer to each other. All is found on a sample of the points.
//! Cost: a few searches in the sample. When it fails: a few points that are very far out make the deviation of a coordinate, and
//! it then looks shorter than it is.

use super::shortcuts::STRETCHED;
use super::surface::radii;
use crate::linalg::power_of_two_near;
use crate::local::{THICK, thickness};
use crate::{Input, Neighborhoods, Points, Result, Run};

/// The size of the sample.
const SAMPLE: usize = 4_000;
/// Steps of the golden section visit the rows evenly, whatever their order.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// Neighbors in the sample, and how often they are searched at the most.
const NEIGHBORS: usize = 12;
const ROUNDS: usize = 6;
/// Rounds go on while each leaves so much of the logarithm of the largest difference over the least, and it is not yet small.
const NEARER: f64 = 2.0 / 3.0;
const NEAR: f64 = 0.02;
/// A surface is pressed flat, so that neighborhoods reach across it, where a coordinate is so many times as long as those
/// without which the data would be flat. Lengths of a surface as it is drawn differ by up to three, and where they differ by
/// up to about ten, the map without these units is better.
const UNLIKE: f64 = 12.0;
/// Units are looked at where at least this share of the neighbors in the given ones are far apart in those of the data. Where
/// a surface is nearly flat, as a sheet with small waves is, neighbors are the same in both.
const ACROSS: f64 = 0.5;
/// Deviations that differ by less than this are of lengths that do not differ so much.
const UNLIKE_DEVIATIONS: f64 = 2.0;

/// A length for each coordinate.
#[derive(Debug, Clone)]
pub(crate) struct OwnUnits {
    /// The length of each coordinate; zero for one that is constant.
    lengths: Vec<f64>,
    dim: usize,
}

impl OwnUnits {
    /// The units of points near a surface of `dim` dimensions, where it would be pressed flat without them: nothing where its
    /// coordinates are comparable, and where the points do not lie near a surface in such units.
    pub(crate) fn of(points: &Points, dim: usize, run: &Run) -> Result<Option<Self>> {
        if points.dim() <= dim {
            return Ok(None);
        }
        let sample = sample(points);
        let mut units = Self { lengths: deviations(&sample), dim };
        if units.times() < UNLIKE_DEVIATIONS || sample.len() <= NEIGHBORS {
            return Ok(None);
        }
        let (mut before, mut best) = (f64::INFINITY, units.lengths.clone());
        for _ in 0..ROUNDS {
            let scaled = units.scaled(&sample)?;
            let lists = Neighborhoods::nearest(&scaled, NEIGHBORS, run)?;
            let squares = square_differences(&scaled, &lists);
            let told = || squares.iter().copied().filter(|square| *square > 0.0);
            let apart = 0.5 * (told().fold(0.0, f64::max) / told().fold(f64::INFINITY, f64::min)).ln();
            if apart < before {
                best.clone_from(&units.lengths);
            }
            if apart > NEARER * before || apart <= NEAR {
                break;
            }
            before = apart;
            let changed = units.lengths.iter_mut().zip(&squares).filter(|(_, square)| **square > 0.0);
            changed.for_each(|(length, square)| *length *= square);
        }
        units.lengths = best;
        if units.times() < UNLIKE {
            return Ok(None);
        }
        let scaled = units.scaled(&sample)?;
        let lists = Neighborhoods::nearest(&scaled, NEIGHBORS, run)?;
        let given = Neighborhoods::nearest(&sample, NEIGHBORS, run)?;
        if reaching_across(&scaled, &lists, &given, run)? < ACROSS {
            return Ok(None);
        }
        Ok((thickness(&Input::Points(&scaled), &lists, dim)? <= THICK).then_some(units))
    }

    /// The coordinate that is longest, counted from 0.
    pub(crate) fn longest(&self) -> usize {
        (0..self.lengths.len()).fold(0, |far, next| if self.lengths[next] > self.lengths[far] { next } else { far })
    }

    /// How many times as long it is as the first beside the d longest, without which the data would be flat.
    pub(crate) fn times(&self) -> f64 {
        let mut sorted: Vec<f64> = self.lengths.iter().copied().filter(|length| *length > 0.0).collect();
        sorted.sort_unstable_by(|one, other| other.total_cmp(one));
        sorted.get(self.dim).map_or(1.0, |beside| sorted[0] / beside)
    }

    /// The lengths of the coordinates.
    pub(crate) fn lengths(&self) -> &[f64] {
        &self.lengths
    }

    /// The points in these units; constant coordinates become zero.
    pub(crate) fn scaled(&self, points: &Points) -> Result<Points> {
        let mut first = vec![0.0; points.dim()];
        points.read_row(0, &mut first);
        let mut values = Vec::with_capacity(points.len() * points.dim());
        points.each_row(|_, row| {
            let each = row.iter().zip(&first).zip(&self.lengths);
            values.extend(
                each.map(|((value, first), &length)| if length > 0.0 { (value - first) / length } else { 0.0 }),
            );
        });
        Points::new(points.len(), points.dim(), values)
    }
}

/// The share of the neighbors in the given units that are far from being neighbors in these ones.
fn reaching_across(scaled: &Points, own: &Neighborhoods, given: &Neighborhoods, run: &Run) -> Result<f64> {
    let (radii, input) = (radii(scaled, own, run)?, Input::Points(scaled));
    let mut far = 0_usize;
    for (center, radius) in radii.iter().enumerate() {
        let is_far = |member: u32| input.distance(center, member as usize) > STRETCHED * radius;
        far += given.neighbors(center).iter().filter(|member| is_far(**member)).count();
    }
    Ok(far as f64 / (given.memberships() - given.len()).max(1) as f64)
}

/// Points that are spread evenly over the rows.
fn sample(points: &Points) -> Points {
    let count = points.len();
    if count <= SAMPLE {
        return points.clone();
    }
    let mut rows: Vec<u32> = (0..SAMPLE).map(|step| ((GOLDEN * step as f64).fract() * count as f64) as u32).collect();
    rows.sort_unstable();
    rows.dedup();
    points.select(&rows)
}

/// The standard deviation of each coordinate.
fn deviations(points: &Points) -> Vec<f64> {
    let (dim, count) = (points.dim(), points.len() as f64);
    let mut first = vec![0.0; dim];
    points.read_row(0, &mut first);
    // From the first row and in units near the largest difference, so that no square is lost.
    let mut units = vec![0.0_f64; dim];
    points.each_row(|_, row| {
        let each = units.iter_mut().zip(row).zip(&first);
        each.for_each(|((unit, value), first)| *unit = unit.max((value - first).abs()));
    });
    units.iter_mut().for_each(|unit| *unit = power_of_two_near(&[*unit]));
    let (mut sums, mut squares) = (vec![0.0; dim], vec![0.0; dim]);
    points.each_row(|_, row| {
        for (at, value) in row.iter().enumerate() {
            sums[at] += (value - first[at]) / units[at];
        }
    });
    points.each_row(|_, row| {
        for (at, value) in row.iter().enumerate() {
            squares[at] += ((value - first[at]) / units[at] - sums[at] / count).powi(2);
        }
    });
    units.iter().zip(squares).map(|(unit, square)| unit * (square / count).sqrt()).collect()
}

/// The mean square difference of neighbors along each coordinate.
fn square_differences(points: &Points, lists: &Neighborhoods) -> Vec<f64> {
    let (mut sums, mut offset) = (vec![0.0; points.dim()], vec![0.0; points.dim()]);
    let mut pairs = 0_usize;
    for center in 0..lists.len() {
        for &member in lists.neighbors(center) {
            points.difference(member as usize, center, &mut offset);
            sums.iter_mut().zip(&offset).for_each(|(sum, offset)| *sum += offset * offset);
            pairs += 1;
        }
    }
    sums.into_iter().map(|sum| sum / pairs.max(1) as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of a sphere, evenly, with coordinates that are multiplied by these factors.
    fn sphere(factors: [f64; 3]) -> Points {
        let row = |at: u32| {
            let (height, angle) = (1.0 - (2.0 * f64::from(at) + 1.0) / 2000.0, 2.399_963 * f64::from(at));
            let radius = (1.0 - height * height).sqrt();
            [factors[0] * radius * angle.cos(), factors[1] * radius * angle.sin(), factors[2] * height]
        };
        Points::from_rows(&(0..2000).map(row).collect::<Vec<_>>()).unwrap()
    }

    fn units(points: &Points) -> Option<OwnUnits> {
        OwnUnits::of(points, 2, &Run::new()).unwrap()
    }

    #[test]
    fn neighbors_differ_by_as_much_along_every_coordinate() {
        for axis in 0..3 {
            let mut factors = [1.0; 3];
            factors[axis] = 100.0;
            let points = sphere(factors);
            let units = units(&points).unwrap();
            assert_eq!(units.longest(), axis);
            assert!((units.times() - 100.0).abs() < 15.0, "{}", units.times());
            let scaled = units.scaled(&points).unwrap();
            let squares = square_differences(&scaled, &Neighborhoods::nearest(&scaled, 12, &Run::new()).unwrap());
            assert!(squares.iter().all(|square| (square / squares[0] - 1.0).abs() < 0.1), "{squares:?}");
        }
    }

    #[test]
    fn points_in_their_own_units_do_not_depend_on_the_given_ones() {
        let scaled = |factors: [f64; 3]| {
            let points = sphere(factors);
            units(&points).unwrap().scaled(&points).unwrap()
        };
        let one = scaled([64.0, 1.0, 1.0]);
        let power = |exponent: i32| 2f64.powi(exponent);
        for factors in
            [[1024.0, 4.0, 0.5], [power(330), power(300), power(310)], [power(-320), power(-330), power(-328)]]
        {
            assert_eq!(scaled(factors), one, "{factors:?}");
        }
        let other = scaled([77.0, 0.3, 0.3]);
        let far = other.values().iter().zip(one.values()).map(|(other, one)| (other - one).abs()).fold(0.0, f64::max);
        assert!(far < 1e-9, "{far}");
    }

    #[test]
    fn comparable_coordinates_and_what_is_no_surface_have_none() {
        assert!(units(&sphere([1.0, 2.0, 0.8])).is_none());
        assert!(units(&sphere([1.0, 1.0, 0.0])).is_none());
        assert!(units(&Points::new(20, 3, vec![1.0; 60]).unwrap()).is_none());
        // A cloud in five dimensions, and many columns as pictures have them, of which one is long.
        let cloud = |dim: usize| {
            let value =
                |at: usize| crate::random::uniform(3, at as u64) * if at.is_multiple_of(dim) { 100.0 } else { 1.0 };
            Points::new(500, dim, (0..500 * dim).map(value).collect()).unwrap()
        };
        assert!([5, 200].into_iter().all(|dim| units(&cloud(dim)).is_none()));
    }

    #[test]
    fn copies_and_constant_columns_change_little() {
        let sphere = sphere([100.0, 1.0, 1.0]);
        let row = |at: usize| [sphere.row(at / 2)[0], 7.0, sphere.row(at / 2)[1], sphere.row(at / 2)[2]];
        let points = Points::from_rows(&(0..1000).map(row).collect::<Vec<_>>()).unwrap();
        let units = units(&points).unwrap();
        assert_eq!(units.lengths()[1], 0.0);
        assert!(
            units.scaled(&points).unwrap().rows().all(|row| row[1] == 0.0 && row.iter().all(|cell| cell.is_finite()))
        );
    }
}
