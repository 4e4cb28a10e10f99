//! Processor time from Linux: proc(5), in hundredths of a second.

use std::{fs, time::Duration};

use anyhow::{Context, Result};

/// `USER_HZ`, which is constant in `/proc`.
const TICK: Duration = Duration::from_millis(10);

/// Returns the processor time of a process.
pub fn of_process(pid: u32) -> Result<Duration> {
    Ok(TICK * stat_of(pid)?.own)
}

/// Returns the processor time of a process and all its children, including those that have ended.
pub fn of_family(pid: u32) -> Result<Duration> {
    let parent = stat_of(pid)?;
    let mut used = TICK * (parent.own + parent.ended);
    for entry in fs::read_dir("/proc")? {
        // A process may end while it is read.
        let Ok(text) = fs::read_to_string(entry?.path().join("stat")) else { continue };
        let child = Stat::read(&text).filter(|stat| stat.parent == pid);
        used += child.map_or(Duration::ZERO, |stat| TICK * stat.own);
    }
    Ok(used)
}

/// Returns the processor time of everything on the machine.
pub fn of_machine() -> Result<Duration> {
    let text = fs::read_to_string("/proc/stat")?;
    let ticks = text.lines().next().and_then(busy).context("/proc/stat cannot be read")?;
    Ok(TICK * ticks)
}

/// `cpu user nice system idle iowait irq softirq steal …`
fn busy(line: &str) -> Option<u32> {
    let fields: Vec<u32> = line.split_whitespace().skip(1).map_while(|field| field.parse().ok()).collect();
    let all: u32 = fields.get(..8)?.iter().sum();
    Some(all - fields[3] - fields[4])
}

fn stat_of(pid: u32) -> Result<Stat> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    Stat::read(&text).with_context(|| format!("/proc/{pid}/stat cannot be read"))
}

/// Ticks of a process, and of its children that have ended.
struct Stat {
    parent: u32,
    own: u32,
    ended: u32,
}

impl Stat {
    /// Parses a `stat` file. The name in parentheses may contain anything; after it come state and parent, and from the
    /// twelfth field on the times: utime, stime, cutime, cstime.
    fn read(text: &str) -> Option<Self> {
        let fields: Vec<&str> = text.get(text.rfind(')')? + 1..)?.split_whitespace().collect();
        let times = fields.get(11..15)?.iter().map(|field| field.parse::<u32>());
        let times: Vec<u32> = times.collect::<Result<_, _>>().ok()?;
        Some(Self { parent: fields[1].parse().ok()?, own: times[0] + times[1], ended: times[2] + times[3] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_regardless_of_its_name() {
        let stat = Stat::read("7 (a (b) c) S 3 7 7 0 -1 0 1 2 3 4 100 20 3 4 20 0 1 0 5").unwrap();
        assert_eq!((stat.parent, stat.own, stat.ended), (3, 120, 7));
        assert!(Stat::read("7 (short) S 3").is_none());
    }

    #[test]
    fn waiting_uses_no_processor_time() {
        assert_eq!(busy("cpu  10 20 30 1000 500 1 2 3 0 0"), Some(66));
    }

    #[test]
    fn processor_time_of_this_process_is_counted() {
        let before = of_process(std::process::id()).unwrap();
        let begun = std::time::Instant::now();
        while begun.elapsed() < Duration::from_millis(200) {}
        assert!(of_process(std::process::id()).unwrap() > before);
        assert!(of_machine().unwrap() > Duration::ZERO);
    }
}
