use super::*;
use std::sync::Arc;

const NUMBERS: [f32; 6] = [0.0, -0.5, 1.0, 3.25, 1e-3, 7e8];

fn narrow() -> Points {
    Points::from_elements(3, 2, NUMBERS.to_vec()).unwrap()
}

fn wide() -> Points {
    Points::new(3, 2, NUMBERS.map(f64::from).to_vec()).unwrap()
}

#[test]
fn narrow_tables_hold_the_numbers_of_wide_ones() {
    let (narrow, wide) = (narrow(), wide());
    let (mut row, mut room) = ([0.0; 2], Vec::new());
    for index in 0..3 {
        narrow.read_row(index, &mut row);
        assert_eq!(row, wide.row(index));
        assert_eq!(narrow.row_in(index, &mut room), wide.row(index));
        assert_eq!(narrow.squared_distance(index, 0), wide.squared_distance(index, 0));
    }
    assert_eq!((&narrow, &wide), (&wide, &narrow));
    assert_ne!(narrow, narrow.select(&[0, 1]));
    assert_eq!(format!("{narrow:?}").replace("Single", "Double"), format!("{wide:?}"));
    let chosen = narrow.select(&[2, 0]);
    assert_eq!((chosen.precision(), &chosen), (Precision::Single, &wide.select(&[2, 0])));
    assert!(!narrow.is_widened() && !chosen.is_widened());
    let copy = narrow.clone();
    assert_eq!((narrow.values(), narrow.row(1)), (wide.values(), wide.row(1)));
    // Copies share the double-precision numbers too.
    assert!(narrow.is_widened() && copy.is_widened() && !wide.is_widened());
    assert_eq!(copy.into_values(), wide.into_values());
}

#[test]
fn bytes_anywhere_are_read_in_every_precision() {
    let bytes: Vec<u8> = (0..64_u8).map(|at| at.wrapping_mul(37) & 0x3f).collect();
    for precision in Precision::ALL {
        let size = precision.bytes();
        for offset in [0, 1, 2, 3, 8] {
            let layout = Layout { precision, len: 2, dim: 2, offset, stride: 3 };
            let points = Points::from_layout(&layout, Arc::new(bytes.clone())).unwrap();
            for cell in 0..4 {
                let at = offset + (cell / 2 * 3 + cell % 2) * size;
                let cells = &bytes[at..][..size];
                let expected = match precision {
                    Precision::Double => f64::from_ne_bytes(cells.try_into().unwrap()),
                    Precision::Single => f64::from(f32::from_ne_bytes(cells.try_into().unwrap())),
                    Precision::Half => Half::from_bits(u16::from_ne_bytes(cells.try_into().unwrap())).wide(),
                    Precision::Byte => f64::from(cells[0]),
                };
                assert_eq!(points.values()[cell], expected, "{precision} at {offset}");
            }
        }
    }
}

#[test]
fn bytes_in_place_are_not_copied() {
    let values: Arc<Vec<u8>> = Arc::new(vec![1; 12]);
    let points = Points::from_shared(3, 4, Precision::Byte, values.clone()).unwrap();
    let Table::Byte(rows) = points.table() else { panic!() };
    assert_eq!(rows.row(0).as_ptr(), values.as_ptr());
    drop(points);
    assert_eq!(Arc::strong_count(&values), 1);
}

#[test]
fn bad_cells_and_shapes_are_named_in_every_precision() {
    let advice = "fill it or leave it out: every cell must be a finite number";
    let error = Points::from_elements(2, 2, vec![0.0, 1.0, f32::NEG_INFINITY, 0.0]).unwrap_err();
    assert_eq!(error.to_string(), format!("row 2, column 1 holds -inf; {advice}"));
    let halves = [0, 0, 0, 0x7e00].map(Half::from_bits).to_vec();
    let error = Points::from_elements(2, 2, halves).unwrap_err();
    assert_eq!(error.to_string(), format!("row 2, column 2 holds NaN; {advice}"));
    // A bad number between rows is no cell.
    let bytes: Vec<u8> = [1.0_f32, f32::NAN, 2.0, f32::NAN].iter().flat_map(|value| value.to_ne_bytes()).collect();
    let layout = Layout { precision: Precision::Single, len: 2, dim: 1, offset: 0, stride: 2 };
    let strided = Points::from_layout(&layout, Arc::new(bytes.clone())).unwrap();
    assert_eq!(strided.values(), [1.0, 2.0]);
    let error = Points::from_layout(&Layout { dim: 2, ..layout }, Arc::new(bytes)).unwrap_err();
    assert_eq!(error.to_string(), format!("row 1, column 2 holds NaN; {advice}"));

    let cells = "4 rows of 2 numbers need 8 cells, but 6 were given; give every row the same number of cells";
    let error = Points::from_elements(4, 2, NUMBERS.to_vec()).unwrap_err();
    assert_eq!(error.to_string(), cells);
    let bytes: Vec<u8> = NUMBERS.iter().flat_map(|value| value.to_ne_bytes()).collect();
    let error = Points::from_shared(4, 2, Precision::Single, Arc::new(bytes.clone())).unwrap_err();
    assert_eq!(error.to_string(), cells);
    assert!(Points::from_shared(usize::MAX, 3, Precision::Single, Arc::new(bytes.clone())).is_err());
    assert!(Points::from_shared(0, 3, Precision::Single, Arc::new(bytes)).is_err());
}
