//! The growth of an embedding, one neighborhood at a time, from a start to the last point.
//!
//! j = argmax over points p not embedded of |Neighbors(p) and N|, N the embedded points; its neighborhood is carried
//! onto what is there by the Procrustes motion of the overlap. Goldberg and Ritov, section 4.1. Cost: O(n k) moves in a
//! [queue](super::queue) and at most one small Procrustes problem per point.
//!
//! Differs from the paper: of points with equally many embedded neighbors the one that got there first is next, where
//! the paper leaves it open. A point that lists no embedded neighbor although one lists it (neighbors need not be
//! mutual) is carried by the neighborhood that lists it.
//!
//! Differs from the paper (`choice = robust`):
//! - any neighborhood that is not embedded whole may be next, also one whose center is; most are then held by nearly
//!   all of their members, and the paper's rule takes only those that reach out farthest;
//! - rings of equally many steps from the start are filled one after the other, the most embedded members first within
//!   a ring, so that the front stays round: narrow tongues would drift apart, and on a curved surface tear it where they
//!   meet again;
//! - a neighborhood whose embedded members [hold](super::overlap) it too loosely waits until nothing else is left, and
//!   is then carried together with the embedded points around it, which settles what would otherwise be an arbitrary
//!   rotation or reflection;
//! - whenever a ring is full, the last rings are [smoothed](super::smoothing), so that chains do not drift apart;
//! - the rotation is sought between the d principal coordinates and not in all q: a few points span the tangent plane
//!   worse than the whole neighborhood does.

use super::overlap::Overlap;
use super::queue::Queue;
use super::smoothing::{RINGS, Smoothing};
use super::{GrowthRule, start};
use crate::graph::Adjacency;
use crate::local::Charts;
use crate::{Result, Run};

/// A neighborhood whose hold is less than this waits.
const LEAST_HOLD: f64 = 0.2;

/// How often what is around a neighborhood is enlarged to hold it.
const ENLARGEMENTS: usize = 3;

/// The largest number of points around it that are used, so that hubs and many dimensions do not make this slow.
const MOST_AROUND: usize = 128;

/// The number of buckets for those that wait.
const GRADES: usize = 32;

/// An embedding that grows.
pub(super) struct Growth<'a> {
    charts: &'a Charts<'a>,
    holders: &'a Adjacency,
    dim: usize,
    robust: bool,
    values: Vec<f64>,
    embedded: Vec<bool>,
    order: Vec<u32>,
    counts: Vec<u32>,
    /// For each neighborhood the least key it can have in the queue; none for the paper's rule.
    rings: Vec<usize>,
    queue: Queue,
    waiting: Queue,
    overlap: Overlap,
    enlarged: Vec<u32>,
    fresh: Vec<u32>,
    images: Vec<f64>,
    /// None for the paper's rule.
    smoothing: Option<Smoothing<'a>>,
    /// How many neighborhoods were carried.
    pub(super) carried: usize,
    /// How many of them needed their surroundings to be held.
    pub(super) loose: usize,
    /// How many of them even those did not hold.
    pub(super) open: usize,
}

impl<'a> Growth<'a> {
    /// Nothing embedded yet.
    pub(super) fn new(
        charts: &'a Charts<'a>,
        holders: &'a Adjacency,
        dim: usize,
        choice: GrowthRule,
        first: usize,
    ) -> Self {
        let neighborhoods = charts.neighborhoods();
        let (count, sizes) = (neighborhoods.len(), neighborhoods.largest_k() + 2);
        let robust = choice == GrowthRule::Robust;
        let mut rings = Vec::new();
        if robust {
            let steps = start::steps_from(neighborhoods, holders, first);
            let last = steps.iter().copied().max().unwrap_or(0);
            rings = steps.iter().map(|&step| (last - step) as usize * sizes).collect();
        }
        let keys = sizes + rings.iter().copied().max().unwrap_or(0);
        Self {
            charts,
            holders,
            dim,
            robust,
            values: vec![0.0; count * dim],
            embedded: vec![false; count],
            order: Vec::with_capacity(count),
            counts: vec![0; count],
            rings,
            queue: Queue::new(count, keys),
            waiting: Queue::new(if robust { count } else { 0 }, GRADES),
            overlap: Overlap::default(),
            enlarged: Vec::new(),
            fresh: Vec::new(),
            images: Vec::new(),
            smoothing: robust.then(|| Smoothing::new(charts, holders, dim)),
            carried: 0,
            loose: 0,
            open: 0,
        }
    }

    /// Grows from the neighborhood of `first` until every point is embedded; their coordinates, row by row.
    pub(super) fn run(&mut self, first: usize, run: &Run) -> Result<Vec<f64>> {
        let stage = run.stage("greedy Procrustes", self.embedded.len());
        let members = self.charts.neighborhoods().members(first);
        self.overlap.load(self.charts, first, self.dim, true)?;
        self.overlap.lay_flat(&mut self.images);
        self.fresh.extend_from_slice(members);
        self.settle();
        let (mut told, mut passed, mut visits) = (0, 0, 0_usize);
        let (mut outermost, mut begun) = (usize::MAX, [0; RINGS]);
        let quiet = run.quiet();
        while self.order.len() < self.embedded.len() {
            visits += 1;
            if visits % 64 == 0 {
                run.check()?;
            }
            if self.order.len() - told >= 4096 {
                stage.advance(self.order.len() - told);
                told = self.order.len();
            }
            if let Some(center) = self.queue.pop() {
                if self.robust && self.rings[center as usize] < outermost {
                    outermost = self.rings[center as usize];
                    self.smooth(begun[0], &quiet)?;
                    begun.rotate_left(1);
                    begun[RINGS - 1] = self.order.len();
                }
                self.visit(center as usize)?;
            } else if let Some(center) = self.robust.then(|| self.waiting.pop()).flatten() {
                self.carry_loose(center as usize)?;
            } else {
                // Where links go one way only, every point that is left is listed by an embedded point.
                let Some(&center) = self.order.get(passed) else { break };
                passed += 1;
                if (self.counts[center as usize] as usize) < self.charts.neighborhoods().members(center as usize).len()
                {
                    self.visit(center as usize)?;
                }
            }
        }
        self.smooth(begun[0], &quiet)?;
        stage.advance(self.order.len() - told);
        Ok(std::mem::take(&mut self.values))
    }

    /// Carries neighborhood `center`, or lets it wait if it is held too loosely.
    fn visit(&mut self, center: usize) -> Result<()> {
        let members = self.charts.neighborhoods().members(center);
        self.overlap.load(self.charts, center, self.dim, self.robust)?;
        self.overlap.cut(members, &self.embedded);
        if self.robust {
            let hold = self.overlap.hold();
            if hold < LEAST_HOLD {
                self.waiting.put(center as u32, (hold / LEAST_HOLD * (GRADES - 1) as f64) as usize);
                return Ok(());
            }
        }
        self.carry(members);
        Ok(())
    }

    /// Carries neighborhood `center` together with the embedded points around it, more of them as long as they hold it
    /// loosely.
    fn carry_loose(&mut self, center: usize) -> Result<()> {
        let neighborhoods = self.charts.neighborhoods();
        let mut rows = std::mem::take(&mut self.enlarged);
        rows.clear();
        rows.extend_from_slice(neighborhoods.members(center));
        let most = rows.len() + MOST_AROUND;
        let mut hold = 0.0;
        for _ in 0..ENLARGEMENTS {
            for at in 0..rows.len() {
                let row = rows[at] as usize;
                if self.embedded[row] && rows.len() < most {
                    let around = neighborhoods.members(row).iter().chain(self.holders.of(row));
                    rows.extend(around.copied().filter(|&row| self.embedded[row as usize]).take(most - rows.len()));
                }
            }
            rows.sort_unstable();
            rows.dedup();
            self.overlap.load_rows(self.charts.input(), &rows, self.dim)?;
            self.overlap.cut(&rows, &self.embedded);
            hold = self.overlap.hold();
            if hold >= LEAST_HOLD || rows.len() >= most {
                break;
            }
        }
        self.loose += 1;
        self.open += usize::from(hold < LEAST_HOLD / 10.0);
        self.carry(&rows);
        self.enlarged = rows;
        Ok(())
    }

    /// Smooths what was placed since there were `since` points.
    fn smooth(&mut self, since: usize, run: &Run) -> Result<()> {
        match &mut self.smoothing {
            Some(smoothing) => smoothing.smooth(&self.order[since..], &self.counts, &mut self.values, run),
            None => Ok(()),
        }
    }

    fn carry(&mut self, members: &[u32]) {
        self.overlap.carry(members, &self.embedded, &self.values, self.dim, &mut self.images);
        self.fresh.extend(members.iter().copied().filter(|&member| !self.embedded[member as usize]));
        self.settle();
    }

    /// Stores the points just placed and updates the neighborhoods that hold them.
    fn settle(&mut self) {
        self.carried += 1;
        for (&row, image) in self.fresh.iter().zip(self.images.chunks_exact(self.dim)) {
            self.values[row as usize * self.dim..][..self.dim].copy_from_slice(image);
            self.embedded[row as usize] = true;
            self.order.push(row);
        }
        for &row in &self.fresh {
            if !self.robust {
                self.queue.remove(row);
            }
            for &center in self.holders.of(row as usize) {
                let at = center as usize;
                self.counts[at] += 1;
                let count = self.counts[at] as usize;
                if self.robust {
                    self.waiting.remove(center);
                    if count < self.charts.neighborhoods().members(at).len() {
                        self.queue.put(center, self.rings[at] + count);
                    } else {
                        self.queue.remove(center);
                    }
                } else if !self.embedded[at] {
                    self.queue.put(center, count);
                }
            }
        }
        self.fresh.clear();
        self.images.clear();
    }
}
