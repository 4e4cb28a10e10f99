//! Processor cores and the programs that share them as in Linux: the one that has used least runs next.

use std::{collections::VecDeque, ops::Range};

/// Length of a time slice, in nanoseconds.
const SLICE: u64 = 1_000_000;

/// Index of a program.
pub type Program = usize;

/// Work of a program for a task of the network.
struct Job<T> {
    task: T,
    left: u64,
}

/// Queue of a program, and the cores it may use.
struct Share<T> {
    cores: Range<usize>,
    waiting: VecDeque<Job<T>>,
    /// Used processor time, in nanoseconds.
    used: u64,
    /// The same as its rank in the queue. A program that slept does not catch up on unused time.
    rank: u64,
}

struct Core<T> {
    /// Programs that may run here.
    programs: Vec<Program>,
    running: Option<(Program, Job<T>, u64)>,
}

/// The cores of an installation.
pub struct Cores<T> {
    cores: Vec<Core<T>>,
    programs: Vec<Share<T>>,
}

impl<T> Cores<T> {
    /// Creates the cores for programs that may run on the given ranges.
    pub fn new(ranges: Vec<Range<usize>>) -> Self {
        let count = ranges.iter().map(|range| range.end).max().unwrap_or(0);
        let mut cores: Vec<_> = (0..count).map(|_| Core { programs: Vec::new(), running: None }).collect();
        for (program, range) in ranges.iter().enumerate() {
            cores[range.clone()].iter_mut().for_each(|core| core.programs.push(program));
        }
        let share = |cores| Share { cores, waiting: VecDeque::new(), used: 0, rank: 0 };
        Self { cores, programs: ranges.into_iter().map(share).collect() }
    }

    /// Queues work, in nanoseconds. Returns the core that starts it and the length of its slice, if one was free.
    pub fn add(&mut self, program: Program, task: T, work: u64) -> Option<(usize, u64)> {
        let floor = self.least_rank_beside(program);
        let share = &mut self.programs[program];
        if share.waiting.is_empty() {
            share.rank = share.rank.max(floor);
        }
        share.waiting.push_back(Job { task, left: work.max(1) });
        let core = share.cores.clone().find(|core| self.cores[*core].running.is_none())?;
        self.begin(core)
    }

    /// Lets a free core take work. Returns the core and the length of its slice.
    pub fn begin(&mut self, core: usize) -> Option<(usize, u64)> {
        let waiting =
            self.cores[core].programs.iter().filter(|place| !self.programs[**place].waiting.is_empty());
        let program = *waiting.min_by_key(|program| self.programs[**program].rank)?;
        let job = self.programs[program].waiting.pop_front()?;
        let slice = job.left.min(SLICE);
        self.cores[core].running = Some((program, job, slice));
        Some((core, slice))
    }

    /// Ends a slice. Returns the task if its work is done; otherwise it goes to the end of its program's queue.
    pub fn end(&mut self, core: usize) -> Option<T> {
        let (program, mut job, slice) = self.cores[core].running.take()?;
        let share = &mut self.programs[program];
        share.used += slice;
        share.rank += slice;
        job.left -= slice;
        if job.left == 0 {
            return Some(job.task);
        }
        share.waiting.push_back(job);
        None
    }

    /// Returns the processor time that a program has used, in nanoseconds.
    pub fn used(&self, program: Program) -> u64 {
        self.programs[program].used
    }

    /// Returns the lowest rank among the programs that wait for the cores of `program`.
    fn least_rank_beside(&self, program: Program) -> u64 {
        let beside = self.cores[self.programs[program].cores.start].programs.iter();
        let waiting = beside.map(|place| &self.programs[*place]).filter(|share| !share.waiting.is_empty());
        waiting.map(|share| share.rank).min().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_programs_share_a_core_equally() {
        let mut cores = Cores::new(vec![0..1, 0..1]);
        let mut begun = cores.add(0, "long", 10 * SLICE);
        cores.add(1, "short", 2 * SLICE);
        let mut order = Vec::new();
        while let Some((core, _)) = begun {
            order.extend(cores.end(core));
            begun = cores.begin(core);
        }
        assert_eq!(order, ["short", "long"]);
        assert_eq!((cores.used(0), cores.used(1)), (10 * SLICE, 2 * SLICE));
    }

    #[test]
    fn a_program_runs_only_where_it_may() {
        let mut cores = Cores::new(vec![0..1, 0..2]);
        assert_eq!(cores.add(0, "pinned", 5), Some((0, 5)));
        assert_eq!(cores.add(0, "waits", 5), None);
        assert_eq!(cores.add(1, "floats", 5), Some((1, 5)));
    }
}
