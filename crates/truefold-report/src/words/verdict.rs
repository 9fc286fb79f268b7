//! A verdict as sentences: what the dimension allows, both directions, what happens to neighbors, and the classes.

use super::{count, counted, dimensions, number, percent};
use truefold::{Class, Judgment, Verdict};

/// What a class is called in sentences and legends.
///
/// ```
/// assert_eq!(truefold_report::words::class(truefold::Class::Chance), "not told from chance");
/// ```
pub fn class(class: Class) -> &'static str {
    match class {
        Class::Faithful => "faithful",
        Class::ShapeLost => "shape lost",
        Class::FalseNeighbors => "false neighbors",
        Class::NeighborsMissing => "neighbors missing",
        Class::Chance => "not told from chance",
    }
}

/// What a reader should know first where the dimension of the map is too small for the data.
pub(super) fn dimension(judgment: &Judgment, verdict: &Verdict) -> Option<String> {
    verdict.leads_with_neighbors().then(|| {
        format!(
            "{} can hold {} of the shape of an average neighborhood: read this map by its neighbors, not by its \
             distances.",
            capitalized(&dimensions(judgment.output_dim)),
            percent(1.0 - verdict.out_of_reach)
        )
    })
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The score and its two directions, what happens to neighbors, and how many points are of each class.
///
/// ```
/// use truefold::{Judge, Neighborhoods, Run, dataset};
///
/// let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(500))?;
/// let neighborhoods = Neighborhoods::nearest(&roll.points, 12, &Run::new())?;
/// let judgment = Judge::of_points(&roll.points, &neighborhoods).judge(&roll.truth, &Run::new())?;
/// let sentences = truefold_report::words::verdict(&judgment.verdict.unwrap());
/// assert!(sentences[0].starts_with("Score 0.99") || sentences[0].starts_with("Score 1.00"));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn verdict(verdict: &Verdict) -> Vec<String> {
    let facts = &verdict.neighbors;
    vec![
        format!(
            "Score {:.3} of 1 (1 the best possible, 0 chance): the data's neighborhoods keep {:.3} of their shape, the \
             map's own {:.3}.",
            verdict.score, verdict.forward, verdict.reverse
        ),
        format!(
            "The map keeps {} of the neighbors (chance {}); {} of those that it shows are false (chance {}), {} of the \
             true ones are missing (chance {}).",
            percent(facts.kept),
            percent(facts.kept_by_chance),
            percent(facts.false_share),
            percent(facts.false_by_chance),
            percent(facts.missing_share),
            percent(facts.missing_by_chance)
        ),
        format!(
            "Its neighbors are {} times as far away in the data as the true ones; the true ones are {} times as far away \
             in the map as its own.",
            number(facts.farther_in_data),
            number(facts.farther_in_map)
        ),
        counts(verdict),
    ]
}

/// Both directions before and after a change; nothing where one of the two has no verdict.
///
/// ```
/// use truefold::{Judge, Neighborhoods, Points, Run};
///
/// let x = Points::new(9, 1, (0..9).map(f64::from).collect())?;
/// let neighborhoods = Neighborhoods::nearest(&x, 4, &Run::new())?;
/// let judgment = Judge::of_points(&x, &neighborhoods).judge(&x, &Run::new())?;
/// let sentence = truefold_report::words::before_and_after(&judgment, &judgment).unwrap();
/// assert!(sentence.starts_with("Both ways: score 1.000 -> 1.000, data's neighborhoods 1.000 -> 1.000"));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn before_and_after(before: &Judgment, after: &Judgment) -> Option<String> {
    let (then, now) = (before.verdict.as_ref()?, after.verdict.as_ref()?);
    let share = |of: fn(&Verdict) -> f64| format!("{} -> {}", percent(of(then)), percent(of(now)));
    Some(format!(
        "Both ways: score {:.3} -> {:.3}, data's neighborhoods {:.3} -> {:.3}, map's own {:.3} -> {:.3}; false neighbors \
         {}, missing {}.",
        then.score,
        now.score,
        then.forward,
        now.forward,
        then.reverse,
        now.reverse,
        share(|verdict| verdict.neighbors.false_share),
        share(|verdict| verdict.neighbors.missing_share)
    ))
}

/// How many points are of each class.
fn counts(verdict: &Verdict) -> String {
    let total: usize = verdict.counts.iter().map(|(_, count)| count).sum();
    let told: Vec<String> = verdict
        .counts
        .iter()
        .filter(|&(_, number)| number > 0)
        .map(|(kind, number)| format!("{} {}", count(number), class(kind)))
        .collect();
    format!(
        "Of {}: {}. Points are told from chance at a false discovery rate of {}.",
        counted(total, "point", "points"),
        told.join(", "),
        percent(verdict.level)
    )
}
