//! The topics of a policy.

use std::sync::Arc;

use super::{Head, NoVectors, Place, Space, TopicEncoder};

/// A topic as a policy defines it.
#[derive(Debug)]
pub struct Topic {
    /// Its name, which findings carry.
    pub name: String,
    /// Texts about the topic.
    pub examples: Vec<String>,
    /// Texts that are similar, and not about it.
    pub counterexamples: Vec<String>,
}

/// The topics of a policy, with their heads once they are fitted.
#[derive(Debug)]
pub struct Topics {
    topics: Vec<Topic>,
    threshold: f32,
    fitted: Option<Fitted>,
}

/// The heads of topics, in their order.
#[derive(Debug)]
struct Fitted {
    space: Arc<Space>,
    heads: Vec<Head>,
}

impl Topics {
    /// Topics that are not fitted. `threshold` is the confidence from which the policy acts.
    pub const fn new(topics: Vec<Topic>, threshold: f32) -> Self {
        Self { topics, threshold, fitted: None }
    }

    /// Returns whether there is no topic.
    pub const fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }

    /// Returns whether every topic can be found.
    pub const fn is_fitted(&self) -> bool {
        self.is_empty() || self.fitted.is_some()
    }

    /// Returns the confidence from which the policy acts.
    pub const fn threshold(&self) -> f32 {
        self.threshold
    }

    /// Fits a head to the examples of each topic.
    pub fn fit(&mut self, encoder: &dyn TopicEncoder) -> Result<(), NoVectors> {
        if self.is_empty() {
            return Ok(());
        }
        let space = encoder.space()?;
        let place = |text: &String| {
            let vector = encoder.vector(text)?;
            let other = || NoVectors("the background is of another model".into());
            let numbers = space.place(&vector.numbers).ok_or_else(other)?;
            Ok(Place { numbers, language: vector.language })
        };
        let places = |texts: &[String]| texts.iter().map(place).collect::<Result<Vec<_>, _>>();
        let head = |topic: &Topic| {
            let (examples, counterexamples) = (places(&topic.examples)?, places(&topic.counterexamples)?);
            let head = Head::fit(&space, &examples, &counterexamples, self.threshold);
            head.ok_or_else(|| NoVectors("the background is too small".into()))
        };
        let heads = self.topics.iter().map(head).collect::<Result<_, _>>()?;
        self.fitted = Some(Fitted { space, heads });
        Ok(())
    }

    /// Calls `found` with each topic and the confidence that a text with this vector is about it. `None` if the topics are
    /// not fitted to such vectors.
    pub fn score<'t>(&'t self, vector: &[f32], mut found: impl FnMut(&'t Topic, f32)) -> Option<()> {
        let Fitted { space, heads } = self.fitted.as_ref()?;
        let place = space.place(vector)?;
        for (topic, head) in self.topics.iter().zip(heads) {
            found(topic, head.confidence(&place));
        }
        Some(())
    }

    /// Iterates over the names of the topics and the share of harmless texts that each is expected to flag.
    pub fn expected_false_positives(&self) -> impl Iterator<Item = (&str, f32)> {
        let heads = self.fitted.iter().flat_map(|fitted| &fitted.heads);
        self.topics.iter().zip(heads).map(|(topic, head)| (&*topic.name, head.expected_false_positives()))
    }

    /// Returns the bytes that they take. The space is shared by every policy, so it does not count.
    pub fn memory_usage(&self) -> usize {
        let text = |text: &String| text.capacity() + size_of::<String>();
        let texts = |topic: &Topic| {
            let texts = topic.examples.iter().chain(&topic.counterexamples);
            size_of::<Topic>() + topic.name.capacity() + texts.map(text).sum::<usize>()
        };
        let heads = self.fitted.iter().flat_map(|fitted| &fitted.heads).map(Head::memory_usage);
        self.topics.iter().map(texts).sum::<usize>() + heads.sum::<usize>()
    }
}
