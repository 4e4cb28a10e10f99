//! Closed queueing network: callers, replicas with their journals, PostgreSQL with a row for each organisation.

use std::{collections::VecDeque, mem::take};

use super::{
    cores::{Cores, Program},
    events::Events,
    installation::{LOAD, POSTGRES, REDIS, Scenario, judging, serving},
    journal::Journal,
    locks::Locks,
    outcome::Outcome,
    random::Random,
};

const SEED: u64 = 1;

/// An actor of the simulation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Task {
    Caller(usize),
    Journal(usize),
}

/// A future event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A core has finished a slice.
    Slice(usize),
    /// A task has waited long enough.
    Wake(Task),
}

/// A step of a task.
#[derive(Debug, PartialEq, Eq)]
pub enum Move {
    /// Uses a program's processor, for this mean time.
    Work(Program, u64),
    /// Lets time pass.
    Wait(u64),
    /// Lets time pass, for this mean time.
    Think(u64),
    /// Begins its request.
    Ask,
    /// Waits until a journal has written its row.
    Write(usize),
    /// Locks an organisation's row.
    Lock(usize),
    /// Unlocks it.
    Unlock(usize),
}

struct Network<'a> {
    scenario: &'a Scenario,
    events: Events<Event>,
    cores: Cores<Task>,
    locks: Locks,
    random: Random,
    /// Next steps of each caller and each journal.
    callers: Vec<VecDeque<Move>>,
    journals: Vec<(Journal, VecDeque<Move>)>,
    /// Start of each caller's request, and the number of its requests.
    asked: Vec<(u64, usize)>,
    outcome: Outcome,
}

/// Simulates a scenario. The same scenario always gives the same outcome.
pub fn simulate(scenario: &Scenario) -> Outcome {
    let mut network = Network::new(scenario);
    for caller in 0..scenario.callers {
        network.go_on(Task::Caller(caller));
    }
    let mut used = Vec::new();
    let end = scenario.warm_up + scenario.duration;
    while let Some(event) = network.events.next() {
        if used.is_empty() && network.events.now() >= scenario.warm_up {
            used = network.used();
        }
        if network.events.now() >= end {
            break;
        }
        network.happen(event);
    }
    let busy: Vec<_> = network.used().iter().zip(used).map(|(after, before)| after - before).collect();
    let held = network.locks.longest() as f64 / end as f64;
    network.outcome.finish(scenario, &busy, held)
}

impl<'a> Network<'a> {
    fn new(scenario: &'a Scenario) -> Self {
        let journals = (0..scenario.layout.replicas).map(|_| (Journal::default(), VecDeque::new())).collect();
        Self {
            scenario,
            events: Events::new(),
            cores: Cores::new(scenario.layout.programs.clone()),
            locks: Locks::new(scenario.organisations),
            random: Random::new(SEED),
            callers: (0..scenario.callers).map(|_| VecDeque::new()).collect(),
            journals,
            asked: vec![(0, 0); scenario.callers],
            outcome: Outcome::default(),
        }
    }

    fn used(&self) -> Vec<u64> {
        (0..self.scenario.layout.programs.len()).map(|program| self.cores.used(program)).collect()
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Wake(task) => self.go_on(task),
            Event::Slice(core) => {
                let done = self.cores.end(core);
                let begun = self.cores.begin(core);
                self.run(begun);
                if let Some(task) = done {
                    self.go_on(task);
                }
            }
        }
    }

    fn run(&mut self, begun: Option<(usize, u64)>) {
        if let Some((core, slice)) = begun {
            self.events.after(slice, Event::Slice(core));
        }
    }

    /// Runs the next steps of a task until it has to wait.
    fn go_on(&mut self, task: Task) {
        loop {
            let next = match task {
                Task::Caller(caller) => self.callers[caller].pop_front(),
                Task::Journal(journal) => self.journals[journal].1.pop_front(),
            };
            let goes_on = match (next, task) {
                (Some(one), _) => self.does(task, one),
                (None, Task::Caller(caller)) => self.plan(caller),
                (None, Task::Journal(journal)) => self.write(journal),
            };
            if !goes_on {
                return;
            }
        }
    }

    /// Executes a step. Returns true if the task continues at once.
    fn does(&mut self, task: Task, one: Move) -> bool {
        match (one, task) {
            (Move::Work(_, 0) | Move::Wait(0) | Move::Think(0), _)
            | (Move::Ask | Move::Write(_), Task::Journal(_))
            | (Move::Lock(_), Task::Caller(_)) => true,
            (Move::Work(program, mean), _) => {
                let work = self.random.exponential(mean);
                let begun = self.cores.add(program, task, work);
                self.run(begun);
                false
            }
            (Move::Wait(time), _) => self.sleep(task, time),
            (Move::Think(mean), _) => {
                let time = self.random.exponential(mean);
                self.sleep(task, time)
            }
            (Move::Lock(organisation), Task::Journal(journal)) => {
                self.locks.take(organisation, journal, self.events.now())
            }
            (Move::Unlock(organisation), _) => {
                if let Some(next) = self.locks.give_back(organisation, self.events.now()) {
                    self.events.after(0, Event::Wake(Task::Journal(next)));
                }
                true
            }
            (Move::Ask, Task::Caller(caller)) => {
                self.asked[caller].0 = self.events.now();
                true
            }
            (Move::Write(journal), Task::Caller(caller)) => {
                self.hand_over(journal, caller);
                false
            }
        }
    }

    fn sleep(&mut self, task: Task, time: u64) -> bool {
        self.events.after(time, Event::Wake(task));
        false
    }

    /// Adds the steps of a caller's next request.
    fn plan(&mut self, caller: usize) -> bool {
        let (scenario, demands) = (self.scenario, &self.scenario.demands);
        let number = scenario.replica(caller, self.asked[caller].1);
        self.asked[caller].1 += 1;
        self.callers[caller].extend([
            Move::Think(scenario.think),
            Move::Ask,
            Move::Work(LOAD, demands.load),
            Move::Work(serving(number), demands.reads * demands.asking),
            Move::Wait(demands.reads * demands.round_trip),
            Move::Work(POSTGRES, demands.reads * demands.statement),
            Move::Work(REDIS, demands.redis),
            Move::Work(judging(number), demands.service),
            Move::Write(number),
        ]);
        true
    }

    /// Queues a caller's decision, and starts a transaction if the journal is idle.
    fn hand_over(&mut self, journal: usize, caller: usize) {
        let (queue, moves) = &mut self.journals[journal];
        queue.waiting.push_back(caller);
        if queue.batch.is_empty() && moves.is_empty() {
            self.go_on(Task::Journal(journal));
        }
    }

    /// Ends a journal's transaction, if any: its callers are answered, and the next batch begins.
    fn write(&mut self, number: usize) -> bool {
        let answered = take(&mut self.journals[number].0.batch);
        for caller in answered {
            self.outcome.answer(self.events.now(), self.asked[caller].0, self.scenario);
            self.events.after(0, Event::Wake(Task::Caller(caller)));
        }
        let scenario = self.scenario;
        let (journal, moves) = &mut self.journals[number];
        if journal.waiting.is_empty() {
            return false;
        }
        moves.extend(journal.begin(number, &scenario.demands, |caller| scenario.organisation(caller)));
        self.outcome.commit(self.events.now(), scenario);
        true
    }
}
