//! Demands for output without end or beyond reason.

use std::sync::LazyLock;

use regex::Regex;

use crate::{
    detectors::{
        cues::{Class, Manner, Rule},
        sign::{Sign, told},
    },
    evidence::Part,
    pii::near::next_digit,
    span::Span,
    text::View,
};

/// Which numbers in `part` are absurd amounts of output.
pub fn signs(part: &Part<'_>) -> Vec<Sign> {
    part.text.views().iter().flat_map(absurd).collect()
}

/// Wordings of endless and recursive demands.
pub static RULES: &[Rule] = &[
    Rule {
        evidence: "demands endless repetition",
        precision: 0.8,
        steps: &[(REPEAT, 0), (THING, 16), (FOREVER, 72)],
        manner: Manner::Order,
    },
    Rule {
        evidence: "demands endless repetition",
        precision: 0.8,
        steps: &[(THING, 0), (FOREVER, 48), (REPEAT_LAST, 32)],
        manner: Manner::Phrase,
    },
    Rule {
        evidence: "demands endless output",
        precision: 0.8,
        steps: &[(GO_ON, 0), (FOREVER, 48)],
        manner: Manner::Order,
    },
    Rule {
        evidence: "demands endless output",
        precision: 0.75,
        steps: &[(NEVER_STOP, 0)],
        manner: Manner::Order,
    },
    Rule {
        evidence: "demands recursive expansion",
        precision: 0.75,
        steps: &[(EACH, 0), (AGAIN_FOR_EACH, 140)],
        manner: Manner::Anywhere,
    },
    Rule {
        evidence: "demands recursive expansion",
        precision: 0.8,
        steps: &[(RECURSE, 0), (FOREVER, 80)],
        manner: Manner::Anywhere,
    },
    Rule {
        evidence: "demands that the model calls itself",
        precision: 0.75,
        steps: &[(CALL_YOURSELF, 0)],
        manner: Manner::Order,
    },
    Rule {
        evidence: "demands that a fork bomb is expanded",
        precision: 0.75,
        steps: &[(RUN, 0), (FORK_BOMB, 48)],
        manner: Manner::Order,
    },
];

const REPEAT: Class = &[
    "repeat",
    "say the",
    "write",
    "print",
    "output",
    "type",
    "keep saying",
    "keep writing",
    "keep repeating",
    "keep printing",
    "wiederhole",
    "schreibe",
    "schreib",
    "sage",
    "répète",
    "répétez",
    "écris",
    "écrivez",
    "repite",
    "repita",
    "escribe",
    "escriba",
    "ripeti",
    "scrivi",
    "repete",
    "escreva",
    "herhaal",
    "schrijf",
    "powtarzaj",
    "powtórz",
    "napisz",
    "pisz",
    "повторяй*",
    "повтори*",
    "пиши*",
    "напиши*",
    "كرر",
    "اكتب",
    "重复",
    "重複",
    "写",
    "输出",
];

const REPEAT_LAST: Class =
    &["tekrarla*", "दोहराओ", "दोहराएं", "दोहराते", "लिखो", "繰り返*", "反復", "반복*", "써줘"];

const THING: Class = &[
    "word",
    "words",
    "phrase",
    "letter",
    "sentence",
    "text",
    "string",
    "character",
    "token",
    "emoji",
    "poem",
    "line",
    "your answer",
    "wort",
    "satz",
    "buchstabe*",
    "phrase",
    "lettre",
    "le mot",
    "palabra",
    "frase",
    "letra",
    "parola",
    "palavra",
    "woord",
    "słowo",
    "zdanie",
    "kelimesini",
    "kelimeyi",
    "слово",
    "фразу",
    "букву",
    "كلمة",
    "الكلمة",
    "शब्द",
    "单词",
    "这个词",
    "词语",
    "这句话",
    "字",
    "単語",
    "言葉",
    "단어*",
    "문장*",
];

const FOREVER: Class = &[
    "forever",
    "infinitely",
    "endlessly",
    "indefinitely",
    "without stopping",
    "without ever stopping",
    "without end",
    "and never stop",
    "never stop",
    "nonstop",
    "ad infinitum",
    "an infinite number of times",
    "infinite times",
    "a million times",
    "one million times",
    "a billion times",
    "one billion times",
    "a trillion times",
    "until you run out",
    "until i tell you to stop",
    "no matter what",
    "für immer",
    "unendlich",
    "endlos",
    "ohne aufzuhören",
    "eine million mal",
    "indéfiniment",
    "à l'infini",
    "sans arrêt",
    "sans fin",
    "un million de fois",
    "para siempre",
    "infinitamente",
    "sin parar",
    "un millón de veces",
    "all'infinito",
    "per sempre",
    "senza fermarti",
    "un milione di volte",
    "para sempre",
    "sem parar",
    "um milhão de vezes",
    "voor altijd",
    "oneindig",
    "eindeloos",
    "een miljoen keer",
    "w nieskończoność",
    "bez końca",
    "milion razy",
    "sonsuza kadar",
    "sonsuza dek",
    "bir milyon kez",
    "durmadan",
    "бесконечно",
    "вечно",
    "без остановки",
    "миллион раз",
    "إلى الأبد",
    "بلا توقف",
    "مليون مرة",
    "हमेशा",
    "अनंत",
    "दस लाख बार",
    "永远",
    "无限次",
    "一百万次",
    "不要停",
    "永遠",
    "無限",
    "百万回",
    "영원히",
    "무한",
    "백만 번",
];

const GO_ON: Class = &[
    "keep going",
    "keep writing",
    "keep generating",
    "keep talking",
    "keep counting",
    "keep listing",
    "continue writing",
    "continue generating",
    "continue counting",
    "count upwards",
    "count up",
    "go on writing",
];

const NEVER_STOP: Class = &[
    "never stop writing",
    "never stop generating",
    "never stop printing",
    "never stop talking",
    "never stop repeating",
    "never stop your output",
    "do not ever stop writing",
    "don't ever stop writing",
    "do not stop generating",
    "don't stop generating",
    "do not stop printing",
    "write an infinite",
    "write an infinitely long",
    "write an endless",
    "generate an infinite",
    "generate infinite text",
    "infinite amount of text",
    "hör niemals auf zu schreiben",
    "n'arrête jamais d'écrire",
    "nunca dejes de escribir",
];

const EACH: Class = &[
    "for each",
    "for every",
    "für jede*",
    "pour chaque",
    "para cada",
    "per ogni",
    "для каждого",
    "对于每个",
    "对每个",
];

const AGAIN_FOR_EACH: Class = &[
    "repeat for each of",
    "repeat that for each of",
    "repeat this for each of",
    "repeat it for each of",
    "repeat the same for each of",
    "and repeat for every one of",
    "do the same for each of those",
    "do the same for each of these new",
    "do it again for each of those",
    "again for each of those",
    "then ten more for each of those",
    "wiederhole das für jede*",
    "répète pour chacun*",
    "repite para cada uno",
    "ripeti per ciascun*",
    "repita para cada um",
    "повтори для каждого из",
];

const RECURSE: Class = &[
    "recursively",
    "repeat this process",
    "repeat the process",
    "expand every",
    "expand each",
    "explain every word of",
    "define every word in",
    "feed your answer back",
    "use your answer as the next prompt",
    "use your output as the next input",
];

const CALL_YOURSELF: Class = &[
    "call yourself again",
    "call yourself recursively",
    "invoke yourself again",
    "prompt yourself again",
    "respond to your own response",
    "answer your own answer",
];

const RUN: Class =
    &["simulate", "expand", "execute", "unroll", "trace every", "print every process of", "emulate"];

const FORK_BOMB: Class = &[":(){ :|:& };:", ":(){:|:&};:", ":(){ :|: & };:", "fork bomb"];

/// A verb, a number of five digits or more, and what is to be made so often.
static AMOUNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)\b(?:repeat|write|say|print|generate|give|output|produce|create|compose|schreib\w*|wiederhol\w*|écri\w+|répèt\w*|escrib\w+|repit\w+|scriv\w+|ripet\w+
          |escrev\w+|napisz|powtórz|напиши\w*|повтори\w*)\b [^.!?\n]{0,48}?
          \b(\d{1,3}(?:[,.]\d{3})+|\d{5,}) [\ -]
          (words?|times|pages|paragraphs|essays|poems|stories|sentences|chapters|copies|wörter|worte|mal|seiten|mots|fois|pages|palabras|veces|páginas|parole|volte|pagine
          |palavras|vezes|słów|razy|слов|раз|страниц)\b",
    )
    .ok()
});

/// Counting to a number of six digits or more.
static COUNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)\b(?:count|list|print|write|enumerate|say|output|zähl\w*|compt\w+|cuent\w+|list\w*)\b [^.!?\n]{0,48}?
          \b(?:from|between|von|de|desde)\ (?:0|1|one|zero)\ (?:to|and|through|until|up\ to|bis|à|hasta|a)\ 
          (?:\d{1,3}(?:[,.]\d{3})+|\d{6,}|10\^\d+|10\*\*\d+|(?:a|one|ten)\ (?:million|billion|trillion)|infinity)",
    )
    .ok()
});

/// All of something of which there is no end.
static ALL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)\b(?:list|print|write|enumerate|output|give\ me|recite)\ (?:out\ )?(?:every|all(?:\ of)?(?:\ the)?)\ (?:single\ )?
          (?:prime\ numbers?|primes?|(?:decimal\ )?digits?\ of\ pi)\b[^.!?\n]{0,48}",
    )
    .ok()
});

/// What shows that a program is asked for, or that there is a limit after all.
const SANE: &[&str] = &[
    "code",
    "script",
    "function",
    "program",
    "query",
    "loop",
    "regex",
    "test",
    "algorithm",
    "method",
    "below",
    "under",
    "less than",
    "smaller",
    "up to",
    "between",
    "from",
    "first",
    "until",
    "array",
    "file",
    "python",
    "java",
    "fewer",
    "at most",
    "max",
    "no more",
];

/// Whether one of `hints` stands in `text`. Most texts show none, and are spared the regular expressions.
fn shows(text: &str, hints: &[&str]) -> bool {
    hints.iter().any(|hint| memchr::memmem::find(text.as_bytes(), hint.as_bytes()).is_some())
}

/// Whether a number of five digits or more stands in `text`, thousands set apart or not.
fn has_large_number(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let Some(first) = next_digit(rest, 0) {
        let is_part = |byte: &&u8| byte.is_ascii_digit() || matches!(byte, b',' | b'.');
        let length = rest[first..].iter().take_while(is_part).count();
        let (number, after) = rest[first..].split_at(length);
        if number.iter().filter(|byte| byte.is_ascii_digit()).count() >= 5 {
            return true;
        }
        rest = after;
    }
    false
}

fn absurd(view: &View<'_>) -> Vec<Sign> {
    let text = &*view.text;
    let large = has_large_number(text) || shows(text, &["illion", "10^", "10**", "nfinity"]);
    let endless = shows(text, &["prime number", "primes", "every prime", "igits of pi", "igit of pi"]);
    let find = |regex: &'static LazyLock<Option<Regex>>, what: &'static str, is_sane: fn(&str) -> bool| {
        let found = regex.as_ref()?.find_iter(text).find(|found| !is_sane(&found.as_str().to_lowercase()))?;
        let span = view.original(Span::new(found.start(), found.end()));
        Some(Sign { precision: 0.75, span, evidence: told(what, &view.transforms) })
    };
    let about_code = |found: &str| SANE[..10].iter().any(|word| found.contains(word));
    let limited = |found: &str| SANE.iter().any(|word| found.contains(word));
    let amount = || find(&AMOUNT, "demands an absurd amount", about_code);
    let count = || find(&COUNT, "demands to count without reason", about_code);
    let all = || find(&ALL, "demands all of what has no end", limited);
    let signs = [large.then(amount), large.then(count), endless.then(all)];
    signs.into_iter().flatten().flatten().collect()
}
