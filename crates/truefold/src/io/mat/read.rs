//! Reading points: which variable of a MATLAB file holds them.

use super::super::ReadOptions;
use super::super::open::{bytes, wrong_format};
use super::element::Element;
use super::variable::{Variable, inflated_size};
use crate::error::Advice;
use crate::{Error, Points, Result, memory};
use std::path::Path;

/// Reads the points of a `.mat` file.
pub(in super::super) fn read(path: &Path, options: &ReadOptions) -> Result<Points> {
    let bytes = bytes(path)?;
    let big = byte_order(path, &bytes)?;
    let mut rest = &bytes[128..];
    let (mut variables, mut held) = (Vec::new(), 0.0);
    while !rest.is_empty() {
        let element = Element::take(&mut rest, big);
        held += f64::from(element.as_ref().ok().and_then(inflated_size).unwrap_or(0));
        let advice = Advice::mend_file("give fewer rows, or save the matrix alone");
        memory::check(format!("unpacking {}", path.display()), held, advice)?;
        let variable = element.and_then(Variable::new);
        variables.extend(variable.map_err(|problem| damaged(path, &format!("it {problem}")))?);
    }
    let chosen = choose(path, &variables, options.variable.as_deref())?;
    let mut dense =
        chosen.dense().map_err(|problem| damaged(path, &format!("the variable '{}' {problem}", chosen.name)))?;
    for variable in variables.iter().filter(|variable| ["ids", "labels", "columns"].contains(&variable.name.as_str())) {
        if let Some(texts) = variable.texts() {
            dense.attach(&variable.name, texts);
        }
    }
    dense.points(path, options)
}

/// Checks the header; whether the high byte comes first.
fn byte_order(path: &Path, bytes: &[u8]) -> Result<bool> {
    const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";
    let is_hdf5 = |at: usize| bytes.get(at..).is_some_and(|rest| rest.starts_with(HDF5));
    if bytes.starts_with(b"MATLAB 7.3") || is_hdf5(0) || is_hdf5(512) {
        return Err(Error::file(
            path,
            "is a MATLAB 7.3 (HDF5) file, but only versions 5 to 7 are read",
            Advice::mend_file("save it in MATLAB with save(..., '-v7'), or convert it to .npy or .csv"),
        ));
    }
    match bytes.get(126..128) {
        Some(b"IM") => return Ok(false),
        Some(b"MI") => return Ok(true),
        _ => {}
    }
    // Version 4 begins with a small number that says how its numbers are stored, where later ones have text.
    if bytes.len() >= 20 && bytes[..4].contains(&0) {
        return Err(Error::file(
            path,
            "has no header of MATLAB versions 5 to 7; it may be of version 4",
            Advice::mend_file("save it with save(..., '-v7')"),
        ));
    }
    if bytes.starts_with(b"MATLAB") && bytes.len() < 128 {
        return Err(damaged(path, &format!("it has {} bytes, but its header alone has 128", bytes.len())));
    }
    Err(wrong_format(path, "a MATLAB file", bytes))
}

fn choose<'a, 'b>(path: &Path, all: &'a [Variable<'b>], name: Option<&str>) -> Result<&'a Variable<'b>> {
    let shown = || {
        let shown: Vec<String> = all.iter().take(20).map(Variable::shown).collect();
        if shown.is_empty() { "no variables".into() } else { shown.join(", ") }
    };
    if let Some(name) = name {
        let found = all.iter().find(|variable| variable.name == name);
        return match found {
            Some(variable) if variable.is_matrix() => Ok(variable),
            Some(variable) => Err(Error::file(
                path,
                format!("the variable '{name}' {}, but a matrix of real numbers is needed", variable.unfit()),
                Advice::change("variable", "choose another {variable}"),
            )),
            None => {
                let advice = Advice::change("variable", format!("it holds {}", shown()));
                Err(Error::file(path, format!("holds no variable named '{name}'"), advice))
            }
        };
    }
    let matrices: Vec<&Variable> = all.iter().filter(|variable| variable.is_matrix()).collect();
    let wide: Vec<&Variable> = matrices.iter().copied().filter(|variable| variable.is_wide()).collect();
    match (matrices.as_slice(), wide.as_slice()) {
        ([only], _) | (_, [only]) => Ok(only),
        ([], _) => {
            let why = match all {
                [only] => format!("its only variable '{}' {}", only.name, only.unfit()),
                _ => format!("it holds {}", shown()),
            };
            Err(Error::file(
                path,
                format!("holds no matrix of real numbers: {why}"),
                Advice::mend_file("save a full matrix with one row for each point"),
            ))
        }
        (several, _) => Err(Error::file(
            path,
            format!("holds {} matrices: {}", several.len(), shown()),
            Advice::change("variable", "name one with {variable}"),
        )),
    }
}

fn damaged(path: &Path, problem: &str) -> Error {
    Error::file(path, format!("is a damaged MATLAB file: {problem}"), Advice::mend_file("copy or save it again"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// An element, high byte first.
    fn element(kind: u32, data: &[u8]) -> Vec<u8> {
        let mut out = [kind.to_be_bytes(), (data.len() as u32).to_be_bytes()].concat();
        out.extend(data);
        out.resize(out.len().next_multiple_of(8), 0);
        out
    }

    fn matrix(name: &str, sides: [u32; 2], flags: u32, values: &[u8]) -> Vec<u8> {
        let body = [
            element(6, &[flags.to_be_bytes(), [0; 4]].concat()),
            element(5, &sides.map(u32::to_be_bytes).concat()),
            element(1, name.as_bytes()),
            values.to_vec(),
        ];
        element(14, &body.concat())
    }

    fn file(variables: &[Vec<u8>], options: &ReadOptions) -> Result<Points> {
        let mut bytes = b"MATLAB 5.0 MAT-file".to_vec();
        bytes.resize(124, b' ');
        bytes.extend(b"\x01\x00MI");
        bytes.extend(variables.concat());
        let file = tempfile::Builder::new().suffix(".mat").tempfile().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        read(file.path(), options)
    }

    #[test]
    fn compressed_small_and_high_byte_first() {
        // MATLAB stores doubles that are small integers in small types: here four 8-bit ones inside the tag.
        let values = [0, 4, 0, 2, 1, 2, 3, 4];
        let whole = matrix("X", [2, 2], 6, &values);
        let mut deflated = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        deflated.write_all(&whole).unwrap();
        let deflated = deflated.finish().unwrap();
        let compressed = [15u32.to_be_bytes().to_vec(), (deflated.len() as u32).to_be_bytes().to_vec(), deflated];
        for variable in [whole, compressed.concat()] {
            let scalar = matrix("k", [1, 1], 6, &element(3, &[0xff, 0xfe]));
            let points = file(&[scalar, variable], &ReadOptions::default()).unwrap();
            assert_eq!((points.len(), points.values()), (2, &[1.0, 3.0, 2.0, 4.0][..]));
        }
    }

    #[test]
    fn several_or_unfit_matrices_are_named() {
        let values = element(2, &[1, 2, 3, 4]);
        let [a, b] = ["A", "B"].map(|name| matrix(name, [2, 2], 6, &values));
        let message = |variables: &[Vec<u8>], name: Option<&str>| {
            let options = ReadOptions { variable: name.map(Into::into), ..ReadOptions::default() };
            file(variables, &options).unwrap_err().to_string()
        };
        let both = message(&[a.clone(), b.clone()], None);
        assert!(both.ends_with("holds 2 matrices: 'A' (2 x 2), 'B' (2 x 2); name one with variable"), "{both}");
        assert!(message(&[a, b], Some("C")).contains("no variable named 'C'; it holds 'A' (2 x 2)"));
        let complex = message(&[matrix("Z", [2, 2], 0x806, &values)], Some("Z"));
        assert!(complex.contains("the variable 'Z' holds complex numbers"), "{complex}");
        let claim = message(&[matrix("X", [9000, 9000], 6, &values)], None);
        assert!(claim.contains("the variable 'X' needs 81000000 bytes for its size, but has 4"), "{claim}");
    }
}
