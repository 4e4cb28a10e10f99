//! Tokens of a call as its provider reports them, with the answer or in the events of its stream.

use guardengine_guard::TokenUsage;
use guardengine_integrations::llm::gateway::WireFormat;

use super::json::Node;

/// Tokens of a request that Anthropic counts beside `input_tokens`.
/// Source: <https://platform.claude.com/docs/en/build-with-claude/prompt-caching>.
const CACHED: [&str; 2] = ["cache_creation_input_tokens", "cache_read_input_tokens"];

/// Returns the tokens of an object `usage`. What it lacks, or does not state as a number, is unknown.
pub fn usage(format: WireFormat, usage: Option<&Node<'_>>) -> TokenUsage {
    let fields = usage.map(|usage| usage.fields()).unwrap_or_default();
    let count = |name: &str| fields.get(name)?.raw().parse().ok().filter(|count: &i64| *count >= 0);
    match format {
        WireFormat::Chat => {
            TokenUsage { prompt: count("prompt_tokens"), completion: count("completion_tokens") }
        }
        WireFormat::Responses => {
            TokenUsage { prompt: count("input_tokens"), completion: count("output_tokens") }
        }
        WireFormat::Messages => {
            let with_cached = |sent| {
                CACHED.into_iter().filter_map(count).fold(sent, |sum: i64, more| sum.saturating_add(more))
            };
            TokenUsage { prompt: count("input_tokens").map(with_cached), completion: count("output_tokens") }
        }
    }
}

/// Takes over what a later report of the same call states.
pub fn update(known: &mut TokenUsage, later: TokenUsage) {
    known.prompt = later.prompt.or(known.prompt);
    known.completion = later.completion.or(known.completion);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(format: WireFormat, body: &str) -> (Option<i64>, Option<i64>) {
        let found = usage(format, Node::of(body).as_ref());
        (found.prompt, found.completion)
    }

    #[test]
    fn each_format_names_its_tokens() {
        let openai = r#"{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}"#;
        assert_eq!(read(WireFormat::Chat, openai), (Some(12), Some(3)));
        let (plain, cached) = (
            r#"{"input_tokens":12,"output_tokens":3}"#,
            r#"{"input_tokens":2,"cache_creation_input_tokens":4,"cache_read_input_tokens":6,"output_tokens":3}"#,
        );
        assert_eq!(read(WireFormat::Responses, plain), (Some(12), Some(3)));
        assert_eq!(read(WireFormat::Messages, plain), (Some(12), Some(3)));
        assert_eq!(read(WireFormat::Messages, cached), (Some(12), Some(3)));
        assert_eq!(read(WireFormat::Responses, openai), (None, None));
    }

    #[test]
    fn what_is_no_count_is_unknown() {
        for odd in ["null", "7", "[]", r#"{"prompt_tokens":-1}"#, r#"{"prompt_tokens":"9"}"#] {
            assert_eq!(read(WireFormat::Chat, odd), (None, None), "{odd}");
        }
        let large = r#"{"prompt_tokens":99999999999999999999,"completion_tokens":1.5}"#;
        assert_eq!(read(WireFormat::Chat, large), (None, None));
        let sums = r#"{"input_tokens":9223372036854775807,"cache_read_input_tokens":1}"#;
        assert_eq!(read(WireFormat::Messages, sums), (Some(i64::MAX), None));
    }

    #[test]
    fn a_later_report_keeps_what_it_does_not_state() {
        let mut known = TokenUsage { prompt: Some(1), completion: Some(1) };
        update(&mut known, TokenUsage { prompt: None, completion: Some(5) });
        assert_eq!(known, TokenUsage { prompt: Some(1), completion: Some(5) });
    }
}
