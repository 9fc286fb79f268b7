//! A file that tells its end.
//!
//! The decoder skips fields of fixed width that a damaged header claims without looking whether there are any: at the end of a
//! file it would go on for hours, and find nothing each time. Here it finds an error.

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};

/// So many reads may find the end before it is an error.
const MOST: usize = 100;

/// A file of a known size.
pub(super) struct Ending {
    file: File,
    size: u64,
}

impl Ending {
    pub(super) fn new(file: File, size: u64) -> Self {
        Self { file, size }
    }
}

impl Length for Ending {
    fn len(&self) -> u64 {
        self.size
    }
}

impl ChunkReader for Ending {
    type T = BufReader<Told<File>>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(start))?;
        Ok(BufReader::new(Told { inner: file, empty: 0 }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        // Looked at first: memory for as much as a damaged header claims may not be there.
        if start.checked_add(length as u64).is_none_or(|end| end > self.size) {
            return Err(ParquetError::EOF(format!("{length} bytes from {start} are not there")));
        }
        self.file.get_bytes(start, length)
    }
}

/// What is read to its end, and not often again.
pub(super) struct Told<R> {
    inner: R,
    /// How often there was nothing left.
    empty: usize,
}

impl<R: Read> Read for Told<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        if read == 0 && !buffer.is_empty() {
            self.empty += 1;
            if self.empty > MOST {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn the_end_is_an_error_when_it_is_read_again_and_again() {
        let mut told = Told { inner: &b"abc"[..], empty: 0 };
        let mut all = Vec::new();
        assert_eq!(told.read_to_end(&mut all).unwrap(), 3);
        assert_eq!(all, b"abc");
        let again = (0..2 * MOST).find_map(|_| told.read(&mut [0; 8]).err()).unwrap();
        assert_eq!(again.kind(), ErrorKind::UnexpectedEof);
        assert_eq!(told.read(&mut []).unwrap(), 0);
    }

    #[test]
    fn a_file_is_read_from_anywhere() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        let ending = Ending::new(file, 10);
        assert_eq!(ending.len(), 10);
        let mut text = String::new();
        ending.get_read(6).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "6789");
        assert_eq!(&ending.get_bytes(2, 3).unwrap()[..], b"234");
        assert!(ending.get_bytes(8, 3).is_err() && ending.get_bytes(u64::MAX, 3).is_err());
        assert!(ending.get_bytes(0, usize::MAX).is_err());
    }
}
