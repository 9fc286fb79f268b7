//! A method of one's own, judged beside one of the table: `cargo run --release --example own_method`.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use serde::{Deserialize, Serialize};
use truefold::dataset::{self, Request};
use truefold::embed::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use truefold::{Fit, Method, Problem, Result};

/// Looks at the data from above: keeps some of the coordinates, from `first` on.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Shadow {
    first: usize,
}

impl Recipe for Shadow {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "shadow",
        title: "Shadow",
        summary: "keeps some of the coordinates of every point",
        metric_scale: true,
        graph: GraphUse::None,
        default: false,
        cost: "time and memory n",
        parameters: &[ParameterInfo::new("first", &[Values::AtLeast(0.0)], "the first coordinate that is kept")],
    };

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let points = problem.coordinates("a shadow needs coordinates, and distances have none", "give the points")?;
        let kept = |row: &[f64]| (0..problem.dim()).map(|at| row[(self.first + at) % row.len()]).collect::<Vec<_>>();
        let values = points.rows().flat_map(kept).collect();
        fit.lap("projection");
        Ok(values)
    }
}

fn main() -> Result<()> {
    let roll = dataset::find("swiss-roll")?.sample(&Request::new().with_points(1000))?;
    for method in [Method::of(Shadow { first: 1 }), Method::new("psa", &[])?] {
        let judged = method.embed(&roll.points, 12, 2)?;
        let lost = judged.judgment.compared("r_n").map_or(f64::NAN, |score| score.value);
        println!("{:<8} loses {:.2} % of an average neighborhood", method.label(), 100.0 * lost);
    }
    Ok(())
}
