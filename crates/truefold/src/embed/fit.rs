//! How every method is run: check, split into components, embed, verify, center, fix signs.

use super::{Embedder, GraphUse};
use super::{layout, pose};
use crate::data::{Input, Part};
use crate::embedding::{Embedding, Fit, FitInfo, Outcome};
use crate::error::Advice;
use crate::history::{StageTime, Stop};
use crate::memory;
use crate::points::{Element, first_not_finite, with_rows};
use crate::warning::Warning;
use crate::{Error, Points, Problem, Result, Run, Tear};
use serde::{Deserialize, Serialize};

/// What to do with a neighborhood graph that has several connected components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pieces {
    /// Embed each, and put the maps side by side.
    #[default]
    SideBySide,
    /// Embed the largest, and leave the others out.
    Largest,
    /// Give an error.
    Error,
}

impl Pieces {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::SideBySide, Self::Largest, Self::Error];

    /// The name, as it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::SideBySide => "side-by-side",
            Self::Largest => "largest",
            Self::Error => "error",
        }
    }
}

/// Embeds `problem` by `method`.
///
/// The same method, problem and seed give the same bits on any number of threads.
pub fn fit(method: &dyn Embedder, problem: &Problem<'_>, pieces: Pieces, run: &Run) -> Result<Embedding> {
    method.check_parameters(problem.dim())?;
    if let Input::Points(points) = problem.input() {
        points.extent_of_squares("X")?;
    }
    if method.info().graph != GraphUse::Components || problem.neighborhoods().components().count() == 1 {
        method.check(problem)?;
        return finish(method, problem, embed(method, problem, run)?, None, run);
    }
    let components = problem.neighborhoods().components();
    let count = components.count();
    let mut rows_of: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (row, &component) in components.of().iter().enumerate() {
        rows_of[component as usize].push(row as u32);
    }
    match pieces {
        Pieces::Error => Err(Error::Disconnected {
            task: format!("{} as asked", method.info().name).into(),
            components: count,
            advice: "choose a larger {k}, or use {set components=side-by-side} or {set components=largest}".into(),
        }),
        Pieces::Largest => {
            let largest = (0..count).max_by_key(|&piece| (rows_of[piece].len(), count - piece)).unwrap_or(0);
            let rows = std::mem::take(&mut rows_of[largest]);
            let mut outcome = embed_piece(method, problem, &rows, run)?;
            outcome.warnings.push(Warning::OnlyLargest {
                components: count,
                embedded: rows.len(),
                points: problem.len(),
            });
            finish(method, problem, outcome, Some(rows), run)
        }
        Pieces::SideBySide => {
            let mut parts = Vec::with_capacity(count);
            for rows in &rows_of {
                parts.push(embed_piece(method, problem, rows, run)?);
            }
            let mut outcome = merge(problem, &rows_of, parts);
            outcome.warnings.push(Warning::SideBySide { components: count });
            finish(method, problem, outcome, None, run)
        }
    }
}

/// Embeds one component; if all its points are equal, they all go to the origin, whatever the method.
fn embed_piece(method: &dyn Embedder, problem: &Problem<'_>, rows: &[u32], run: &Run) -> Result<Outcome> {
    let part = Part::new(&problem.input(), problem.neighborhoods(), rows);
    part.neighborhoods().mark_connected();
    let input = part.input();
    let dim = problem.dim();
    if rows.len() == 1 || is_one_place(&input) {
        return Ok(Outcome::direct(vec![0.0; rows.len() * dim]));
    }
    // A component may span fewer dimensions than are asked for; the other coordinates are then zero.
    let mut own = dim.min(input.dim().unwrap_or(rows.len() - 1));
    loop {
        let part = Problem::with_input(input, part.neighborhoods(), own)?;
        method.check(&part)?;
        match embed(method, &part, run) {
            Err(Error::RankDeficient { given, .. }) if given > 0 && given < own => own = given,
            outcome => return outcome.map(|outcome| padded(outcome, own, dim)),
        }
    }
}

/// Coordinates of `own` dimensions with zeros for the rest of `dim`.
fn padded(mut outcome: Outcome, own: usize, dim: usize) -> Outcome {
    if own < dim {
        let count = outcome.values.len() / own;
        let mut values = vec![0.0; count * dim];
        for (row, from) in values.chunks_exact_mut(dim).zip(outcome.values.chunks_exact(own)) {
            row[..own].copy_from_slice(from);
        }
        outcome.values = values;
        outcome.warnings.push(Warning::FlatComponent { points: count, spanned: own, wanted: dim });
    }
    outcome
}

/// Whether all points coincide.
fn is_one_place(input: &Input<'_>) -> bool {
    match input {
        Input::Points(points) => {
            with_rows!(points.table(), rows => {
                rows.iter().all(|row| row.iter().zip(rows.row(0)).all(|(a, b)| a.wide() == b.wide()))
            })
        }
        Input::Distances(distances) => (0..distances.len()).all(|row| distances.get(0, row) == Some(0.0)),
    }
}

fn embed(method: &dyn Embedder, problem: &Problem<'_>, run: &Run) -> Result<Outcome> {
    let (name, points) = (method.info().name, problem.len());
    let bytes = method.memory(problem).bytes(points, problem.neighborhoods().memberships());
    let advice = Advice::change("k", "give fewer points, choose a smaller {k}, or another method");
    memory::check(format!("{name} of {points} points"), bytes, advice)?;
    let mut fit = Fit::new(run);
    let values = method.embed(problem, &mut fit)?;
    run.check()?;
    if first_not_finite(&values).is_some() {
        return Err(Error::data(
            format!("{} gave coordinates that are not finite", method.info().name),
            Advice::mend_data("rescale the data or choose another {k}"),
        ));
    }
    Ok(fit.into_outcome(values))
}

/// One outcome from those of all components, side by side.
fn merge(problem: &Problem<'_>, rows_of: &[Vec<u32>], parts: Vec<Outcome>) -> Outcome {
    let dim = problem.dim();
    let mut values = vec![0.0; problem.len() * dim];
    let shifts = layout::side_by_side(&parts.iter().map(|part| part.values.as_slice()).collect::<Vec<_>>(), dim);
    let mut merged = Outcome::direct(Vec::new());
    let mut largest = 0;
    let mut tears = Vec::with_capacity(parts.len());
    for ((rows, part), shift) in rows_of.iter().zip(parts).zip(shifts) {
        for (&row, from) in rows.iter().zip(part.values.chunks_exact(dim)) {
            for (column, value) in from.iter().enumerate() {
                values[row as usize * dim + column] = value + shift[column];
            }
        }
        let memberships = rows.iter().map(|&row| problem.neighborhoods().neighbors(row as usize).len()).sum();
        tears.push((part.tear.map(|tear| tear.renamed(rows)), memberships));
        for stage in part.stages {
            match merged.stages.iter_mut().find(|known: &&mut StageTime| known.stage == stage.stage) {
                Some(known) => known.seconds += stage.seconds,
                None => merged.stages.push(stage),
            }
        }
        // The stop of the component that is farthest from done counts for all.
        if rank(part.stop) > rank(merged.stop) {
            merged.stop = part.stop;
        }
        for warning in part.warnings {
            if !merged.warnings.contains(&warning) {
                merged.warnings.push(warning);
            }
        }
        // There is room for the traces and facts of one component: those of the largest are kept.
        if rows.len() > largest {
            largest = rows.len();
            merged.traces = part.traces;
            merged.facts = part.facts;
        }
    }
    merged.values = values;
    merged.tear = Tear::merged(tears);
    merged
}

/// How far from done a stop is.
fn rank(stop: Stop) -> u8 {
    match stop {
        Stop::Direct => 0,
        Stop::Converged => 1,
        Stop::Stalled => 2,
        Stop::MaxIterations => 3,
        Stop::Deadline => 4,
    }
}

fn finish(
    method: &dyn Embedder,
    problem: &Problem<'_>,
    mut outcome: Outcome,
    rows: Option<Vec<u32>>,
    run: &Run,
) -> Result<Embedding> {
    let dim = problem.dim();
    let count = outcome.values.len() / dim;
    run.install(|| pose::settle(&mut outcome.values, dim));
    Ok(Embedding {
        points: Points::new(count, dim, outcome.values)?,
        rows,
        tear: outcome.tear,
        info: FitInfo {
            method: method.info().name.to_owned(),
            parameters: method.parameters(),
            seed: run.seed(),
            stop: outcome.stop,
            stages: outcome.stages,
            traces: outcome.traces,
            facts: outcome.facts,
            warnings: outcome.warnings,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Neighborhoods;
    use crate::embed::{EmbedderInfo, Recipe};
    use crate::memory::Need;

    /// Needs more than any machine has, and would end at once.
    #[derive(Default, Serialize, Deserialize)]
    struct Greedy {}

    impl Recipe for Greedy {
        const INFO: &'static EmbedderInfo = &EmbedderInfo {
            name: "greedy",
            title: "Greedy",
            summary: "holds a petabyte for every point",
            metric_scale: false,
            graph: GraphUse::None,
            default: false,
            cost: "memory n",
            parameters: &[],
        };

        fn memory(&self, _problem: &Problem<'_>) -> Need {
            Need::of(1e15, 0.0)
        }

        fn embed(&self, problem: &Problem<'_>, _fit: &mut Fit<'_>) -> Result<Vec<f64>> {
            Ok(vec![0.0; problem.len() * problem.dim()])
        }
    }

    #[test]
    fn what_a_method_needs_is_compared_with_the_memory_that_is_there() {
        if memory::available().is_none() {
            return;
        }
        let points = Points::from_rows(&[[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]]).unwrap();
        let neighborhoods = Neighborhoods::nearest(&points, 2, &Run::new()).unwrap();
        let problem = Problem::new(&points, &neighborhoods, 1).unwrap();
        let told = fit(&Greedy {}, &problem, Pieces::Error, &Run::new()).unwrap_err().to_string();
        assert!(told.starts_with("greedy of 3 points needs about 3,000,000 GB of memory, but "), "{told}");
    }
}
