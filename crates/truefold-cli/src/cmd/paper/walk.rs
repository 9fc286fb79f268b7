//! A walk through a map: steps between near points from one side to the other, with a picture of every few.

use super::figures::{Drawn, turned};
use super::measured::Measured;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use truefold::{Error, Neighborhoods, Points, Run};
use truefold_report::figure::{Figure, Picture, Scatter};
use truefold_report::words::count;

/// Pictures along a walk.
const PICTURES: usize = 14;
/// Neighbors in the map among which the walk chooses its next step.
const NEAR: usize = 8;
/// The walk begins and ends this share of all points from the edge, as the last few lie by themselves.
const EDGE: f64 = 0.02;

/// PSA's map of pictures, with two walks through it and what is seen on the way.
pub(super) fn pictures(measured: &Measured<'_>, k: usize, run: &Run) -> Result<Option<Drawn>, Error> {
    let set = measured.loaded.set;
    let (Some(shape), Some(trial)) = (set.pixels, measured.trial("psa", k)) else { return Ok(None) };
    let Some(map) = trial.points.as_ref().filter(|_| trial.judgment.rows.is_none()) else { return Ok(None) };
    let run = run.within(format!("{}: figure", set.name));
    let page = turned(map, &run)?;
    let near = Neighborhoods::nearest(map, NEAR.min(map.len() - 1), &run)?;
    let mut panel = Scatter::new("PSA", &page);
    for axis in 0..2 {
        let walk = walk(map, &near, &page, axis);
        let pictures = taken(&walk)
            .into_iter()
            .map(|row| Ok((row, Picture::from_values(shape.0, shape.1, measured.loaded.points.row(row))?)))
            .collect::<Result<Vec<_>, Error>>()?;
        panel =
            if axis == 0 { panel.with_path_above(walk, pictures)? } else { panel.with_path_below(walk, pictures)? };
    }
    let title = format!("{}: {} pictures mapped by PSA, k = {k}", set.title, count(map.len()));
    let caption = format!(
        "The first two principal coordinates of PSA's map into {} dimensions. Two walks cross it from side to side in \
         steps between near points of the map; the pictures are those of the points they start from, in the same \
         order.",
        map.dim()
    );
    let figure = Figure::new(title).with_panel_size(820.0, 620.0).with(panel);
    Ok(Some(Drawn { name: set.name, title: format!("{} along a path", set.title), caption, figure }))
}

/// Rows from one side of the page to the other along `axis`, in the least sum of squared steps of the map.
fn walk(map: &Points, near: &Neighborhoods, page: &Points, axis: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..page.len()).collect();
    order.sort_by(|&a, &b| page.row(a)[axis].total_cmp(&page.row(b)[axis]).then(a.cmp(&b)));
    let edge = (EDGE * order.len() as f64) as usize;
    let (start, end) = (order[edge], order[order.len() - 1 - edge]);
    let mut from = vec![usize::MAX; map.len()];
    let mut least = vec![f64::INFINITY; map.len()];
    least[start] = 0.0;
    // Bits of non-negative numbers are in the order of the numbers.
    let mut queue = BinaryHeap::from([Reverse((0_u64, start))]);
    while let Some(Reverse((bits, at))) = queue.pop() {
        if f64::from_bits(bits) > least[at] {
            continue;
        }
        for &next in near.neighbors(at) {
            let next = next as usize;
            let step: f64 = map.row(at).iter().zip(map.row(next)).map(|(a, b)| (a - b).powi(2)).sum();
            if least[at] + step < least[next] {
                least[next] = least[at] + step;
                from[next] = at;
                queue.push(Reverse((least[next].to_bits(), next)));
            }
        }
    }
    let mut rows = vec![end];
    while let Some(&before) = rows.last().map(|&row| &from[row]).filter(|&&before| before != usize::MAX) {
        rows.push(before);
    }
    rows.reverse();
    rows
}

/// Rows of a walk at even steps, the ends included.
fn taken(walk: &[usize]) -> Vec<usize> {
    let wanted = PICTURES.min(walk.len());
    (0..wanted).map(|place| walk[place * (walk.len() - 1) / (wanted - 1).max(1)]).collect()
}
