//! A bucket queue: points by a small whole key, the largest key first, first come first served within a key.
//!
//! Each bucket is a doubly linked list over arrays of n numbers, so that a point is moved to another key in O(1). What
//! is popped depends on the order of the calls alone, so a run is repeated to the last bit.

const NONE: u32 = u32::MAX;

/// Points waiting under keys.
#[derive(Debug)]
pub(super) struct Queue {
    key: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    first: Vec<u32>,
    last: Vec<u32>,
    /// No bucket above this one holds anything.
    top: usize,
    waiting: usize,
}

impl Queue {
    /// An empty queue for the points `0..points` and the keys `0..keys`.
    pub(super) fn new(points: usize, keys: usize) -> Self {
        Self {
            key: vec![NONE; points],
            next: vec![NONE; points],
            previous: vec![NONE; points],
            first: vec![NONE; keys],
            last: vec![NONE; keys],
            top: 0,
            waiting: 0,
        }
    }

    /// Puts `point` at the end of bucket `key`, wherever it was before.
    #[inline]
    pub(super) fn put(&mut self, point: u32, key: usize) {
        self.remove(point);
        let tail = self.last[key];
        self.key[point as usize] = key as u32;
        self.previous[point as usize] = tail;
        self.next[point as usize] = NONE;
        if tail == NONE {
            self.first[key] = point;
        } else {
            self.next[tail as usize] = point;
        }
        self.last[key] = point;
        self.top = self.top.max(key);
        self.waiting += 1;
    }

    /// Takes `point` out, if it is in.
    #[inline]
    pub(super) fn remove(&mut self, point: u32) {
        let key = self.key[point as usize];
        if key == NONE {
            return;
        }
        let (before, after) = (self.previous[point as usize], self.next[point as usize]);
        if before == NONE {
            self.first[key as usize] = after;
        } else {
            self.next[before as usize] = after;
        }
        if after == NONE {
            self.last[key as usize] = before;
        } else {
            self.previous[after as usize] = before;
        }
        self.key[point as usize] = NONE;
        self.waiting -= 1;
    }

    /// Takes out the first point of the largest key that has any.
    pub(super) fn pop(&mut self) -> Option<u32> {
        // Only while there is something to find: an empty queue is asked often and would search every bucket.
        if self.waiting == 0 {
            return None;
        }
        while self.first[self.top] == NONE {
            self.top -= 1;
        }
        let point = self.first[self.top];
        self.remove(point);
        Some(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_key_comes_first_and_within_a_key_the_one_that_came_first() {
        let mut queue = Queue::new(5, 4);
        for (point, key) in [(3, 1), (0, 2), (4, 1), (1, 2), (2, 3)] {
            queue.put(point, key);
        }
        queue.put(0, 1);
        queue.remove(4);
        let popped: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(popped, [2, 1, 3, 0]);
        queue.put(4, 0);
        assert_eq!(queue.pop(), Some(4));
        assert_eq!(queue.pop(), None);
    }
}
