//! Exact neighbors on a graphics processor: seconds beside the ceilings of the same device, beside PyTorch where it is there, and
//! whether the lists are those of the processor.
//!
//! It needs a device and no Python environment of the project: `python3` as it is measures the ceilings if it has PyTorch.

use crate::project::{cargo, command, example, root, succeed};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;

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

/// Runs it, and fails where a search takes longer than it may; `--quick` takes small sizes and writes no page.
pub(super) fn run(words: &[&str]) -> Result<()> {
    let quick = match words {
        [] => false,
        ["--quick"] => true,
        _ => bail!("bench gpu takes no words but --quick"),
    };
    succeed(cargo(&["build", "--quiet", "--release", "-p", "truefold", "--example", "device"])?)?;
    let found: Value = last_line(&["found"])?;
    let (name, cuda) = (text(&found, "name"), text(&found, "cuda"));
    let ceilings = ceilings();
    let mut timed = Vec::new();
    for &(kind, n, q, most) in if quick { QUICK } else { FULL } {
        let mut line = last_line(&["time", kind, &n.to_string(), &q.to_string(), &K.to_string()])?;
        line["most"] = json!(most);
        println!("{line}");
        timed.push(line);
    }
    let checked = lines(&["check"])?;
    println!("{checked}");
    let page = page(&format!("{name}, driver for CUDA {cuda}"), &timed, &ceilings, &checked)?;
    let folder = if quick { "target/bench/quick" } else { "docs/benchmarks" };
    let folder = root()?.join(folder);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("gpu.md"), page).context("cannot write the page")?;
    let numbers =
        json!({"device": found, "timed": timed, "ceilings": ceilings, "checked": checked.lines().collect::<Vec<_>>()});
    fs::write(folder.join("gpu.json"), format!("{numbers:#}\n")).context("cannot write the numbers")?;
    let late = too_late(&timed);
    if !late.is_empty() {
        bail!("these took longer than they may: {}", late.join("; "));
    }
    Ok(())
}

/// What took longer than it may, or told no time.
fn too_late(timed: &[Value]) -> Vec<String> {
    let is_late = |line: &&Value| {
        line["most"].as_f64().is_some_and(|most| line["median"].as_f64().is_none_or(|seconds| seconds > most))
    };
    let told = |line: &Value| {
        format!("{}, {} x {}: {} s, at most {}", text(line, "kind"), line["n"], line["q"], line["median"], line["most"])
    };
    timed.iter().filter(is_late).map(told).collect()
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

/// What the example prints.
fn lines(words: &[&str]) -> Result<String> {
    let output = command(example("device")?, words)?.output().context("the example does not start")?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        bail!("{}{}", said, String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(said)
}

fn last_line(words: &[&str]) -> Result<Value> {
    serde_json::from_str(lines(words)?.lines().last().unwrap_or_default()).context("the example prints no JSON")
}

/// The ceilings of the device and PyTorch's own search, if there is PyTorch.
fn ceilings() -> Value {
    let output = command("python3", &["xtask/python/gpu_ceilings.py"]).and_then(|mut script| Ok(script.output()?));
    let said = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    said.lines().last().and_then(|line| serde_json::from_str(line).ok()).unwrap_or(Value::Null)
}

fn page(device: &str, timed: &[Value], ceilings: &Value, checked: &str) -> Result<String> {
    let mut page = String::new();
    writeln!(page, "# Exact neighbors on a graphics processor\n")?;
    writeln!(
        page,
        "Made by `cargo xtask bench gpu` on {device}. k = {K}, Euclidean distances, single-precision input in this machine's \
         memory; seconds of the whole search, conversion and copies included, the median of five after one to warm up.\n"
    )?;
    writeln!(page, "| data | seconds | at most | operations | of the ceiling | bytes, at the least |")?;
    writeln!(page, "|---|---|---|---|---|---|")?;
    for line in timed {
        let [n, q] = ["n", "q"].map(|name| line[name].as_f64().unwrap_or_default());
        let wide = (q as usize).next_multiple_of(STEP) as f64;
        let seconds = line["median"].as_f64().unwrap_or(f64::NAN);
        let operations = 2.0 * n * n * wide;
        let most = line["most"].as_f64().map_or_else(|| "-".to_owned(), |most| format!("{most}"));
        let share = ceilings["half"]
            .as_f64()
            .map_or_else(|| "-".to_owned(), |ceiling| format!("{:.0} %", 100.0 * operations / seconds / ceiling));
        writeln!(
            page,
            "| {}, {n} x {q} | {seconds:.2} | {most} | {operations:.2e} | {share} | {:.2e} |",
            text(line, "kind"),
            2.0 * n * wide
        )?;
    }
    writeln!(
        page,
        "\nOperations are 2 n^2 q with q filled up to a multiple of {STEP}; bytes are the operands, read once. Both are counted, \
         the ceilings measured on the same device:\n"
    )?;
    match ceilings["half"].as_f64().zip(ceilings["copy"].as_f64()) {
        Some((half, copy)) => {
            writeln!(page, "- products of half-precision 8192 x 8192 matrices (PyTorch): {:.0} TFLOP/s", half / 1e12)?;
            writeln!(page, "- copies within the device, read and written: {:.2} TB/s", copy / 1e12)?;
            for (q, seconds) in ceilings["torch"].as_object().into_iter().flatten() {
                let seconds = seconds.as_f64().unwrap_or(f64::NAN);
                writeln!(
                    page,
                    "- PyTorch, single-precision products and `topk` (not proven), 10^6 x {q}: {seconds:.1} s, from a tenth of \
                     the rows"
                )?;
            }
        }
        None => writeln!(page, "- not measured: there is no PyTorch on this machine")?,
    }
    writeln!(page, "\nLists beside those of the processor, with the seconds of both:\n")?;
    checked.lines().try_for_each(|line| writeln!(page, "- {line}"))?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_long_is_named() {
        let line =
            |median: Value, most: Value| json!({"kind": "normal", "n": 10, "q": 3, "median": median, "most": most});
        let lines = [
            line(json!(1.5), json!(2.0)),
            line(json!(2.0), json!(2.0)),
            line(json!(7.0), Value::Null),
            line(json!(2.5), json!(2.0)),
            line(Value::Null, json!(2.0)),
        ];
        let late = too_late(&lines);
        assert_eq!(late, ["normal, 10 x 3: 2.5 s, at most 2.0", "normal, 10 x 3: null s, at most 2.0"]);
    }
}
