//! The memory that is really there, asked before much of it is taken; and memory that goes back between large stages.
//!
//! What a process may still take is the least of what the machine has free (`MemAvailable` and free swap), what the limits of
//! the process leave of its address space and its data (`ulimit -v`, `ulimit -d`), and what its control groups leave
//! (version 1 and 2, each with all above it, where pages of files count as free). Linux tells all this as text; elsewhere
//! nothing is known and nothing is refused.
//!
//! The allocator of the GNU C library keeps small pieces, in the tool large ones too (its `allocator.rs`), so that a stage of many threads may leave
//! hundreds of bytes a point that the next cannot use.
//!
//! What a stage needs is estimated from below ([`Need`]): what it must hold at one moment, not every list that comes and
//! goes, so that nothing is refused that would have ended. What still fails is the allocator's to tell. Cost: some milliseconds a
//! gigabyte to give back, 0.1 ms to ask.

use crate::error::{Advice, Text};
use crate::{Error, Result};
use std::path::Path;
use std::sync::OnceLock;

/// Below so many bytes it is not worth the time to give back.
const MUCH: usize = 1 << 26;
/// Below so many bytes nobody asks.
const LITTLE: f64 = (1 << 22) as f64;

/// What gives back the free memory that an allocator of the program keeps.
static GIVE_BACK: OnceLock<fn()> = OnceLock::new();

/// Names what gives back the free memory that an allocator of the program's own keeps; it is called before anything is refused for
/// want of memory. The first one stays.
///
/// ```
/// truefold::memory::give_back_with(|| ());
/// ```
pub fn give_back_with(give_back: fn()) {
    GIVE_BACK.get_or_init(|| give_back);
}

/// An error if `task` needs more memory than there is.
pub(crate) fn check(task: impl Into<Text>, bytes: f64, advice: impl Into<Advice>) -> Result<()> {
    if bytes < little() {
        return Ok(());
    }
    let is_short = |available: Option<u64>| available.filter(|&available| bytes > available as f64);
    if is_short(available()).is_none() {
        return Ok(());
    }
    // What the allocator keeps counts as taken until it is given back.
    give_back();
    match is_short(available()) {
        Some(available) => Err(refused(task, bytes, Some(available), advice)),
        None => Ok(()),
    }
}

/// Below so many bytes nobody asks; under a limit of a test every byte counts.
fn little() -> f64 {
    #[cfg(test)]
    if tests::stated().is_some() {
        return 0.0;
    }
    LITTLE
}

/// What a stage holds at one moment, at the least, in bytes: for each point, and for each member of a neighborhood.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Need {
    /// Bytes for each point.
    pub a_point: f64,
    /// Bytes for each member of a neighborhood.
    pub a_member: f64,
}

impl Need {
    /// So many bytes for each point, and for each member of a neighborhood.
    ///
    /// ```
    /// use truefold::memory::Need;
    ///
    /// assert_eq!(Need::of(16.0, 8.0).bytes(1000, 13_000), 120_000.0);
    /// ```
    pub const fn of(a_point: f64, a_member: f64) -> Self {
        Self { a_point, a_member }
    }

    /// An error if `task` needs more for so many points and members than there is.
    pub(crate) fn check(self, task: impl Into<Text>, (points, members): (usize, usize)) -> Result<()> {
        let advice =
            if self.a_member > 0.0 { "give fewer points, or choose a smaller {k}" } else { "give fewer points" };
        check(task, self.bytes(points, members), Advice::change("k", advice))
    }

    /// The bytes for so many points, whose neighborhoods have so many members in all.
    pub fn bytes(self, points: usize, members: usize) -> f64 {
        self.a_point * points as f64 + self.a_member * members as f64
    }
}

/// An empty list with room for `len` values, or an error where the memory for it is not there.
pub(crate) fn room<T>(len: usize, task: impl Into<Text>, advice: impl Into<Advice>) -> Result<Vec<T>> {
    let mut list = Vec::new();
    let bytes = len as f64 * size_of::<T>() as f64;
    let (task, advice) = (task.into(), advice.into());
    check(task.clone(), bytes, advice.clone())?;
    if list.try_reserve_exact(len).is_err() {
        return Err(refused(task, bytes, available(), advice));
    }
    Ok(list)
}

/// Room for `len` more values of a list, or an error where the memory for it is not there.
#[cfg(any(feature = "csv", test))]
pub(crate) fn extend<T>(list: &mut Vec<T>, len: usize, told: impl FnOnce() -> (Text, Advice)) -> Result<()> {
    if list.try_reserve(len).is_ok() {
        return Ok(());
    }
    let bytes = (list.len() + len) as f64 * size_of::<T>() as f64;
    let (task, advice) = told();
    Err(refused(task, bytes, available(), advice))
}

/// A list of `len` copies of `value`, or an error where the memory for it is not there.
pub(crate) fn filled<T: Clone>(
    value: T,
    len: usize,
    task: impl Into<Text>,
    advice: impl Into<Advice>,
) -> Result<Vec<T>> {
    let mut list = room(len, task, advice)?;
    list.resize(len, value);
    Ok(list)
}

fn refused(task: impl Into<Text>, bytes: f64, available: Option<u64>, advice: impl Into<Advice>) -> Error {
    Error::Memory { task: task.into(), needed: bytes as u64, available, advice: Box::new(advice.into()) }
}

/// The bytes that this process may still take, where that is known.
pub(crate) fn available() -> Option<u64> {
    #[cfg(test)]
    if let Some(stated) = tests::stated() {
        return Some(stated);
    }
    if cfg!(target_os = "linux") { System(Path::new("/")).available() } else { None }
}

/// A system as its files tell it; tests have their own.
struct System<'a>(&'a Path);

impl System<'_> {
    fn available(&self) -> Option<u64> {
        [self.machine(), self.limits(), self.groups()].into_iter().flatten().min()
    }

    fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.0.join(path.trim_start_matches('/'))).ok()
    }

    /// What the machine has free.
    fn machine(&self) -> Option<u64> {
        let text = self.read("proc/meminfo")?;
        Some(kilobytes(&text, "MemAvailable:")? + kilobytes(&text, "SwapFree:").unwrap_or(0))
    }

    /// What the limits of the process leave.
    fn limits(&self) -> Option<u64> {
        let (limits, status) = (self.read("proc/self/limits")?, self.read("proc/self/status")?);
        let soft = |name: &str| -> Option<u64> {
            limits.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
        };
        let left = |limit: &str, used: &str| Some(soft(limit)?.saturating_sub(kilobytes(&status, used)?));
        let (space, data) = (left("Max address space", "VmSize:"), left("Max data size", "VmData:"));
        space.into_iter().chain(data).min()
    }

    /// What the control groups leave.
    fn groups(&self) -> Option<u64> {
        let text = self.read("proc/self/cgroup")?;
        let groups = text.lines().filter_map(|line| {
            let mut parts = line.splitn(3, ':');
            let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
            match controllers {
                "" => Some(("sys/fs/cgroup", path, ["memory.max", "memory.current", "active_file"])),
                _ if controllers.split(',').any(|name| name == "memory") => Some((
                    "sys/fs/cgroup/memory",
                    path,
                    ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_active_file"],
                )),
                _ => None,
            }
        });
        groups.flat_map(|(root, path, names)| self.above(root, path, names)).min()
    }

    /// What a group and each of those above it leave.
    fn above(&self, root: &str, path: &str, [limit, usage, cache]: [&str; 3]) -> Vec<u64> {
        let mut left = Vec::new();
        let mut group = path.trim_matches('/').to_owned();
        loop {
            let number = |name: &str| self.read(&format!("{root}/{group}/{name}"))?.trim().parse::<u64>().ok();
            if let (Some(limit), Some(usage)) = (number(limit), number(usage)) {
                let stat = self.read(&format!("{root}/{group}/memory.stat")).unwrap_or_default();
                let pages = |name: &str| {
                    stat.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok()).unwrap_or(0)
                };
                let files = pages(cache) + pages(&cache.replace("active", "inactive"));
                left.push(limit.saturating_sub(usage.saturating_sub(files)));
            }
            if group.is_empty() {
                return left;
            }
            group.truncate(group.rfind('/').unwrap_or(0));
        }
    }
}

/// A line such as `VmSize:   123 kB`, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes.saturating_mul(1024))
}

/// Gives all free memory back that allocators keep.
pub(crate) fn give_back() {
    trim();
    if let Some(give_back) = GIVE_BACK.get() {
        give_back();
    }
}

/// Gives free memory back after a stage that used about `bytes` of it for a while.
pub(crate) fn release(bytes: usize) {
    if bytes >= MUCH {
        trim();
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
fn trim() {
    unsafe extern "C" {
        fn malloc_trim(pad: usize) -> i32;
    }
    // SAFETY: the function may be called at any time and from any thread; it only returns pages that are free.
    unsafe {
        malloc_trim(0);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn trim() {}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        static STATED: Cell<Option<u64>> = const { Cell::new(None) };
    }

    /// What is there by the word of the test that runs on this thread.
    pub(super) fn stated() -> Option<u64> {
        STATED.get()
    }

    /// What `work` gives where there are `bytes` of memory by the word of a test: threads of its own do not hear it.
    pub(crate) fn under<T>(bytes: u64, work: impl FnOnce() -> T) -> T {
        STATED.set(Some(bytes));
        let made = work();
        STATED.set(None);
        made
    }

    /// The bytes that `work` says it needs where there are none.
    pub(crate) fn needed_by<T>(work: impl FnOnce() -> Result<T>) -> u64 {
        match under(0, work) {
            Err(Error::Memory { needed, .. }) => needed,
            Err(other) => panic!("another error: {other}"),
            Ok(_) => panic!("no memory was asked for"),
        }
    }

    /// Fails unless the first that `work` asks for are `bytes`, and it goes on beyond that where there are so many.
    pub(crate) fn asks_for<T>(bytes: u64, work: impl Fn() -> Result<T>) {
        assert_eq!(needed_by(&work), bytes);
        match under(bytes, &work) {
            Err(Error::Memory { needed, .. }) => assert!(needed > bytes, "{needed} of {bytes}"),
            Err(other) => panic!("another error: {other}"),
            Ok(_) => {}
        }
    }

    /// A system with these files.
    fn system(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        root
    }

    const MACHINE: (&str, &str) = ("proc/meminfo", "MemTotal: 900 kB\nMemAvailable:  700 kB\nSwapFree: 100 kB\n");

    #[test]
    fn lists_grow_as_far_as_memory_goes() {
        let mut list = vec![1_u64];
        let told = || ("reading".into(), Advice::change("k", "choose less"));
        extend(&mut list, 10, told).unwrap();
        assert!(list.capacity() >= 11 && list == [1]);
        let error = extend(&mut list, isize::MAX as usize / 16, told).unwrap_err();
        assert!(matches!(error, Error::Memory { needed, .. } if needed > 1 << 60), "{error}");
        assert!(list == [1]);
    }

    #[test]
    fn the_least_of_machine_limits_and_groups_counts() {
        let left = |files: &[(&str, &str)]| System(system(files).path()).available();
        assert_eq!(left(&[]), None);
        assert_eq!(left(&[MACHINE]), Some(800 * 1024));
        let limits = (
            "proc/self/limits",
            "Max data size   unlimited  unlimited  bytes\nMax address space  600000  unlimited bytes",
        );
        let status = ("proc/self/status", "VmSize:\t     100 kB\nVmData:\t 50 kB\n");
        assert_eq!(left(&[MACHINE, limits, status]), Some(600_000 - 102_400));
        let data = (
            "proc/self/limits",
            "Max data size   60000  unlimited  bytes\nMax address space  unlimited unlimited bytes",
        );
        assert_eq!(left(&[MACHINE, data, status]), Some(60_000 - 51_200));
        // Version 2: the group above is the tighter one, and pages of files can be dropped.
        let group = [
            MACHINE,
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("sys/fs/cgroup/a/b/memory.current", "10\n"),
            ("sys/fs/cgroup/a/memory.max", "5000\n"),
            ("sys/fs/cgroup/a/memory.current", "3000\n"),
            ("sys/fs/cgroup/a/memory.stat", "anon 2000\ninactive_file 600\nactive_file 400\n"),
        ];
        assert_eq!(left(&group), Some(3000));
        let first = [
            MACHINE,
            ("proc/self/cgroup", "3:cpu,memory:/x\n2:freezer:/\n"),
            ("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "9000\n"),
            ("sys/fs/cgroup/memory/x/memory.usage_in_bytes", "2000\n"),
        ];
        assert_eq!(left(&first), Some(7000));
    }

    #[test]
    fn what_no_machine_has_is_refused_in_one_sentence() {
        if available().is_none() {
            return;
        }
        check("this", 1e6, "do less").unwrap();
        let told = check("this", 1e18, "do less").unwrap_err().to_string();
        assert!(
            told.starts_with("this needs about 1,000,000,000 GB of memory, but ") && told.ends_with("; do less"),
            "{told}"
        );
        assert!(matches!(filled(0.0_f64, 1 << 50, "this", "do less"), Err(Error::Memory { .. })));
        assert!(matches!(room::<f64>(1 << 50, "this", "do less"), Err(Error::Memory { .. })));
        assert_eq!(filled(1_u8, 3, "this", "do less").unwrap(), [1; 3]);
    }
}
