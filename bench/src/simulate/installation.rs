//! What an installation consists of, and what a request asks of each part.

use std::ops::Range;

use super::cores::Program;

/// Programs by their places; the two of each replica come after these.
pub const LOAD: Program = 0;
pub const POSTGRES: Program = 1;
pub const REDIS: Program = 2;

/// Where a replica speaks with callers and with PostgreSQL.
pub fn serving(replica: usize) -> Program {
    3 + 2 * replica
}

/// Where it judges, on threads of their own.
pub fn judging(replica: usize) -> Program {
    serving(replica) + 1
}

/// Which cores each program may use.
pub struct Layout {
    pub programs: Vec<Range<usize>>,
    pub replicas: usize,
}

impl Layout {
    /// All on one machine: each replica on a core of its own, everything else on any.
    pub fn shared(replicas: usize, cores: usize) -> Self {
        let mut programs = vec![0..cores; 3];
        programs.extend((0..replicas).flat_map(|number| [number..number + 1, number..number + 1]));
        Self { programs, replicas }
    }

    /// PostgreSQL, Redis and each replica on machines of their own; the load costs nobody here anything.
    pub fn apart(replicas: usize, cores: usize, postgres: usize) -> Self {
        let mut programs = vec![0..1, 1..1 + postgres, 1 + postgres..2 + postgres];
        let first = 2 + postgres;
        let machine = |number| first + number * cores..first + (number + 1) * cores;
        programs.extend((0..replicas).flat_map(|number| [machine(number), machine(number)]));
        Self { programs, replicas }
    }

    /// How many cores a program may use.
    pub fn cores(&self, program: Program) -> usize {
        self.programs[program].len()
    }
}

/// What a request costs, in nanoseconds of processor unless said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demands {
    /// Whoever asks.
    pub load: u64,
    /// The replica, without its statements.
    pub service: u64,
    /// Redis.
    pub redis: u64,
    /// Statements that read, before it is judged; a number.
    pub reads: u64,
    /// The replica, for a statement.
    pub asking: u64,
    /// PostgreSQL, for a statement.
    pub statement: u64,
    /// PostgreSQL, for a row with its ledger entry.
    pub row: u64,
    /// From a replica to PostgreSQL and back; time.
    pub round_trip: u64,
    /// A commit until the disk has it; time.
    pub flush: u64,
}

/// Which replica a request goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routing {
    /// Each in turn.
    InTurn,
    /// The same for all requests of an organisation.
    ByOrganisation,
}

/// Callers of an installation.
pub struct Scenario {
    pub layout: Layout,
    pub demands: Demands,
    /// Each asks, waits for the answer, and thinks.
    pub callers: usize,
    /// How long on average; time.
    pub think: u64,
    /// Among which they are divided evenly.
    pub organisations: usize,
    pub routing: Routing,
    /// What is not counted at the beginning; time.
    pub warm_up: u64,
    /// What is counted after that; time.
    pub duration: u64,
}

impl Scenario {
    /// A caller's organisation.
    pub fn organisation(&self, caller: usize) -> usize {
        caller % self.organisations
    }

    /// The replica that answers a caller's request of that number.
    pub fn replica(&self, caller: usize, number: usize) -> usize {
        let place = match self.routing {
            // Callers of one organisation do not walk in step.
            Routing::InTurn => caller + caller / self.organisations + number,
            Routing::ByOrganisation => self.organisation(caller),
        };
        place % self.layout.replicas
    }
}
