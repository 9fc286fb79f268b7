//! Which measures are taken, and how.

use crate::args::{FindArgs, MeasuringArgs};
use truefold::Error;
use truefold::error::{Advice, Text};
use truefold::measure::{Cost, MEASURES, Measure, MeasureInfo, Options, Sampling, find};

/// The word for the measures that are taken where none is named.
const DEFAULT: &str = "default";

/// The measures that the options name: the default ones if they name none, every one for `all`.
pub(crate) fn chosen(args: &MeasuringArgs) -> Result<Vec<&'static dyn Measure>, Error> {
    let chosen = match args.measures.as_slice() {
        [] => usual().collect(),
        names => named(names)?,
    };
    check(args, &chosen)?;
    Ok(chosen)
}

/// The measures that are taken where none is named.
fn usual() -> impl Iterator<Item = &'static dyn Measure> {
    MEASURES.iter().copied().filter(|measure| measure.info().default)
}

/// The measures of these names, each once; `default` stands for those that are taken where none is named, `all` alone for
/// every one.
pub(crate) fn named(names: &[String]) -> Result<Vec<&'static dyn Measure>, Error> {
    if let [all] = names
        && all == "all"
    {
        return Ok(MEASURES.to_vec());
    }
    let mut chosen: Vec<&'static dyn Measure> = Vec::new();
    let of_name = |name: &str| -> Result<Vec<&'static dyn Measure>, Error> {
        if name == DEFAULT { Ok(usual().collect()) } else { Ok(vec![find(name)?]) }
    };
    for measure in names.iter().map(|name| of_name(name.trim())).collect::<Result<Vec<_>, _>>()?.concat() {
        if !chosen.iter().any(|known| known.info().name == measure.info().name) {
            chosen.push(measure);
        }
    }
    Ok(chosen)
}

/// An error for an option that none of these measures uses.
pub(crate) fn check(args: &MeasuringArgs, measures: &[&'static dyn Measure]) -> Result<(), Error> {
    let takes = |wanted: &dyn Fn(&MeasureInfo) -> bool| measures.iter().any(|measure| wanted(measure.info()));
    let useless = |name: &'static str, given: usize, why: &'static str| {
        let advice = Advice::leave_out(name, "leave it out, or choose such a measure with {measures}");
        Err(Error::parameter(name, given, Text::of(why), advice))
    };
    if let Some(sample) = args.sample.filter(|_| !takes(&|info| info.cost == Cost::Quadratic)) {
        return useless("sample", sample, "has no effect: only measures of quadratic cost look at a sample");
    }
    if args.exact && !takes(&|info| info.cost == Cost::Quadratic) {
        let advice = Advice::leave_out("exact", "leave it out, or choose such a measure with {measures}");
        let why = Text::of("has no effect: only measures of quadratic cost look at a sample");
        return Err(Error::parameter("exact", true, why, advice));
    }
    if let Some(steps) = args.steps.filter(|_| !takes(&|info| info.name == "collapse")) {
        return useless("steps", steps, "has no effect: only the measure collapse counts steps");
    }
    if let Some(level) = args.level.filter(|_| !wants_verdict(args)) {
        let advice = Advice::leave_out("level", "leave it out, or leave out {measures}");
        let why = Text::of("has no effect: measures given by name come without a verdict");
        return Err(Error::parameter("level", level, why, advice));
    }
    Ok(())
}

/// Whether a verdict belongs to the result: by default, with `default` and with `all`; other names ask for those measures
/// alone.
pub(crate) fn wants_verdict(args: &MeasuringArgs) -> bool {
    args.measures.is_empty() || args.measures.iter().any(|name| matches!(name.trim(), "all" | DEFAULT))
}

/// How they are taken.
pub(crate) fn options(args: &MeasuringArgs, search: &FindArgs) -> Options {
    let usual = Options::default();
    Options {
        center: !args.center.without_center,
        sample: if args.exact { Sampling::All } else { args.sample.into() },
        steps: args.steps.unwrap_or(usual.steps),
        metric: search.metric.parse().unwrap_or_default(),
        verdict: wants_verdict(args),
        level: args.level.unwrap_or(usual.level),
        ..usual
    }
}
