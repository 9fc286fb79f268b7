//! Large blocks of memory, in pages of two megabytes, which stay with the process when they are free.
//!
//! A map of ten million points takes and gives back gigabytes at every stage. The system clears every page that it hands out,
//! 4 kilobytes at a time, and looks up addresses in pages of that size; together that is a tenth of the time. Here pages are
//! large, and those of free blocks are moved (`mremap`) to where the next block needs them, so that what is held is never
//! more than what was in use at one moment, however blocks lie. Free pages go back to the system when the library looks
//! for memory ([`Pool::give_back`]), and where it refuses address space.
//!
//! Blocks end with the pages that they were taken with; nothing here asks the allocator for memory.

use std::ptr::{self, null_mut};

/// The bytes of a page.
const PAGE: usize = 2 << 20;
/// Blocks of so many bytes and more are taken here.
pub(super) const LARGE: usize = 4 * PAGE;
/// So many free ranges are remembered; others go back to the system.
const RANGES: usize = 256;

/// Neighboring pages.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Range {
    start: usize,
    bytes: usize,
}

impl Range {
    fn end(self) -> usize {
        self.start + self.bytes
    }
}

/// A block, of which the first bytes may hold anything and the rest are zero.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) start: *mut u8,
    pub(super) used: usize,
}

/// The free pages.
#[derive(Debug)]
pub(super) struct Pool {
    free: [Range; RANGES],
    count: usize,
}

impl Pool {
    pub(super) const fn new() -> Self {
        Self { free: [Range { start: 0, bytes: 0 }; RANGES], count: 0 }
    }

    /// A block of at least so many bytes; nothing where the system has none.
    pub(super) fn take(&mut self, bytes: usize) -> Option<Block> {
        let bytes = in_pages(bytes)?;
        let fitting = (0..self.count).filter(|&at| self.free[at].bytes >= bytes).min_by_key(|&at| self.free[at].bytes);
        if let Some(at) = fitting {
            let range = &mut self.free[at];
            let start = range.start;
            *range = Range { start: start + bytes, bytes: range.bytes - bytes };
            if range.bytes == 0 {
                self.forget(at);
            }
            return Some(Block { start: start as *mut u8, used: bytes });
        }
        let start = self.reserved(bytes)?;
        let used = self.fill(start, bytes);
        Some(Block { start: start as *mut u8, used })
    }

    /// Keeps the pages of a block for the next.
    ///
    /// # Safety
    ///
    /// The block was taken here with so many bytes, and nobody uses it any more.
    pub(super) unsafe fn keep(&mut self, block: *mut u8, bytes: usize) {
        if let Some(bytes) = in_pages(bytes) {
            self.remember(Range { start: block as usize, bytes });
        }
    }

    /// A block with the same contents and another length; nothing where the system has none, and the block stays as it is.
    ///
    /// # Safety
    ///
    /// The block was taken here with `old` bytes; nobody uses it any more if another one comes back.
    pub(super) unsafe fn resize(&mut self, block: *mut u8, old: usize, new: usize) -> Option<*mut u8> {
        let (old, new) = (in_pages(old)?, in_pages(new)?);
        if new <= old {
            if new < old {
                self.remember(Range { start: block as usize + new, bytes: old - new });
            }
            return Some(block);
        }
        let start = self.reserved(new)?;
        if !moved(Range { start: block as usize, bytes: old }, start) {
            // SAFETY: both have so many bytes, and the new one is nobody's yet.
            unsafe { ptr::copy_nonoverlapping(block, start as *mut u8, old) };
            self.remember(Range { start: block as usize, bytes: old });
        }
        self.fill(start + old, new - old);
        Some(start as *mut u8)
    }

    /// Gives all free pages back to the system.
    pub(super) fn give_back(&mut self) {
        for range in &self.free[..self.count] {
            unmap(*range);
        }
        self.count = 0;
    }

    /// Addresses for so many bytes; free pages are given up where the system has no others.
    fn reserved(&mut self, bytes: usize) -> Option<usize> {
        mapped(bytes).or_else(|| {
            self.give_back();
            mapped(bytes)
        })
    }

    /// Moves free pages to the beginning of fresh addresses; how many bytes.
    fn fill(&mut self, start: usize, bytes: usize) -> usize {
        let mut used = 0;
        while used < bytes && self.count > 0 {
            let last = self.count - 1;
            let range = self.free[last];
            let part = Range { bytes: range.bytes.min(bytes - used), ..range };
            self.free[last] = Range { start: part.end(), bytes: range.bytes - part.bytes };
            if self.free[last].bytes == 0 {
                self.count = last;
            }
            if moved(part, start + used) {
                used += part.bytes;
            } else {
                unmap(part);
            }
        }
        used
    }

    /// Adds free pages, joined to those beside them.
    fn remember(&mut self, mut range: Range) {
        let mut at = 0;
        while at < self.count {
            let other = self.free[at];
            if other.end() == range.start || range.end() == other.start {
                range = Range { start: other.start.min(range.start), bytes: other.bytes + range.bytes };
                self.forget(at);
            } else {
                at += 1;
            }
        }
        if self.count == RANGES {
            return unmap(range);
        }
        self.free[self.count] = range;
        self.count += 1;
    }

    fn forget(&mut self, at: usize) {
        self.count -= 1;
        self.free[at] = self.free[self.count];
    }
}

/// So many bytes rounded up to pages.
fn in_pages(bytes: usize) -> Option<usize> {
    bytes.checked_next_multiple_of(PAGE).filter(|&bytes| bytes <= isize::MAX as usize)
}

/// Fresh addresses that begin with a page.
fn mapped(bytes: usize) -> Option<usize> {
    let start = fresh(null_mut(), bytes.checked_add(PAGE)?, 0)?;
    let first = start.next_multiple_of(PAGE);
    unmap(Range { start, bytes: first - start });
    unmap(Range { start: first + bytes, bytes: PAGE - (first - start) });
    // Advice: where the system has no such pages, these are small ones.
    // SAFETY: the addresses were mapped above.
    unsafe { libc::madvise(first as *mut libc::c_void, bytes, libc::MADV_HUGEPAGE) };
    Some(first)
}

/// Maps pages of zeros.
fn fresh(place: *mut libc::c_void, bytes: usize, flags: i32) -> Option<usize> {
    let (rights, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | flags);
    // SAFETY: new addresses, or ones that the caller owns.
    let start = unsafe { libc::mmap(place, bytes, rights, flags, -1, 0) };
    (start != libc::MAP_FAILED).then_some(start as usize)
}

fn unmap(range: Range) {
    if range.bytes > 0 {
        // SAFETY: the addresses are the pool's, and nobody uses them.
        unsafe { libc::munmap(range.start as *mut libc::c_void, range.bytes) };
    }
}

/// Moves pages to fresh addresses; where the system does not, these are fresh again, and the pages stay where they are.
fn moved(from: Range, to: usize) -> bool {
    let (old, new) = (from.start as *mut libc::c_void, to as *mut libc::c_void);
    // SAFETY: both ranges are the pool's, and the new one holds nothing.
    let found = unsafe { libc::mremap(old, from.bytes, from.bytes, libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED, new) };
    if found != libc::MAP_FAILED {
        return true;
    }
    // The system may have taken the new addresses away before it refused.
    if fresh(new, from.bytes, libc::MAP_FIXED).is_none() {
        super::tell(from.bytes);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(block: Block, bytes: usize, value: u8) -> *mut u8 {
        // SAFETY: the block has so many bytes.
        unsafe { ptr::write_bytes(block.start, value, bytes) };
        block.start
    }

    /// The bytes of a block.
    fn read(block: *mut u8, bytes: usize) -> &'static [u8] {
        // SAFETY: the tests do not use it longer than the block.
        unsafe { std::slice::from_raw_parts(block, bytes) }
    }

    fn free(pool: &Pool) -> usize {
        pool.free[..pool.count].iter().map(|range| range.bytes).sum()
    }

    #[test]
    fn blocks_are_apart_and_fresh_ones_are_zero() {
        let mut pool = Pool::new();
        let (one, two) = (pool.take(LARGE + 1).unwrap(), pool.take(LARGE).unwrap());
        assert_eq!((one.used, two.used), (0, 0));
        assert_eq!(one.start as usize % PAGE, 0);
        assert!(read(one.start, LARGE + 1).iter().all(|&byte| byte == 0));
        let (one, two) = (filled(one, LARGE + 1, 1), filled(two, LARGE, 2));
        assert!(read(one, LARGE + 1).iter().all(|&byte| byte == 1) && read(two, LARGE).iter().all(|&byte| byte == 2));
        // SAFETY: both were taken above.
        unsafe {
            pool.keep(one, LARGE + 1);
            pool.keep(two, LARGE);
        }
        assert_eq!(free(&pool), 2 * LARGE + PAGE);
    }

    #[test]
    fn free_pages_of_several_blocks_make_one_and_what_is_not_used_is_zero() {
        let mut pool = Pool::new();
        let mut blocks = Vec::new();
        for value in 1..=5 {
            let block = pool.take(LARGE).unwrap();
            blocks.push(filled(block, LARGE, value));
        }
        // Not neighbors, so that no range holds two.
        for at in [0, 2, 4] {
            // SAFETY: taken above.
            unsafe { pool.keep(blocks[at], LARGE) };
        }
        let large = pool.take(4 * LARGE).unwrap();
        assert!(large.used <= 3 * LARGE && free(&pool) == 0, "{large:?}");
        assert!(read(large.start, 4 * LARGE)[large.used..].iter().all(|&byte| byte == 0));
        assert!(
            read(blocks[1], LARGE).iter().all(|&byte| byte == 2)
                && read(blocks[3], LARGE).iter().all(|&byte| byte == 4)
        );
        // A free range is cut for a smaller block.
        // SAFETY: taken above.
        unsafe { pool.keep(large.start, 4 * LARGE) };
        let small = pool.take(LARGE).unwrap();
        assert_eq!((small.used, free(&pool)), (LARGE, 3 * LARGE));
        pool.give_back();
        assert_eq!(free(&pool), 0);
    }

    #[test]
    fn a_block_that_grows_or_shrinks_keeps_its_contents() {
        let mut pool = Pool::new();
        let spare = pool.take(2 * LARGE).unwrap();
        // SAFETY: taken above.
        unsafe { pool.keep(filled(spare, 2 * LARGE, 9), 2 * LARGE) };
        let block = pool.take(LARGE).unwrap();
        let block = filled(block, LARGE, 3);
        // SAFETY: taken above, with the bytes that are told; so below.
        let grown = unsafe { pool.resize(block, LARGE, 5 * LARGE) }.unwrap();
        assert!(read(grown, LARGE).iter().all(|&byte| byte == 3));
        let shrunk = unsafe { pool.resize(grown, 5 * LARGE, LARGE + PAGE) }.unwrap();
        assert_eq!(shrunk, grown);
        assert!(free(&pool) >= 4 * LARGE - PAGE && read(shrunk, LARGE).iter().all(|&byte| byte == 3));
    }

    #[test]
    fn more_than_there_are_addresses_for_is_nothing() {
        let mut pool = Pool::new();
        assert!(pool.take(isize::MAX as usize - PAGE).is_none());
        assert!(pool.take(usize::MAX).is_none());
        let block = pool.take(LARGE).unwrap();
        // SAFETY: taken above.
        assert!(unsafe { pool.resize(block.start, LARGE, 1 << 60) }.is_none());
    }
}
