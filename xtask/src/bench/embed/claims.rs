//! The claims about the methods, and whether they hold.

use super::Sizes;
use super::embedded::Embedded;
use super::rolls::Measured;
use crate::bench::table::{Row, count, megabytes, number, seconds};
use anyhow::{Context, Result};

/// The claims about the largest roll, about the growth up to it, and about the middle one.
pub fn claims(rolls: &[Measured], sizes: &Sizes) -> Result<Vec<Row>> {
    let largest = rolls.last().context("no roll was measured")?;
    let mut rows = accuracy_and_cost(largest)?;
    if let [.., before, _] = rolls {
        rows.push(growth(before, largest));
    }
    let middle = rolls.iter().find(|roll| roll.points == sizes.middle).context("the middle roll was not measured")?;
    rows.push(beside_tapkee(middle)?);
    rows.push(beside_the_paper(middle));
    rows.push(gp_beside_scipy(largest)?);
    rows.push(drift(largest)?);
    Ok(rows)
}

fn accuracy_and_cost(roll: &Measured) -> Result<Vec<Row>> {
    let (psa, scipy) = (&roll.psa, roll.scipy.seconds()?);
    let what = format!("psa, {} points, k = 12", count(roll.points));
    let (ratio, bound) = (psa.seconds() / scipy, psa.times_bound()?);
    Ok(vec![
        Row {
            what: format!("{what}: time of the whole process"),
            tool: seconds(psa.seconds()),
            beside: format!("cKDTree build + query, 2 workers: {}", seconds(scipy)),
            figure: format!("ratio {ratio:.2}"),
            target: "<= 3.5".to_owned(),
            holds: Some(ratio <= 3.5),
        },
        Row {
            what: format!("{what}: peak memory"),
            tool: megabytes(psa.peak()),
            figure: megabytes(psa.peak()),
            target: "< 6000 MB".to_owned(),
            holds: Some(psa.peak() < 6e9),
            ..Row::default()
        },
        Row {
            what: format!("{what}: R_N over the least possible"),
            tool: format!("R_N {}", number(psa.measure("r_n")?)),
            figure: format!("{bound:.5}"),
            target: "<= 1.02".to_owned(),
            holds: Some(bound <= 1.02),
            ..Row::default()
        },
        Row {
            what: format!("{what}: error from the true map"),
            figure: percent(psa.error()),
            target: "<= 0.1 %".to_owned(),
            holds: Some(psa.error() <= 1e-3),
            ..Row::default()
        },
    ])
}

/// The exponent e of seconds ~ n^e between two sizes.
fn growth(before: &Measured, largest: &Measured) -> Row {
    let times = [before.psa.seconds(), largest.psa.seconds()];
    let exponent = (times[1] / times[0]).ln() / (largest.points as f64 / before.points as f64).ln();
    Row {
        what: format!("psa, growth from {} to {} points", count(before.points), count(largest.points)),
        tool: format!("{}, {}", seconds(times[0]), seconds(times[1])),
        figure: format!("exponent {exponent:.2}"),
        target: "<= 1.15".to_owned(),
        holds: Some(exponent <= 1.15),
        ..Row::default()
    }
}

fn beside_tapkee(roll: &Measured) -> Result<Row> {
    let tapkee = roll.tapkee.as_ref().context("tapkee did not run on the middle roll")?;
    let ratio = roll.psa.seconds() / tapkee.seconds()?;
    let text = |time: f64, r_c: f64| format!("{}, R_C {}", seconds(time), number(r_c));
    Ok(Row {
        what: format!("psa, {} points, k = 12: time beside tapkee", count(roll.points)),
        tool: text(roll.psa.seconds(), roll.psa.measure("r_c")?),
        beside: format!("tapkee LTSA, vptree: {}", text(tapkee.seconds()?, tapkee.measure("r_c")?)),
        figure: format!("ratio {ratio:.2}"),
        target: "< 1".to_owned(),
        holds: Some(ratio < 1.0),
    })
}

fn beside_the_paper(roll: &Measured) -> Row {
    let time = roll.gp.seconds();
    Row {
        what: format!("gp, {} points, k = 12: time of the whole process", count(roll.points)),
        tool: seconds(time),
        beside: "Goldberg and Ritov (2009): 100,000 points in less than an hour".to_owned(),
        figure: format!("{:.3} % of an hour", time / 36.0),
        target: "< 3600 s".to_owned(),
        holds: Some(time < 3600.0),
    }
}

fn gp_beside_scipy(roll: &Measured) -> Result<Row> {
    let (time, scipy) = (roll.gp.seconds(), roll.scipy.seconds()?);
    let ratio = time / scipy;
    Ok(Row {
        what: format!("gp, {} points, k = 12: time of the whole process", count(roll.points)),
        tool: seconds(time),
        beside: format!("cKDTree build + query, 2 workers: {}", seconds(scipy)),
        figure: format!("ratio {ratio:.2}"),
        target: "<= 8".to_owned(),
        holds: Some(ratio <= 8.0),
    })
}

/// The effect of errors that accumulate along the surface, before and after refinement.
fn drift(roll: &Measured) -> Result<Row> {
    let text = |embedded: &Embedded| -> Result<String> {
        let bound = number(embedded.times_bound()?);
        Ok(format!(
            "{}, R_N {bound} x the least possible, error {}",
            seconds(embedded.seconds()),
            percent(embedded.error())
        ))
    };
    Ok(Row {
        what: format!("gp, {} points, k = 12: the effect of drift", count(roll.points)),
        tool: text(&roll.gp)?,
        beside: format!("before refinement, `--set refine=none`: {}", text(&roll.raw_gp)?),
        figure: format!("error {} after, {} before", percent(roll.gp.error()), percent(roll.raw_gp.error())),
        ..Row::default()
    })
}

fn percent(share: f64) -> String {
    format!("{} %", number(100.0 * share))
}
