//! The answer of a model, evaluated, masked and restored while it arrives.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use guardengine_classifiers::{Classifier, Unavailable};
use guardengine_engine::{
    Verdict,
    guardrail::Direction,
    pii::mask::Token,
    stream::{Decide, DecideStream, Events, Incremental, MaskStream, Passage, RestoreStream, Stop, Then},
};

use crate::{
    Error, Guard, GuardRequest, PendingDecision,
    evaluate::{Evaluation, EvaluationOptions, LogContent, evaluate},
    pipeline::{Inputs, unavailable},
    several,
    submission::Submission,
    timing::StageTimings,
};

/// Longest answer, in bytes of its texts.
const LONGEST: usize = 1 << 20;
/// Most texts of an answer.
const MAX_TEXTS: usize = 512;

/// Identifies a text of an answer.
pub type TextKey = [u32; 3];

/// Notation of a text, which decides how values are restored in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// A text.
    Plain,
    /// JSON: values are escaped.
    Json,
    /// A text that the provider signed: nothing is restored.
    Signed,
}

type Lookup = Box<dyn Fn(&str) -> Option<String> + Send>;
type TextStream = Then<Then<DecideStream<Evaluator>, Masking>, RestoreStream<Lookup>>;

/// An answer that arrives. Each of its texts is evaluated by itself.
pub struct AnswerStream {
    inputs: Inputs,
    classifier: Arc<dyn Classifier>,
    values: Arc<HashMap<String, String>>,
    texts: BTreeMap<TextKey, TextStream>,
    results: Arc<Mutex<Results>>,
    tokens: Vec<Token>,
    characters: usize,
    bytes: usize,
    begun: usize,
}

/// Results of the evaluations of an answer.
#[derive(Default)]
struct Results {
    wholes: Vec<Evaluation>,
    blocked: Option<Verdict>,
    failed: Option<Unavailable>,
}

/// An answer that is shared by the task that receives it and the processors that evaluate it.
#[derive(Clone)]
pub struct SharedAnswer(Arc<Mutex<AnswerStream>>);

impl Guard {
    /// Begins to evaluate an answer, in which the values behind `tokens` are restored.
    pub async fn open_answer(&self, call: GuardRequest, tokens: &[Token]) -> Result<SharedAnswer, Error> {
        let context = self.load_context(&call).await?;
        let cost = self.cost(&call, &context, 1);
        match self.health.run(self.check_balance(&call, cost)).await {
            Err(error) if guardengine_store::StoreError::is_store_unavailable(&error) && context.spools() => {
            }
            checked => checked?,
        }
        let keys = self.keys(call.caller.org_id).await?;
        let (call, context, deadline) = (Arc::new(call), Arc::new(context), self.deadline);
        let values = tokens.iter().map(|token| (token.id.clone(), token.value.clone())).collect();
        Ok(SharedAnswer(Arc::new(Mutex::new(AnswerStream {
            inputs: Inputs { call, context, keys, deadline },
            classifier: Arc::clone(&self.classifier),
            values: Arc::new(values),
            texts: BTreeMap::new(),
            results: Arc::default(),
            tokens: Vec::new(),
            characters: 0,
            bytes: 0,
            begun: 0,
        }))))
    }

    /// Runs `work` on an answer for so many new bytes, on a processor.
    pub async fn on_answer<T: Send + 'static>(
        &self,
        answer: &SharedAnswer,
        bytes: usize,
        work: impl FnOnce(&mut AnswerStream) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let (shared, org) = (answer.clone(), answer.lock().inputs.call.caller.org_id);
        self.run_on_cpu(org, bytes, move |_| work(&mut shared.lock())).await
    }

    /// Ends an answer: evaluates as a whole what was not evaluated so, and returns the decision.
    pub async fn conclude_answer(&self, answer: &SharedAnswer) -> Result<PendingDecision, Error> {
        let concluded = self.on_answer(answer, LONGEST, AnswerStream::conclude).await?;
        let evaluation = concluded.map_err(|error| unavailable(&error))?;
        let (inputs, characters) = {
            let answer = answer.lock();
            (answer.inputs.clone(), answer.characters)
        };
        let units = self.costs.units(characters);
        let cost = self.cost(&inputs.call, &inputs.context, units);
        let mut timings = StageTimings::default();
        timings.include(&evaluation.spent);
        let decision = inputs.pending(evaluation, cost, units, timings);
        // The times of its texts, one after the other: they were evaluated while the answer arrived.
        self.traces.evaluated(&decision, timings.total());
        Ok(decision)
    }
}

impl SharedAnswer {
    fn lock(&self) -> MutexGuard<'_, AnswerStream> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AnswerStream {
    /// Takes the next part of a text, and returns what may be passed on.
    pub fn feed(&mut self, key: TextKey, form: TextForm, text: &str) -> Events {
        self.bytes = self.bytes.saturating_add(text.len());
        let is_new = !self.texts.contains_key(&key);
        self.begun += usize::from(is_new);
        if self.begun > MAX_TEXTS || self.bytes > LONGEST {
            return Events { stop: Some(Stop::TooLong), ..Events::default() };
        }
        if is_new {
            let stream = self.stream(form);
            self.texts.insert(key, stream);
        }
        self.characters += text.chars().count();
        let events = self.texts.get_mut(&key).map(|stream| stream.feed(text)).unwrap_or_default();
        self.tokens.extend_from_slice(&events.tokens);
        events
    }

    /// Ends a text, and returns the rest of it.
    pub fn finish(&mut self, key: TextKey) -> Events {
        let events = self.texts.remove(&key).map(Incremental::finish).unwrap_or_default();
        self.tokens.extend_from_slice(&events.tokens);
        events
    }

    /// Returns the texts that are not ended.
    pub fn open_texts(&self) -> Vec<TextKey> {
        self.texts.keys().copied().collect()
    }

    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stream(&self, form: TextForm) -> TextStream {
        let evaluator = Evaluator {
            inputs: self.inputs.clone(),
            classifier: Arc::clone(&self.classifier),
            results: Arc::clone(&self.results),
        };
        let masks = self.inputs.context.compiled.stream_masking(&self.inputs.keys.mask);
        let masking = masks.map_or(Masking::Off, |options| Masking::On(Box::new(MaskStream::new(options))));
        let values = Arc::clone(&self.values);
        let lookup: Lookup = match form {
            TextForm::Signed => Box::new(|_| None),
            TextForm::Plain | TextForm::Json => Box::new(move |token| values.get(token).cloned()),
        };
        let restore = match form {
            TextForm::Json => RestoreStream::in_json(lookup),
            TextForm::Plain | TextForm::Signed => RestoreStream::new(lookup),
        };
        Then::new(Then::new(DecideStream::new(evaluator, LONGEST), masking), restore)
    }

    fn conclude(&mut self) -> Result<Evaluation, Unavailable> {
        for key in self.open_texts() {
            self.finish(key);
        }
        let mut results = std::mem::take(&mut *self.results());
        if let Some(failed) = results.failed {
            return Err(failed);
        }
        if results.wholes.is_empty() {
            let nothing = Submission::of(Direction::Output, String::new());
            results.wholes.push(evaluate(&*self.classifier, &nothing, &self.inputs.options())?);
        }
        let verdicts: Vec<_> =
            results.wholes.iter().map(|whole| whole.verdict.clone()).chain(results.blocked).collect();
        let mut evaluation = results.wholes.remove(0);
        for whole in results.wholes {
            several::merge(&mut evaluation, whole);
        }
        if let Some(verdict) = Verdict::combined(&verdicts).filter(|_| verdicts.len() > 1) {
            evaluation.verdict = verdict;
        }
        // Tokens that were passed on count, too, where the whole text was masked otherwise.
        for token in self.tokens.drain(..) {
            if evaluation.tokens.iter().all(|known| known.id != token.id) {
                evaluation.tokens.push(token);
            }
        }
        Ok(evaluation)
    }
}

/// Evaluates passages and whole texts under the policy.
struct Evaluator {
    inputs: Inputs,
    classifier: Arc<dyn Classifier>,
    results: Arc<Mutex<Results>>,
}

impl Evaluator {
    fn evaluate(&self, text: &str, options: &EvaluationOptions<'_>) -> Result<Evaluation, Unavailable> {
        let submission = Submission::of(Direction::Output, text.to_owned());
        evaluate(&*self.classifier, &submission, options)
    }

    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, error: Unavailable) -> bool {
        self.results().failed.get_or_insert(error);
        false
    }
}

impl Decide for Evaluator {
    fn passes(&mut self, passage: Passage<'_>) -> bool {
        if !self.inputs.context.compiled.guards(Direction::Output) {
            return true;
        }
        // Only the whole text is logged.
        let options = EvaluationOptions {
            shadow: None,
            log_content: LogContent::None,
            labels: None,
            ..self.inputs.options()
        };
        match self.evaluate(passage.text, &options) {
            Ok(evaluation) if evaluation.verdict.outcome.allows() => true,
            Ok(evaluation) => {
                self.results().blocked.get_or_insert(evaluation.verdict);
                false
            }
            Err(error) => self.failed(error),
        }
    }

    fn passes_whole(&mut self, text: &str) -> bool {
        match self.evaluate(text, &self.inputs.options()) {
            Ok(evaluation) => {
                let passes = evaluation.verdict.outcome.allows();
                self.results().wholes.push(evaluation);
                passes
            }
            Err(error) => self.failed(error),
        }
    }
}

/// Masks, if the policy does.
enum Masking {
    Off,
    On(Box<MaskStream>),
}

impl Incremental for Masking {
    fn feed(&mut self, text: &str) -> Events {
        match self {
            Self::Off => Events { text: text.to_owned(), ..Events::default() },
            Self::On(masks) => masks.feed(text),
        }
    }

    fn holdback(&self) -> usize {
        match self {
            Self::Off => 0,
            Self::On(masks) => masks.holdback(),
        }
    }

    fn finish(self) -> Events {
        match self {
            Self::Off => Events::default(),
            Self::On(masks) => masks.finish(),
        }
    }
}
