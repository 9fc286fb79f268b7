//! The memory that a reader, or a run of the tool, may ask for.

/// The bytes of address space.
#[cfg(unix)]
const MEMORY: u64 = 4 << 30;

/// While it lives, this program and those that it starts get no more memory; what was allowed before comes back after it.
pub struct Limit {
    #[cfg(unix)]
    before: libc::rlimit,
}

#[cfg(unix)]
impl Limit {
    pub fn new() -> Self {
        let mut before = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
        // SAFETY: the structures live during the calls. A refusal leaves no limit, which a bomb then shows.
        unsafe {
            libc::getrlimit(libc::RLIMIT_AS, &raw mut before);
            let limit = libc::rlimit { rlim_cur: MEMORY.min(before.rlim_cur), ..before };
            libc::setrlimit(libc::RLIMIT_AS, &raw const limit);
        }
        Self { before }
    }
}

#[cfg(unix)]
impl Drop for Limit {
    fn drop(&mut self) {
        // SAFETY: the structure lives during the call.
        unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const self.before) };
    }
}

#[cfg(not(unix))]
impl Limit {
    pub fn new() -> Self {
        Self {}
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn programs_get_no_more_while_it_lives() {
        let allowed = || {
            let done = Command::new("sh").args(["-c", "ulimit -v"]).output().unwrap();
            String::from_utf8(done.stdout).unwrap().trim().to_owned()
        };
        let before = allowed();
        let limit = Limit::new();
        let least = before.parse().unwrap_or(u64::MAX).min(MEMORY / 1024);
        assert_eq!(allowed(), least.to_string());
        drop(limit);
        assert_eq!(allowed(), before);
    }
}
