use super::*;

fn shown(source: &str, syntax: Syntax) -> Vec<String> {
    let show = |token: Token<'_>| match token {
        Token::Text(range) => format!("text {}", &source[range]),
        Token::Verbatim(range) => format!("verbatim {}", &source[range]),
        Token::Comment(range) => format!("comment {}", &source[range]),
        Token::End(name) => format!("end {name}"),
        Token::Start(tag) => {
            let attributes =
                tag.attributes.iter().map(|one| format!(" {}={}", one.name, &source[one.value.clone()]));
            format!(
                "start {}{}{}",
                tag.name,
                attributes.collect::<String>(),
                if tag.is_empty { " /" } else { "" }
            )
        }
    };
    Tokens::new(source, syntax).map(show).collect()
}

#[test]
fn splits_xml() {
    let source = "<?xml v?><w:p a='1' b = \"2\"><w:br/>x &amp; y<![CDATA[<z>]]></w:p><!-- c -->";
    assert_eq!(
        shown(source, Syntax::Xml),
        [
            "comment xml v?",
            "start w:p a=1 b=2",
            "start w:br /",
            "text x &amp; y",
            "verbatim <z>",
            "end w:p",
            "comment  c "
        ]
    );
}

#[test]
fn keeps_what_browsers_accept() {
    let source = "1 < 2<!--> <P title=a hidden>t<Script>if (a</b) {}</SCRIPT ><!-- x --!>y<!x><textarea><b></textarea>";
    assert_eq!(
        shown(source, Syntax::Html),
        [
            "text 1 < 2",
            "comment ",
            "text  ",
            "start P title=a hidden=",
            "text t",
            "start Script",
            "verbatim if (a</b) {}",
            "end SCRIPT",
            "comment  x ",
            "text y",
            "comment x",
            "start textarea",
            "text <b>",
            "end textarea"
        ]
    );
}

#[test]
fn reads_to_the_end_of_what_is_not_closed() {
    for (source, expected) in [
        ("<!-- secret", "comment  secret"),
        ("<p title=\"secret", "start p title=secret"),
        ("<script>secret", "verbatim secret"),
        ("</secret", "end secret"),
    ] {
        assert_eq!(shown(source, Syntax::Html).last().map(String::as_str), Some(expected), "{source}");
    }
}

#[test]
fn patches_leave_the_rest_as_it_was() {
    let source = "<a href=x>one</a>";
    let mut patches = Patches::new();
    for token in Tokens::new(source, Syntax::Html) {
        match token {
            Token::Text(range) => patches.replace(range, encode("1 & 2")),
            Token::Start(tag) => patches.replace_attribute(&tag.attributes[0], "y\"z"),
            _ => {}
        }
    }
    assert_eq!(patches.apply(source), "<a href=\"y&quot;z\">1 &amp; 2</a>");
}
