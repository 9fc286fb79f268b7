//! Definitions by brute force, planted faults, and nothing found where there is nothing.

use super::*;
use crate::{Distances, Input, Neighborhoods, Points, Run, Search};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Normal points of deviation 1 about these centers, `size` about each, with the number of the center as label.
fn blobs(centers: &[Vec<f64>], size: usize, seed: u64) -> (Points, Vec<String>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let normal = |rng: &mut ChaCha8Rng| rng.sample::<f64, _>(rand_distr::StandardNormal);
    let mut values = Vec::new();
    for center in centers {
        for _ in 0..size {
            values.extend(center.iter().map(|at| at + normal(&mut rng)));
        }
    }
    let labels = (0..centers.len() * size).map(|i| (i / size).to_string()).collect();
    (Points::new(centers.len() * size, centers[0].len(), values).unwrap(), labels)
}

fn judge(x: &Points, y: &Points, labels: &[String], k: usize) -> GroupJudgment {
    let run = Run::new();
    let neighborhoods = Neighborhoods::nearest(x, k, &run).unwrap();
    GroupJudge::new(Input::Points(x), y, &neighborhoods).judge(&Groups::of(labels), &run).unwrap()
}

/// The first two coordinates, changed by `change` of the group.
fn flat(x: &Points, labels: &[String], change: impl Fn(usize, [f64; 2]) -> [f64; 2]) -> Points {
    let place = |(row, label): (&[f64], &String)| change(label.parse().unwrap(), [row[0], row[1]]);
    Points::from_rows(&x.rows().zip(labels).map(place).collect::<Vec<_>>()).unwrap()
}

/// Centers on two axes, padded with zeros.
fn centers(places: &[[f64; 2]], dim: usize) -> Vec<Vec<f64>> {
    places.iter().map(|place| place.iter().copied().chain(std::iter::repeat(0.0)).take(dim).collect()).collect()
}

fn found(judgment: &GroupJudgment) -> (Vec<[usize; 2]>, Vec<[usize; 2]>, usize) {
    let groups = |borders: Vec<&Border>| borders.into_iter().map(|border| border.groups).collect();
    let misleading = judgment.misleading_distances().len();
    (groups(judgment.invented_borders()), groups(judgment.lost_borders()), misleading)
}

#[test]
fn accuracy_shares_and_matrix_are_those_of_the_definitions() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let x = Points::new(70, 3, (0..210).map(|_| rng.random::<f64>()).collect()).unwrap();
    let y = Points::new(70, 2, (0..140).map(|_| rng.random::<f64>()).collect()).unwrap();
    let texts = ["", "a", "b", "c", "b"];
    let labels: Vec<&str> = (0..70).map(|_| texts[rng.random_range(0..5)]).collect();
    let lists: Vec<Vec<i64>> = (0..70).map(|i| (1..4 + i % 3).map(|step| (i + step * step) % 70).collect()).collect();
    let (run, data) = (Run::new(), Neighborhoods::from_lists(&lists).unwrap());
    let map = crate::measure::embedded_neighbors(&y, &data, &run).unwrap();
    let judge = GroupJudge::new(Input::Points(&x), &y, &data);
    let judgment = judge.judge(&Groups::of(&labels), &run).unwrap();
    let names = ["a", "b", "c"];
    let mut right = [0; 2];
    for (group, name) in names.iter().enumerate() {
        let own: Vec<usize> = (0..70).filter(|&i| labels[i] == *name).collect();
        let (mut wrong, mut lost, mut all, mut votes) = ([0; 4], [0; 4], 0, [0; 2]);
        for &i in &own {
            let (near, shown) = (data.neighbors(i), map.neighbors(i));
            all += near.len();
            let place = |j: u32| names.iter().position(|name| labels[j as usize] == *name).unwrap_or(3);
            let apart = |graph: &Neighborhoods, j: u32| {
                !graph.members(i).iter().any(|member| graph.members(j as usize).contains(member))
            };
            shown.iter().filter(|&&j| apart(&data, j)).for_each(|&j| wrong[place(j)] += 1);
            near.iter().filter(|&&j| apart(&map, j)).for_each(|&j| lost[place(j)] += 1);
            for (list, votes) in [near, shown].into_iter().zip(&mut votes) {
                let count = |name: &str| list.iter().filter(|&&j| labels[j as usize] == name).count();
                let first = |name: &str| list.iter().position(|&j| labels[j as usize] == name);
                let better = |a: &&&str, b: &&&str| count(a).cmp(&count(b)).then(first(b).cmp(&first(a)));
                let vote = names.iter().filter(|name| count(name) > 0).max_by(better);
                *votes += usize::from(vote == Some(name));
            }
        }
        let facts = &judgment.labels[group];
        assert_eq!((facts.name.as_str(), facts.size), (*name, own.len()));
        assert!(wrong.iter().sum::<usize>() > 0 && lost.iter().sum::<usize>() > 0);
        assert_eq!(facts.data_accuracy, votes[0] as f64 / own.len() as f64);
        assert_eq!(facts.map_accuracy, votes[1] as f64 / own.len() as f64);
        assert_eq!(facts.missing, Some(lost.iter().sum::<usize>() as f64 / all as f64));
        assert_eq!(facts.false_neighbors, Some(wrong.iter().sum::<usize>() as f64 / all as f64));
        let foreign = wrong[..3].iter().sum::<usize>() - wrong[group];
        assert_eq!(facts.foreign, Some(foreign as f64 / all as f64));
        let entry =
            |links: &[Link], to| links.iter().find(|link| (link.of, link.to) == (group, to)).map(|link| link.count);
        for to in 0..3 {
            assert_eq!(entry(&judgment.false_links, to).unwrap_or(0), wrong[to]);
            assert_eq!(entry(&judgment.missing_links, to).unwrap_or(0), lost[to]);
        }
        right.iter_mut().zip(votes).for_each(|(sum, votes)| *sum += votes);
    }
    let labeled = labels.iter().filter(|label| !label.is_empty()).count();
    assert_eq!((judgment.unlabeled, judgment.points), (70 - labeled, 70));
    assert_eq!(judgment.accuracy.data, right[0] as f64 / labeled as f64);
    assert_eq!(judgment.accuracy.map, right[1] as f64 / labeled as f64);
    let most = names.iter().map(|name| labels.iter().filter(|label| *label == name).count()).max().unwrap();
    assert_eq!(judgment.accuracy.chance, most as f64 / labeled as f64);
}

#[test]
fn two_groups_folded_onto_each_other_touch_in_the_map_only() {
    for dim in [2, 10] {
        let (x, labels) = blobs(&centers(&[[0.0, 0.0], [20.0, 0.0], [0.0, 24.0], [30.0, 30.0]], dim), 100, 5);
        let y = flat(&x, &labels, |group, [a, b]| if group == 1 { [a - 20.0, b] } else { [a, b] });
        let judgment = judge(&x, &y, &labels, 12);
        let (invented, lost, _) = found(&judgment);
        assert_eq!((invented, lost), (vec![[0, 1]], vec![]), "{:?}", judgment.borders);
        let whose =
            |of| judgment.false_links.iter().filter(move |link| link.of == of && link.to != of).collect::<Vec<_>>();
        assert!(whose(0).iter().all(|link| link.to == 1) && whose(0)[0].count > 400, "{:?}", whose(0));
        assert!(whose(2).is_empty() && whose(3).is_empty());
        assert_eq!((judgment.accuracy.data, judgment.labels[2].map_accuracy), (1.0, 1.0));
        assert!(judgment.labels[0].map_accuracy < 0.7 && judgment.labels[1].foreign > Some(0.3));
    }
}

#[test]
fn a_group_cut_in_two_is_a_lost_border() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let x = Points::new(900, 2, (0..1800).map(|_| 3.0 * rng.random::<f64>()).collect()).unwrap();
    let labels: Vec<String> = x.rows().map(|row| (row[0] as usize).to_string()).collect();
    let y = flat(&x, &labels, |group, [a, b]| if group == 2 { [a + 5.0, b] } else { [a, b] });
    let judgment = judge(&x, &y, &labels, 12);
    let (invented, lost, _) = found(&judgment);
    assert_eq!((invented, lost), (vec![], vec![[1, 2]]), "{:?}", judgment.borders);
    assert!(judgment.missing_links.iter().any(|link| (link.of, link.to) == (2, 1)));
    assert_eq!(found(&judge(&x, &x, &labels, 12)), (vec![], vec![], 0));
}

#[test]
fn groups_that_were_moved_have_distances_not_to_be_compared() {
    let places = [[0.0, 0.0], [10.0, 0.0], [0.0, 30.0], [70.0, 0.0], [0.0, 160.0]];
    let (x, labels) = blobs(&centers(&places, 6), 60, 9);
    let kept = judge(&x, &flat(&x, &labels, |_, place| place), &labels, 8);
    assert_eq!(found(&kept), (vec![], vec![], 0));
    assert!(kept.orders().is_some_and(|[kept, reversed]| kept > 0.95 && reversed == 0.0), "{:?}", kept.orders());
    // The nearest of group 0 becomes the farthest.
    let moved =
        judge(&x, &flat(&x, &labels, |group, [a, b]| if group == 1 { [a + 500.0, b] } else { [a, b] }), &labels, 8);
    let misleading: Vec<[usize; 2]> = moved.misleading_distances().iter().map(|pair| pair.groups).collect();
    assert_eq!(misleading[0], [0, 1], "{misleading:?}");
    assert!(moved.orders().unwrap()[1] > 0.1);
    let pair = moved.distances.as_ref().unwrap()[0];
    assert!(pair.data.low < pair.data.value && pair.data.value < pair.data.high, "{pair:?}");
    assert!(pair.reversed > 4 * pair.kept, "{pair:?}");
}

#[test]
fn intervals_hold_the_true_median_about_as_often_as_they_say() {
    // The distance of two members of normal groups at (0, 0) and (3, 0): found once with very many.
    let truth = {
        let (x, labels) = blobs(&centers(&[[0.0, 0.0], [3.0, 0.0]], 2), 20_000, 77);
        let half = labels.len() / 2;
        let mut all: Vec<f64> = (0..half).map(|i| crate::linalg::distance(x.row(i), x.row(half + i))).collect();
        all.sort_by(f64::total_cmp);
        all[half / 2]
    };
    let missed = (0..200)
        .filter(|&seed| {
            let (x, labels) = blobs(&centers(&[[0.0, 0.0], [3.0, 0.0]], 2), 40, 100 + seed);
            let data = judge(&x, &x, &labels, 3).distances.unwrap()[0].data;
            data.low > truth || data.high < truth
        })
        .count();
    assert!(missed <= 18, "{missed} of 200");
}

#[test]
fn permuted_labels_find_nothing() {
    let (mut pairs, mut wrong, mut misleading) = (0, 0, 0);
    for seed in 0..10 {
        let (x, mut labels) = blobs(&centers(&[[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [9.0, 9.0]], 5), 120, seed);
        let y = flat(&x, &labels, |group, [a, b]| if group == 3 { [a - 7.0, b] } else { [a, b] });
        labels.shuffle(&mut ChaCha8Rng::seed_from_u64(1000 + seed));
        let judgment = judge(&x, &y, &labels, 10);
        assert!((judgment.accuracy.map - judgment.accuracy.chance).abs() < 0.08);
        let (invented, lost, not_compared) = found(&judgment);
        pairs += judgment.borders.len();
        wrong += invented.len() + lost.len();
        misleading += not_compared;
    }
    assert!(pairs == 60 && wrong == 0 && misleading <= 6, "{wrong} borders, {misleading} distances of {pairs}");
}

#[test]
fn given_distances_say_the_same_as_points_and_some_of_them_no_distances_of_groups() {
    let (x, labels) = blobs(&centers(&[[0.0, 0.0], [3.0, 0.0], [9.0, 4.0]], 3), 30, 4);
    let y = flat(&x, &labels, |_, place| place);
    let (run, groups) = (Run::new(), Groups::of(&labels));
    let values: Vec<f64> = (0..90)
        .flat_map(|i| (0..90).map(move |j| (i, j)))
        .map(|(i, j)| crate::linalg::distance(x.row(i), x.row(j)))
        .collect();
    let all = Distances::dense(90, values.clone()).unwrap();
    let near = Search::nearest(6).run_on_distances(&all, &run).unwrap();
    let of_points = judge(&x, &y, &labels, 6);
    let of_distances = GroupJudge::new(Input::Distances(&all), &y, &near).judge(&groups, &run).unwrap();
    assert_eq!((&of_distances.labels, &of_distances.borders), (&of_points.labels, &of_points.borders));
    let medians = |judgment: &GroupJudgment| -> Vec<f64> {
        judgment.distances.iter().flatten().map(|pair| pair.data.value).collect()
    };
    let pairs = medians(&of_points).into_iter().zip(medians(&of_distances));
    assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-12));
    let (mut offsets, mut columns, mut known) = (vec![0], Vec::new(), Vec::new());
    for i in 0..90 {
        for &j in near.neighbors(i) {
            columns.push(j);
            known.push(values[i * 90 + j as usize]);
        }
        offsets.push(columns.len());
    }
    let some = Distances::sparse(90, offsets, columns, known).unwrap();
    let sparse = GroupJudge::new(Input::Distances(&some), &y, &near).judge(&groups, &run).unwrap();
    assert_eq!((sparse.distances.is_none(), sparse.borders), (true, of_points.borders));
}

#[test]
fn threads_do_not_change_a_bit_and_known_neighborhoods_change_nothing() {
    let (x, labels) = blobs(&centers(&[[0.0, 0.0], [2.0, 0.0], [0.0, 3.0]], 4), 1500, 8);
    let y = flat(&x, &labels, |_, place| place);
    let groups = Groups::of(&labels);
    let judged = |threads| {
        let run = Run::new().with_seed(3).with_threads(threads).unwrap();
        let neighborhoods = Neighborhoods::nearest(&x, 7, &run).unwrap();
        let shown = Neighborhoods::nearest(&y, 7, &run).unwrap();
        let judge = GroupJudge::new(Input::Points(&x), &y, &neighborhoods);
        assert_eq!(judge.judge(&groups, &run), judge.clone().with_map_neighborhoods(&shown).judge(&groups, &run));
        judge.judge(&groups, &run).unwrap()
    };
    assert_eq!(judged(1), judged(3));
}

#[test]
fn labels_of_one_member_one_label_copies_and_one_dimension_are_judged() {
    let x = Points::new(40, 1, (0..40).map(|i| f64::from(i / 2)).collect()).unwrap();
    let label = |i: usize| {
        if i == 7 {
            "alone"
        } else if i < 20 {
            "a"
        } else {
            "b"
        }
    };
    let labels: Vec<String> = (0..40).map(|i| label(i).to_owned()).collect();
    let judgment = judge(&x, &x, &labels, 4);
    let alone = &judgment.labels[1];
    assert_eq!((alone.name.as_str(), alone.size, alone.data_accuracy, alone.missing), ("alone", 1, 0.0, Some(0.0)));
    assert_eq!(judgment.distances.as_ref().map(Vec::len), Some(1));
    let one = judge(&x, &x, &vec!["a".to_owned(); 40], 4);
    assert_eq!((one.accuracy.map, one.accuracy.chance, one.borders.len(), one.orders()), (1.0, 1.0, 0, None));
}

#[test]
fn what_makes_no_groups_is_told_in_one_sentence() {
    let x = Points::new(3, 1, vec![0.0, 1.0, 2.0]).unwrap();
    let run = Run::new();
    let neighborhoods = Neighborhoods::nearest(&x, 1, &run).unwrap();
    let judge = GroupJudge::new(Input::Points(&x), &x, &neighborhoods);
    let told = |labels: &[&str]| judge.judge(&Groups::of(labels), &run).unwrap_err().to_string();
    assert_eq!(told(&["a", "a"]), "there are 2 labels for 3 points; give exactly one for each point");
    assert_eq!(told(&["", "nan", ""]), "none of the points has a label; give a label that several points share");
    assert_eq!(
        told(&["1", "2", "3"]),
        "the 3 labels are all different, so they make no groups; give a label that several points share"
    );
    let groups = Groups::of(&["a", "a", "b"]);
    let level = judge.clone().with_level(1.0).judge(&groups, &run).unwrap_err().to_string();
    assert_eq!(level, "level = 1 is not between 0 and 1; choose a share such as 0.05");
}

#[test]
fn a_surface_that_was_unrolled_keeps_its_distances() {
    let request = crate::dataset::Request::new().with_points(1500);
    let roll = crate::dataset::find("swiss-roll").unwrap().sample(&request).unwrap();
    let labels: Vec<String> = roll.truth.rows().map(|row| ((row[0] / 12.0) as usize).to_string()).collect();
    let judgment = judge(&roll.points, &roll.truth, &labels, 12);
    assert_eq!(found(&judgment), (vec![], vec![], 0));
    assert!(judgment.orders().is_some_and(|[kept, reversed]| kept > 0.9 && reversed < 0.02), "{:?}", judgment.orders());
    assert!(judgment.distances.iter().flatten().all(|pair| pair.along.is_some()));
}
