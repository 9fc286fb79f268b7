//! Which measures are taken, and how.

use crate::args::{FindArgs, MeasuringArgs};
use truefold::Error;
use truefold::error::{Advice, Text};
use truefold::measure::{Cost, MEASURES, Measure, MeasureInfo, Options, Sampling, find};

/// The measures that the options name: the default ones if they name none, every one for `all`.
pub(crate) fn chosen(args: &MeasuringArgs) -> Result<Vec<&'static dyn Measure>, Error> {
    let chosen = match args.measures.as_slice() {
        [] => MEASURES.iter().copied().filter(|measure| measure.info().default).collect(),
        names => named(names)?,
    };
    check(args, &chosen)?;
    Ok(chosen)
}

/// The measures of these names, each once, or every one for `all`.
pub(crate) fn named(names: &[String]) -> Result<Vec<&'static dyn Measure>, Error> {
    if let [all] = names
        && all == "all"
    {
        return Ok(MEASURES.to_vec());
    }
    let mut chosen: Vec<&'static dyn Measure> = Vec::new();
    for name in names {
        let measure = find(name.trim())?;
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
    if let Some(steps) = args.steps.filter(|_| !takes(&|info| info.name == "collapse")) {
        return useless("steps", steps, "has no effect: only the measure collapse counts steps");
    }
    if let Some(level) = args.level.filter(|_| !wants_verdict(args)) {
        let advice = Advice::leave_out("level", "leave it out, or leave out {measures}");
        let why = Text::of("has no effect: there is no verdict where measures are named");
        return Err(Error::parameter("level", level, why, advice));
    }
    Ok(())
}

/// Whether a verdict belongs to the result: by default, and with every measure; who names some measures wants those alone.
pub(crate) fn wants_verdict(args: &MeasuringArgs) -> bool {
    matches!(args.measures.as_slice(), [] | [_]) && args.measures.first().is_none_or(|name| name == "all")
}

/// How they are taken.
pub(crate) fn options(args: &MeasuringArgs, search: &FindArgs) -> Options {
    Options {
        center: !args.center.without_center,
        sample: if args.exact { Sampling::All } else { args.sample.into() },
        steps: args.steps.unwrap_or(Options::default().steps),
        metric: search.metric.parse().unwrap_or_default(),
        verdict: wants_verdict(args),
        level: args.level.unwrap_or(Options::default().level),
    }
}
