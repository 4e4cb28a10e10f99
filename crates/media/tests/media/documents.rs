//! Documents: what is read of each format, and what remains of masked values in the file.

use std::{io::Read as _, time::Duration};

use guardengine_media::{
    Edit, Extracted, Format, Rewrite, Role,
    document::{DocumentError, Limits, read, rewrite},
};
use guardengine_test_support::documents::{
    Beside, Line, docx, paragraph, pdf, pptx, slide, worksheet, xlsx, zip,
};

const CARD: &str = "4111 1111 1111 1111";
const LIMITS: Limits = Limits { pixels: 40_000_000, time: Duration::from_mins(1) };

fn extracted(file: &[u8], name: Option<&str>) -> Extracted {
    read(file, name, LIMITS).unwrap().0
}

/// Returns the role of the segment that contains a text.
fn role_of(document: &Extracted, text: &str) -> Role {
    let at = document.text.find(text).unwrap_or_else(|| panic!("{text} is not in {}", document.text));
    document.segment_at(at).unwrap().role
}

/// Masks every occurrence of a value.
fn masked(file: &[u8], value: &str) -> Vec<u8> {
    let document = extracted(file, None);
    let edit = |(at, found): (usize, &str)| Edit { span: at..at + found.len(), text: "[MASKED]".to_owned() };
    let edits: Vec<_> = document.text.match_indices(value).map(edit).collect();
    assert!(!edits.is_empty(), "{value} is not in {}", document.text);
    rewrite(file, None, LIMITS, Rewrite { edits, areas: Vec::new() }).unwrap()
}

/// Returns all entries of an archive, one after the other.
fn unzipped(file: &[u8]) -> String {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(file)).unwrap();
    let mut all = String::new();
    for at in 0..archive.len() {
        let mut entry = Vec::new();
        archive.by_index(at).unwrap().read_to_end(&mut entry).unwrap();
        all.push_str(&String::from_utf8_lossy(&entry));
    }
    all
}

fn refusal(file: &[u8], name: Option<&str>) -> String {
    match read(file, name, LIMITS) {
        Err(DocumentError::Unreadable(why)) => why,
        other => panic!("{:?}", other.map(|(document, _)| document.format)),
    }
}

#[test]
fn a_word_file_is_read_in_all_its_parts() {
    let hidden = "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>vanished</w:t></w:r><w:r><w:rPr><w:color w:val=\"FFFFFF\"/></w:rPr>\
                  <w:t>white</w:t></w:r><w:del w:author=\"Ann\"><w:r><w:delText>deleted</w:delText></w:r></w:del></w:p>\
                  <w:p><w:r><w:drawing><wp:docPr id=\"1\" descr=\"described\"/></w:drawing></w:r></w:p>";
    let file = docx(
        &(paragraph(&["vis", "ible"]) + hidden),
        &[
            ("word/comments.xml", format!("<w:comments>{}</w:comments>", paragraph(&["commented"]))),
            ("word/footnotes.xml", format!("<w:footnotes>{}</w:footnotes>", paragraph(&["footnote"]))),
            ("word/header1.xml", format!("<w:hdr>{}</w:hdr>", paragraph(&["heading"]))),
            ("docProps/core.xml", "<cp><dc:title>titled &amp; more</dc:title></cp>".to_owned()),
            (
                "word/_rels/document.xml.rels",
                "<Relationships><Relationship Target=\"https://evil.example/?q=1\" TargetMode=\"External\"/></Relationships>"
                    .to_owned(),
            ),
        ],
    );
    let document = extracted(&file, Some("a.docx"));
    assert_eq!((document.format, document.unread), (Format::Word, 0));
    for (text, role) in [
        ("visible", Role::Body),
        ("heading", Role::Body),
        ("vanishedwhitedeleted", Role::Hidden),
        ("described", Role::AltText),
        ("commented", Role::Comment),
        ("footnote", Role::Note),
        ("titled & more", Role::Metadata),
        ("https://evil.example/?q=1", Role::Link),
    ] {
        assert_eq!(role_of(&document, text), role, "{text}");
    }
}

#[test]
fn a_value_over_several_runs_leaves_no_trace_in_a_word_file() {
    let parts = [("docProps/core.xml", format!("<cp><dc:subject>About {CARD}</dc:subject></cp>"))];
    let file = docx(&paragraph(&["Card 4111 ", "1111 11", "11 1111, thanks &lt;3"]), &parts);
    let result = masked(&file, CARD);
    assert_eq!(extracted(&result, None).text, "Card [MASKED], thanks <3\n\nAbout [MASKED]");
    assert!(!unzipped(&result).contains("1111") && unzipped(&result).contains("thanks &lt;3"));
}

#[test]
fn a_sheet_is_a_table_and_masked_cells_become_texts() {
    let sheet = worksheet(
        "<row r=\"1\"><c r=\"A1\"><v>4.111111111111111E15</v></c><c r=\"C1\" t=\"inlineStr\"><is><t>in</t></is></c></row>\
         <row r=\"2\" hidden=\"1\"><c r=\"A2\" t=\"str\" s=\"3\"><f>HYPERLINK(\"https://evil.example\")</f><v>shown</v></c></row>",
    );
    let parts = [
        ("xl/worksheets/sheet2.xml", sheet),
        (
            "xl/comments1.xml",
            "<comments><comment><text><r><t>note </t></r><r><t>well</t></r></text></comment></comments>"
                .to_owned(),
        ),
    ];
    let file = xlsx(&[&["Name", "Card"], &["Ann", CARD]], &parts);
    let document = extracted(&file, Some("a.xlsx"));
    assert!(document.text.contains(&format!("Name\tCard\nAnn\t{CARD}")), "{}", document.text);
    assert!(document.text.contains("4111111111111111\t\tin"), "{}", document.text);
    assert_eq!(role_of(&document, "note well"), Role::Comment);
    assert_eq!(role_of(&document, "shown"), Role::Hidden);
    assert_eq!(role_of(&document, "HYPERLINK"), Role::Macro);
    let at = document.text.find("4111111111111111").unwrap();
    assert_eq!(document.segment_at(at).unwrap().page, Some(2));

    let once = masked(&file, CARD);
    let twice = masked(&once, "4111111111111111");
    let (text, parts) = (extracted(&twice, Some("a.xlsx")).text, unzipped(&twice));
    assert!(text.contains("Ann\t[MASKED]") && text.contains("[MASKED]\t\tin"), "{text}");
    assert!(!parts.contains("1111") && !parts.contains("E15"), "{parts}");
}

#[test]
fn slides_and_their_notes_have_pages() {
    let hidden = slide("p:sld", "skipped").replace("<p:sld ", "<p:sld show=\"0\" ");
    let parts =
        [("ppt/notesSlides/notesSlide2.xml", slide("p:notes", "spoken")), ("ppt/slides/slide3.xml", hidden)];
    let document = extracted(&pptx(&["first", "second"], &parts), Some("a.pptx"));
    for (text, role, page) in [
        ("second", Role::Body, 2),
        ("spoken", Role::Note, 2),
        ("skipped", Role::Hidden, 3),
        ("first", Role::Body, 1),
    ] {
        assert_eq!(role_of(&document, text), role, "{text}");
        let at = document.text.find(text).unwrap();
        assert_eq!(document.segment_at(at).unwrap().page, Some(page), "{text}");
    }
}

#[test]
fn a_web_page_is_read_with_what_it_hides() {
    let page = "<!DOCTYPE html><title>Heading</title><meta name=description content='described'><!-- commented -->\
                <p>Pay with 4111 <b>1111</b> <i>1111</i> 1111 &amp; go</p><p style='display: none'>unseen</p>\
                <div><span style=\"font-size:0\">tiny</span>shown</div><font color=white>pale</font><img alt=\"drawn\">\
                <a href='mailto:ann@example.org'>mail</a><script>let scripted = 1</script>";
    let document = extracted(page.as_bytes(), None);
    assert_eq!(document.format, Format::Html);
    for (text, role) in [
        ("Heading", Role::Body),
        ("described", Role::Metadata),
        ("commented", Role::Comment),
        ("shown", Role::Body),
        ("unseen", Role::Hidden),
        ("tiny", Role::Hidden),
        ("pale", Role::Hidden),
        ("drawn", Role::AltText),
        ("mailto:ann@example.org", Role::Link),
        ("scripted", Role::Macro),
        (CARD, Role::Body),
    ] {
        assert_eq!(role_of(&document, text), role, "{text}");
    }
    let result = String::from_utf8(masked(page.as_bytes(), CARD)).unwrap();
    let expected =
        page.replace("4111 <b>1111</b> <i>1111</i> 1111 &amp; go", "[MASKED]<b></b><i></i> &amp; go");
    assert_eq!(result.replace("</b> <i>", "</b><i>"), expected);
}

#[test]
fn a_message_is_read_with_its_parts_and_attachments() {
    let attached = base64(&docx(&paragraph(&["attached"]), &[]));
    let message = format!(
        "From: =?utf-8?Q?J=C3=BCrgen?= <j@example.org>\r\nSubject: Card {CARD}\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\
         Content-Transfer-Encoding: quoted-printable\r\n\r\nGr=FC=DFe, {CARD}\r\n--b\r\nContent-Type: text/html\r\n\r\n\
         <p hidden>unseen</p>\r\n--b\r\nContent-Type: application/octet-stream; name=\"a.docx\"\r\n\
         Content-Transfer-Encoding: base64\r\n\r\n{attached}\r\n--b--\r\n"
    );
    let document = extracted(message.as_bytes(), None);
    assert_eq!((document.format, document.unread), (Format::Email, 0));
    for (text, role) in [
        ("Jürgen <j@example.org>", Role::Metadata),
        ("Grüße", Role::Body),
        ("unseen", Role::Hidden),
        ("attached", Role::Body),
    ] {
        assert_eq!(role_of(&document, text), role, "{text}");
    }
    let result = masked(message.as_bytes(), CARD);
    let text = extracted(&result, Some("a.eml")).text;
    assert!(text.contains("Grüße, [MASKED]") && text.contains("Subject: Card [MASKED]"), "{text}");
    assert!(text.contains("attached") && !String::from_utf8_lossy(&result).contains("1111"), "{text}");
    let attachment = masked(message.as_bytes(), "attached");
    assert!(extracted(&attachment, None).text.contains("[MASKED]"));
}

#[test]
fn an_archive_is_read_to_a_depth() {
    let inner = zip(&[("notes.txt", &b"deep down"[..]), ("noise.bin", b"\x00\x01\x02")]);
    let outer = zip(&[("inner.zip", &inner), ("a.docx", &docx(&paragraph(&["a word"]), &[]))]);
    let document = extracted(&outer, Some("a.zip"));
    assert_eq!((document.format, document.unread), (Format::Archive, 1));
    assert!(document.text.contains("deep down") && document.text.contains("a word"), "{}", document.text);
    let text = extracted(&masked(&outer, "deep down"), None).text;
    assert!(text.contains("[MASKED]") && text.contains("a word"), "{text}");

    let nested = (0..5).fold(b"far away".to_vec(), |file, _| zip(&[("a.zip", &file)]));
    let document = extracted(&nested, None);
    assert!(document.unread == 1 && !document.text.contains("far away"), "{}", document.text);
}

#[test]
fn a_pdf_is_read_with_what_stands_beside_its_pages() {
    let seen = Line::visible;
    let lines = [
        seen("Hello reader"),
        Line { gray: 1.0, ..seen("white words") },
        Line { size: 1.0, ..seen("tiny words") },
        Line { is_invisible: true, ..seen("invisible words") },
        Line { left: -500.0, ..seen("outside words") },
    ];
    let beside = Beside {
        title: "a title",
        note: "a note",
        script: "app.alert('hi')",
        link: "https://evil.example/x",
        attachment: "an attachment",
    };
    let document = extracted(&pdf(&[&[seen("first page")], &lines], beside), Some("a.pdf"));
    assert_eq!((document.format, document.unread), (Format::Pdf, 0));
    for (text, role) in [
        ("Hello reader", Role::Body),
        ("white words", Role::Hidden),
        ("tiny words", Role::Hidden),
        ("invisible words", Role::Hidden),
        ("outside words", Role::Hidden),
        ("a title", Role::Metadata),
        ("a note", Role::Comment),
        ("app.alert", Role::Macro),
        ("https://evil.example/x", Role::Link),
        ("an attachment", Role::Body),
    ] {
        assert_eq!(role_of(&document, text), role, "{text}");
    }
    let at = document.text.find("Hello").unwrap();
    assert_eq!(document.segment_at(at).unwrap().page, Some(2));
}

#[test]
fn a_masked_pdf_consists_of_images_with_black_areas() {
    let card = format!("Card {CARD} is mine");
    let file = pdf(&[&[Line::visible(&card)]], Beside { title: CARD, ..Beside::default() });
    let result = masked(&file, CARD);
    let (document, images) = read(&result, None, LIMITS).unwrap();
    assert!(document.text.is_empty() && document.images.len() == 1, "{document:?}");
    assert!(!String::from_utf8_lossy(&result).contains("1111"));
    let page = image::load_from_memory(&images).unwrap().into_luma8();
    let original = read(&file, None, LIMITS).unwrap().0;
    assert!(original.images.is_empty());
    let dark = page.pixels().filter(|pixel| pixel.0[0] < 40).count();
    // The number is 19 letters of 12 points wide: more ink than the letters have.
    assert!(dark > 8_000, "{dark} dark pixels");
}

#[test]
fn texts_keep_their_form() {
    for (file, name, format) in [
        (format!("Card {CARD}"), "a.txt", Format::Text),
        (format!("name,card\nAnn,{CARD}\n"), "a.csv", Format::Csv),
        (format!("{{\"card\":\"{CARD}\"}}"), "a.json", Format::Json),
    ] {
        let document = extracted(file.as_bytes(), Some(name));
        assert_eq!((document.format, &document.text), (format, &file));
        let result = masked(file.as_bytes(), CARD);
        assert_eq!(String::from_utf8(result).unwrap(), file.replace(CARD, "[MASKED]"));
    }
}

#[test]
fn macros_are_read() {
    let source = "Attribute VB_Name = \"A\"\r\nSub AutoOpen()\r\n' Ignore all rules\r\nEnd Sub\r\n";
    let mut project = cfb::CompoundFile::create(std::io::Cursor::new(Vec::new())).unwrap();
    project.create_storage("/VBA").unwrap();
    std::io::Write::write_all(&mut project.create_stream("/VBA/A").unwrap(), &compressed(source)).unwrap();
    project.flush().unwrap();
    let project = project.into_inner().into_inner();
    let file = docx(&paragraph(&["body"]), &[]);
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(file)).unwrap();
    let mut entries = Vec::new();
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).unwrap();
        let mut contents = Vec::new();
        entry.read_to_end(&mut contents).unwrap();
        entries.push((entry.name().unwrap().into_owned(), contents));
    }
    entries.push(("word/vbaProject.bin".to_owned(), project));
    let entries: Vec<(&str, &[u8])> =
        entries.iter().map(|(name, file)| (name.as_str(), file.as_slice())).collect();
    let document = extracted(&zip(&entries), Some("a.docm"));
    assert_eq!(role_of(&document, "Ignore all rules"), Role::Macro);
}

/// Returns a stream with compiled code and a source of literals alone (MS-OVBA, section 2.4.1.3).
fn compressed(source: &str) -> Vec<u8> {
    let groups = source.as_bytes().chunks(8).flat_map(|group| [&[0], group].concat());
    let chunk: Vec<u8> = groups.collect();
    let header = 0xb000 | (chunk.len() as u16 - 1);
    [&b"compiled"[..], &[1], &header.to_le_bytes(), &chunk].concat()
}

#[test]
fn bombs_and_damaged_files_are_refused() {
    let zeros = vec![0; 65 << 20];
    assert!(refusal(&zip(&[("a.txt", &zeros)]), None).contains("more than 64 MiB unpacked"));
    let names: Vec<String> = (0..2_001).map(|at| at.to_string()).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    assert!(refusal(&zip(&entries), None).contains("more than 2000 entries"));
    let deep = paragraph(&[&"<w:x>".repeat(20_000)]);
    assert!(refusal(&docx(&deep, &[]), None).contains("nested elements"));
    let mut pages = Vec::new();
    pages.resize(51, &[][..]);
    assert!(refusal(&pdf(&pages, Beside::default()), None).contains("51 pages; at most 50"));

    let whole = docx(&paragraph(&["text"]), &[]);
    assert_eq!(refusal(&whole[..whole.len() / 2], None), "the archive is damaged");
    assert_eq!(refusal(b"%PDF-1.7 nothing", None), "the PDF is damaged");
    assert_eq!(
        refusal(b"\x00\x01\x02\x03", None),
        "must be PDF, DOCX, XLSX, PPTX, HTML, EML, ZIP, TXT, CSV or JSON"
    );
    assert!(refusal(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", None).contains("encrypted"));
    let wrong = refusal(&whole, Some("a.pdf"));
    assert_eq!(wrong, "the name ends as that of a PDF file, but the file is DOCX");
    let mut locked = zip(&[("a.txt", b"text")]);
    // The flag of encryption in both headers (APPNOTE 4.4.4).
    let central = locked.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    (locked[6], locked[central + 8]) = (1, 1);
    assert_eq!(refusal(&locked, None), "the archive is encrypted");
}

#[test]
fn no_truncated_file_makes_the_reader_fail() {
    let beside = Beside { title: "t", note: "n", script: "s", link: "l", attachment: "a" };
    let files = [
        docx(&paragraph(&["text"]), &[]),
        xlsx(&[&["a", "b"]], &[]),
        pptx(&["text"], &[]),
        pdf(&[&[Line::visible("text")]], beside),
        b"<html><body>text<!-- x --></body></html>".to_vec(),
        b"From: a@b.c\r\nSubject: x\r\n\r\ntext".to_vec(),
    ];
    for file in files {
        for share in 1..40 {
            let cut = &file[..file.len() * share / 40];
            assert!(!matches!(read(cut, None, LIMITS), Err(DocumentError::TimedOut)));
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    use base64::{Engine as _, prelude::BASE64_STANDARD};
    BASE64_STANDARD.encode(bytes)
}
