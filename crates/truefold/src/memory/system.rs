//! What the system says of memory, as text in its files.

use std::path::Path;

/// A system as its files tell it; tests have their own.
pub(super) struct System<'a>(pub(super) &'a Path);

impl System<'_> {
    /// What the process may still take, by all that is told.
    pub(super) fn available(&self) -> Option<u64> {
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
        [self.space(), self.left("Max data size", "VmData:")].into_iter().flatten().min()
    }

    /// What the limit on the address space leaves, where there is one.
    pub(super) fn space(&self) -> Option<u64> {
        self.left("Max address space", "VmSize:")
    }

    /// What a limit of the process leaves of what it has in use.
    fn left(&self, limit: &str, used: &str) -> Option<u64> {
        let (limits, status) = (self.read("proc/self/limits")?, self.read("proc/self/status")?);
        let soft = limits.lines().find_map(|line| line.strip_prefix(limit))?.split_whitespace().next()?;
        Some(soft.parse::<u64>().ok()?.saturating_sub(kilobytes(&status, used)?))
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

#[cfg(test)]
mod tests {
    use super::*;

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
        let space = |files: &[(&str, &str)]| System(system(files).path()).space();
        assert_eq!((space(&[limits, status]), space(&[MACHINE])), (Some(600_000 - 102_400), None));
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
}
