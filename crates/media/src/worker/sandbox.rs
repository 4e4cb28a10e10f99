//! What a worker may ask of the kernel, once its model is loaded: no file, no network, no other program.
//!
//! Two mechanisms, each as far as the kernel has it: Landlock takes away the file system and the network, seccomp refuses
//! the calls by which a process reaches others. Where there is neither, the limits of memory and time remain.

/// Confines this process, and all that it would start, for good.
#[cfg(target_os = "linux")]
pub fn confine() {
    if let Err(fault) = linux::no_files() {
        tracing::warn!(fault, "workers are not confined by Landlock");
    }
    if let Err(fault) = linux::no_reach() {
        tracing::warn!(fault, "workers are not confined by seccomp");
    }
}

/// Other systems have nothing of the kind that we could use.
#[cfg(not(target_os = "linux"))]
pub fn confine() {}

#[cfg(target_os = "linux")]
mod linux {
    use std::{collections::BTreeMap, env::consts::ARCH};

    use landlock::{ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _};
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};

    /// A process that these calls fail for reaches nobody: connections, programs, other processes, the kernel's own
    /// programs and rings, mounts and keys.
    const REFUSED: [i64; 30] = [
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

    pub fn no_files() -> Result<(), String> {
        let (files, network) = (AccessFs::from_all(ABI::V5), AccessNet::from_all(ABI::V5));
        let made = Ruleset::default().handle_access(files).and_then(|rules| rules.handle_access(network));
        let confined = made.and_then(Ruleset::create).and_then(landlock::RulesetCreated::restrict_self);
        confined.map(drop).map_err(|fault| fault.to_string())
    }

    pub fn no_reach() -> Result<(), String> {
        let architecture = TargetArch::try_from(ARCH).map_err(|fault| fault.to_string())?;
        let rules: BTreeMap<i64, _> = REFUSED.into_iter().map(|call| (call, Vec::new())).collect();
        let refuse = SeccompAction::Errno(libc::EPERM as u32);
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, architecture);
        let program = filter.and_then(BpfProgram::try_from).map_err(|fault| fault.to_string())?;
        seccompiler::apply_filter(&program).map_err(|fault| fault.to_string())
    }
}
