//! Maps of data with more dimensions than they: nothing is lost on the other side.

use super::tests::{nearest, refined, sample, score, shaken};
use super::*;

/// Three crowds of eight dimensions, and their first two coordinates as a map, in which two crowds lie on each other.
fn crowds() -> (Points, Points) {
    let unit = |at: usize| ((at * 7919 + at * at % 613) % 10_007) as f64 / 10_007.0;
    let value = |at: usize| {
        let (row, column) = (at / 8, at % 8);
        let bell: f64 = (0..4).map(|draw| unit(31 * at + 977 * draw) - 0.5).sum();
        bell + if column == row % 3 { 4.0 } else { 0.0 }
    };
    let values: Vec<f64> = (0..600 * 8).map(value).collect();
    let map = values.chunks_exact(8).flat_map(|row| [row[0], 0.3 * row[3]]).collect();
    (Points::new(600, 8, values).unwrap(), Points::new(600, 2, map).unwrap())
}

fn both(x: &Points, y: &Points, neighborhoods: &Neighborhoods) -> [f64; 2] {
    ["r_c", "reverse_r_c"].map(|name| score(x, y, neighborhoods, name).value)
}

#[test]
fn the_target_is_both_directions_only_where_the_data_have_more_dimensions_than_the_map() {
    let (x, start) = crowds();
    let roll = sample("swiss-roll", 600);
    for (x, start, target) in [(&x, &start, "both"), (&roll.points, &shaken(&roll.truth, 0.5), "r-n")] {
        let neighborhoods = nearest(x, 10);
        let refine = Refine { iterations: 60, ..Refine::default() };
        let (_, outcome) = refined(&refine, x, &neighborhoods, start);
        assert_eq!(outcome.facts["target"], target);
    }
    // With a penalty it is R_N.
    let refine = Refine { iterations: 2, penalty: 1.0, ..Refine::default() };
    assert_eq!(refined(&refine, &x, &nearest(&x, 10), &start).1.facts["target"], "r-n");
    let error = Refine { target: Target::Both, penalty: 1.0, ..Refine::default() }.check().unwrap_err();
    assert!(error.to_string().contains("cannot go with penalty"), "{error}");
    let short = Refine { time_limit: Some(1e-9), ..Refine::default() };
    assert_eq!(refined(&short, &x, &nearest(&x, 10), &start).1.stop, crate::Stop::Deadline);
    assert!(Refine { slack: Some(-0.1), ..Refine::default() }.check().is_err());
    let wide = Points::new(600, 4, x.values().chunks_exact(8).flat_map(|row| row[..4].to_vec()).collect()).unwrap();
    let named = Refine { target: Target::Both, ..Refine::default() };
    let error = named.refine(Input::Points(&x), &nearest(&x, 10), &wide, &Run::new()).unwrap_err();
    assert!(error.to_string().contains("at most 3 dimensions"), "{error}");
}

#[test]
fn both_directions_get_better_and_the_map_keeps_its_size() {
    let (x, start) = crowds();
    let neighborhoods = nearest(&x, 10);
    let before = both(&x, &start, &neighborhoods);
    let (y, outcome) = refined(&Refine::default(), &x, &neighborhoods, &start);
    let after = both(&x, &y, &neighborhoods);
    assert!(after[0] < before[0] + 0.02 && after[1] < before[1] - 0.1, "{before:?} {after:?}");
    let trace = &outcome.traces[0].values;
    for (told, measured) in trace.iter().zip([before, after]) {
        assert!((told - 0.5 * (measured[0] + measured[1])).abs() < 1e-3, "{trace:?} {before:?} {after:?}");
    }
    let extent = |points: &Points| points.values().iter().fold(0.0_f64, |most, at| most.max(at.abs()));
    assert!((0.2..5.0).contains(&(extent(&y) / extent(&start))));
    // The units of the map do not matter.
    let large = Points::new(600, 2, start.values().iter().map(|at| 1e90 * (at + 1e3)).collect()).unwrap();
    let (scaled, _) = refined(&Refine::default(), &x, &neighborhoods, &large);
    let again = both(&x, &scaled, &neighborhoods);
    assert!((0..2).all(|side| (again[side] - after[side]).abs() < 0.02), "{after:?} {again:?}");
}

#[test]
fn a_target_on_one_side_does_not_harm_the_other() {
    let (x, start) = crowds();
    let neighborhoods = nearest(&x, 10);
    // A good map to begin with, which R_C alone would ruin.
    let (start, _) = refined(&Refine::default(), &x, &neighborhoods, &start);
    let before = both(&x, &start, &neighborhoods);
    let of = |slack: Option<f64>| {
        let refine = Refine { target: Target::RC, slack, ..Refine::default() };
        both(&x, &refined(&refine, &x, &neighborhoods, &start).0, &neighborhoods)
    };
    let (guarded, free) = (of(Some(0.02)), of(None));
    assert!(guarded[0] < before[0] && guarded[1] <= before[1] + 0.021, "{before:?} {guarded:?}");
    assert!(free[0] < guarded[0] && free[1] > before[1] + 0.05, "{before:?} {free:?}");
}

#[test]
fn neither_side_rises_beyond_the_slack_however_few_the_steps() {
    let (x, start) = crowds();
    let neighborhoods = nearest(&x, 10);
    for iterations in [7, 60, 130] {
        let refine = Refine { slack: Some(0.0), iterations, ..Refine::default() };
        let (y, _) = refined(&refine, &x, &neighborhoods, &start);
        let (before, after) = (both(&x, &start, &neighborhoods), both(&x, &y, &neighborhoods));
        assert!((0..2).all(|side| after[side] <= before[side] + 1e-3), "{iterations}: {before:?} {after:?}");
    }
}

#[test]
fn where_not_all_distances_are_known_one_side_is_looked_at() {
    let (x, start) = crowds();
    let known = nearest(&x, 15);
    let distance = |a: usize, b: u32| Input::Points(&x).distance(a, b as usize);
    let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in 0..600 {
        let mut others = known.neighbors(row).to_vec();
        others.extend((0..600).filter(|&other| known.neighbors(other as usize).contains(&(row as u32))));
        others.sort_unstable();
        others.dedup();
        values.extend(others.iter().map(|&other| distance(row, other)));
        columns.extend(others);
        offsets.push(columns.len());
    }
    let sparse = crate::Distances::sparse(600, offsets, columns, values).unwrap();
    let neighborhoods = crate::Search::nearest(10).run_on_distances(&sparse, &Run::new()).unwrap();
    let refine = Refine { iterations: 3, ..Refine::default() };
    let outcome = refine.refine(Input::Distances(&sparse), &neighborhoods, &start, &Run::new()).unwrap();
    assert_eq!(outcome.facts["target"], "r-n");
}

/// The true map of a roll, cut into strips that are turned and laid out beside each other, as a map of clusters may be.
fn strips(truth: &Points) -> Points {
    let least = truth.rows().map(|row| row[0]).fold(f64::INFINITY, f64::min);
    let most = truth.rows().map(|row| row[0]).fold(f64::NEG_INFINITY, f64::max);
    let width = (most - least) / 6.0;
    let place = |row: &[f64]| {
        let strip = (((row[0] - least) / width) as usize).min(5);
        let (sin, cos) = (2.0 * strip as f64).sin_cos();
        let (x, y) = (row[0] - least - (strip as f64 + 0.5) * width, row[1]);
        [cos * x - sin * y + 40.0 * (strip % 3) as f64, sin * x + cos * y + 40.0 * (strip / 3) as f64]
    };
    Points::new(truth.len(), 2, truth.rows().flat_map(place).collect()).unwrap()
}

#[test]
fn surfaces_are_not_folded_either_and_good_refinements_go_on() {
    // A good map is refined as without a look at the other side, unless the neighborhoods reach from sheet to sheet.
    for (points, k, is_good) in [(600, 12, false), (1_200, 7, true)] {
        let roll = sample("swiss-roll", points);
        let neighborhoods = nearest(&roll.points, k);
        let start = if is_good { shaken(&roll.truth, 0.5) } else { strips(&roll.truth) };
        let before = both(&roll.points, &start, &neighborhoods);
        for target in [Target::Auto, Target::RN, Target::RC] {
            let refine = Refine { target, ..Refine::default() };
            let (y, outcome) = refined(&refine, &roll.points, &neighborhoods, &start);
            let (free, _) = refined(&Refine { slack: None, ..refine }, &roll.points, &neighborhoods, &start);
            let [after, free_end] = [&y, &free].map(|map| both(&roll.points, map, &neighborhoods));
            let told = format!("{points} {target:?}: {before:?} {after:?} {free_end:?}");
            assert!(after[1] <= before[1] + 0.021, "{told}");
            assert_eq!(outcome.facts.contains_key("refused"), !is_good, "{told}");
            assert_eq!(outcome.warnings.len(), usize::from(!is_good), "{told}");
            if is_good {
                assert_eq!(y, free, "{told}");
            } else {
                assert!(free_end[1] > 0.5 && after[0] + after[1] < free_end[0] + free_end[1], "{told}");
                assert_eq!(outcome.facts["target"] == "both", target == Target::Auto, "{told}");
            }
        }
    }
}
