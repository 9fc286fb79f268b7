//! The k best of a stream of candidates, by (value, row).

/// A candidate: how far, and which row. Candidates are ordered like neighbors: by distance, ties by row.
pub(crate) type Candidate = (f64, u32);

/// Takes the list of a row, in order, from any thread.
pub(crate) type Emit<'a> = &'a (dyn Fn(u32, &[Candidate]) -> crate::Result<()> + Sync);

/// After every candidate.
pub(crate) const NOTHING: Candidate = (f64::INFINITY, u32::MAX);

/// Keeps the `k` first of all candidates offered.
///
/// A list of up to [`Shortlist::SORTED`] is kept sorted, so that the reach shrinks as early as possible. A longer list
/// collects twice what it needs and is cut from time to time, which costs a constant per candidate.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shortlist {
    k: usize,
    kept: Vec<Candidate>,
    last: Candidate,
}

impl Shortlist {
    /// The longest list that is kept sorted.
    const SORTED: usize = 48;

    /// Empties the list and makes it one of length `k`.
    #[inline(always)]
    pub(crate) fn restart(&mut self, k: usize) {
        self.k = k;
        self.kept.clear();
        self.last = if k == 0 { (f64::NEG_INFINITY, 0) } else { NOTHING };
    }

    /// How many it keeps.
    pub(crate) fn k(&self) -> usize {
        self.k
    }

    /// Only a candidate that comes before this one can still be kept.
    #[inline(always)]
    pub(crate) fn last(&self) -> Candidate {
        self.last
    }

    /// Keeps the candidate if it is among the first k so far.
    #[inline(always)]
    pub(crate) fn offer(&mut self, value: f64, row: u32) {
        if before((value, row), self.last) {
            if self.k <= Self::SORTED { self.insert((value, row)) } else { self.collect((value, row)) }
        }
    }

    #[inline(always)]
    fn insert(&mut self, candidate: Candidate) {
        if self.kept.len() < self.k {
            self.kept.push(candidate);
        }
        let mut place = self.kept.len() - 1;
        while place > 0 && before(candidate, self.kept[place - 1]) {
            self.kept[place] = self.kept[place - 1];
            place -= 1;
        }
        self.kept[place] = candidate;
        if self.kept.len() == self.k {
            self.last = self.kept[self.k - 1];
        }
    }

    #[inline(never)]
    fn collect(&mut self, candidate: Candidate) {
        self.kept.push(candidate);
        if self.kept.len() >= 2 * self.k {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.kept.len() >= self.k && self.k > 0 {
            self.kept.select_nth_unstable_by(self.k - 1, order);
            self.kept.truncate(self.k);
            self.last = self.kept[self.k - 1];
        }
    }

    /// The first k of all that was offered, in order.
    pub(crate) fn finish(&mut self) -> &[Candidate] {
        if self.k > Self::SORTED {
            self.cut();
            self.kept.sort_unstable_by(order);
        }
        &self.kept
    }
}

/// Whether `a` comes before `b`: nearer, or as near with the smaller row.
#[inline(always)]
pub(crate) fn before(a: Candidate, b: Candidate) -> bool {
    a.0 < b.0 || (a.0 == b.0 && a.1 < b.1)
}

/// The order of candidates.
#[inline(always)]
pub(crate) fn order(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_lists_keep_the_first_k() {
        let stream: Vec<Candidate> = (0..1000u32).map(|i| (f64::from(i * 7919 % 97), i * 31 % 1000)).collect();
        let mut sorted = stream.clone();
        sorted.sort_unstable_by(order);
        for k in [0, 1, 2, 47, 48, 49, 100, 1000] {
            let mut list = Shortlist::default();
            list.restart(k);
            for &(value, row) in &stream {
                list.offer(value, row);
            }
            assert_eq!(list.finish(), &sorted[..k], "k = {k}");
        }
    }
}
