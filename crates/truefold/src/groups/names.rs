//! Labels as groups of points: each distinct label once, and its place for every point.

use std::collections::BTreeMap;

/// The place of a point without a label.
const NONE: u32 = u32::MAX;
/// Texts that say that there is no label, in small letters.
const MISSING: [&str; 6] = ["", "nan", "na", "n/a", "<na>", "null"];

/// The groups that labels make of some points.
///
/// A label that is empty or reads `nan`, `NA`, `N/A`, `<NA>` or `null` is no label: the point belongs to no group. Spaces
/// around a label do not count. Groups come in the order of [`in_order`].
///
/// ```
/// use truefold::groups::Groups;
///
/// let groups = Groups::of(&["10", "9", "", "10"]);
/// assert_eq!((groups.names(), groups.sizes()), (&["9".to_owned(), "10".to_owned()][..], &[1, 2][..]));
/// assert_eq!((groups.group(0), groups.group(2), groups.unlabeled()), (Some(1), None, 1));
/// assert_eq!(groups.select(&[1, 2]).names(), ["9"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    names: Vec<String>,
    codes: Vec<u32>,
    sizes: Vec<usize>,
}

impl Groups {
    /// The groups of points with these labels, one each.
    pub fn of<S: AsRef<str>>(labels: &[S]) -> Self {
        let texts: Vec<&str> = labels.iter().map(|label| label.as_ref().trim()).collect();
        let is_missing = |text: &str| MISSING.contains(&text.to_lowercase().as_str());
        let mut places: BTreeMap<&str, u32> = texts.iter().map(|&text| (text, NONE)).collect();
        let names = in_order(places.keys().copied().filter(|text| !is_missing(text)).collect());
        for (place, &name) in (0..).zip(&names) {
            places.insert(name, place);
        }
        let codes: Vec<u32> = texts.iter().map(|text| places[text]).collect();
        let mut sizes = vec![0; names.len()];
        for &code in codes.iter().filter(|&&code| code != NONE) {
            sizes[code as usize] += 1;
        }
        Self { names: names.into_iter().map(str::to_owned).collect(), codes, sizes }
    }

    /// The groups of these points alone.
    pub fn select(&self, rows: &[u32]) -> Self {
        let name = |&row: &u32| self.group(row as usize).map_or("", |group| self.names[group].as_str());
        Self::of(&rows.iter().map(name).collect::<Vec<_>>())
    }

    /// The names of the groups, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of points of each group.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The number of points, with and without label.
    pub fn points(&self) -> usize {
        self.codes.len()
    }

    /// The number of points without label.
    pub fn unlabeled(&self) -> usize {
        self.codes.len() - self.sizes.iter().sum::<usize>()
    }

    /// The group of a point, if it has a label.
    #[inline(always)]
    pub fn group(&self, point: usize) -> Option<usize> {
        Some(self.codes[point]).filter(|&code| code != NONE).map(|code| code as usize)
    }

    /// The points of each group, in order.
    pub(super) fn members(&self) -> Vec<Vec<u32>> {
        let mut members: Vec<Vec<u32>> = self.sizes.iter().map(|&size| Vec::with_capacity(size)).collect();
        for point in 0..self.points() {
            if let Some(group) = self.group(point) {
                members[group].push(point as u32);
            }
        }
        members
    }

    /// The `most` largest groups, or all, in order; of groups of one size the first.
    pub(super) fn largest(&self, most: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.sizes.len()).collect();
        order.sort_by_key(|&group| std::cmp::Reverse(self.sizes[group]));
        order.truncate(most);
        order.sort_unstable();
        order
    }
}

/// Distinct labels in the order of a legend: by size where all are numbers, else by letters.
///
/// ```
/// assert_eq!(truefold::groups::in_order(vec!["10", "9"]), ["9", "10"]);
/// assert_eq!(truefold::groups::in_order(vec!["b", "10", "9"]), ["10", "9", "b"]);
/// ```
pub fn in_order(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    let value = |text: &&str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite());
    if let Some(values) = names.iter().map(value).collect::<Option<Vec<f64>>>() {
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| values[a].total_cmp(&values[b]).then(a.cmp(&b)));
        return order.into_iter().map(|at| names[at]).collect();
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_say_that_there_is_no_label_make_no_group() {
        let groups = Groups::of(&["NaN", "a", " a ", "", "None", "<NA>", "na", " "]);
        assert_eq!(groups.names(), ["None", "a"]);
        assert_eq!((groups.sizes(), groups.unlabeled()), (&[1, 2][..], 5));
        assert_eq!(groups.members(), [vec![4], vec![1, 2]]);
    }

    #[test]
    fn the_largest_groups_keep_their_order() {
        let groups = Groups::of(&["a", "b", "b", "c", "d", "d", "d"]);
        assert_eq!(
            (groups.largest(2), groups.largest(3), groups.largest(9)),
            (vec![1, 3], vec![0, 1, 3], vec![0, 1, 2, 3])
        );
    }
}
