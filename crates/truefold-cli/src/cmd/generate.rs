//! `truefold generate`: a data set whose true coordinates are known.

use super::print;
use crate::args::GenerateArgs;
use crate::plan;
use truefold::{dataset, io};
use truefold_report::words::points;

pub(crate) fn execute(args: &GenerateArgs) -> anyhow::Result<()> {
    let dataset = dataset::find(&args.name)?;
    for path in [Some(&args.output), args.truth.as_ref()].into_iter().flatten() {
        plan::check_output(path)?;
    }
    if let Some(truth) = &args.truth {
        plan::check_different(truth, &[&args.output])?;
    }
    let mut request = dataset::Request::new().with_noise(args.noise).with_seed(args.random.seed);
    request.points = args.points;
    for setting in &args.set {
        let (name, value) = plan::setting(setting)?;
        request = request.with_setting(&name, &value);
    }
    let sample = dataset.sample(&request)?;
    io::write(&args.output, &sample.points)?;
    if let Some(truth) = &args.truth {
        io::write(truth, &sample.truth)?;
    }
    let places: Vec<String> = [Some(&args.output), args.truth.as_ref()]
        .into_iter()
        .flatten()
        .map(|path| path.display().to_string())
        .collect();
    print(&format!(
        "{}: {} in {} dimensions, {} true; written to {}",
        args.name,
        points(sample.points.len()),
        sample.points.dim(),
        sample.truth.dim(),
        places.join(" and ")
    ))
}
