//! Sandbox of a worker: no files, no network and no other programs once its model is loaded.
//!
//! Landlock blocks the file system and the network. seccomp blocks the system calls by which a process reaches others.
//! Each is used if the kernel supports it. Without both, the limits on memory and time remain.

/// Confines this process and its children permanently.
#[cfg(target_os = "linux")]
pub fn confine() {
    if let Err(error) = linux::block_files() {
        tracing::warn!(error, "could not confine the worker with Landlock");
    }
    if let Err(error) = linux::block_system_calls() {
        tracing::warn!(error, "could not confine the worker with seccomp");
    }
}

/// Does nothing: other systems have no equivalent.
#[cfg(not(target_os = "linux"))]
pub fn confine() {}

#[cfg(target_os = "linux")]
mod linux {
    use std::{collections::BTreeMap, env::consts::ARCH};

    use landlock::{ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _};
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};

    /// Blocked system calls: connections, programs, other processes, BPF and io_uring, mounts and keys.
    const BLOCKED: [i64; 30] = [
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_accept,
        libc::SYS_accept4,
        libc::SYS_sendto,
        libc::SYS_sendmsg,
        libc::SYS_execve,
        libc::SYS_execveat,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_open,
        libc::SYS_pidfd_getfd,
        libc::SYS_pidfd_send_signal,
        libc::SYS_kill,
        libc::SYS_tkill,
        libc::SYS_io_uring_setup,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_mount,
        libc::SYS_pivot_root,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
    ];

    pub fn block_files() -> Result<(), String> {
        let (files, network) = (AccessFs::from_all(ABI::V5), AccessNet::from_all(ABI::V5));
        let ruleset = Ruleset::default().handle_access(files).and_then(|rules| rules.handle_access(network));
        let confined = ruleset.and_then(Ruleset::create).and_then(landlock::RulesetCreated::restrict_self);
        confined.map(drop).map_err(|error| error.to_string())
    }

    pub fn block_system_calls() -> Result<(), String> {
        let architecture = TargetArch::try_from(ARCH).map_err(|error| error.to_string())?;
        let rules: BTreeMap<i64, _> = BLOCKED.into_iter().map(|call| (call, Vec::new())).collect();
        let deny = SeccompAction::Errno(libc::EPERM as u32);
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, deny, architecture);
        let program = filter.and_then(BpfProgram::try_from).map_err(|error| error.to_string())?;
        seccompiler::apply_filter(&program).map_err(|error| error.to_string())
    }
}
