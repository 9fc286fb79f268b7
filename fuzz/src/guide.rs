//! Which inputs reached code that none before them had reached.
//!
//! The compiler of stable Rust counts how often each place of the program ran (`-C instrument-coverage`), and the counts lie in
//! memory. An input after which a count is no longer zero is kept, and later ones are made from it. Without these counts,
//! as in the short run of the tests, none is kept.

/// What was reached so far.
pub struct Guide {
    #[cfg(feature = "guided")]
    reached: Vec<bool>,
}

#[cfg(feature = "guided")]
unsafe extern "C" {
    fn __llvm_profile_begin_counters() -> *const u64;
    fn __llvm_profile_end_counters() -> *const u64;
}

#[cfg(feature = "guided")]
impl Guide {
    pub fn new() -> Self {
        Self { reached: vec![false; Self::counts().len()] }
    }

    /// The counts, which other threads may be raising: a value that is read late is seen after the next input.
    fn counts() -> &'static [u64] {
        // SAFETY: the run-time library of the compiler gives the ends of one static array.
        unsafe {
            let (begin, end) = (__llvm_profile_begin_counters(), __llvm_profile_end_counters());
            std::slice::from_raw_parts(begin, end.offset_from(begin).unsigned_abs())
        }
    }

    /// Whether something new was reached since the last call.
    pub fn is_new(&mut self) -> bool {
        let mut new = false;
        for (count, reached) in Self::counts().iter().zip(&mut self.reached) {
            if *count != 0 && !*reached {
                *reached = true;
                new = true;
            }
        }
        new
    }
}

#[cfg(not(feature = "guided"))]
impl Guide {
    pub fn new() -> Self {
        Self {}
    }

    pub fn is_new(&mut self) -> bool {
        false
    }
}
