//! Parts of an installation, and the demands of a request on each.

use std::ops::Range;

use super::cores::Program;

/// Indexes of programs; the two of each replica follow.
pub const LOAD: Program = 0;
pub const POSTGRES: Program = 1;
pub const REDIS: Program = 2;

/// Returns the threads of a replica that serve callers and talk to PostgreSQL.
pub fn serving(replica: usize) -> Program {
    3 + 2 * replica
}

/// Returns the threads of a replica that evaluate prompts.
pub fn judging(replica: usize) -> Program {
    serving(replica) + 1
}

/// Cores of each program.
pub struct Layout {
    pub programs: Vec<Range<usize>>,
    pub replicas: usize,
}

impl Layout {
    /// Places everything on one machine: each replica on a core of its own, everything else on any.
    pub fn shared(replicas: usize, cores: usize) -> Self {
        let mut programs = vec![0..cores; 3];
        programs.extend((0..replicas).flat_map(|number| [number..number + 1, number..number + 1]));
        Self { programs, replicas }
    }

    /// Places PostgreSQL, Redis and each replica on machines of their own. The load generator does not compete with
    /// them.
    pub fn apart(replicas: usize, cores: usize, postgres: usize) -> Self {
        let mut programs = vec![0..1, 1..1 + postgres, 1 + postgres..2 + postgres];
        let first = 2 + postgres;
        let machine = |number| first + number * cores..first + (number + 1) * cores;
        programs.extend((0..replicas).flat_map(|number| [machine(number), machine(number)]));
        Self { programs, replicas }
    }

    /// Returns the number of cores that a program may use.
    pub fn cores(&self, program: Program) -> usize {
        self.programs[program].len()
    }
}

/// Demands of a request, in nanoseconds of processor time unless stated otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demands {
    /// The caller.
    pub load: u64,
    /// The replica, apart from its statements.
    pub service: u64,
    /// Redis.
    pub redis: u64,
    /// Number of reading statements before the evaluation.
    pub reads: u64,
    /// The replica, per statement.
    pub asking: u64,
    /// PostgreSQL, per statement.
    pub statement: u64,
    /// PostgreSQL, per row with its ledger entry.
    pub row: u64,
    /// Round trip between a replica and PostgreSQL, in nanoseconds of time.
    pub round_trip: u64,
    /// Duration of a commit's flush to disk, in nanoseconds of time.
    pub flush: u64,
}

/// Routing of requests to replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routing {
    /// Every replica in turn.
    InTurn,
    /// One replica for all requests of an organisation.
    ByOrganisation,
}

/// An installation and its callers.
pub struct Scenario {
    pub layout: Layout,
    pub demands: Demands,
    /// Number of callers. Each sends a request, waits for the response, and thinks.
    pub callers: usize,
    /// Mean think time, in nanoseconds.
    pub think: u64,
    /// Number of organisations, over which the callers are divided evenly.
    pub organisations: usize,
    pub routing: Routing,
    /// Warm-up that is not counted, in nanoseconds.
    pub warm_up: u64,
    /// Counted time after the warm-up, in nanoseconds.
    pub duration: u64,
}

impl Scenario {
    /// Returns a caller's organisation.
    pub fn organisation(&self, caller: usize) -> usize {
        caller % self.organisations
    }

    /// Returns the replica for a caller's request of that number.
    pub fn replica(&self, caller: usize, number: usize) -> usize {
        let place = match self.routing {
            // Callers of one organisation start at different replicas.
            Routing::InTurn => caller + caller / self.organisations + number,
            Routing::ByOrganisation => self.organisation(caller),
        };
        place % self.layout.replicas
    }
}
