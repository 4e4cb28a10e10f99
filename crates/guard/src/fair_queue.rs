//! Shares the processors among organizations, so that nobody waits for what another sent.
//!
//! Deficit round robin (Shreedhar and Varghese, 1996): organizations take turns, each turn allows a number of bytes, and
//! what a text is too long for is saved for the next turn. An organization's long texts wait apart from its short ones, and
//! long texts never take the last processor.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;
use uuid::Uuid;

/// Bytes from which a text is long. A shorter one takes some hundredths of a second.
const LONG: usize = 16 << 10;
/// Bytes that each turn allows.
const QUANTUM: usize = LONG;
/// Share of the queue that one organization may fill.
const MAX_SHARE: usize = 4;

/// A queue before a number of processors.
#[derive(Clone)]
pub struct FairQueue(Arc<Mutex<State>>);

/// A processor in use. It is free again once this is dropped.
pub struct Permit {
    queue: FairQueue,
    is_long: bool,
}

/// The queue is full, or the organization's share of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// Work that is running and waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueLoad {
    /// Processors in use.
    pub busy: usize,
    /// Processors in all.
    pub capacity: usize,
    /// Requests that wait.
    pub waiting: usize,
    /// Requests that may wait.
    pub max_waiting: usize,
}

struct State {
    capacity: usize,
    /// Processors that are free, and how many of them may take a long text.
    free: usize,
    free_for_long: usize,
    waiting: usize,
    max_waiting: usize,
    flows: HashMap<FlowId, Flow>,
    /// The flows that have texts waiting, in the order of their turns.
    turns: VecDeque<FlowId>,
}

/// The short or the long texts of an organization.
type FlowId = (Uuid, bool);

#[derive(Default)]
struct Flow {
    /// Bytes that its turns allowed and that it has not used.
    deficit: usize,
    texts: VecDeque<Waiting>,
}

struct Waiting {
    bytes: usize,
    ready: oneshot::Sender<Permit>,
}

impl FairQueue {
    /// Creates a queue of `max_waiting` places before `processors`. Of two or more, long texts leave one free.
    pub fn new(processors: usize, max_waiting: usize) -> Self {
        Self(Arc::new(Mutex::new(State {
            capacity: processors,
            free: processors,
            free_for_long: processors.saturating_sub(1).max(1),
            waiting: 0,
            max_waiting,
            flows: HashMap::new(),
            turns: VecDeque::new(),
        })))
    }

    /// Waits for a processor for a text of an organization.
    pub async fn acquire(&self, org: Uuid, bytes: usize) -> Result<Permit, Full> {
        let (ready, permit) = oneshot::channel();
        self.state().enqueue(org, Waiting { bytes, ready })?;
        self.dispatch();
        permit.await.map_err(|_| Full)
    }

    /// Takes a processor for background work; `None` while a request waits, or only one of several processors is free. A
    /// request that comes meanwhile finds one free, unless there is only one in all.
    pub fn acquire_idle(&self) -> Option<Permit> {
        let mut state = self.state();
        if state.waiting > 0 || state.free < state.capacity.min(2) || state.free_for_long == 0 {
            return None;
        }
        state.free -= 1;
        state.free_for_long -= 1;
        Some(Permit { queue: self.clone(), is_long: true })
    }

    /// Returns what is running and waiting.
    pub fn load(&self) -> QueueLoad {
        let state = self.state();
        QueueLoad {
            busy: state.capacity - state.free,
            capacity: state.capacity,
            waiting: state.waiting,
            max_waiting: state.max_waiting,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives free processors to those whose turn it is.
    fn dispatch(&self) {
        loop {
            // The lock is free again before a permit that nobody takes is dropped.
            let next = self.state().next();
            let Some((is_long, ready)) = next else { return };
            drop(ready.send(Permit { queue: self.clone(), is_long }));
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.queue.state().release(self.is_long);
        self.queue.dispatch();
    }
}

impl State {
    fn enqueue(&mut self, org: Uuid, text: Waiting) -> Result<(), Full> {
        if self.waiting >= self.max_waiting || self.waiting_of(org) >= self.max_waiting / MAX_SHARE {
            self.forget_abandoned();
        }
        if self.waiting >= self.max_waiting || self.waiting_of(org) >= self.max_waiting / MAX_SHARE {
            return Err(Full);
        }
        let id = (org, text.bytes > LONG);
        let flow = self.flows.entry(id).or_default();
        if flow.texts.is_empty() {
            self.turns.push_back(id);
        }
        flow.texts.push_back(text);
        self.waiting += 1;
        Ok(())
    }

    fn waiting_of(&self, org: Uuid) -> usize {
        let flows = [false, true].map(|is_long| self.flows.get(&(org, is_long)));
        flows.into_iter().flatten().map(|flow| flow.texts.len()).sum()
    }

    /// Removes the texts whose callers hung up.
    fn forget_abandoned(&mut self) {
        for flow in self.flows.values_mut() {
            flow.texts.retain(|text| !text.ready.is_closed());
        }
        self.flows.retain(|_, flow| !flow.texts.is_empty());
        self.turns.retain(|id| self.flows.contains_key(id));
        self.waiting = self.flows.values().map(|flow| flow.texts.len()).sum();
    }

    /// Takes the text whose turn it is, and a processor for it.
    fn next(&mut self) -> Option<(bool, oneshot::Sender<Permit>)> {
        let mut skipped = 0;
        while self.free > 0 && skipped < self.turns.len() {
            let id = self.turns.pop_front()?;
            let may_run = !id.1 || self.free_for_long > 0;
            let flow = self.flows.get_mut(&id)?;
            let first = flow.texts.front().map_or(0, |text| text.bytes);
            if may_run && flow.deficit >= first {
                let text = self.take(id)?;
                self.free -= 1;
                self.free_for_long -= usize::from(id.1);
                return Some((id.1, text.ready));
            }
            if may_run {
                flow.deficit += QUANTUM;
                skipped = 0;
            } else {
                skipped += 1;
            }
            self.turns.push_back(id);
        }
        None
    }

    /// Takes the first text of a flow, whose turn goes on while it has bytes left.
    fn take(&mut self, id: FlowId) -> Option<Waiting> {
        let flow = self.flows.get_mut(&id)?;
        let text = flow.texts.pop_front()?;
        self.waiting -= 1;
        flow.deficit -= text.bytes;
        if flow.texts.is_empty() {
            self.flows.remove(&id);
        } else {
            self.turns.push_front(id);
        }
        Some(text)
    }

    const fn release(&mut self, is_long: bool) {
        self.free += 1;
        self.free_for_long += is_long as usize;
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::Future,
        pin::Pin,
        task::{Context, Poll, Waker},
    };

    use super::*;

    const SHORT: usize = 1_000;
    const HUGE: usize = 4_000_000;

    fn org(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    type Waits = Pin<Box<dyn Future<Output = Result<Permit, Full>>>>;

    fn wait(queue: &FairQueue, number: u128, bytes: usize) -> Waits {
        let queue = queue.clone();
        Box::pin(async move { queue.acquire(org(number), bytes).await })
    }

    fn poll(waits: &mut Waits) -> Option<Result<Permit, Full>> {
        match waits.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        }
    }

    /// Queues texts behind a busy processor, and returns the organizations in the order in which they are served.
    fn served(texts: &[(u128, usize)]) -> Vec<u128> {
        let queue = FairQueue::new(2, 512);
        let mut held: Vec<_> = (0..2).map(|_| poll(&mut wait(&queue, 9, 1)).unwrap().unwrap()).collect();
        let mut waiting: Vec<_> =
            texts.iter().map(|(number, bytes)| (*number, wait(&queue, *number, *bytes))).collect();
        assert!(waiting.iter_mut().all(|(_, waits)| poll(waits).is_none()));
        let mut order = Vec::new();
        while !waiting.is_empty() {
            held.pop();
            let place = waiting.iter_mut().position(|(_, waits)| match poll(waits) {
                Some(permit) => {
                    held.push(permit.unwrap());
                    true
                }
                None => false,
            });
            order.push(waiting.remove(place.unwrap()).0);
        }
        order
    }

    #[test]
    fn a_short_text_does_not_wait_for_long_ones() {
        let queue = FairQueue::new(2, 512);
        let mut long: Vec<_> = (0..24).map(|_| wait(&queue, 1, HUGE)).collect();
        let running: Vec<_> = long.iter_mut().filter_map(poll).collect();
        assert_eq!(running.len(), 1);
        assert!(poll(&mut wait(&queue, 2, SHORT)).is_some());
    }

    #[test]
    fn background_work_waits_for_requests_and_leaves_them_a_processor() {
        let queue = FairQueue::new(2, 8);
        let background = queue.acquire_idle().unwrap();
        assert!(queue.acquire_idle().is_none(), "one processor stays free");
        let request = poll(&mut wait(&queue, 1, SHORT)).unwrap().unwrap();
        let mut waits = wait(&queue, 2, SHORT);
        assert!(poll(&mut waits).is_none());
        drop((background, request));
        assert!(queue.acquire_idle().is_none(), "the request that waited has a processor");
        assert!(poll(&mut waits).is_some());
        assert!(queue.acquire_idle().is_some());
    }

    #[test]
    fn background_work_also_runs_on_a_single_processor() {
        let queue = FairQueue::new(1, 8);
        let held = queue.acquire_idle();
        assert!(held.is_some() && queue.acquire_idle().is_none());
        drop(held);
        assert!(queue.acquire_idle().is_some());
    }

    #[test]
    fn the_load_counts_busy_processors_and_waiting_texts() {
        let queue = FairQueue::new(2, 8);
        let held: Vec<_> = (0..2).map(|_| poll(&mut wait(&queue, 9, 1)).unwrap()).collect();
        let mut waits = wait(&queue, 1, SHORT);
        assert!(poll(&mut waits).is_none());
        assert_eq!(queue.load(), QueueLoad { busy: 2, capacity: 2, waiting: 1, max_waiting: 8 });
        drop(held);
        assert!(poll(&mut waits).is_some());
        assert_eq!(queue.load(), QueueLoad { busy: 0, capacity: 2, waiting: 0, max_waiting: 8 });
    }

    #[test]
    fn organizations_take_turns_by_bytes() {
        let many = [(1, LONG); 12].into_iter().chain([(2, LONG / 4); 12]);
        let order = served(&many.collect::<Vec<_>>());
        let first_of_two: Vec<_> = order.iter().take(10).copied().collect();
        assert_eq!(first_of_two.iter().filter(|number| **number == 2).count(), 8, "{order:?}");
    }

    #[test]
    fn texts_of_an_organization_keep_their_order_and_all_are_served() {
        let order = served(&[(1, HUGE), (2, HUGE), (1, SHORT), (3, 1)]);
        assert_eq!(order.len(), 4);
        assert!(order[..2].contains(&3) && order[..2].contains(&1), "{order:?}");
    }

    #[test]
    fn an_organization_fills_its_share_of_the_queue_alone() {
        let queue = FairQueue::new(2, 8);
        let _held: Vec<_> = (0..2).map(|_| poll(&mut wait(&queue, 9, 1)).unwrap()).collect();
        let mut own: Vec<_> = (0..3).map(|_| wait(&queue, 1, SHORT)).collect();
        let refused = own.iter_mut().filter_map(poll).filter(Result::is_err).count();
        assert_eq!(refused, 1);
        assert!(poll(&mut wait(&queue, 2, SHORT)).is_none());
        own.clear();
        assert!(poll(&mut wait(&queue, 1, SHORT)).is_none(), "callers that hung up leave their places");
    }

    #[test]
    fn a_caller_that_hangs_up_frees_its_processor() {
        let queue = FairQueue::new(2, 8);
        let held: Vec<_> = (0..2).map(|_| poll(&mut wait(&queue, 9, 1)).unwrap()).collect();
        let mut first = wait(&queue, 1, SHORT);
        let mut second = wait(&queue, 2, SHORT);
        assert!(poll(&mut first).is_none() && poll(&mut second).is_none());
        drop(first);
        drop(held);
        assert!(poll(&mut second).is_some());
        let both: Vec<_> = (0..2).filter_map(|_| poll(&mut wait(&queue, 3, SHORT))).collect();
        assert_eq!(both.len(), 2);
    }
}
