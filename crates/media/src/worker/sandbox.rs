//! Sandbox of a worker: no files, no network and no other programs once its model is loaded.
//!
//! Landlock blocks the file system and the network. seccomp allows the system calls that reading a file in memory needs.
//! Each is used if the kernel supports it; the worker reports which are. Without both, the limits on memory and time
//! remain.

use crate::protocol::Confinement;

/// Confines this process and its children permanently, and returns how far the kernel does so.
#[cfg(target_os = "linux")]
pub fn confine() -> Confinement {
    let holds = |mechanism: &str, confined: Result<bool, String>| match confined {
        Ok(holds) => holds,
        Err(error) => {
            tracing::warn!(error, mechanism, "could not confine the worker");
            false
        }
    };
    Confinement {
        files: holds("landlock", linux::block_files()),
        system_calls: holds("seccomp", linux::allow_system_calls().map(|()| true)),
    }
}

/// Does nothing: other systems have no equivalent.
#[cfg(not(target_os = "linux"))]
pub fn confine() -> Confinement {
    Confinement::default()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{collections::BTreeMap, env::consts::ARCH, process};

    use landlock::{ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _, RulesetStatus};
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule, TargetArch,
    };

    /// Allowed system calls: pipes that are open, memory, threads, time, and the end of the process.
    const ALLOWED: [i64; 43] = [
        libc::SYS_read,
        libc::SYS_write,
        libc::SYS_readv,
        libc::SYS_writev,
        libc::SYS_pread64,
        libc::SYS_close,
        libc::SYS_fstat,
        libc::SYS_newfstatat,
        libc::SYS_lseek,
        libc::SYS_fcntl,
        libc::SYS_ppoll,
        libc::SYS_mmap,
        libc::SYS_mprotect,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_brk,
        libc::SYS_madvise,
        libc::SYS_membarrier,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sigaltstack,
        libc::SYS_restart_syscall,
        libc::SYS_futex,
        libc::SYS_set_robust_list,
        libc::SYS_rseq,
        libc::SYS_sched_yield,
        libc::SYS_sched_getaffinity,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_getcpu,
        libc::SYS_clock_gettime,
        libc::SYS_clock_getres,
        libc::SYS_clock_nanosleep,
        libc::SYS_nanosleep,
        libc::SYS_gettimeofday,
        libc::SYS_getrandom,
        libc::SYS_getrusage,
        libc::SYS_sysinfo,
        libc::SYS_uname,
        libc::SYS_prlimit64,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ];

    /// Returns false if the kernel has no Landlock.
    pub fn block_files() -> Result<bool, String> {
        let (files, network) = (AccessFs::from_all(ABI::V5), AccessNet::from_all(ABI::V5));
        let ruleset = Ruleset::default().handle_access(files).and_then(|rules| rules.handle_access(network));
        let confined = ruleset.and_then(Ruleset::create).and_then(landlock::RulesetCreated::restrict_self);
        let status = confined.map_err(|error| error.to_string())?;
        Ok(status.ruleset != RulesetStatus::NotEnforced)
    }

    /// Other calls fail with EPERM.
    pub fn allow_system_calls() -> Result<(), String> {
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
            ALLOWED.into_iter().map(|call| (call, Vec::new())).collect();
        // Threads, but no processes.
        let threads = libc::CLONE_THREAD as u64;
        rules.insert(libc::SYS_clone, vec![rule(SeccompCmpOp::MaskedEq(threads), threads)?]);
        // Signals to itself: how a process aborts.
        rules.insert(libc::SYS_tgkill, vec![rule(SeccompCmpOp::Eq, u64::from(process::id()))?]);
        // The flags of clone3 cannot be checked. Where it does not exist, the C library uses clone.
        let clone3 = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
        apply(clone3, SeccompAction::Allow, SeccompAction::Errno(libc::ENOSYS as u32))?;
        // Last, because it also takes away further filters.
        apply(rules, SeccompAction::Errno(libc::EPERM as u32), SeccompAction::Allow)
    }

    /// A rule for a call whose first argument compares so.
    fn rule(compare: SeccompCmpOp, value: u64) -> Result<SeccompRule, String> {
        let condition = SeccompCondition::new(0, SeccompCmpArgLen::Qword, compare, value);
        let rule = condition.and_then(|condition| SeccompRule::new(vec![condition]));
        rule.map_err(|error| error.to_string())
    }

    fn apply(
        rules: BTreeMap<i64, Vec<SeccompRule>>,
        other: SeccompAction,
        listed: SeccompAction,
    ) -> Result<(), String> {
        let architecture = TargetArch::try_from(ARCH).map_err(|error| error.to_string())?;
        let filter = SeccompFilter::new(rules, other, listed, architecture);
        let program = filter.and_then(BpfProgram::try_from).map_err(|error| error.to_string())?;
        seccompiler::apply_filter(&program).map_err(|error| error.to_string())
    }
}
