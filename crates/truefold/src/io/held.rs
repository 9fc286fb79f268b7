//! Numbers used where they lie in a file: large files are mapped into memory, not read.
//!
//! The system then brings in what is looked at and drops it again when memory is short, so that a table may be larger
//! than memory. The price is that the file must stay as it is: if another program writes to it meanwhile, results are
//! those of a mixture, and if it is cut short, the system ends this program. Files that are replaced, as [`super::atomic`]
//! does, are safe. Small files are read, so that nothing can happen to them.

use super::open::unreadable;
use crate::points::{Keeper, Layout};
use crate::{Points, Result};
use memmap2::Mmap;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;
use std::sync::Arc;

/// Files of this size are mapped.
pub(super) const LARGE: u64 = 32 << 20;

/// The bytes of a file of `size` bytes, mapped where it is large and the system can.
pub(super) fn bytes(path: &Path, file: &mut File, size: u64) -> Result<Arc<dyn Keeper>> {
    if size >= LARGE
        && let Some(mapped) = map(file)
    {
        return Ok(mapped);
    }
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut bytes)).map_err(|cause| unreadable(path, cause))?;
    Ok(Arc::new(bytes))
}

/// The mapped bytes of a file, where the system can.
pub(super) fn map(file: &File) -> Option<Arc<dyn Keeper>> {
    // SAFETY: nothing here writes to the file, and the documentation asks users not to while it is in use.
    let mapped = unsafe { Mmap::map(file) };
    mapped.ok().map(|mapped| Arc::new(Mapped(mapped)) as Arc<dyn Keeper>)
}

/// The bytes of a file where the system has them.
struct Mapped(Mmap);

impl Keeper for Mapped {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn can_be_set_aside(&self) -> bool {
        cfg!(unix)
    }

    #[cfg(unix)]
    fn set_aside(&self) {
        // SAFETY: nothing was ever written to the mapped bytes, so that those of the file, which come back when they
        // are read, are the same. If the system declines, they stay in memory.
        let _ = unsafe { self.0.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    }
}

/// The numbers among the bytes of a file, whose numbers have their high byte first where `big` says so.
pub(super) fn points(owner: Arc<dyn Keeper>, layout: &Layout, big: bool) -> Result<Points> {
    let (size, range) = (layout.precision.bytes(), layout.offset..layout.end().unwrap_or(usize::MAX));
    if big == cfg!(target_endian = "big") || size == 1 {
        return Points::from_layout(layout, owner);
    }
    let cells = owner.bytes().get(range).unwrap_or_default();
    let turned: Vec<u8> = cells.chunks_exact(size).flat_map(|cell| cell.iter().rev()).copied().collect();
    Points::from_layout(&Layout { offset: 0, ..*layout }, Arc::new(turned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Precision;
    use std::io::Write;

    #[test]
    fn mapped_numbers_are_those_of_the_file_in_both_byte_orders() {
        let numbers = [0.5_f32, -3.0, 1e-30, 7e8];
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"headers!").unwrap();
        numbers.iter().for_each(|value| file.write_all(&value.to_le_bytes()).unwrap());
        numbers.iter().for_each(|value| file.write_all(&value.to_be_bytes()).unwrap());
        let owner = map(&file).unwrap();
        for (offset, big) in [(8, false), (24, true)] {
            let layout = Layout { precision: Precision::Single, len: 2, dim: 2, offset, stride: 2 };
            let found = points(owner.clone(), &layout, big).unwrap();
            assert_eq!((found.precision(), found.values()), (Precision::Single, &numbers.map(f64::from)[..]));
        }
        let read = bytes(Path::new("a"), &mut file, 40).unwrap();
        assert_eq!(read.bytes(), owner.bytes());
        owner.set_aside();
        assert_eq!(read.bytes(), owner.bytes());
    }
}
