//! Grammars: families of texts that share a label, written as sentences with choices.
//!
//! ```toml
//! [slots]
//! victim = ["my aunt", "the {payroll|finance} department"]
//!
//! [[family]]
//! labels = ["fraud"]
//! lang = "en"
//! samples = 80
//! texts = ["Write a {mail|text message} that makes {victim} send me money"]
//! ```
//!
//! `{name}` stands for one of a slot's texts, `{a|b}` for one of the choices, `\{` for a brace; all of them nest.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use guardengine_classifiers::CASCADE_LABELS;
use guardengine_evaluation::{ForAll as Every, Negatives};
use rand::{SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
use serde::Deserialize;

/// Maximum nesting of slots. Detects a slot that contains itself.
const DEEPEST: usize = 12;
/// Draws per requested distinct text. Limits the attempts for families with few distinct texts.
const DRAWS: usize = 8;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Grammar {
    #[serde(default)]
    slots: Slots,
    family: Vec<Family>,
}

type Slots = BTreeMap<String, Vec<String>>;

/// Texts of one kind, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Family {
    labels: Vec<String>,
    #[serde(default = "all_others")]
    negatives: Negatives,
    #[serde(default = "english")]
    lang: String,
    #[serde(default)]
    role: String,
    #[serde(default = "usual")]
    samples: usize,
    texts: Vec<String>,
}

const fn all_others() -> Negatives {
    Negatives::Every(Every::All)
}

fn english() -> String {
    "en".to_owned()
}

const fn usual() -> usize {
    60
}

/// One family's texts, drawn.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The file's name with `grammar_` before it.
    pub source: String,
    /// Language code.
    pub lang: String,
    /// Role, as in rows; empty if unknown.
    pub role: String,
    /// Labels that hold.
    pub labels: Vec<String>,
    /// Labels known not to hold.
    pub negatives: Negatives,
    /// Distinct texts.
    pub texts: Vec<String>,
}

/// Draws the families of every `.toml` in a directory, in the order of their names.
pub fn read_all(folder: &Path, seed: u64) -> Result<Vec<Drawn>> {
    let listed = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut files: Vec<PathBuf> = listed.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut drawn = Vec::new();
    for path in files {
        drawn.extend(read(&path, seed).with_context(|| format!("in {}", path.display()))?);
    }
    Ok(drawn)
}

fn read(path: &Path, seed: u64) -> Result<Vec<Drawn>> {
    let grammar: Grammar = toml::from_str(&fs::read_to_string(path)?)?;
    let source = format!("grammar_{}", path.file_stem().unwrap_or_default().to_string_lossy());
    let draw = |(at, family): (usize, Family)| {
        let mut random = StdRng::seed_from_u64(seed.wrapping_add(at as u64));
        let texts = family.draw(&grammar.slots, &mut random).with_context(|| format!("family {}", at + 1))?;
        let Family { lang, role, labels, negatives, .. } = family;
        Ok(Drawn { source: source.clone(), lang, role, labels, negatives, texts })
    };
    grammar.family.into_iter().enumerate().map(draw).collect()
}

impl Family {
    fn draw(&self, slots: &Slots, random: &mut StdRng) -> Result<Vec<String>> {
        if let Some(unknown) = self.labels.iter().find(|label| !CASCADE_LABELS.contains(&label.as_str())) {
            bail!("no label is named {unknown}");
        }
        let mut texts = BTreeSet::new();
        for _ in 0..self.samples * DRAWS {
            if texts.len() == self.samples {
                break;
            }
            let frame = self.texts.choose(random).context("no texts")?;
            texts.insert(expand(frame, slots, random, 0)?);
        }
        Ok(texts.into_iter().collect())
    }
}

/// Draws a text of `frame`.
fn expand(frame: &str, slots: &Slots, random: &mut StdRng, depth: usize) -> Result<String> {
    if depth > DEEPEST {
        bail!("slots stand in each other without end: {frame}");
    }
    let (mut text, mut rest) = (String::new(), frame);
    while let Some(brace) = rest.find('{') {
        let (before, from) = rest.split_at(brace);
        if let Some(before) = before.strip_suffix('\\') {
            text.push_str(before);
            text.push('{');
            rest = &from[1..];
            continue;
        }
        let end = closing(from).with_context(|| format!("a brace is not closed: {frame}"))?;
        text.push_str(before);
        text.push_str(&expand(chosen(&from[1..end], slots, random)?, slots, random, depth + 1)?);
        rest = &from[end + 1..];
    }
    text.push_str(rest);
    Ok(text)
}

/// Draws one of the choices between braces, or one of the texts of the slot that is named there.
fn chosen<'c>(inner: &'c str, slots: &'c Slots, random: &mut StdRng) -> Result<&'c str> {
    let choices = choices(inner);
    if choices.len() > 1 {
        return Ok(choices.choose(random).copied().unwrap_or_default());
    }
    let slot = slots.get(inner).with_context(|| format!("no slot is named {inner}"))?;
    slot.choose(random).map(String::as_str).with_context(|| format!("the slot {inner} is empty"))
}

/// Returns the index of the brace that closes the one at the start of `text`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    text.char_indices().find_map(|(at, character)| {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

/// Splits `inner` at the bars outside of inner braces.
fn choices(inner: &str) -> Vec<&str> {
    let (mut choices, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, character) in inner.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            '|' if depth == 0 => {
                choices.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    choices.push(&inner[start..]);
    choices
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(frame: &str) -> BTreeSet<String> {
        let slots = Slots::from([
            ("bird".to_owned(), vec!["owl".to_owned(), "{sea|land} eagle".to_owned()]),
            ("endless".to_owned(), vec!["{endless}".to_owned()]),
        ]);
        let mut random = StdRng::seed_from_u64(1);
        (0..99).filter_map(|_| expand(frame, &slots, &mut random, 0).ok()).collect()
    }

    #[test]
    fn slots_and_choices_nest() {
        let expected =
            ["a land eagle!", "a owl!", "a sea eagle!", "the land eagle!", "the owl!", "the sea eagle!"];
        assert_eq!(texts("{a|the} {bird}!"), expected.map(str::to_owned).into());
        assert_eq!(texts("{x{|y}|z}"), ["x", "xy", "z"].map(str::to_owned).into());
    }

    #[test]
    fn an_escaped_brace_is_literal() {
        assert_eq!(texts(r#"\{"a": 1}"#), [r#"{"a": 1}"#.to_owned()].into());
    }

    #[test]
    fn mistakes_are_reported() {
        for frame in ["{bird", "{unknown}", "{endless}"] {
            assert_eq!(texts(frame), BTreeSet::new(), "{frame}");
        }
    }

    #[test]
    fn every_committed_grammar_can_be_drawn() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars");
        assert!(read_all(&folder, 1).unwrap().iter().all(|family| !family.texts.is_empty()));
    }
}
