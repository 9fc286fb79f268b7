//! Inputs with the structure of their format and wrong contents: what edits of bytes seldom reach behind checksums and
//! compression.

use crate::draw::Draw;
use crate::edit::{NUMBERS, edit};
use std::io::{Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const TYPES: [&str; 24] = [
    "<f8",
    "<f4",
    "<f2",
    "|u1",
    "|i1",
    "<i2",
    "<i4",
    "<i8",
    "<u2",
    "<u4",
    "<u8",
    ">f8",
    ">i4",
    "=f8",
    "|b1",
    "<U3",
    ">U2",
    "|S4",
    "|O",
    "<c16",
    "<f16",
    "<M8[s]",
    "<U999999999999",
    "",
];

/// A NumPy array whose type, order, shape and data need not fit.
pub fn array(draw: &mut Draw) -> Vec<u8> {
    let size = |draw: &mut Draw| {
        if draw.one_in(4) { (*draw.pick(&NUMBERS)).to_owned() } else { draw.below(7).to_string() }
    };
    let shape = match draw.below(8) {
        0 => "()".to_owned(),
        1 => format!("({},)", size(draw)),
        2 => format!("({}, {}, {})", size(draw), size(draw), size(draw)),
        _ => format!("({}, {})", size(draw), size(draw)),
    };
    let kind = if draw.one_in(3) { *draw.pick(&TYPES) } else { *draw.pick(&TYPES[..8]) };
    let order = *draw.pick(&["False", "False", "True", "true", "0"]);
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}").into_bytes();
    if draw.one_in(6) {
        edit(draw, &mut header, b"'descr': [('a', '<f8'), ('b', '<i4')]");
    }
    header.resize((header.len() + 11).next_multiple_of(64) - 11, b' ');
    header.push(b'\n');
    let mut bytes = b"\x93NUMPY".to_vec();
    let version = *draw.pick(&[1, 1, 1, 2, 3, 9]);
    bytes.extend([version, 0]);
    let length = if draw.one_in(12) { draw.bits() as usize } else { header.len() };
    if version == 1 {
        bytes.extend((length as u16).to_le_bytes());
    } else {
        bytes.extend((length as u32).to_le_bytes());
    }
    bytes.extend(header);
    bytes.extend(cells(draw));
    bytes
}

/// Data: small numbers of some width, or anything.
fn cells(draw: &mut Draw) -> Vec<u8> {
    let count = draw.below(60);
    match draw.below(4) {
        0 => (0..count * 8).map(|_| draw.bits() as u8).collect(),
        1 => (0..count).flat_map(|_| (draw.unit() as f32).to_le_bytes()).collect(),
        2 => (0..count).flat_map(|_| (draw.below(9) as i64 - 2).to_le_bytes()).collect(),
        _ => (0..count).flat_map(|_| draw.unit().to_le_bytes()).collect(),
    }
}

/// A zip archive with right checksums.
pub fn archive(draw: &mut Draw, entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        let method = if draw.one_in(2) { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        let options = SimpleFileOptions::default().compression_method(method);
        if zip.start_file(name.as_str(), options).and_then(|()| Ok(zip.write_all(bytes)?)).is_err() {
            break;
        }
    }
    zip.finish().map(Cursor::into_inner).unwrap_or_default()
}

/// The entries of an archive.
pub fn entries(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let Ok(mut zip) = ZipArchive::new(Cursor::new(bytes)) else { return Vec::new() };
    let read = |index| {
        let mut file = zip.by_index(index).ok()?;
        let name = file.name().ok()?.into_owned();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        Some((name, bytes))
    };
    (0..ZipArchive::new(Cursor::new(bytes)).map_or(0, |zip| zip.len())).filter_map(read).collect()
}

/// An archive of which some entry was changed, left out, doubled or renamed, packed again with right checksums.
pub fn repacked(draw: &mut Draw, seed: &[u8]) -> Vec<u8> {
    let mut inside = entries(seed);
    if inside.is_empty() {
        return seed.to_vec();
    }
    let at = draw.below(inside.len());
    match draw.below(6) {
        0 => drop(inside.remove(at)),
        1 => inside[at].1 = array(draw),
        2 => {
            let name =
                *draw.pick(&["points.npy", "labels.npy", "shape.npy", "indptr.npy", "manifest.json", "a\u{7}\nb.npy"]);
            if inside.iter().all(|entry| entry.0 != name) {
                inside[at].0 = name.to_owned();
            }
        }
        _ => {
            let other = inside[draw.below(inside.len())].1.clone();
            edit(draw, &mut inside[at].1, &other);
        }
    }
    archive(draw, &inside)
}

/// A MATLAB file of elements whose types and sizes need not fit, some of them compressed.
pub fn matlab(draw: &mut Draw, seed: &[u8]) -> Vec<u8> {
    let mut bytes = seed.get(..128).map_or_else(|| vec![b' '; 128], <[u8]>::to_vec);
    let body = seed.get(128..).unwrap_or_default();
    for _ in 0..=draw.below(3) {
        let mut element = if draw.one_in(3) { tagged(draw) } else { body.to_vec() };
        edit(draw, &mut element, body);
        if draw.one_in(2) {
            let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
            let packed = packed.write_all(&element).and_then(|()| packed.finish()).unwrap_or_default();
            bytes.extend(15_u32.to_le_bytes());
            bytes.extend((packed.len() as u32).to_le_bytes());
            bytes.extend(packed);
        } else {
            bytes.extend(element);
        }
    }
    bytes
}

/// A matrix of MATLAB, with flags, sizes, a name and data, each with its tag.
fn tagged(draw: &mut Draw) -> Vec<u8> {
    let mut inside = Vec::new();
    let mut put = |kind: u32, data: &[u8], length: u32| {
        inside.extend(kind.to_le_bytes());
        inside.extend(length.to_le_bytes());
        inside.extend(data);
        inside.resize(inside.len().next_multiple_of(8), 0);
    };
    let class = *draw.pick(&[1_u8, 4, 6, 6, 6, 7, 9, 12, 13, 15]);
    put(6, &[class, draw.bits() as u8 & 0x0A, 0, 0, 0, 0, 0, 0], 8);
    let mut sizes = Vec::new();
    for _ in 0..*draw.pick(&[1, 2, 2, 2, 3]) {
        let side = if draw.one_in(5) { draw.bits() as i32 } else { draw.below(6) as i32 };
        sizes.extend(side.to_le_bytes());
    }
    put(5, &sizes, sizes.len() as u32);
    put(1, b"x", 1);
    let data = cells(draw);
    let length = if draw.one_in(6) { draw.bits() as u32 } else { data.len() as u32 };
    put(*draw.pick(&[9, 9, 7, 2, 5, 1, 12, 77]), &data, length);
    let mut element = 14_u32.to_le_bytes().to_vec();
    element.extend((inside.len() as u32).to_le_bytes());
    element.extend(inside);
    element
}

/// Separated text of cells that are numbers, words, quotes and what is between.
pub fn table(draw: &mut Draw) -> Vec<u8> {
    const CELLS: [&str; 18] = [
        "1",
        "2.5",
        "-3e4",
        "0,5",
        "",
        " ",
        "\"a\"",
        "\"a\"\"b\"",
        "\"",
        "x",
        "point_id",
        "point_label",
        "NaN",
        "\u{feff}",
        "\u{1b}[2J",
        "\0",
        "é",
        "1.7976931348623157e309",
    ];
    let separator = *draw.pick(&[",", ",", ";", "\t", "|", " ", "  ", ";,"]);
    let (rows, columns) = (draw.below(8), 1 + draw.below(5));
    let mut bytes = Vec::new();
    for _ in 0..rows {
        for column in 0..columns + usize::from(draw.one_in(12)) {
            if column > 0 {
                bytes.extend(separator.bytes());
            }
            match draw.below(8) {
                0 => bytes.extend(draw.pick(&CELLS).bytes()),
                1 => bytes.extend(draw.pick(&NUMBERS).bytes()),
                _ => bytes.extend(format!("{}", draw.below(900)).bytes()),
            }
        }
        bytes.extend(draw.pick(&["\n", "\n", "\n", "\r\n", "\r", "\n\n"]).bytes());
    }
    if draw.one_in(3) {
        edit(draw, &mut bytes, b"\xff\xfe0\0\xef\xbb\xbf");
    }
    bytes
}
