//! Properties of every format: what is written reads back, and no bytes make a reader panic.

use super::*;
use crate::Precision;
use crate::points::Table;
use proptest::prelude::*;
use std::path::PathBuf;
use std::sync::LazyLock;

fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{prefix} {number}")).collect()
}

fn sample() -> Points {
    let values = vec![0.1, -0.0, 1e300, 5e-324, 1.0 / 3.0, f64::MAX, -7.0, 123456789.125];
    let points = Points::new(4, 2, values).unwrap().with_ids(names("p\u{e9}", 4)).unwrap();
    points.with_labels(names("a,b;\"c\"", 4)).unwrap().with_columns(names("col", 2)).unwrap()
}

fn bits(points: &Points) -> Vec<u64> {
    points.values().iter().map(|value| value.to_bits()).collect()
}

#[test]
fn every_format_reads_back_what_it_wrote() {
    let directory = tempfile::tempdir().unwrap();
    for format in Format::WRITTEN {
        let path = directory.path().join(format!("points.{format}"));
        let points = sample();
        write(&path, &points).unwrap();
        let again = read(&path, &ReadOptions::default()).unwrap();
        assert_eq!((again.len(), again.dim(), bits(&again)), (4, 2, bits(&points)), "{format}");
        if format != Format::Npy {
            assert_eq!((again.ids(), again.labels()), (points.ids(), points.labels()), "{format}");
            assert_eq!(again.columns(), points.columns(), "{format}");
        }
    }
}

#[test]
fn every_format_reads_back_narrow_numbers() {
    let directory = tempfile::tempdir().unwrap();
    let singles = Points::from_elements(3, 2, vec![0.1_f32, -0.0, 1e-45, f32::MAX, 2.5, -7.0]).unwrap();
    let halves = (1..7).map(|at| crate::Half::from_bits(at * 5000)).collect();
    let halves = Points::from_elements(2, 3, halves).unwrap();
    let bytes = Points::from_elements(1, 3, vec![0_u8, 7, 255]).unwrap();
    for points in [singles, halves, bytes] {
        for format in Format::WRITTEN {
            let path = directory.path().join(format!("points.{format}"));
            write(&path, &points).unwrap();
            let again = read(&path, &ReadOptions::default()).unwrap();
            let kept = matches!(format, Format::Npy | Format::Npz)
                || (format, points.precision()) == (Format::Parquet, Precision::Single);
            let precision = if kept { points.precision() } else { Precision::Double };
            assert_eq!(again.precision(), precision, "{format}");
            assert!(!points.is_widened() && !again.is_widened());
            assert_eq!(bits(&again), bits(&points.clone().select(&(0..points.len() as u32).collect::<Vec<_>>())));
        }
    }
}

#[test]
fn narrow_arrays_keep_their_precision_whatever_their_order() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.npy");
    // Columns first, high bytes first.
    let mut file = Vec::new();
    let text = "{'descr': '>f4', 'fortran_order': True, 'shape': (2, 3), }\n";
    file.extend(b"\x93NUMPY\x01\x00");
    file.extend((text.len() as u16).to_le_bytes());
    file.extend(text.as_bytes());
    file.extend([1.0_f32, 2.0, 3.0, 4.0, f32::NAN, f32::NAN].iter().flat_map(|value| value.to_be_bytes()));
    std::fs::write(&path, file).unwrap();
    let error = read(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains(": row 1, column 3 holds NaN, but a finite number is needed"), "{error}");
    let options = ReadOptions { drop_columns: vec!["3".into()], id_column: Some("1".into()), ..ReadOptions::default() };
    let points = read(&path, &options).unwrap();
    assert_eq!((points.precision(), points.ids().unwrap()), (Precision::Single, &["1".into(), "2".into()][..]));
    assert_eq!(points.values(), [3.0, 4.0]);
}

#[test]
fn large_arrays_are_mapped() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("large.npy");
    let (rows, columns) = (held::LARGE as usize / 16, 4);
    for (kind, precision, shift) in
        [("<f4", Precision::Single, 4), ("<f8", Precision::Double, 8), (">f4", Precision::Single, 4)]
    {
        let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
        text.push_str(&" ".repeat(117 - text.len()));
        text.push('\n');
        let mut file = std::fs::File::create(&path).unwrap();
        std::io::Write::write_all(&mut file, b"\x93NUMPY\x01\x00\x76\x00").unwrap();
        std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
        // All zeros but the last number, whose first byte is one.
        file.set_len((128 + rows * columns * shift) as u64).unwrap();
        std::io::Seek::seek(&mut file, std::io::SeekFrom::End(-(shift as i64))).unwrap();
        std::io::Write::write_all(&mut file, &[1]).unwrap();
        let points = read(&path, &ReadOptions::default()).unwrap();
        let last = match kind {
            "<f4" => f64::from(f32::from_bits(1)),
            "<f8" => f64::from_bits(1),
            _ => f64::from(f32::from_bits(1 << 24)),
        };
        let mut row = [0.0; 4];
        points.read_row(rows - 1, &mut row);
        assert_eq!((points.precision(), row, points.is_widened()), (precision, [0.0, 0.0, 0.0, last], false));
        let options = ReadOptions { drop_columns: vec!["2".into(), "3".into()], ..ReadOptions::default() };
        assert_eq!(read(&path, &options).unwrap().dim(), 2);
    }
}

#[test]
fn every_format_refuses_the_others_with_a_sentence() {
    let directory = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> =
        Format::WRITTEN.iter().map(|format| directory.path().join(format!("p.{format}"))).collect();
    files.iter().for_each(|path| write(path, &sample()).unwrap());
    for path in &files {
        for format in [Format::Npy, Format::Npz, Format::Parquet, Format::Mat] {
            if Format::from_path(path).unwrap() != format {
                let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
                let error = read(path, &options).unwrap_err().to_string();
                assert!(error.contains(": is not a"), "{error}");
            }
        }
    }
}

#[test]
fn an_archive_of_several_arrays_asks_for_a_name() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("two.npz");
    let mut zip = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    for (name, value) in [("X", 1.0), ("Y", 2.0)] {
        zip.start_file(format!("{name}.npy"), zip::write::SimpleFileOptions::DEFAULT).unwrap();
        npy::write_numbers(&mut zip, 1, 2, sheet::Numbers::Real(Table::of_doubles(&[value, value], 2))).unwrap();
    }
    zip.finish().unwrap();
    let error = read(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(
        error.ends_with("holds 2 two-dimensional arrays: 'X' (1, 2), 'Y' (1, 2); name one with variable"),
        "{error}"
    );
    let options = |name: &str| ReadOptions { variable: Some(name.into()), ..ReadOptions::default() };
    assert_eq!(read(&path, &options("Y")).unwrap().values(), [2.0, 2.0]);
    assert!(read(&path, &options("Z")).unwrap_err().to_string().contains("holds no array named 'Z'; it holds 'X'"));
    assert!(!is_sparse(&path));
}

#[test]
fn a_shortened_array_tells_how_much_is_missing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("short.npy");
    write(&path, &sample()).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 3]).unwrap();
    let error = read(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(
        error.ends_with("is cut short: its shape (4, 2) needs 192 bytes, but it has 189; copy or save it again"),
        "{error}"
    );
    let claim = String::from_utf8_lossy(&bytes[10..128]).replace("(4, 2), }            ", "(99999999999, 2), }  ");
    std::fs::write(&path, [&bytes[..10], claim.as_bytes(), &bytes[128..]].concat()).unwrap();
    let error = read(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("its shape (99999999999, 2) needs 1600000000112 bytes, but it has 192"), "{error}");
}

#[test]
fn newer_matlab_files_are_refused_with_advice() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("new.mat");
    std::fs::write(&path, [b"MATLAB 7.3 MAT-file".as_slice(), &[b' '; 600]].concat()).unwrap();
    let error = read(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("is a MATLAB 7.3 (HDF5) file") && error.contains("'-v7'"), "{error}");
}

/// One whole file of each format, to be damaged.
static WHOLE: LazyLock<Vec<(Format, Vec<u8>)>> = LazyLock::new(|| {
    let directory = tempfile::tempdir().unwrap();
    let file = |format: Format| {
        let path = directory.path().join(format!("whole.{format}"));
        write(&path, &sample()).unwrap();
        (format, std::fs::read(path).unwrap())
    };
    let raw = raw::tests::FILES.iter().map(|(format, bytes)| (*format, bytes.to_vec()));
    Format::WRITTEN.into_iter().map(file).chain(raw).collect()
});

/// Reads bytes with every reader; the answer does not matter, only that there is one.
fn feed(format: Format, bytes: &[u8]) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, bytes).unwrap();
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    let _ = read(file.path(), &options);
    let _ = read_indices(file.path(), &options);
    let _ = sparse::read(file.path(), &options);
    let _ = is_sparse(file.path());
    let named = ReadOptions { id_column: Some("1".into()), variable: Some("points".into()), ..options };
    let _ = read(file.path(), &named);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn random_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..400), kind in 0usize..10, keep in 0usize..160) {
        let (format, whole) = &WHOLE[kind];
        feed(*format, &bytes);
        // After a valid beginning the same bytes pass the first checks.
        feed(*format, &[&whole[..keep.min(whole.len())], &bytes].concat());
    }

    #[test]
    fn damaged_files_are_survived(
        kind in 0usize..10,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
        shorten in any::<bool>(),
    ) {
        let (format, whole) = &WHOLE[kind];
        let mut bytes = whole.clone();
        for (at, value) in &changes {
            let at = at.index(bytes.len());
            bytes[at] = *value;
        }
        if shorten {
            bytes.truncate(cut.index(bytes.len()));
        }
        feed(*format, &bytes);
    }

    #[test]
    fn random_text_is_survived(text in "[-0-9a,;|\t \"#\r\n.eE\u{e9}]{0,120}") {
        feed(Format::Csv, text.as_bytes());
        feed(Format::Tsv, text.as_bytes());
    }

    #[test]
    fn numbers_of_every_size_read_back(values in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO, 1..40), kind in 0usize..6) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(format!("points.{}", Format::WRITTEN[kind]));
        let points = Points::new(values.len(), 1, values).unwrap();
        write(&path, &points).unwrap();
        prop_assert_eq!(bits(&read(&path, &ReadOptions::default()).unwrap()), bits(&points));
    }
}
