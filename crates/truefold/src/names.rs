//! Names as people type them, and names similar to one that is not in its table.
//!
//! Two names are the same in lower case with `_` and spaces as `-`: `R_C`, `r_c` and `r-c`. likeness(a, b) is the
//! Jaro-Winkler similarity of a and b written so, or 1 if one of them is a whole word of the other. A near miss has a
//! likeness of at least 0.8.

const NEAR: f64 = 0.8;
const MOST_SUGGESTIONS: usize = 3;

/// Whether `given` is the name `known`, up to case and to how words are joined.
pub(crate) fn is_same(given: &str, known: &str) -> bool {
    plain(given) == plain(known)
}

/// The names among `known` that the user may have meant by `given`, best first.
pub(crate) fn near_misses(given: &str, known: &[String]) -> Vec<String> {
    let mut near: Vec<(f64, &String)> =
        known.iter().map(|name| (likeness(given, name), name)).filter(|(likeness, _)| *likeness >= NEAR).collect();
    // The sort is stable: equal near misses stay in the order of the table.
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter().take(MOST_SUGGESTIONS).map(|(_, name)| name.clone()).collect()
}

fn likeness(given: &str, name: &str) -> f64 {
    let (given, name) = (plain(given), plain(name));
    let is_word = |part: &str, whole: &str| !part.is_empty() && format!("-{whole}-").contains(&format!("-{part}-"));
    if is_word(&given, &name) || is_word(&name, &given) { 1.0 } else { strsim::jaro_winkler(&given, &name) }
}

fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', ' '], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 5] = ["swiss-roll", "swiss-roll-hole", "s-curve", "sphere", "hemisphere"];

    fn suggestions(given: &str) -> Vec<String> {
        near_misses(given, &KNOWN.map(str::to_owned))
    }

    #[test]
    fn the_nearest_name_comes_first() {
        assert_eq!(suggestions("sphre")[0], "sphere");
        assert_eq!(suggestions("Swiss_Roll")[0], "swiss-roll");
        assert_eq!(suggestions("swissroll")[0], "swiss-roll");
        assert_eq!(suggestions("hemispheer")[0], "hemisphere");
    }

    #[test]
    fn case_and_joints_do_not_matter() {
        assert!(["R_C", "r_c", "r-c", "r c", " R-C"].iter().all(|given| is_same(given, "r_c")));
        assert!(!is_same("rc", "r_c") && !is_same("r_n", "r_c"));
    }

    #[test]
    fn a_whole_word_of_a_name_is_a_near_miss() {
        assert_eq!(suggestions("roll"), ["swiss-roll", "swiss-roll-hole"]);
        assert_eq!(suggestions("hole"), ["swiss-roll-hole"]);
    }

    #[test]
    fn a_name_like_no_other_has_no_near_miss() {
        assert!(suggestions("qqq").is_empty());
        assert!(suggestions("").is_empty());
    }
}
