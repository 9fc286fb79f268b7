//! Uses that are to fail, and the small files that runs need beside generated data.

use anyhow::{Context, Result};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Each is to end with a message, an exit status other than 0 and no file.
const WRONG: &[&str] = &[
    "measure roll.csv roll-truth.csv --k 1200",
    "measure roll.csv roll-truth.csv --k 0",
    "measure roll.csv roll-truth.csv --k many",
    "measure roll.csv small-truth.npy",
    "measure nan.csv flat.csv",
    "measure ragged.csv flat.csv",
    "measure words.csv flat.csv",
    "measure empty.csv flat.csv",
    "measure missing.csv flat.csv",
    "measure roll.csv roll-truth.csv --measures trust",
    "measure roll.csv roll-truth.csv --metric euclid",
    "measure roll.csv roll-truth.csv --k 3 --radius 2",
    "measure roll.csv roll-truth.csv --threads 0",
    "measure roll.csv roll-truth.csv --input-format npy",
    "measure named.csv flat.csv --metric precomputed",
    "neighbors roll.csv --radius 0.001 --output wrong-radius.csv",
    "generate swis-roll --output wrong-set.csv",
    "generate cylinder --set hight=3 --output wrong-option.csv",
    "generate plane --points 0 --output wrong-points.csv",
    "generate plane --output wrong-ending.what",
    "embed roll.csv --method ise --output wrong-method.csv",
    "embed roll.csv --method lle --set regg=1 --output wrong-name.csv",
    "embed roll.csv --method lle --set reg=much --output wrong-value.csv",
    "embed roll.csv --method lle --set reg --output wrong-form.csv",
    "embed roll.csv --method psa --set tangent_k=1 --output wrong-tangent.csv",
    "embed roll.csv --method psa --dim 0 --output wrong-dim.csv",
    "embed roll.csv --method psa --dim 4 --output wrong-larger-dim.csv",
    "embed roll.csv --method hessian-eigenmaps --k 4 --output wrong-few.csv",
    "embed pieces.csv --method isomap --k 9 --set components=error --output wrong-pieces.csv",
    "embed square.csv --method psa --metric precomputed --k 8 --output wrong-distances.csv",
    "embed roll.csv --method psa",
    "transform roll.csv new.csv --output wrong-model.csv",
    "transform roll.truefold plane.mat --output wrong-columns.csv",
    "refine small.csv mds.csv --target r-x --output wrong-target.csv",
    "refine small.csv mds.csv --penalty -1 --output wrong-penalty.csv",
    "compare small.csv --methods psa,ise",
    "compare small.csv --methods psa --set lle.reg=1",
    "sweep small.csv --method isomap --k 9..6",
    "denoise noisy.csv --rounds many --output wrong-rounds.csv",
    "unfold roll.csv",
];

/// All commands that are to fail.
pub fn all() -> impl Iterator<Item = &'static str> {
    WRONG.iter().copied()
}

/// Points on a grid of this many columns and rows.
const GRID: (usize, usize) = (15, 10);

/// Writes the files that runs read and no run writes.
pub fn write_files(folder: &Path) -> Result<()> {
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).with_context(|| format!("no {name}"));
    let flat: Vec<[f64; 2]> = (0..GRID.0 * GRID.1).map(place).collect();
    let lines = |line: &dyn Fn(usize) -> String| (0..flat.len()).map(line).collect::<Vec<_>>().join("\n") + "\n";
    write("flat.csv", &lines(&|row| format!("{},{}", flat[row][0], flat[row][1])))?;
    let bent = |row: usize| {
        let [u, v] = flat[row];
        format!("point-{row},{u},{v},{},{}", 0.05 * u * u, if row.is_multiple_of(3) { "a" } else { "b" })
    };
    write("named.csv", &format!("name,x,y,z,kind\n{}", lines(&bent)))?;
    let distance = |a: usize, b: usize| ((flat[a][0] - flat[b][0]).powi(2) + (flat[a][1] - flat[b][1]).powi(2)).sqrt();
    let all = |row: usize| (0..flat.len()).map(|other| distance(row, other).to_string()).collect::<Vec<_>>().join(",");
    write("square.csv", &lines(&all))?;
    let mut near = String::from("row,column,distance\n");
    for row in 0..flat.len() {
        for other in (0..flat.len()).filter(|&other| other != row && distance(row, other) < 2.2) {
            writeln!(near, "{row},{other},{}", distance(row, other))?;
        }
    }
    write("sparse.csv", &near)?;
    write("nan.csv", "1,2\n3,NaN\n5,6\n")?;
    write("ragged.csv", "1,2\n3,4,5\n")?;
    write("words.csv", "a,b\n1,2\n3,cat\n")?;
    write("empty.csv", "")
}

/// The place of a point of the grid, moved a little so that no two distances are equal.
fn place(row: usize) -> [f64; 2] {
    let (u, v) = ((row % GRID.0) as f64, (row / GRID.0) as f64);
    let shift = |prime: usize| ((row * prime) % 101) as f64 / 400.0;
    [u + shift(37), v + shift(59)]
}
