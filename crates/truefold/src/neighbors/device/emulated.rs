//! The kernel's work on the processor, for tests: the same tiles, sums, lists and cuts, one after the other.

use super::emulated_convert::convert;
use super::operands::{Halves, Raw, Slab, of_half};
use super::scanner::{Batch, Chunk, Lists, Plan, Scanner, TILE, Taken, Target};
use crate::Result;

/// Operands of rows.
#[derive(Default, Clone)]
struct Place {
    high: Vec<u16>,
    low: Vec<u16>,
    terms: Vec<[f32; 2]>,
}

impl Place {
    fn new(plan: &Plan, rows: usize) -> Self {
        let low = if plan.halves == Halves::Two { rows * plan.stride } else { 0 };
        Self { high: vec![0x7E00; rows * plan.stride], low: vec![0x7E00; low], terms: vec![[f32::NAN; 2]; rows] }
    }

    fn row(&self, row: usize, stride: usize) -> [&[u16]; 2] {
        let low = if self.low.is_empty() { &[][..] } else { &self.low[row * stride..][..stride] };
        [&self.high[row * stride..][..stride], low]
    }
}

#[derive(Default, Clone)]
struct Batched {
    rows: Place,
    ids: Vec<u32>,
    among_columns: Option<usize>,
    thresholds: Vec<f32>,
    lists: Vec<Vec<[u32; 2]>>,
    counts: Vec<u32>,
    entries: Vec<[u32; 2]>,
}

/// A device of this many bytes that keeps `wave` rows busy.
pub(super) struct Emulated {
    pub(super) bytes: usize,
    pub(super) wave: usize,
    plan: Option<Plan>,
    places: Vec<Place>,
    sides: [Place; 2],
    batched: Vec<Batched>,
    /// Terms of rows that lie on the device, once these are held.
    held: Option<Vec<[f32; 2]>>,
    /// Rows that were sent, rows of which operands were made there, and batches, to look at.
    pub(super) moved: std::sync::Arc<std::sync::Mutex<[usize; 3]>>,
    /// Plans that were opened, to look at.
    pub(super) opened: std::sync::Arc<std::sync::Mutex<Vec<Plan>>>,
}

impl Emulated {
    pub(super) fn new(bytes: usize, wave: usize) -> Self {
        Self {
            bytes,
            wave,
            plan: None,
            places: Vec::new(),
            sides: Default::default(),
            batched: Vec::new(),
            held: None,
            moved: Default::default(),
            opened: Default::default(),
        }
    }

    fn plan(&self) -> Plan {
        self.plan.unwrap()
    }
}

/// Lowers a threshold so that about `keep` entries stay, as the kernel does.
pub(super) fn cut(list: &mut Vec<[u32; 2]>, threshold: &mut f32, keep: usize) {
    let key = |bits: u32| if bits >> 31 == 1 { !bits } else { bits | 0x8000_0000 };
    let value = |key: u32| f32::from_bits(if key >> 31 == 1 { key & 0x7FFF_FFFF } else { !key });
    let most = keep + keep / 4;
    let below = |list: &[[u32; 2]], pivot: u32| list.iter().filter(|entry| key(entry[0]) < pivot).count();
    let keys = list.iter().map(|entry| key(entry[0]));
    let (mut from, mut to, mut under) = (keys.clone().min().unwrap(), keys.max().unwrap() + 1, list.len());
    while to - from > 1 && under > most {
        let pivot = from + (to - from) / 2;
        let found = below(list, pivot);
        if found < keep {
            from = pivot;
        } else {
            (to, under) = (pivot, found);
        }
    }
    let tied = under > most;
    let limit = if tied { from } else { to };
    let mut room = if tied { keep - below(list, limit) } else { 0 };
    list.retain(|entry| {
        let tie = key(entry[0]) == limit && room > 0;
        room -= usize::from(tie);
        tie || key(entry[0]) < limit
    });
    *threshold = value(limit);
}

fn product(a: [&[u16]; 2], b: [&[u16]; 2]) -> f32 {
    let mut sum = 0.0_f32;
    let mut add = |a: &[u16], b: &[u16]| a.iter().zip(b).for_each(|(a, b)| sum += of_half(*a) * of_half(*b));
    add(a[1], b[0]);
    add(a[0], b[1]);
    add(a[0], b[0]);
    sum
}

impl Scanner for Emulated {
    fn free(&self) -> Result<usize> {
        Ok(self.bytes)
    }

    fn wave(&self) -> usize {
        self.wave
    }

    fn open(&mut self, plan: &Plan) -> Result<()> {
        assert!(plan.bytes() <= self.bytes, "the plan fits");
        self.opened.lock().unwrap().push(*plan);
        (self.plan, self.held) = (Some(*plan), None);
        self.places = vec![Place::new(plan, plan.columns); plan.places];
        self.sides = [Place::new(plan, plan.piece), Place::new(plan, plan.piece)];
        let rows = if plan.own_rows { Place::new(plan, plan.batch) } else { Place::default() };
        self.batched = vec![Batched { rows, ..Batched::default() }; plan.lists];
        Ok(())
    }

    fn stage(&mut self, side: usize) -> Result<Slab<'_>> {
        let Place { high, low, terms } = &mut self.sides[side];
        Ok(Slab { high, low, terms })
    }

    fn send(&mut self, side: usize, _: usize, (target, first): (Target, usize), count: usize) -> Result<()> {
        let stride = self.plan().stride;
        self.moved.lock().unwrap()[0] += count;
        let to = match target {
            Target::Columns(place) => &mut self.places[place],
            Target::Rows(lists) => &mut self.batched[lists].rows,
        };
        let from = &self.sides[side];
        to.high[first * stride..][..count * stride].copy_from_slice(&from.high[..count * stride]);
        if !from.low.is_empty() {
            to.low[first * stride..][..count * stride].copy_from_slice(&from.low[..count * stride]);
        }
        to.terms[first..][..count].copy_from_slice(&from.terms[..count]);
        Ok(())
    }

    fn hold(&mut self, _: &Raw) -> Result<()> {
        self.held = Some(Vec::new());
        Ok(())
    }

    fn convert(&mut self, raw: &Raw, rows: &Taken) -> Result<&[[f32; 2]]> {
        let (stride, (target, first)) = (self.plan().stride, rows.target);
        self.moved.lock().unwrap()[1] += rows.ids.len();
        let to = match target {
            Target::Columns(place) => &mut self.places[place],
            Target::Rows(lists) => &mut self.batched[lists].rows,
        };
        let padded = rows.ids.len().next_multiple_of(TILE);
        let low = if to.low.is_empty() { &mut [][..] } else { &mut to.low[first * stride..][..padded * stride] };
        let high = &mut to.high[first * stride..][..padded * stride];
        let mut slab = Slab { high, low, terms: &mut to.terms[first..][..padded] };
        convert(raw, rows.ids, stride, &mut slab);
        let held = self.held.as_mut().expect("rows are held before operands are made of them");
        *held = slab.terms[..rows.ids.len()].to_vec();
        Ok(held)
    }

    fn begin(&mut self, lists: usize, _: usize, batch: &Batch) -> Result<()> {
        self.moved.lock().unwrap()[2] += 1;
        let batched = &mut self.batched[lists];
        batched.ids = batch.ids.to_vec();
        batched.among_columns = batch.among_columns;
        batched.thresholds = batch.thresholds.to_vec();
        batched.lists = vec![Vec::new(); batch.ids.len()];
        Ok(())
    }

    fn scan(&mut self, chunk: &Chunk) -> Result<()> {
        let plan = self.plan();
        let columns = &self.places[chunk.place];
        let batched = &mut self.batched[chunk.lists];
        for (row, list) in batched.lists.iter_mut().enumerate() {
            let (place, own) = match batched.among_columns {
                Some(first) => (columns, first + row),
                None => (&batched.rows, row),
            };
            let threshold = &mut batched.thresholds[row];
            for tile in 0..chunk.count.div_ceil(TILE) {
                let limit = *threshold;
                for column in tile * TILE..(tile + 1) * TILE {
                    let product = product(place.row(own, plan.stride), columns.row(column, plan.stride));
                    let [c, l] = columns.terms[column];
                    let t = (-2.0 * place.terms[own][0] * c).mul_add(product, l);
                    let number = (chunk.first + column) as u32;
                    if t < limit && number != batched.ids[row] {
                        list.push([t.to_bits(), number]);
                    }
                }
                assert!(list.len() <= plan.capacity(), "a list has room for a tile");
                if list.len() > plan.capacity() - TILE {
                    cut(list, threshold, plan.keep);
                }
            }
            if chunk.last && list.len() > plan.handed() {
                cut(list, threshold, plan.keep);
            }
        }
        if chunk.last {
            batched.counts = batched.lists.iter().map(|list| list.len() as u32).collect();
            batched.entries.clear();
            for list in &batched.lists {
                batched.entries.extend(list);
                let filled = batched.entries.len().next_multiple_of(plan.handed());
                let filled = if list.is_empty() { filled + plan.handed() } else { filled };
                batched.entries.resize(filled, [u32::MAX; 2]);
            }
        }
        Ok(())
    }

    fn lists(&mut self, lists: usize) -> Result<Lists<'_>> {
        let width = self.plan().handed();
        let Batched { thresholds, counts, entries, .. } = &self.batched[lists];
        Ok(Lists { thresholds, counts, entries, width })
    }
}
