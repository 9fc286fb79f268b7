//! The one breadth-first walk: points in the order of their steps from where it begins. Cost: that of the visits.

/// Visits the points of `queue` from place `first` on, in order, and what the visits add to it, up to `steps` steps away.
///
/// `visit` gets a point and the queue, to which it adds the points it meets for the first time.
#[inline(always)]
pub(crate) fn breadth_first(
    queue: &mut Vec<u32>,
    first: usize,
    steps: usize,
    mut visit: impl FnMut(u32, &mut Vec<u32>),
) {
    let mut begin = first;
    for _ in 0..steps {
        let end = queue.len();
        if begin == end {
            return;
        }
        for place in begin..end {
            visit(queue[place], queue);
        }
        begin = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_goes_step_by_step_and_ends_where_asked() {
        // A binary tree: the children of p are 2 p and 2 p + 1.
        let walk = |steps: usize| {
            let mut queue = vec![1];
            breadth_first(&mut queue, 0, steps, |point, queue| queue.extend([2 * point, 2 * point + 1]));
            queue
        };
        assert_eq!(walk(0), [1]);
        assert_eq!(walk(2), [1, 2, 3, 4, 5, 6, 7]);
        let mut queue = vec![9, 1];
        breadth_first(&mut queue, 1, usize::MAX, |point, queue| {
            if point < 3 {
                queue.push(point + 1);
            }
        });
        assert_eq!(queue, [9, 1, 2, 3]);
    }
}
