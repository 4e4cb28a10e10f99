//! What a worker may take of the machine, held by the kernel.

use std::io::Result;

use rustix::{
    process::{Resource, Rlimit, getrlimit, setrlimit},
    time::{ClockId, clock_gettime},
};

/// Bounds memory to so many bytes; leaves nothing behind when it ends badly.
pub fn bound(memory: u64) -> Result<()> {
    let exactly = |most| Rlimit { current: Some(most), maximum: Some(most) };
    setrlimit(Resource::As, exactly(memory))?;
    setrlimit(Resource::Core, exactly(0))?;
    setrlimit(Resource::Fsize, exactly(0))?;
    Ok(())
}

/// Lets the process take so many seconds more of the processor; then the kernel ends it.
pub fn allow_processor(seconds: u64) {
    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec as u64;
    let most = Rlimit { current: Some(used + seconds + 1), ..getrlimit(Resource::Cpu) };
    // Without it the service, which waits for an answer, still ends the process by the clock.
    let _set = setrlimit(Resource::Cpu, most);
}
