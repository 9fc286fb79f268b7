//! Shortcuts: links between points of different sheets, or of distant parts of one sheet, that noise brought together.
//!
//! On points without noise a link lies in the tangent planes of both its ends. A link that leaves either plane by more
//! than half the radius of the smaller neighborhood is cut, unless the graph would become disconnected: of the links
//! that could join two components, those that leave the planes least are kept, as bridges. In the finished map a
//! shortcut is a pair of neighbors that lie much farther apart than they were measured. Cost: O(n k q d), and O(c log c)
//! for c links cut.

use super::surface::radii;
use crate::data::Input;
use crate::frames::Tangents;
use crate::linalg::{distance, dot, square};
use crate::neighbors::DisjointSets;
use crate::warning::Warning;
use crate::{Fit, Metric, Neighborhoods, Origin, Points, Reach, Result, Run, Tear};

/// A link that leaves a tangent plane by more than this share of the radius is cut.
const STICKING_OUT: f64 = 0.5;
/// A pair is a shortcut if its distance in the map is this many times that in the data, or that of usual neighbors.
pub(crate) const STRETCHED: f64 = 2.0;

/// The graph of points without noise.
pub(crate) struct Joined {
    pub(crate) neighborhoods: Neighborhoods,
    /// Memberships that were cut.
    pub(crate) cut: usize,
    /// Memberships that leave a plane but were kept, or were added from the given graph, to keep the graph connected.
    pub(crate) bridges: usize,
}

/// The nearest neighbors in `shape` where `given` was such a search, or else the given ones, without shortcuts and
/// connected.
pub(crate) fn joined(shape: &Points, tangents: &Tangents, given: &Neighborhoods, run: &Run) -> Result<Joined> {
    let found = match searched_again(shape, given, run)? {
        Some(found) => found,
        None => given.clone(),
    };
    let radii = radii(shape, &found, run)?;
    let out = sticking_out(shape, tangents, &found, &radii, run)?;
    let mut pieces = DisjointSets::new(shape.len());
    let mut kept: Vec<bool> = out.iter().map(|&out| out <= STICKING_OUT).collect();
    let mut loose = Vec::new();
    for center in 0..found.len() {
        for (place, &member) in found.places(center).zip(found.members(center)) {
            if kept[place] {
                pieces.join(center as u32, member);
            } else {
                loose.push((out[place], center as u32, member, Some(place)));
            }
        }
    }
    let cut = loose.len();
    // The given graph is connected, so its links can always join the components.
    let given_out = if pieces.count() > 1 { sticking_out(shape, tangents, given, &radii, run)? } else { Vec::new() };
    if !given_out.is_empty() {
        for center in 0..given.len() {
            for (place, &member) in given.places(center).zip(given.members(center)) {
                if pieces.are_apart(center as u32, member) {
                    loose.push((given_out[place], center as u32, member, None));
                }
            }
        }
    }
    loose.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)).then(b.3.cmp(&a.3)));
    let (mut added, mut restored) = (Vec::new(), 0);
    for (_, center, member, place) in loose {
        if pieces.count() == 1 {
            break;
        }
        if pieces.join(center, member) {
            match place {
                Some(place) => {
                    kept[place] = true;
                    restored += 1;
                }
                None => added.push((center, member)),
            }
        }
    }
    added.sort_unstable();
    let bridges = restored + added.len();
    let rest = found.filtered(|place, _, _| kept[place]);
    Ok(Joined { neighborhoods: with_members(&rest, &added), cut: cut - restored, bridges })
}

/// The nearest neighbors in `shape` where `given` was such a search, as many for each.
pub(crate) fn searched_again(shape: &Points, given: &Neighborhoods, run: &Run) -> Result<Option<Neighborhoods>> {
    searched(given).map(|k| Neighborhoods::nearest(shape, k.min(shape.len() - 1), run)).transpose()
}

/// The number of neighbors that was asked for, where `given` are the nearest ones.
pub(crate) fn searched(given: &Neighborhoods) -> Option<usize> {
    match given.origin() {
        Origin::Exact { reach: Reach::Nearest(k), metric: Metric::Euclidean, .. }
        | Origin::Approximate { reach: Reach::Nearest(k), metric: Metric::Euclidean, .. } => Some(*k),
        _ => None,
    }
}

/// Records which pairs of `given` the map `y` puts far apart: shortcuts between sheets, beside what was torn.
pub(crate) fn record(points: &Points, given: &Neighborhoods, y: &[f64], fit: &mut Fit<'_>) -> Result<()> {
    let (pairs, share) = tear_stretched(points, given, y, fit)?;
    // Some may have been named already.
    let mut known = |name: &str| fit.facts().get(name).and_then(serde_json::Value::as_f64).unwrap_or(0.0);
    let (known_pairs, known_share) = (known("shortcuts") as usize, known("shortcut_share"));
    fit.fact("shortcuts", known_pairs + pairs);
    fit.fact("shortcut_share", known_share + share);
    if pairs > 0 {
        fit.warn(Warning::Shortcuts { pairs, share });
    }
    fit.lap("shortcuts");
    Ok(())
}

/// Adds the pairs of `given` that the map `y` puts far apart to what was torn; how many there are, and their share of the
/// memberships.
pub(crate) fn tear_stretched(
    points: &Points,
    given: &Neighborhoods,
    y: &[f64],
    fit: &mut Fit<'_>,
) -> Result<(usize, f64)> {
    let left = fit.torn().map_or_else(|| given.clone(), |torn| torn.rest(given));
    let rest = unstretched(points, &left, y, fit.run())?;
    let input = Input::Points(points);
    let apart = |rest: &Neighborhoods| Tear::new(given, rest, |a, b| input.distance(a, b));
    let (before, now) = (apart(&left).pairs().len(), apart(&rest));
    let pairs = now.pairs().len() - before;
    let share = (left.memberships() - rest.memberships()) as f64 / (given.memberships() - given.len()).max(1) as f64;
    fit.tear((!now.pairs().is_empty()).then_some(now));
    Ok((pairs, share))
}

/// `given` without the pairs that the map `y` of `points` puts far apart.
fn unstretched(points: &Points, given: &Neighborhoods, y: &[f64], run: &Run) -> Result<Neighborhoods> {
    let radii = radii(points, given, run)?;
    let (input, dim) = (Input::Points(points), y.len() / points.len());
    Ok(given.filtered(|_, a, b| {
        let (a, b) = (a as usize, b as usize);
        let mapped = distance(&y[a * dim..][..dim], &y[b * dim..][..dim]);
        mapped <= STRETCHED * input.distance(a, b).max(radii[a]).max(radii[b])
    }))
}

/// `lists` with as many links of `others` as it takes to hold together what these do.
pub(crate) fn held_together(lists: &Neighborhoods, others: &Neighborhoods) -> Neighborhoods {
    let mut pieces = DisjointSets::new(lists.len());
    for center in 0..lists.len() {
        lists.neighbors(center).iter().for_each(|&member| {
            pieces.join(center as u32, member);
        });
    }
    let mut added = Vec::new();
    for center in 0..others.len() {
        for &member in others.neighbors(center) {
            if pieces.join(center as u32, member) {
                added.push((center as u32, member));
            }
        }
    }
    lists.in_same_order(with_members(lists, &added))
}

/// How far each membership leaves the tangent plane at either of its ends, in units of the smaller radius.
fn sticking_out(
    shape: &Points,
    tangents: &Tangents,
    neighborhoods: &Neighborhoods,
    radii: &[f64],
    run: &Run,
) -> Result<Vec<f64>> {
    let parts = run.chunks("links", shape.len(), 512, |range| {
        let (mut own, mut other) = (vec![0.0; tangents.cells()], vec![0.0; tangents.cells()]);
        let (mut offset, mut out) = (vec![0.0; shape.dim()], Vec::new());
        for center in range {
            tangents.copy(center, &mut own);
            for &member in neighborhoods.members(center) {
                let end = member as usize;
                tangents.copy(end, &mut other);
                shape.difference(end, center, &mut offset);
                let along = |frame: &[f64]| {
                    frame.chunks_exact(offset.len()).map(|axis| dot(axis, &offset).powi(2)).sum::<f64>()
                };
                let off = (square(&offset) - along(&own).min(along(&other))).max(0.0).sqrt();
                let radius = radii[center].min(radii[end]);
                out.push(if radius > 0.0 { off / radius } else { 0.0 });
            }
        }
        Ok(out)
    })?;
    Ok(parts.concat())
}

/// `neighborhoods` with more members, which come by increasing center.
fn with_members(neighborhoods: &Neighborhoods, added: &[(u32, u32)]) -> Neighborhoods {
    if added.is_empty() {
        return neighborhoods.clone();
    }
    let mut offsets = vec![0];
    let mut members = Vec::with_capacity(neighborhoods.memberships() + added.len());
    let mut added = added.iter().peekable();
    for center in 0..neighborhoods.len() {
        members.extend_from_slice(neighborhoods.members(center));
        while let Some((_, member)) = added.next_if(|pair| pair.0 as usize == center) {
            members.push(*member);
        }
        offsets.push(members.len());
    }
    Neighborhoods::from_parts(offsets, members, Origin::Given)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two flat strips above each other, and a point between them.
    fn strips() -> Points {
        let mut rows: Vec<[f64; 3]> = Vec::new();
        for level in [0.0, 3.0] {
            for at in 0..120 {
                rows.push([f64::from(at % 20), f64::from(at / 20) + 0.01 * f64::from(at * at % 7), level]);
            }
        }
        rows.push([10.2, 3.1, 1.5]);
        Points::from_rows(&rows).unwrap()
    }

    #[test]
    fn links_between_sheets_are_cut_but_for_those_that_hold_the_graph_together() {
        let (points, run) = (strips(), Run::new());
        let given = Neighborhoods::nearest(&points, 8, &run).unwrap();
        assert_eq!(given.components().count(), 1);
        let tangents = Tangents::new(&points, &given, 2, &run).unwrap();
        let found = joined(&points, &tangents, &given, &run).unwrap();
        assert_eq!(found.neighborhoods.components().count(), 1);
        let level = |row: u32| points.row(row as usize)[2];
        let crossing = |lists: &Neighborhoods| {
            (0..241_u32)
                .flat_map(|a| lists.neighbors(a as usize).iter().map(move |&b| (a, b)))
                .filter(|&(a, b)| level(a) != level(b))
                .count()
        };
        assert!(crossing(&given) >= 8);
        assert_eq!(crossing(&found.neighborhoods), 2, "one to either strip");
        assert_eq!(found.bridges, 2);
        assert!(found.cut >= 6, "{}", found.cut);
    }

    #[test]
    fn a_plane_is_left_as_it_is() {
        let rows: Vec<[f64; 3]> =
            (0..100).map(|at| [f64::from(at % 10), f64::from(at / 10), f64::from(at % 10)]).collect();
        let (points, run) = (Points::from_rows(&rows).unwrap(), Run::new());
        let given = Neighborhoods::nearest(&points, 6, &run).unwrap();
        let tangents = Tangents::new(&points, &given, 2, &run).unwrap();
        let found = joined(&points, &tangents, &given, &run).unwrap();
        assert_eq!((found.cut, found.bridges), (0, 0));
        assert_eq!(found.neighborhoods, given);
    }

    #[test]
    fn pieces_that_the_clean_points_leave_apart_are_joined_as_they_were() {
        // As measured the two halves touch; without the noise they do not.
        let halves = |shift: f64| -> Points {
            let row =
                |at: u32| [f64::from(at % 10) + if at < 100 { 0.0 } else { shift }, f64::from(at % 100 / 10), 0.0];
            Points::from_rows(&(0..200).map(row).collect::<Vec<_>>()).unwrap()
        };
        let (noisy, clean, run) = (halves(10.0), halves(40.0), Run::new());
        let given = Neighborhoods::nearest(&noisy, 5, &run).unwrap();
        let tangents = Tangents::new(&clean, &Neighborhoods::nearest(&clean, 8, &run).unwrap(), 2, &run).unwrap();
        let found = joined(&clean, &tangents, &given, &run).unwrap();
        assert_eq!(found.neighborhoods.components().count(), 1);
        assert_eq!((found.cut, found.bridges), (0, 1));
        let y: Vec<f64> = clean.rows().flat_map(|row| [row[0], row[1]]).collect();
        let rest = unstretched(&noisy, &given, &y, &run).unwrap();
        assert!(rest.memberships() < given.memberships());
        assert_eq!(rest.components().count(), 2);
        let across = |a: u32, b: u32| (a < 100) != (b < 100);
        assert_eq!(rest, given.filtered(|_, a, b| !across(a, b)));
        let flat: Vec<f64> = noisy.rows().flat_map(|row| [row[0], row[1]]).collect();
        assert_eq!(unstretched(&noisy, &given, &flat, &run).unwrap(), given);
    }

    #[test]
    fn shortcuts_are_named_beside_what_was_torn() {
        // Two halves of ten columns that touch; the map puts them apart, and five columns of one half were torn off before,
        // which the map does not show.
        let row = |at: u32| [f64::from(at % 10) + if at < 100 { 0.0 } else { 10.0 }, f64::from(at % 100 / 10), 0.0];
        let (points, run) = (Points::from_rows(&(0..200).map(row).collect::<Vec<_>>()).unwrap(), Run::new());
        let given = Neighborhoods::nearest(&points, 5, &run).unwrap();
        let across = |a: u32, b: u32| (a < 100) != (b < 100);
        let torn = |a: u32, b: u32| a < 100 && b < 100 && (a % 10 < 5) != (b % 10 < 5);
        let recorded = |y: &[f64], before: bool| {
            let mut fit = Fit::new(&run);
            let rest = given.filtered(|_, a, b| !torn(a, b));
            fit.tear(before.then(|| Tear::new(&given, &rest, |_, _| 1.0)));
            record(&points, &given, y, &mut fit).unwrap();
            fit.into_outcome(y.to_vec())
        };
        let apart: Vec<f64> =
            points.rows().flat_map(|row| [row[0] + if row[0] < 9.5 { 0.0 } else { 30.0 }, row[1]]).collect();
        let count = |which: &dyn Fn(u32, u32) -> bool| {
            let rest = given.filtered(|_, a, b| !which(a, b));
            Tear::new(&given, &rest, |_, _| 1.0).pairs().len()
        };
        let (shortcuts, seam) = (count(&across), count(&torn));
        assert!(shortcuts > 0 && seam > 0);
        let both = recorded(&apart, true);
        assert_eq!(both.facts["shortcuts"].as_u64(), Some(shortcuts as u64));
        let pairs = both.tear.unwrap().pairs().to_vec();
        assert_eq!(pairs.len(), shortcuts + seam);
        assert!(pairs.iter().all(|&(a, b)| across(a, b) || torn(a, b)));
        // Without shortcuts the seam stays, and without either there is nothing to name.
        let flat: Vec<f64> = points.rows().flat_map(|row| [row[0], row[1]]).collect();
        let seam_alone = recorded(&flat, true);
        assert_eq!((seam_alone.facts["shortcuts"].as_u64(), seam_alone.tear.unwrap().pairs().len()), (Some(0), seam));
        assert!(recorded(&flat, false).tear.is_none());
    }
}
