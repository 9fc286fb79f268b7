//! Lists of one kind for many vertices, written in parallel and kept in parts, so that none is copied together.

use crate::linalg::block::CHUNK;
use rayon::prelude::*;

/// One list for each vertex, [`CHUNK`] vertices a part.
#[derive(Debug)]
pub(super) struct Rows<T> {
    count: usize,
    parts: Vec<Part<T>>,
}

#[derive(Debug)]
struct Part<T> {
    /// Where the list of each vertex ends.
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T: Send + Sync> Rows<T> {
    /// Writes the lists one after the other: `fill` appends one, and gets work space that it may use as it likes.
    pub(super) fn collect<W: Default>(count: usize, fill: impl Fn(usize, &mut W, &mut Vec<T>) + Sync) -> Self {
        let parts = (0..count.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let (mut work, mut items) = (W::default(), Vec::new());
                let vertices = chunk * CHUNK..((chunk + 1) * CHUNK).min(count);
                let ends = vertices
                    .map(|vertex| {
                        fill(vertex, &mut work, &mut items);
                        items.len() as u32
                    })
                    .collect();
                items.shrink_to_fit();
                Part { ends, items }
            })
            .collect();
        Self { count, parts }
    }

    /// The number of lists.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The list of one vertex.
    #[inline(always)]
    pub(super) fn of(&self, vertex: usize) -> &[T] {
        let (part, at) = (&self.parts[vertex / CHUNK], vertex % CHUNK);
        let start = if at == 0 { 0 } else { part.ends[at - 1] as usize };
        &part.items[start..part.ends[at] as usize]
    }
}
