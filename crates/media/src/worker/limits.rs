//! Resource limits of a worker, enforced by the kernel.

use std::io::Result;

use rustix::{
    process::{Resource, Rlimit, getrlimit, nice, setrlimit},
    time::{ClockId, clock_gettime},
};

/// Priority of a worker of jobs: about a tenth of the time that a process of usual priority gets (`sched(7)`).
const NICENESS: i32 = 10;

/// Limits memory to `memory` bytes, and disables core dumps and writing to files.
pub fn limit_memory(memory: u64) -> Result<()> {
    let exactly = |limit| Rlimit { current: Some(limit), maximum: Some(limit) };
    setrlimit(Resource::As, exactly(memory))?;
    setrlimit(Resource::Core, exactly(0))?;
    setrlimit(Resource::Fsize, exactly(0))?;
    Ok(())
}

/// Leaves the processor to other processes. If this fails, the worker competes with them.
pub fn yield_processor() {
    let _priority = nice(NICENESS);
}

/// Allows the process this many more seconds of processor time. The kernel ends it after that.
pub fn limit_processor_time(seconds: u64) {
    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec as u64;
    let limit = Rlimit { current: Some(used + seconds + 1), ..getrlimit(Resource::Cpu) };
    // If this fails, the service still ends the process at its timeout.
    let _set = setrlimit(Resource::Cpu, limit);
}
