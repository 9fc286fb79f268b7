//! What a map does to groups of points as text: a table of the labels, and what to read off the map and what not.

use super::{Cell, Table, Voice, count, counted, percent, points, wrapped};
use truefold::groups::{Border, GroupJudgment, LabelFacts, Link};

/// The most labels that a table shows.
const ROWS: usize = 20;
/// The most groups that are named as those whose the false neighbors are.
const WHOSE: usize = 2;
/// The most pairs of groups that a sentence names.
const PAIRS: usize = 6;

/// What a map does to groups of points in words.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Grouped {
    /// One row for each label, or for those that lose most.
    pub table: Table,
    /// For a page: of each label the labels of its false neighbors.
    pub matrix: Option<Table>,
    /// What to read off the map and what not.
    pub sentences: Vec<String>,
}

impl Grouped {
    /// The table and the sentences below it, wrapped for a terminal.
    pub fn text(&self, voice: &Voice<'_>) -> String {
        let mut lines = vec![self.table.text(voice.bold), wrapped(&self.table.note), String::new()];
        lines.extend(self.sentences.iter().map(|sentence| wrapped(sentence)));
        lines.join("\n")
    }
}

/// What a map does to groups of points in words.
///
/// ```
/// use truefold::groups::{GroupJudge, Groups};
/// use truefold::{Input, Neighborhoods, Points, Run};
///
/// let x = Points::new(6, 1, vec![0.0, 1.0, 2.0, 10.0, 11.0, 12.0])?;
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &Run::new())?;
/// let groups = Groups::of(&["a", "a", "a", "b", "b", ""]);
/// let judgment = GroupJudge::new(Input::Points(&x), &x, &neighborhoods).judge(&groups, &Run::new())?;
/// let words = truefold_report::words::groups(&judgment);
/// assert_eq!(words.table.header[..4], ["label", "points", "in data", "in map"]);
/// assert_eq!(words.sentences[1], "1 point without label was left out.");
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn groups(judgment: &GroupJudgment) -> Grouped {
    let mut sentences = told(judgment);
    sentences.extend(touching(judgment));
    sentences.extend(distances(judgment));
    Grouped { table: table(judgment), matrix: matrix(judgment), sentences }
}

/// For a page: of each label the labels of its false neighbors, in shares of them; nothing where there are none, or too many
/// labels to see.
fn matrix(judgment: &GroupJudgment) -> Option<Table> {
    let names: Vec<&String> = judgment.labels.iter().map(|label| &label.name).collect();
    if judgment.false_links.is_empty() || names.len() > ROWS {
        return None;
    }
    let row = |of: usize| -> Vec<Cell> {
        let count = |to: usize| {
            let link = judgment.false_links.iter().find(|link| link.of == of && link.to == to);
            link.map_or(0, |link| link.count)
        };
        let all: usize = (0..names.len()).map(count).sum();
        let cell = |to: usize| {
            let share = count(to) as f64 / all.max(1) as f64;
            Cell::from(if share > 0.0 { percent(share) } else { String::new() }).shaded(share)
        };
        std::iter::once(Cell::from(names[of].clone())).chain((0..names.len()).map(cell)).collect()
    };
    Some(Table {
        title: "Whose the false neighbors are".to_owned(),
        note: "Row: the label of the point; column: the label of its false neighbors, in shares of them.".to_owned(),
        header: std::iter::once("label".to_owned()).chain(names.iter().map(|name| (*name).clone())).collect(),
        rows: (0..names.len()).map(row).collect(),
        row_labels: names.iter().map(|name| Some((*name).clone())).collect(),
        column_labels: std::iter::once(None).chain(names.iter().map(|name| Some((*name).clone()))).collect(),
        ..Table::default()
    })
}

fn table(judgment: &GroupJudgment) -> Table {
    let chosen = losing_most(&judgment.labels);
    let has_score = judgment.labels.iter().any(|label| label.score.is_some());
    let mut header = vec!["label", "points", "in data", "in map"];
    header.extend(has_score.then_some("score"));
    header.extend(["missing", "false", "foreign", "whose (%)"]);
    let row = |&at: &usize| -> Vec<Cell> {
        let label = &judgment.labels[at];
        let share = |share: Option<f64>| share.map_or(String::new(), percent);
        let mut row =
            vec![label.name.clone(), count(label.size), percent(label.data_accuracy), percent(label.map_accuracy)];
        row.extend(has_score.then(|| label.score.map_or(String::new(), |score| format!("{score:.2}"))));
        row.extend([share(label.missing), share(label.false_neighbors), share(label.foreign), whose(judgment, at)]);
        row.into_iter().map(Cell::from).collect()
    };
    let left_out = judgment.labels.len() - chosen.len();
    let more = match left_out {
        0 => String::new(),
        some => format!(" The {} that lose most are shown, {} are not.", count(chosen.len()), count(some)),
    };
    Table {
        left: vec![header.len() - 1],
        header: header.into_iter().map(str::to_owned).collect(),
        note: format!(
            "in data, in map: points whose neighbors there mostly have their label; missing: neighbors in the data that \
             are far in the map; \
             false: neighbors in the map that are far in the data; foreign: false ones of another label; whose: of \
             which, in percent of the false ones.{more}"
        ),
        rows: chosen.iter().map(row).collect(),
        row_labels: chosen.iter().map(|&at| Some(judgment.labels[at].name.clone())).collect(),
        ..Table::default()
    }
}

/// The labels that a table shows: all, or those whose neighbors tell them less in the map, in order.
fn losing_most(labels: &[LabelFacts]) -> Vec<usize> {
    let loss = |at: &usize| labels[*at].map_accuracy - labels[*at].data_accuracy;
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by(|a, b| loss(a).total_cmp(&loss(b)));
    order.truncate(ROWS);
    order.sort_unstable();
    order
}

/// The other groups to which most false neighbors of a group belong, with their shares.
fn whose(judgment: &GroupJudgment, group: usize) -> String {
    let of_group = || judgment.false_links.iter().filter(|link| link.of == group);
    let all: usize = of_group().map(|link| link.count).sum();
    let mut others: Vec<&Link> = of_group().filter(|link| link.to != group).collect();
    others.sort_by_key(|link| std::cmp::Reverse(link.count));
    let named = |link: &&Link| {
        let share = link.count as f64 / all as f64;
        format!("{} ({:.0})", judgment.labels[link.to].name, 100.0 * share)
    };
    others.iter().take(WHOSE).map(named).collect::<Vec<_>>().join(", ")
}

/// How often neighbors tell the label, and for which label they do so less.
fn told(judgment: &GroupJudgment) -> Vec<String> {
    let accuracy = &judgment.accuracy;
    let share = |share: f64| format!("{:.1} %", 100.0 * share);
    let mut sentences = vec![format!(
        "Neighbors in the map tell the label of {} of the points, neighbors in the data of {}; naming the most frequent \
         label always is right for {}.",
        share(accuracy.map),
        share(accuracy.data),
        share(accuracy.chance)
    )];
    if judgment.unlabeled > 0 {
        let was = if judgment.unlabeled == 1 { "was" } else { "were" };
        sentences.push(format!("{} without label {was} left out.", points(judgment.unlabeled)));
    }
    sentences
}

/// Which groups touch in one of data and map and not in the other.
fn touching(judgment: &GroupJudgment) -> Vec<String> {
    if judgment.borders.is_empty() {
        return Vec::new();
    }
    let named = |borders: &[&Border]| {
        let pairs: Vec<[usize; 2]> = borders.iter().map(|border| border.groups).collect();
        pair_list(judgment, &pairs)
    };
    let (invented, lost) = (judgment.invented_borders(), judgment.lost_borders());
    let mut sentences = Vec::new();
    if judgment.paired < judgment.labels.len() {
        let (some, all) = (count(judgment.paired), count(judgment.labels.len()));
        sentences.push(format!("Pairs of groups were looked at among the {some} largest of {all}."));
    }
    match invented.as_slice() {
        [] => sentences.push("No groups were found that touch in the map but not in the data.".to_owned()),
        some => sentences.push(format!("Touching in the map but not in the data: {}.", named(some))),
    }
    match lost.as_slice() {
        [] => sentences.push("No groups were found that touch in the data but not in the map.".to_owned()),
        some => sentences.push(format!("Touching in the data but not in the map: {}.", named(some))),
    }
    sentences
}

/// Whether distances between groups can be compared in the map.
fn distances(judgment: &GroupJudgment) -> Vec<String> {
    let Some([kept, reversed]) = judgment.orders() else { return Vec::new() };
    let mut sentences = vec![format!(
        "Of the orders of two distances between groups that the data decide, the map keeps {} and reverses {}; by chance \
         it would reverse as many as it keeps.",
        percent(kept),
        percent(reversed)
    )];
    let misleading = judgment.misleading_distances();
    let pairs: Vec<[usize; 2]> = misleading.iter().map(|pair| pair.groups).collect();
    let all = judgment.distances.as_ref().map_or(0, Vec::len);
    let named = pair_list(judgment, &pairs);
    if 2 * pairs.len() > all {
        sentences.push(format!(
            "Do not compare distances between groups in this map: for {} of {} pairs more than a quarter of the orders are \
             reversed, most for {named}.",
            count(pairs.len()),
            count(all)
        ));
    } else if !pairs.is_empty() {
        sentences.push(format!("Do not compare these distances with others in the map: {named}."));
    }
    sentences
}

/// The first pairs of groups by name, and how many more there are.
fn pair_list(judgment: &GroupJudgment, pairs: &[[usize; 2]]) -> String {
    let name = |group: usize| judgment.labels[group].name.as_str();
    let mut named: Vec<String> =
        pairs.iter().take(PAIRS).map(|&[a, b]| format!("{} and {}", name(a), name(b))).collect();
    if pairs.len() > PAIRS {
        named.push(format!("and {}", counted(pairs.len() - PAIRS, "more pair", "more pairs")));
    }
    named.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use truefold::groups::{GroupJudge, Groups};
    use truefold::{Input, Neighborhoods, Points, Run};

    /// Groups on squares of 8 x 8 points, group g at height 100 g^2 and, in the map, where `place` says.
    fn judged(count: usize, names: impl Fn(usize) -> String, place: impl Fn(usize) -> f64) -> GroupJudgment {
        let at = |i: usize| (i / 64, (i % 8) as f64, (i / 8 % 8) as f64 + 0.01 * (i % 3) as f64);
        let rows = 0..64 * count;
        let x: Vec<[f64; 3]> = rows.clone().map(at).map(|(g, a, b)| [a, b, 100.0 * (g * g) as f64]).collect();
        let y: Vec<[f64; 2]> = rows.clone().map(at).map(|(g, a, b)| [a + place(g), b]).collect();
        let labels: Vec<String> = rows.map(|i| names(i / 64)).collect();
        let (x, y, run) = (Points::from_rows(&x).unwrap(), Points::from_rows(&y).unwrap(), Run::new());
        let neighborhoods = Neighborhoods::nearest(&x, 8, &run).unwrap();
        GroupJudge::new(Input::Points(&x), &y, &neighborhoods).judge(&Groups::of(&labels), &run).unwrap()
    }

    #[test]
    fn a_folded_group_is_named_in_sentences_and_in_the_table() {
        let names = |g: usize| ["tea", "milk", "salt", "oil"][g].to_owned();
        let words = groups(&judged(4, names, |g| [0.0, 90.0, 0.0, 800.0][g]));
        let all = words.sentences.join("\n");
        assert!(all.contains("Touching in the map but not in the data: salt and tea."), "{all}");
        assert!(all.contains("No groups were found that touch in the data but not in the map."), "{all}");
        assert!(all.contains("Do not compare these distances with others in the map: salt and tea."), "{all}");
        let salt = &words.table.rows[2];
        assert_eq!((salt[0].text.as_str(), salt[1].text.as_str(), salt[2].text.as_str()), ("salt", "64", "100 %"));
        assert!(salt[7].text.starts_with("tea ("), "{salt:?}");
        assert_eq!(words.table.rows[0][7].text, "");
    }

    #[test]
    fn many_labels_make_short_tables_and_sentences() {
        let words = groups(&judged(24, |g| format!("g{g:02}"), |_| 0.0));
        assert_eq!(words.table.rows.len(), ROWS);
        assert!(words.table.note.ends_with("The 20 that lose most are shown, 4 are not."), "{}", words.table.note);
        let text = words.text(&Voice::plain());
        assert!(text.contains("; and 123 more pairs."), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}
