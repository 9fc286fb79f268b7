//! Distances and radii, rows without a direction, and rows of any precision.

use super::*;
use crate::Half;
use crate::points::Precision;

#[test]
fn a_reported_distance_given_back_as_the_radius_includes_its_pair() {
    for metric in Metric::ALL {
        for scale in [1e-300, 1e-7, 1.0, 3e9, 1e300] {
            let rows = [[0.1, 0.2, 0.7], [0.3, -0.9, 0.4]].map(|row| row.map(|value| value * scale));
            let points = Points::from_rows(&rows).unwrap();
            let space = Space::new(&points, metric).unwrap();
            let value = space.value(0, 1);
            let distance = space.distance(value);
            assert!(distance.is_finite() && distance > 0.0);
            assert!(value <= space.limit(distance), "{metric} {scale}");
            assert!(value > space.limit(distance.next_down()), "{metric} {scale}");
        }
    }
}

#[test]
fn rows_without_direction_are_named() {
    let points = Points::new(2, 2, vec![1.0, 2.0, 0.0, 0.0]).unwrap();
    assert!(Space::new(&points, Metric::Cosine).unwrap_err().to_string().starts_with("row 2 is all zeros"));
    let points = Points::from_elements(2, 2, vec![1_u8, 2, 3, 3]).unwrap();
    let error = Space::new(&points, Metric::Correlation).unwrap_err().to_string();
    assert!(error.starts_with("row 2 has all coordinates equal"), "{error}");
}

#[test]
fn narrow_rows_have_the_bits_of_wide_ones() {
    let (len, dim) = (21, 150);
    let bits = |at: usize| (at * 40503 % 31000) as u16;
    let singles = (0..len * dim).map(|at| (f32::from(bits(at)) - 9000.5) * 1e-3).collect();
    let halves = (0..len * dim).map(|at| Half::from_bits(bits(at))).collect();
    let bytes = (0..len * dim).map(|at| bits(at) as u8).collect();
    let tables = [
        Points::from_elements(len, dim, singles).unwrap(),
        Points::from_elements(len, dim, halves).unwrap(),
        Points::from_elements(len, dim, bytes).unwrap(),
    ];
    let others: Vec<u32> = (0..len as u32).rev().collect();
    for narrow in &tables {
        let wide = Points::new(len, dim, narrow.clone().into_values()).unwrap();
        assert!(narrow.precision() != Precision::Double);
        for metric in Metric::ALL {
            let [a, b] = [narrow, &wide].map(|points| Space::new(points, metric).unwrap());
            let (mut found, mut expected, mut row) = (Vec::new(), Vec::new(), vec![0.0; dim]);
            for center in 0..len {
                a.values_to(center, &others, &mut found);
                b.values_to(center, &others, &mut expected);
                assert_eq!(found, expected, "{metric}");
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                assert_eq!(a.row(center, &mut ours), b.row(center, &mut theirs), "{metric}");
                a.read(center, &mut row);
                assert_eq!(row, b.row(center, &mut theirs));
                for (&other, &value) in others.iter().zip(&expected) {
                    assert_eq!(a.value(center, other as usize), value);
                    let pair = a.norm().value(&row, b.row(other as usize, &mut theirs));
                    assert_eq!((pair, b.value(center, other as usize)), (value, value));
                }
            }
            assert!(!narrow.is_widened());
        }
    }
}
