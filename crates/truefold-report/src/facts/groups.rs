//! What JSON says about what a map does to groups of points; groups are named by their labels.

use serde_json::{Value, json};
use truefold::groups::{Border, Contact, GroupDistance, GroupJudgment, LabelFacts, Link, Median};

/// What a map does to groups of points, for programs.
///
/// ```
/// use truefold::groups::{GroupJudge, Groups};
/// use truefold::{Input, Neighborhoods, Points, Run};
///
/// let x = Points::new(6, 1, vec![0.0, 1.0, 2.0, 10.0, 11.0, 12.0])?;
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &Run::new())?;
/// let groups = Groups::of(&["a", "a", "a", "b", "b", "b"]);
/// let judgment = GroupJudge::new(Input::Points(&x), &x, &neighborhoods).judge(&groups, &Run::new())?;
/// let facts = truefold_report::facts::labels(&judgment);
/// assert_eq!((&facts["accuracy"]["map"], &facts["by_label"][1]["label"]), (&1.0.into(), &"b".into()));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn labels(judgment: &GroupJudgment) -> Value {
    let accuracy = &judgment.accuracy;
    let links = |links: &[Link]| links.iter().map(|entry| link(judgment, entry)).collect::<Value>();
    json!({
        "points": judgment.points,
        "unlabeled": judgment.unlabeled,
        "level": judgment.level,
        "accuracy": {"data": accuracy.data, "map": accuracy.map, "chance": accuracy.chance},
        "by_label": judgment.labels.iter().map(label).collect::<Value>(),
        "false_neighbors": links(&judgment.false_links),
        "missing_neighbors": links(&judgment.missing_links),
        "groups_paired": judgment.paired,
        "touching": touching(judgment),
        "distances": distances(judgment),
    })
}

fn label(label: &LabelFacts) -> Value {
    json!({
        "label": label.name,
        "points": label.size,
        "score": label.score,
        "accuracy": {"data": label.data_accuracy, "map": label.map_accuracy},
        "missing": label.missing,
        "false": label.false_neighbors,
        "foreign": label.foreign,
    })
}

fn link(judgment: &GroupJudgment, link: &Link) -> Value {
    let name = |group: usize| &judgment.labels[group].name;
    json!({"of": name(link.of), "whose": name(link.to), "count": link.count})
}

fn names(judgment: &GroupJudgment, groups: [usize; 2]) -> Value {
    json!(groups.map(|group| &judgment.labels[group].name))
}

fn touching(judgment: &GroupJudgment) -> Value {
    let pair = |border: &Border| {
        json!({
            "pair": names(judgment, border.groups),
            "data": {"pairs": border.data_pairs, "contact": contact(border.data)},
            "map": {"pairs": border.map_pairs, "contact": contact(border.map)},
            "half_front": border.half_front,
        })
    };
    let list = |borders: Vec<&Border>| borders.iter().map(|border| names(judgment, border.groups)).collect::<Value>();
    json!({
        "map_only": list(judgment.invented_borders()),
        "data_only": list(judgment.lost_borders()),
        "pairs": judgment.borders.iter().map(pair).collect::<Value>(),
    })
}

fn contact(contact: Contact) -> &'static str {
    match contact {
        Contact::Touch => "touch",
        Contact::Apart => "apart",
        Contact::Open => "open",
    }
}

fn distances(judgment: &GroupJudgment) -> Value {
    let Some(all) = &judgment.distances else { return Value::Null };
    let median = |median: &Median| json!({"median": median.value, "low": median.low, "high": median.high});
    let pair = |pair: &GroupDistance| {
        json!({
            "pair": names(judgment, pair.groups),
            "data": median(&pair.data),
            "along_data": pair.along.as_ref().map(median),
            "map": median(&pair.map),
            "decided": pair.decided,
            "kept": pair.kept,
            "reversed": pair.reversed,
        })
    };
    let misleading = judgment.misleading_distances();
    let orders = judgment.orders().map(|[kept, reversed]| json!({"kept": kept, "reversed": reversed}));
    json!({
        "orders": orders,
        "do_not_compare": misleading.iter().map(|pair| names(judgment, pair.groups)).collect::<Value>(),
        "pairs": all.iter().map(pair).collect::<Value>(),
    })
}
