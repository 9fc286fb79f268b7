//! A model of a large cluster, from the costs of stages in small runs, beside what a larger run took.

use super::super::table::{Row, Section, count, head};
use super::super::timed::Bench;
use super::super::{Findings, python};
use super::plan::{Cluster, FULL, Job, NETWORK, PARTS, Run, SPILL, Time};
use super::{STAGES, Sizes, WORKERS, Workers, stages};
use crate::project::root;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;

/// What is modelled: points, and the workers with their threads and bytes.
const POINTS: f64 = 1e9;
const CREWS: [f64; 3] = [10.0, 100.0, 1000.0];
const SHOWN: f64 = 100.0;
const THREADS: f64 = 4.0;
const MEMORY: f64 = 16e9;
/// Rows of a sample, the most that a fit takes by itself, and the most rounds after it.
const SAMPLE: f64 = 1e6;
const ROUNDS: f64 = 8.0;
/// Processors of the machine that the larger run was measured on.
const CORES: f64 = 2.0;
/// Tasks that do nothing, and the rows of a cell in which others are looked up.
const PROBE: [&str; 2] = ["20000", "1000000"];

/// What was measured of a larger run: the part `roll` of this run, or else the published one.
fn larger(bench: &Bench) -> Result<Value> {
    let kept = fs::read(bench.file("kept-dask-roll.json")).ok();
    if let Some(mut kept) = kept.and_then(|text| serde_json::from_slice::<Value>(&text).ok()) {
        return Ok(kept["findings"]["numbers"].take());
    }
    let text = fs::read(root()?.join("docs/benchmarks/dask.json")).context("the part roll was not measured yet")?;
    let mut published: Value = serde_json::from_slice(&text).context("docs/benchmarks/dask.json is no JSON")?;
    Ok(published["roll"].take())
}

/// A billion points on many workers.
pub(super) fn model(bench: &Bench, sizes: &Sizes) -> Result<Findings> {
    python::install(bench)?;
    let probe = bench.script("dask_tasks.py", None, &PROBE)?.output;
    let mut told = Vec::new();
    for (points, chunks) in sizes.model {
        let (x, z) = bench.swiss_roll(points)?;
        let fit = format!("fit:{}", points / 20);
        let workers = Workers { bytes: 2 * WORKERS.bytes, ..WORKERS };
        let mut found = stages(bench, (&x, &z), chunks, workers, &[STAGES[0], STAGES[1], &fit])?.0;
        found["fit"] = found[fit.as_str()].take();
        told.push(found);
    }
    let measured = larger(bench)?;
    let jobs = jobs(sizes, &told, &probe, &measured)?;
    let checked = against_measured(&jobs, sizes, &measured)?;
    let mut sections = vec![checked.1];
    sections.extend(jobs.iter().skip(1).map(stages_section));
    sections.push(crews_section(&jobs));
    let numbers = json!({"runs": told, "probe": probe, "scheduler": jobs[0].scheduler});
    Ok(Findings { rows: checked.0, sections, numbers })
}

/// The computations, from runs of each.
fn jobs(sizes: &Sizes, told: &[Value], probe: &Value, measured: &Value) -> Result<Vec<Job>> {
    let runs_of = |name: &str| -> [Run<'_>; 3] {
        std::array::from_fn(|at| Run {
            points: sizes.model[at].0 as f64,
            chunks: sizes.model[at].1 as f64,
            workers: WORKERS.count as f64,
            told: &told[at][name],
        })
    };
    let mut jobs: Vec<Job> = STAGES.into_iter().map(|name| Job::new(name, &runs_of(name))).collect();
    // Seconds of scheduler and client by tasks and links, by least squares.
    let mut sums = [0.0; 5];
    for job in &jobs {
        for run in runs_of(job.name) {
            let rounds = run.told["r_n"].as_array().map_or(0.0, |values| values.len() as f64 - 1.0);
            let (tasks, links) = job.counts(&Cluster { rounds, ..cluster(run.points, run.chunks, run.workers) });
            let here = run.number("cpu_here");
            for (sum, more) in
                sums.iter_mut().zip([tasks * tasks, tasks * links, links * links, tasks * here, links * here])
            {
                *sum += more;
            }
        }
    }
    let [aa, ab, bb, ay, by] = sums;
    let link = ((aa * by - ab * ay) / (aa * bb - ab * ab)).max(0.0);
    let lookup = probe["lookup"].as_f64().context("the script printed no lookup")?;
    let alone = &measured["one process"]["fit"];
    let share = alone["wall"].as_f64().zip(alone["cpu"].as_f64()).map(|(wall, cpu)| wall / cpu);
    let share = share.context("the fit of one process was not measured")?;
    for job in &mut jobs {
        (job.scheduler, job.lookup) = (((ay - link * ab) / aa, link), lookup);
        // By two threads it took this share of its processor seconds.
        job.sample.2 = (2.0 * share - 1.0).clamp(0.0, 1.0);
    }
    Ok(jobs)
}

fn cluster(points: f64, chunks: f64, workers: f64) -> Cluster {
    Cluster { points, chunks, workers, threads: THREADS, memory: MEMORY, sample: SAMPLE.min(points), rounds: 0.0 }
}

/// The model beside a larger run on this machine.
fn against_measured(jobs: &[Job], sizes: &Sizes, measured: &Value) -> Result<(Vec<Row>, Section)> {
    let (points, chunks) = sizes.roll;
    let (mut rows, mut shares) = (Vec::new(), Vec::new());
    for job in jobs {
        let run =
            Run { points: points as f64, chunks: chunks as f64, workers: 4.0, told: &measured["workers"][job.name] };
        let like =
            Cluster { threads: 1.0, sample: run.number("sample"), ..cluster(run.points, run.chunks, run.workers) };
        let cpu = job.cpu(&like) + job.scheduling(&like);
        let pairs = [
            ("processor seconds", cpu, run.number("cpu")),
            ("seconds by the clock", cpu / CORES, run.number("wall")),
            ("bytes moved a point", job.bytes(&like) / run.points, run.number("moved") / run.points),
        ];
        for (what, modelled, value) in pairs {
            if value > 0.0 {
                shares.push((modelled / value - 1.0).abs());
            }
            let cells = [job.name.to_owned(), what.to_owned(), format!("{modelled:.0}"), format!("{value:.0}")];
            rows.push([cells.to_vec(), vec![format!("{:.2}", modelled / value)]].concat());
        }
    }
    let worst = shares.iter().copied().fold(0.0, f64::max);
    let what = format!("{} points in {chunks} chunks, {}", count(points), super::crew());
    let row = Row {
        what: format!("model from runs of at most {} points, beside {what}", count(sizes.model[0].0)),
        tool: format!("{} figures", shares.len()),
        figure: format!("at most {:.0} % apart", 100.0 * worst),
        target: "<= 25 %".to_owned(),
        holds: Some(worst <= 0.25),
        ..Row::default()
    };
    let (task, link) = jobs[0].scheduler;
    let section = Section {
        title: "Model, beside a larger run".to_owned(),
        note: format!(
            "The costs of stages are those of runs of {} on the same workers; scheduler and client take {:.2} ms for a task and \
             {:.0} us for a result that another task names. All processes of {what} share {CORES} processors.",
            sizes.model.map(|(points, chunks)| format!("{} points in {chunks} chunks", count(points))).join(", "),
            1e3 * task,
            1e6 * link
        ),
        head: head(&["computation", "figure", "model", "measured", "ratio"]),
        rows,
        page: None,
    };
    Ok((vec![row], section))
}

/// The chunks with which a computation is fastest among those that workers have the memory for, without disks or else with them; where
/// they have it for none, those that need least.
fn best(job: &Job, workers: f64, rounds: f64) -> Cluster {
    let of = |chunks: f64| Cluster { rounds, ..cluster(POINTS, chunks, workers) };
    let some: Vec<Cluster> = (0..40).map(|step| of((32.0 * 2f64.powf(f64::from(step) / 4.0)).round())).collect();
    let least = |some: Vec<&Cluster>, by: &dyn Fn(&Cluster) -> f64| {
        some.into_iter().min_by(|a, b| by(a).total_cmp(&by(b))).copied()
    };
    let fastest = |share: f64| {
        let fits = some.iter().filter(|one| job.memory(one) <= share * one.memory).collect();
        least(fits, &|one| total(&job.times_of(one)))
    };
    let any = || least(some.iter().collect(), &|one| job.memory(one));
    fastest(SPILL).or_else(|| fastest(FULL)).or_else(any).unwrap_or_else(|| of(1000.0))
}

fn total(times: &[Time]) -> f64 {
    times.iter().map(Time::seconds).sum()
}

/// What limits most of the time.
fn bottleneck(times: &[Time]) -> &'static str {
    let mut sums = [0.0; 3];
    times.iter().for_each(|time| sums[time.limit()] += time.seconds());
    PARTS[(0..3).fold(0, |best, at| if sums[at] > sums[best] { at } else { best })]
}

fn setting() -> String {
    format!(
        "{} points of a swiss roll, k = 12, workers of {THREADS} threads and {:.0} GB, {:.0} Gbit/s for each, one scheduler",
        count(POINTS as usize),
        MEMORY / 1e9,
        NETWORK * 8.0 / 1e9
    )
}

/// The stages of a computation.
fn stages_section(job: &Job) -> Section {
    let cluster = best(job, SHOWN, 0.0);
    let times = job.times_of(&cluster);
    let (tasks, links) = job.counts(&cluster);
    let line = |name: &str, parts: [f64; 3], rest: [String; 2]| {
        [vec![name.to_owned()], parts.map(|part| format!("{part:.1} s")).to_vec(), rest.to_vec()].concat()
    };
    let of = |time: &Time| {
        line(&time.stage, time.parts, [format!("{:.1} s", time.seconds()), PARTS[time.limit()].to_owned()])
    };
    let mut rows: Vec<Vec<String>> = times.iter().map(of).collect();
    let sums = std::array::from_fn(|at| times.iter().map(|time| time.parts[at]).sum());
    rows.push(line("all", sums, [format!("{:.0} s", total(&times)), bottleneck(&times).to_owned()]));
    Section {
        title: format!("Model: {} on {SHOWN} workers", job.name),
        note: format!(
            "{}. {} chunks of {} rows, {} tasks, {} results named by others, {:.1} GB a worker. A stage takes as long as the slowest of \
             the three{}.",
            setting(),
            cluster.chunks,
            count((POINTS / cluster.chunks) as usize),
            count(tasks as usize),
            count(links as usize),
            job.memory(&cluster) / 1e9,
            if job.name == "fit" { "; a sample of 1,000,000 rows, no rounds" } else { "" }
        ),
        head: head(&["stage", PARTS[0], PARTS[1], PARTS[2], "time", "what limits"]),
        rows,
        page: None,
    }
}

/// More and fewer workers.
fn crews_section(jobs: &[Job]) -> Section {
    let mut rows = Vec::new();
    for job in jobs {
        for rounds in if job.name == "fit" { vec![0.0, ROUNDS] } else { vec![0.0] } {
            for workers in CREWS {
                let cluster = best(job, workers, rounds);
                let times = job.times_of(&cluster);
                let memory = job.memory(&cluster);
                let told = if memory > SPILL * MEMORY { ", spills to disk" } else { "" };
                rows.push(vec![
                    if rounds > 0.0 { format!("{}, {rounds} rounds", job.name) } else { job.name.to_owned() },
                    format!("{workers}"),
                    format!("{}", cluster.chunks),
                    format!("{:.1} GB{told}", memory / 1e9),
                    count(job.counts(&cluster).0 as usize),
                    format!("{:.0} s", total(&times)),
                    format!("{:.0} s", job.cpu(&cluster) / workers / THREADS),
                    bottleneck(&times).to_owned(),
                ]);
            }
        }
    }
    Section {
        title: "Model: more and fewer workers".to_owned(),
        note: format!(
            "{}. Chunks are as many as make it fastest within {:.0} % of the memory, where dask begins to write to disk, or else within \
             {:.0} %, or else as many as need least memory; writing takes time that is not in the model.",
            setting(),
            100.0 * SPILL,
            100.0 * FULL
        ),
        head: head(&[
            "computation",
            "workers",
            "chunks",
            "memory of a worker",
            "tasks",
            "time",
            "processors alone",
            "bottleneck",
        ]),
        rows,
        page: None,
    }
}
