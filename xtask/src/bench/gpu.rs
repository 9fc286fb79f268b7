//! Exact neighbors on a graphics processor: seconds beside the ceilings of the same device and beside PyTorch, whether the lists are
//! those of the processor, and arrays that lie on the device.
//!
//! It needs a device and no Python environment of the project: `python3` as it is measures the ceilings if it has PyTorch, and
//! reads arrays of PyTorch and CuPy. `--build` only builds, for a machine without cargo, where `--built` then takes what was built:
//! `CARGO_MANIFEST_DIR=$PWD/xtask target/release/xtask bench gpu --built`.

use super::page;
use super::table::{Row, Section, head, number, seconds};
use crate::project::{cargo, command, example, root, succeed, target};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// What is timed: kind of data, points, coordinates, and the seconds that are allowed.
const FULL: &[(&str, usize, usize, Option<f64>)] = &[
    ("normal", 1_000_000, 50, Some(6.0)),
    ("normal", 1_000_000, 128, Some(8.0)),
    ("normal", 1_000_000, 784, Some(20.0)),
    ("sheet", 1_000_000, 784, Some(20.0)),
    ("pixels", 60_000, 784, None),
];
const QUICK: &[(&str, usize, usize, Option<f64>)] = &[("normal", 20_000, 50, None), ("pixels", 20_000, 784, None)];
const K: usize = 12;
/// Numbers of a row are filled up to a multiple of this.
const STEP: usize = 32;

/// Runs it, and fails where a search takes longer than it may or finds other lists; `--quick` takes small sizes and writes no
/// published page.
pub(super) fn run(words: &[&str]) -> Result<()> {
    const SWITCHES: [&str; 3] = ["--quick", "--build", "--built"];
    if let Some(unknown) = words.iter().find(|word| !SWITCHES.contains(word)) {
        bail!("bench gpu knows no `{unknown}`: it takes --quick, and --build or --built");
    }
    let [quick, only_build, built] = SWITCHES.map(|word| words.contains(&word));
    if only_build && (built || quick) {
        bail!("bench gpu --build only builds: leave out --quick and --built");
    }
    if !built {
        build()?;
    }
    if only_build {
        return Ok(());
    }
    let device = last_line(example("device")?, &["found"])?;
    let ceilings = python("gpu_ceilings.py", quick)?;
    let mut timed = Vec::new();
    for &(kind, n, q, most) in if quick { QUICK } else { FULL } {
        let words = ["time", kind, &n.to_string(), &q.to_string(), &K.to_string()];
        let mut line = last_line(example("device")?, &words)?;
        line["most"] = json!(most);
        println!("{line}");
        timed.push(line);
    }
    let checked = lines(example("device")?, &["check"])?;
    let checked: Vec<Value> =
        checked.iter().map(|line| serde_json::from_str(line)).collect::<Result<_, _>>().context("no JSON")?;
    let arrays = python("gpu_arrays.py", quick)?;
    let numbers = json!({"device": device, "timed": timed, "ceilings": ceilings, "checked": checked, "arrays": arrays});
    write(&numbers, quick)
}

/// The folder of the Python package as it is built here.
fn package() -> Result<PathBuf> {
    Ok(target()?.join("bench").join("gpu"))
}

/// Builds the example, and the Python package in a folder of its own.
fn build() -> Result<()> {
    succeed(cargo(&["build", "--quiet", "--release", "-p", "truefold", "--example", "device"])?)?;
    let mut library = cargo(&["build", "--quiet", "--release", "-p", "truefold-python"])?;
    // As maturin does: the interpreter that loads it has the symbols.
    library.env("PYO3_BUILD_EXTENSION_MODULE", "1");
    succeed(library)?;
    let (from, to) = (root()?.join("python").join("truefold"), package()?.join("truefold"));
    fs::create_dir_all(&to).context("cannot make the folder of the package")?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        if let (Some(name), Some("py")) = (path.file_name(), path.extension().and_then(|kind| kind.to_str())) {
            fs::copy(&path, to.join(name)).context("cannot copy the package")?;
        }
    }
    let (made, name) =
        if cfg!(windows) { ("_native.dll", "_native.pyd") } else { ("lib_native.so", "_native.abi3.so") };
    fs::copy(target()?.join("release").join(made), to.join(name)).context("cannot copy the library of the package")?;
    Ok(())
}

/// What a program prints, line by line.
fn lines(program: impl AsRef<std::ffi::OsStr>, words: &[&str]) -> Result<Vec<String>> {
    let mut command = command(program, words)?;
    let output = command.env("PYTHONPATH", package()?).output().context("it does not start")?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    print!("{said}");
    if !output.status.success() {
        bail!("{words:?}: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(said.lines().map(str::to_owned).collect())
}

fn last_line(program: impl AsRef<std::ffi::OsStr>, words: &[&str]) -> Result<Value> {
    let lines = lines(program, words)?;
    serde_json::from_str(lines.last().map_or("", String::as_str)).with_context(|| format!("{words:?} prints no JSON"))
}

/// What a script measures, or nothing where `python3` has no PyTorch.
fn python(script: &str, quick: bool) -> Result<Value> {
    if lines("python3", &["-c", "import torch; torch.zeros(1, device='cuda')"]).is_err() {
        return Ok(Value::Null);
    }
    let path = format!("xtask/python/{script}");
    let words = [path.as_str(), "--quick"];
    last_line("python3", if quick { &words } else { &words[..1] })
}

/// Writes the page and its numbers; an error for what does not hold.
fn write(numbers: &Value, quick: bool) -> Result<()> {
    let (rows, sections) = (rows(numbers), sections(numbers));
    let device = &numbers["device"];
    let mut made = format!(
        "Made by `cargo xtask bench gpu` on {}, driver for CUDA {}. k = {K}, Euclidean distances and single-precision numbers \
         unless another is named; seconds of the whole search, conversion and copies included, the median of five after one to \
         warm up.",
        text(device, "name"),
        text(device, "cuda")
    );
    if let Some(versions) = numbers["arrays"]["versions"].as_str() {
        made.push_str(&format!(" {versions}."));
    }
    let folder = root()?.join(if quick { "target/bench/quick" } else { "docs" });
    fs::create_dir_all(folder.join("benchmarks")).context("cannot make the folder for the results")?;
    for page in page::pages("gpu", &made, &rows, &sections, !quick) {
        println!("\n{}", page.text);
        page.write(&folder)?;
    }
    fs::write(folder.join("benchmarks/gpu.json"), format!("{numbers:#}\n")).context("cannot write the numbers")?;
    rows.iter().filter_map(Row::verdict).for_each(|verdict| println!("{verdict}"));
    let broken: Vec<String> = rows.iter().filter(|row| row.holds == Some(false)).filter_map(Row::verdict).collect();
    if !broken.is_empty() {
        bail!("{}", broken.join("; "));
    }
    Ok(())
}

/// What is claimed: no search takes longer than it may, and all lists are those of the processor.
fn rows(numbers: &Value) -> Vec<Row> {
    let mut rows = Vec::new();
    for line in each(&numbers["timed"]) {
        let (median, most) = (line["median"].as_f64(), line["most"].as_f64());
        let figure = median.map_or_else(|| "no time".to_owned(), seconds);
        rows.push(Row {
            what: format!("exact, {}", data(line)),
            tool: figure.clone(),
            beside: beside(&numbers["ceilings"], line),
            figure,
            target: most.map_or_else(String::new, |most| format!("at most {most} s")),
            holds: most.map(|most| median.is_some_and(|median| median <= most)),
        });
    }
    for (what, found) in
        [("exact and approximate", &numbers["checked"]), ("of arrays on the device", &numbers["arrays"]["checked"])]
    {
        let (all, same) = (each(found).count(), each(found).filter(|line| line["same"] == json!(true)).count());
        rows.push(Row {
            what: format!("lists, {what}"),
            figure: format!("{same} of {all} the same"),
            target: "all those of the processor".to_owned(),
            // Nothing is claimed of arrays where no package makes them.
            holds: (all > 0 || what.starts_with("exact")).then_some(same == all && all > 0),
            ..Row::default()
        });
    }
    rows
}

/// Other programs on data of the same size.
fn beside(ceilings: &Value, line: &Value) -> String {
    let named = |name: &str, key: &str, note: &str| {
        let value = ceilings[key][line["q"].to_string()].as_f64().filter(|_| line["n"] == json!(1_000_000))?;
        Some(format!("{name} {}{note}", seconds(value)))
    };
    let torch = named("PyTorch (single precision, not proven, from a tenth of the rows)", "torch", "");
    let all = [torch, named("FAISS (single precision, not proven)", "faiss", "")];
    all.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn sections(numbers: &Value) -> Vec<Section> {
    let mut sections = vec![roofline(numbers), lists(&numbers["checked"])];
    if each(&numbers["arrays"]["timed"]).count() > 0 {
        sections.extend(arrays(&numbers["arrays"]));
    }
    sections
}

/// Operations and bytes beside what the device can do.
fn roofline(numbers: &Value) -> Section {
    let ceilings = &numbers["ceilings"];
    let (half, copy) = (ceilings["half"].as_f64(), ceilings["copy"].as_f64());
    let note = match half.zip(copy) {
        Some((half, copy)) => format!(
            "The ceilings of the same device, measured in the same run by PyTorch: {:.0} TFLOP/s for products of half-precision 8192 \
             x 8192 matrices, {:.2} TB/s for copies within the device, read and written.",
            half / 1e12,
            copy / 1e12
        ),
        None => "The ceilings are not measured: there is no PyTorch for the device on this machine.".to_owned(),
    };
    let row = |line: &Value| {
        let [n, q] = ["n", "q"].map(|name| line[name].as_f64().unwrap_or(f64::NAN));
        let wide = (q as usize).next_multiple_of(STEP) as f64;
        let (operations, bytes) = (2.0 * n * n * wide, 2.0 * n * wide);
        let floor = half.zip(copy).map(|(half, copy)| (operations / half).max(bytes / copy));
        let share = floor.zip(line["median"].as_f64()).map(|(floor, median)| 100.0 * floor / median);
        let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        vec![
            data(line),
            number(operations),
            number(bytes),
            or_dash(floor.map(seconds)),
            or_dash(line["median"].as_f64().map(seconds)),
            or_dash(share.map(|share| format!("{share:.0} %"))),
        ]
    };
    Section {
        title: "Beside the ceilings of the device".to_owned(),
        note: format!(
            "Operations are 2 n^2 q with q filled up to a multiple of {STEP}; bytes are the operands, read once. Both are counted; \
             neither makes a search shorter than the longer of the two at the ceilings. {note}"
        ),
        head: head(&["data", "operations", "bytes", "at the ceilings", "the search", "share"]),
        rows: each(&numbers["timed"]).map(row).collect(),
        page: None,
    }
}

/// The lists of both sides.
fn lists(checked: &Value) -> Section {
    Section {
        title: "Lists beside those of the processor".to_owned(),
        note: "One search on either side. `copies` has one row in ten twice, `ties` has whole numbers, `norms` lengths from \
               1e-6 to 1e6."
            .to_owned(),
        head: head(&["search", "lists", "on the processor", "on the device", "recall"]),
        rows: each(checked).map(|line| compared(line, &["here", "there"])).collect(),
        page: None,
    }
}

/// Arrays that lie on the device, and their lists.
fn arrays(arrays: &Value) -> [Section; 2] {
    let timed = |line: &Value| {
        let median = line["median"].as_f64().map_or_else(|| "-".to_owned(), seconds);
        vec![text(line, "what"), text(line, "array"), text(line, "read"), median]
    };
    [
        Section {
            title: "Arrays that lie on the device".to_owned(),
            note: "Seconds of `truefold.neighbors(X, 12, algorithm=\"brute\", device=\"gpu\")`, the copy to the memory of the processor \
                   and its check included; the median of three after one to warm up."
                .to_owned(),
            head: head(&["data", "X", "operands made from", "seconds"]),
            rows: each(&arrays["timed"]).map(timed).collect(),
            page: None,
        },
        Section {
            title: "Lists of such arrays".to_owned(),
            note: "Beside those of `device=\"cpu\"` for the same numbers as an array of NumPy.".to_owned(),
            head: head(&["search", "lists", "on the processor", "on the device", "recall"]),
            rows: each(&arrays["checked"]).map(|line| compared(line, &["here", "there"])).collect(),
            page: None,
        },
    ]
}

fn compared(line: &Value, times: &[&str; 2]) -> Vec<String> {
    let time = |name: &str| line[name].as_f64().map_or_else(|| "-".to_owned(), seconds);
    let lists = if line["same"] == json!(true) { "the same" } else { "OTHERS" };
    let recall = line["recall"].as_f64().map_or_else(String::new, |recall| format!("{recall:.4}"));
    vec![text(line, "what"), lists.to_owned(), time(times[0]), time(times[1]), recall]
}

fn data(line: &Value) -> String {
    format!("{}, {} x {}", text(line, "kind"), line["n"], line["q"])
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

fn each(values: &Value) -> impl Iterator<Item = &Value> {
    values.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(median: Value, most: Value) -> Value {
        json!({"kind": "normal", "n": 1_000_000, "q": 50, "median": median, "most": most})
    }

    #[test]
    fn what_takes_too_long_or_finds_others_does_not_hold() {
        let times = [
            timed(json!(1.5), json!(2.0)),
            timed(json!(2.0), json!(2.0)),
            timed(json!(7.0), Value::Null),
            timed(json!(2.5), json!(2.0)),
            timed(Value::Null, json!(2.0)),
        ];
        let holds = |same: [bool; 2]| {
            let checked = same.map(|same| json!({"what": "a", "same": same}));
            let rows = rows(&json!({"timed": times, "checked": checked, "arrays": null}));
            rows.iter().map(|row| row.holds).collect::<Vec<_>>()
        };
        let expected = [Some(true), Some(true), None, Some(false), Some(false)];
        assert_eq!(holds([true, true])[..5], expected);
        assert_eq!(holds([true, true])[5..], [Some(true), None]);
        assert_eq!(holds([true, false])[5..], [Some(false), None]);
        // Where nothing was compared nothing holds.
        assert_eq!(rows(&json!({}))[0].holds, Some(false));
    }

    #[test]
    fn the_page_has_ceilings_other_programs_and_arrays() {
        let array = json!({"what": "normal, 10 x 3", "array": "CuPy", "read": "the device", "median": 0.5});
        let numbers = json!({
            "timed": [timed(json!(2.0), json!(6.0))],
            "ceilings": {"half": 1.28e14, "copy": 4e12, "torch": {"50": 17.7}, "faiss": {}},
            "checked": [{"what": "norms", "same": true, "here": 0.83, "there": 0.4, "recall": null}],
            "arrays": {"timed": [array], "checked": [{"what": "CuPy", "same": true, "here": 1.0, "there": 0.2}]},
        });
        let pages = page::pages("gpu", "made", &rows(&numbers), &sections(&numbers), true);
        let text = &pages[0].text;
        for line in [
            "| exact, normal, 1000000 x 50 | 2.00 s | PyTorch (single precision, not proven, from a tenth of the rows) 17.70 s | 2.00 s | at most 6 s | yes |",
            "| normal, 1000000 x 50 | 1.28e14 | 1.28e8 | 1.00 s | 2.00 s | 50 % |",
            "| norms | the same | 0.83 s | 0.40 s |  |",
            "| normal, 10 x 3 | CuPy | the device | 0.50 s |",
            "| lists, of arrays on the device |  |  | 1 of 1 the same | all those of the processor | yes |",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(roofline(&json!({"timed": [timed(json!(2.0), json!(6.0))]})).note.contains("not measured"));
    }

    #[test]
    fn words_that_contradict_each_other_are_refused() {
        let said = |words: &[&str]| run(words).unwrap_err().to_string();
        assert_eq!(said(&["--fast"]), "bench gpu knows no `--fast`: it takes --quick, and --build or --built");
        let only = "bench gpu --build only builds: leave out --quick and --built";
        assert_eq!(said(&["--build", "--quick"]), only);
        assert_eq!(said(&["--build", "--built"]), only);
    }
}
