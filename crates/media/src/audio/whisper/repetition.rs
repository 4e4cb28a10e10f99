//! Loops: Whisper sometimes repeats the same words until its text is full, above all when it reads less than thirty seconds.

/// Longest sequence of tokens whose repetition is looked for.
const MAX_PERIOD: usize = 24;

/// A text that repeats itself: a sequence that occurs so often in a row, and fills at least so many tokens. Spoken digits
/// repeat too.
struct Loop {
    times: usize,
    tokens: usize,
}

/// Reason to transcribe the stretch again.
const SUSPECT: Loop = Loop { times: 4, tokens: 16 };
/// More than anybody says.
const CERTAIN: Loop = Loop { times: 8, tokens: 40 };

/// Returns true if the text ends with a sequence that follows itself again and again.
pub fn is_loop(tokens: &[u32]) -> bool {
    ends_with(tokens, &SUSPECT)
}

/// Returns true if the text ends with a sequence that nobody repeats so often, and the token continues it.
pub fn continues(tokens: &[u32], next: u32) -> bool {
    (1..=MAX_PERIOD).any(|period| repeats(tokens, period, &CERTAIN) && tokens[tokens.len() - period] == next)
}

fn ends_with(tokens: &[u32], of: &Loop) -> bool {
    (1..=MAX_PERIOD).any(|period| repeats(tokens, period, of))
}

/// Returns true if the last `period` tokens are the same as those before them, and so on.
fn repeats(tokens: &[u32], period: usize, of: &Loop) -> bool {
    let needed = (period * of.times).max(of.tokens);
    tokens.len() >= needed && {
        let end = &tokens[tokens.len() - needed..];
        end[period..].iter().zip(end).all(|(token, before)| token == before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_sequence_that_follows_itself_at_the_end() {
        assert!(is_loop(&[7; 16]));
        let phrase = [1, 2, 3, 4, 5];
        assert!(is_loop(&[&[8, 9], &*phrase.repeat(4)].concat()));
        assert!(is_loop(&(0..24).cycle().take(96).collect::<Vec<_>>()));
        assert!(!is_loop(&[&*phrase.repeat(4), &[8]].concat()));
    }

    #[test]
    fn accepts_what_people_repeat() {
        assert!(!is_loop(&[]));
        assert!(!is_loop(&[7; 15]));
        assert!(!is_loop(&[1, 2, 3, 4, 5].repeat(3)));
        assert!(!is_loop(&(0..200).collect::<Vec<_>>()));
        // Longer than a sentence: the text itself repeats.
        assert!(!is_loop(&(0..25).cycle().take(200).collect::<Vec<_>>()));
    }

    #[test]
    fn only_the_same_again_continues_a_long_loop() {
        let digits = [1, 2].repeat(20);
        assert!(continues(&digits, 1));
        assert!(!continues(&digits, 2) && !continues(&digits, 3));
        assert!(!continues(&digits[2..], 1) && !continues(&[], 1));
    }
}
