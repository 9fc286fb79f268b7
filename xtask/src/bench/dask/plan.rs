//! What a computation of `truefold.dask` takes on a cluster, from what its stages took in small runs.
//!
//! A stage has tasks for each of C chunks or cells, pieces that go from all to all, and links: results that every worker needs.
//! Its processor time grows with the rows, slowly with the rows of a cell, and with its tasks and links.

use super::K;
use super::memory::{Load, needed};
use serde_json::Value;

/// Pieces up to which each is a task of its own; `cells.py` has the same number.
const FEW_PIECES: f64 = 4096.0;
/// Bytes a second that a worker receives: 10 Gbit/s.
pub(super) const NETWORK: f64 = 1.25e9;
/// The share of its memory from which on a worker of dask writes results to disk.
pub(super) const SPILL: f64 = 0.6;
/// The share that it may take before it is stopped, with some room.
pub(super) const FULL: f64 = 0.9;
/// Bytes of a row that a task of the first stage reads, about: a third of these tasks read nothing.
const READ: f64 = 16.0;
/// Stages whose tasks use all threads of a worker by themselves.
const COMPILED: [&str; 7] = ["search", "measure", "sample", "fit", "place", "judge", "improve"];

/// One small run.
pub(super) struct Run<'a> {
    pub(super) points: f64,
    pub(super) chunks: f64,
    pub(super) workers: f64,
    /// What the script told of the computation.
    pub(super) told: &'a Value,
}

impl Run<'_> {
    pub(super) fn number(&self, what: &str) -> f64 {
        self.told[what].as_f64().unwrap_or(0.0)
    }

    fn of(&self, stage: &str, what: &str) -> f64 {
        self.told["tasks"][stage][what].as_f64().unwrap_or(0.0)
    }

    fn cell(&self) -> f64 {
        self.points / self.chunks
    }

    /// How many times the map was judged: rounds and one.
    fn judged(&self) -> f64 {
        self.told["r_n"].as_array().map_or(1.0, |values| values.len() as f64)
    }
}

/// The tasks by which pieces go from all chunks to all cells.
fn pieces(chunks: f64) -> f64 {
    if chunks * chunks <= FEW_PIECES { chunks * chunks } else { chunks * (2.0 * chunks.sqrt() + 1.0) }
}

/// Links from all to all in a stage, in units of C^2: results that each task of the next step needs from every one.
fn links(job: &str, stage: &str) -> f64 {
    match (job, stage) {
        ("measure", "search") | ("fit", "ground") => 4.0,
        (_, "search") | (_, "measure" | "components" | "judge") => 2.0,
        _ => 0.0,
    }
}

/// What a stage costs.
#[derive(Debug, Clone)]
pub(super) struct Stage {
    pub(super) name: String,
    /// Processor seconds of a row in a cell of `cell` rows, and what each doubling of the cell adds.
    row: f64,
    doubling: f64,
    cell: f64,
    /// Processor seconds of a task or link.
    task: f64,
    /// Tasks of a chunk, and exchanges of pieces.
    tasks: f64,
    exchanges: f64,
    links: f64,
    /// Bytes of a row that move as pieces, and otherwise.
    pieces: f64,
    moved: f64,
    /// Bytes that every worker gets: of a row in a cell of `cell` rows, and of a link.
    shared: f64,
    link: f64,
}

impl Stage {
    /// From runs with two lengths of cells, and with many chunks.
    fn new(job: &str, name: &str, [long, short, many]: &[Run<'_>; 3]) -> Self {
        // Rounds repeat what a map is judged by.
        let times = |run: &Run<'_>| match name {
            "judge" => run.judged(),
            "improve" => (run.judged() - 1.0).max(1.0),
            _ => 1.0,
        };
        let of = |run: &Run<'_>, what: &str| run.of(name, what) / times(run);
        let links = links(job, name);
        // Tasks of small and of many chunks tell how many are of chunks, and how many are pieces.
        let (few, most) = (of(short, "count"), of(many, "count"));
        let determinant = short.chunks * pieces(many.chunks) - many.chunks * pieces(short.chunks);
        let exchanges = ((short.chunks * most - many.chunks * few) / determinant).round().max(0.0);
        let tasks = ((most - exchanges * pieces(many.chunks)) / many.chunks).max(0.0);
        let base = if name == "improve" { many } else { long };
        let row = of(base, "cpu") / base.points;
        let doublings = (long.cell() / short.cell()).log2();
        let grown = (of(long, "cpu") / long.points - of(short, "cpu") / short.points) / doublings;
        let doubling = if name == "improve" { 0.0 } else { grown.clamp(0.0, 0.1 * row) };
        let mut made = Self {
            name: name.to_owned(),
            row,
            doubling,
            cell: base.cell(),
            task: 0.0,
            tasks,
            exchanges,
            links,
            pieces: of(base, "pieces") / base.points / (1.0 - 1.0 / base.workers),
            moved: of(base, "moved") / base.points / (1.0 - 1.0 / base.workers),
            shared: of(base, "shared") / base.points / (base.workers - 1.0),
            link: 0.0,
        };
        if name != "improve" {
            let units = made.count(many.chunks) + made.linked(many.chunks);
            made.task = ((of(many, "cpu") - made.cpu(many.points, many.chunks)) / units.max(1.0)).max(0.0);
            let left = of(many, "shared") / (many.workers - 1.0) - made.shared_bytes(many.points, many.chunks);
            made.link = (left / made.linked(many.chunks).max(1.0)).max(0.0);
        }
        made
    }

    /// The number of tasks.
    pub(super) fn count(&self, chunks: f64) -> f64 {
        self.tasks * chunks + self.exchanges * pieces(chunks)
    }

    pub(super) fn linked(&self, chunks: f64) -> f64 {
        self.links * chunks * chunks
    }

    /// Processor seconds of all workers.
    pub(super) fn cpu(&self, points: f64, chunks: f64) -> f64 {
        let row = self.row + self.doubling * (points / chunks / self.cell).log2();
        points * row.max(0.3 * self.row) + self.task * (self.count(chunks) + self.linked(chunks))
    }

    /// Bytes that every worker gets: rows near the borders of cells, which are lines on a surface.
    fn shared_bytes(&self, points: f64, chunks: f64) -> f64 {
        points * self.shared * (self.cell / (points / chunks)).sqrt() + self.link * self.linked(chunks)
    }

    /// Bytes that all workers receive together.
    pub(super) fn bytes(&self, points: f64, chunks: f64, workers: f64) -> f64 {
        let twice = if self.exchanges > 0.0 && chunks * chunks > FEW_PIECES { 2.0 } else { 1.0 };
        points * (twice * self.pieces + self.moved) * (1.0 - 1.0 / workers)
            + (workers - 1.0) * self.shared_bytes(points, chunks)
    }
}

/// A cluster, and the chunks of its points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cluster {
    pub(super) points: f64,
    pub(super) chunks: f64,
    pub(super) workers: f64,
    pub(super) threads: f64,
    pub(super) memory: f64,
    /// Rows of the sample of a fit, and rounds after it.
    pub(super) sample: f64,
    pub(super) rounds: f64,
}

/// Seconds of a stage by what it uses: processors of the workers, network, and scheduler with client.
#[derive(Debug, Clone)]
pub(super) struct Time {
    pub(super) stage: String,
    pub(super) parts: [f64; 3],
}

pub(super) const PARTS: [&str; 3] = ["processors", "network", "scheduler"];

impl Time {
    /// Stages compute, move and schedule at the same time: the slowest of these counts.
    pub(super) fn seconds(&self) -> f64 {
        self.parts.iter().copied().fold(0.0, f64::max)
    }

    pub(super) fn limit(&self) -> usize {
        (0..3).fold(0, |best, at| if self.parts[at] > self.parts[best] { at } else { best })
    }
}

/// A computation: its stages, and what they share.
pub(super) struct Job {
    pub(super) name: &'static str,
    pub(super) stages: Vec<Stage>,
    /// Processor seconds of workers for each of their tasks: more, since they also wait, send and receive.
    pub(super) between: f64,
    /// Seconds of scheduler and client for a task and for a link.
    pub(super) scheduler: (f64, f64),
    /// Seconds of a row that is looked up where the table of all rows would be too large.
    pub(super) lookup: f64,
    /// For the fit of a sample: processor seconds and bytes of a row, and the share of it that one thread does alone.
    pub(super) sample: (f64, f64, f64),
}

impl Job {
    pub(super) fn new(name: &'static str, runs: &[Run<'_>; 3]) -> Self {
        let known = runs.iter().filter_map(|run| run.told["tasks"].as_object()).flat_map(|stages| stages.keys());
        let mut names: Vec<&String> = Vec::new();
        known.for_each(|stage| {
            if stage != "other" && !names.contains(&stage) {
                names.push(stage)
            }
        });
        let [long, ..] = runs;
        let sample = (long.of("fit", "cpu"), long.number("model"));
        let rows = long.number("sample").max(1.0);
        let stages = names.into_iter().map(|stage| Stage::new(name, stage, runs)).collect();
        let in_tasks: f64 =
            long.told["tasks"].as_object().into_iter().flatten().filter_map(|(_, stage)| stage["cpu"].as_f64()).sum();
        let between = (long.number("cpu") - long.number("cpu_here")) / in_tasks;
        Self {
            name,
            stages,
            between,
            scheduler: (0.0, 0.0),
            lookup: 0.0,
            sample: (sample.0 / rows, sample.1 / rows, 0.0),
        }
    }

    /// How often a stage is gone through.
    fn times(&self, stage: &Stage, cluster: &Cluster) -> f64 {
        match stage.name.as_str() {
            "judge" => cluster.rounds + 1.0,
            "improve" => cluster.rounds,
            _ => 1.0,
        }
    }

    /// Tasks and links of all stages.
    pub(super) fn counts(&self, cluster: &Cluster) -> (f64, f64) {
        self.stages.iter().fold((0.0, 0.0), |(tasks, links), stage| {
            let times = self.times(stage, cluster);
            (tasks + times * stage.count(cluster.chunks), links + times * stage.linked(cluster.chunks))
        })
    }

    /// Processor seconds of all workers for a stage.
    fn cpu_of(&self, stage: &Stage, cluster: &Cluster) -> f64 {
        let once = match stage.name.as_str() {
            "fit" => self.sample.0 * cluster.sample,
            _ => stage.cpu(cluster.points, cluster.chunks) + self.looked_up(stage, cluster),
        };
        self.between * self.times(stage, cluster) * once
    }

    /// Processor seconds of all workers.
    pub(super) fn cpu(&self, cluster: &Cluster) -> f64 {
        self.stages.iter().map(|stage| self.cpu_of(stage, cluster)).sum()
    }

    /// Seconds of scheduler and client.
    pub(super) fn scheduling(&self, cluster: &Cluster) -> f64 {
        let (tasks, links) = self.counts(cluster);
        self.scheduler.0 * tasks + self.scheduler.1 * links
    }

    /// What it takes to look up rows, where there are too many rows for a table of all.
    fn looked_up(&self, stage: &Stage, cluster: &Cluster) -> f64 {
        let is_long = cluster.points > 8.0 * K * cluster.points / cluster.chunks;
        let looks = match stage.name.as_str() {
            "measure" => 1.0,
            "ground" => 2.0,
            _ => 0.0,
        };
        if is_long { looks * self.lookup * cluster.points } else { 0.0 }
    }

    /// Bytes that all workers receive.
    pub(super) fn bytes(&self, cluster: &Cluster) -> f64 {
        let Cluster { points, chunks, workers, .. } = *cluster;
        self.stages.iter().map(|stage| self.times(stage, cluster) * stage.bytes(points, chunks, workers)).sum()
    }

    /// The seconds of each stage.
    pub(super) fn times_of(&self, cluster: &Cluster) -> Vec<Time> {
        let Cluster { points, chunks, workers, threads, .. } = *cluster;
        let of = |stage: &Stage| {
            let times = self.times(stage, cluster);
            let by_scheduler =
                times * (self.scheduler.0 * stage.count(chunks) + self.scheduler.1 * stage.linked(chunks));
            if stage.name == "fit" {
                // One worker fits; its map goes to all, each of which then gives it to others.
                let alone = self.sample.2;
                let fit = self.cpu_of(stage, cluster) * (alone + (1.0 - alone) / threads);
                let spread = self.sample.1 * cluster.sample / NETWORK * workers.log2().ceil();
                return Time { stage: stage.name.clone(), parts: [fit, spread, by_scheduler] };
            }
            let cpu = self.cpu_of(stage, cluster);
            let inside = if COMPILED.contains(&stage.name.as_str()) { threads } else { 1.0 };
            let cores = (workers * threads).min(chunks * inside);
            // The last task of a stage ends alone; its cell may be larger than others.
            let last = cpu / chunks * uneven(chunks) / (workers * threads / chunks).clamp(1.0, inside);
            let network = times * stage.bytes(points, chunks, workers) / workers / NETWORK;
            // What is read counts as moved: rows of X, each time that a stage begins with them.
            let read = if stage.name == "look" { stage.tasks * READ * points / workers / NETWORK } else { 0.0 };
            Time { stage: stage.name.clone(), parts: [cpu / cores + last, network + read, by_scheduler] }
        };
        self.stages.iter().map(of).filter(|time| time.seconds() > 0.0).collect()
    }

    /// Bytes that a worker needs.
    pub(super) fn memory(&self, cluster: &Cluster) -> f64 {
        let Cluster { points, chunks, workers, threads, .. } = *cluster;
        let load = Load {
            rows: points / workers,
            cell: points / chunks * uneven(chunks),
            threads: threads.min((chunks / workers).ceil()),
            columns: 3.0,
            width: 8.0,
            dimensions: 2.0,
            sample: cluster.sample,
        };
        let shared = self.stages.iter().map(|stage| stage.shared_bytes(points, chunks)).fold(0.0, f64::max);
        needed(self.name, &load) + shared
    }
}

/// How much larger the largest cell is than the mean: cells are cut by a sample of 65,536 rows.
fn uneven(chunks: f64) -> f64 {
    1.0 + 3.0 / (65_536.0 / chunks).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn laws_are_found_again() {
        let told = [(4e6, 16.0), (1e6, 16.0), (1e5, 100.0)].map(|(points, chunks): (f64, f64)| {
            let count = 3.0 * chunks + pieces(chunks);
            let cpu = 2e-6 * points + 1e-3 * count;
            (
                points,
                chunks,
                json!({"tasks": {"sort": {"count": count, "cpu": cpu, "pieces": 24.0 * points}}, "cpu": cpu}),
            )
        });
        let runs = std::array::from_fn(|at| {
            let (points, chunks, told) = &told[at];
            Run { points: *points, chunks: *chunks, workers: 4.0, told }
        });
        let job = Job::new("measure", &runs);
        let [sort] = job.stages.as_slice() else { panic!("one stage") };
        assert!((sort.count(200.0) - (600.0 + pieces(200.0))).abs() < 1e-6);
        assert!((sort.cpu(1e8, 200.0) / (2e2 + 1e-3 * sort.count(200.0)) - 1.0).abs() < 0.05);
        // From 4 workers to many, and in two steps.
        assert!((sort.bytes(1e8, 50.0, 4.0) - 24e8).abs() < 1.0);
        assert!((sort.bytes(1e8, 200.0, 1e9) - 64e8).abs() < 100.0);
    }

    #[test]
    fn the_slowest_limits() {
        let time = Time { stage: "sort".to_owned(), parts: [1.0, 3.0, 2.0] };
        assert_eq!((time.seconds(), PARTS[time.limit()]), (3.0, "network"));
    }
}
