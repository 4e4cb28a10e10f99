//! Documents with a text in each place that their formats have.

use std::io::{Cursor, Read as _, Write as _};

use flate2::{Compression, write::ZlibEncoder};
use pdf_writer::{
    Content, Filter, Finish as _, Name, Pdf, Rect, Ref, Str, TextStr,
    types::{ActionType, AnnotationType, TextRenderingMode},
};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const DRAWING: &str = "http://schemas.openxmlformats.org/drawingml/2006/main";
const SHEET: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const SLIDES: &str = "http://schemas.openxmlformats.org/presentationml/2006/main";

/// Returns a ZIP archive of these entries.
pub fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, contents) in entries {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        writer.start_file(*name, options).unwrap();
        writer.write_all(contents).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn package(main: &str, part: &str, parts: &[(&str, String)]) -> Vec<u8> {
    let types = format!(
        "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
         <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Override PartName=\"/{part}\" ContentType=\"application/vnd.openxmlformats-officedocument.{main}.main+xml\"/></Types>"
    );
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
    let links = "http://schemas.openxmlformats.org/package/2006/relationships";
    let rels = format!(
        "<Relationships xmlns=\"{links}\"><Relationship Id=\"rId1\" Type=\"{office}\" Target=\"{part}\"/></Relationships>"
    );
    let mut entries: Vec<(&str, &[u8])> =
        vec![("[Content_Types].xml", types.as_bytes()), ("_rels/.rels", rels.as_bytes())];
    entries.extend(parts.iter().map(|(name, contents)| (*name, contents.as_bytes())));
    zip(&entries)
}

/// Returns a DOCX file whose body is this XML, with further parts.
pub fn docx(body: &str, parts: &[(&str, String)]) -> Vec<u8> {
    let document = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><w:document xmlns:w=\"{WORD}\" xmlns:a=\"{DRAWING}\"><w:body>{body}</w:body></w:document>"
    );
    let mut all = vec![("word/document.xml", document)];
    all.extend(parts.iter().map(|(name, text)| (*name, text.clone())));
    package("wordprocessingml.document", "word/document.xml", &all)
}

/// Returns a paragraph of a DOCX file, with a run for each text.
pub fn paragraph(runs: &[&str]) -> String {
    let runs: Vec<_> =
        runs.iter().map(|text| format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>")).collect();
    let runs = runs.concat();
    format!("<w:p>{runs}</w:p>")
}

/// Returns an XLSX file with these rows of text, kept as shared strings, with further parts.
pub fn xlsx(rows: &[&[&str]], parts: &[(&str, String)]) -> Vec<u8> {
    let strings = rows.iter().flat_map(|row| row.iter()).map(|text| format!("<si><t>{text}</t></si>"));
    let strings = strings.collect::<Vec<_>>().concat();
    let (mut next, mut sheet) = (0, Vec::new());
    for (at, row) in rows.iter().enumerate() {
        let mut cells = Vec::new();
        for column in 0..row.len() {
            let letter = char::from(b'A' + column as u8);
            cells.push(format!("<c r=\"{letter}{}\" t=\"s\"><v>{next}</v></c>", at + 1));
            next += 1;
        }
        sheet.push(format!("<row r=\"{}\">{}</row>", at + 1, cells.concat()));
    }
    let mut all = vec![
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns=\"{SHEET}\"><sheets><sheet name=\"One\" sheetId=\"1\"/></sheets></workbook>"
            ),
        ),
        ("xl/worksheets/sheet1.xml", worksheet(&sheet.concat())),
        ("xl/sharedStrings.xml", format!("<sst xmlns=\"{SHEET}\">{strings}</sst>")),
    ];
    all.extend(parts.iter().map(|(name, text)| (*name, text.clone())));
    package("spreadsheetml.sheet", "xl/workbook.xml", &all)
}

/// Returns the part of a sheet with these rows.
pub fn worksheet(rows: &str) -> String {
    format!("<worksheet xmlns=\"{SHEET}\"><sheetData>{rows}</sheetData></worksheet>")
}

/// Returns a PPTX file with a slide for each text, with further parts.
pub fn pptx(slides: &[&str], parts: &[(&str, String)]) -> Vec<u8> {
    let mut names = Vec::new();
    for at in 1..=slides.len() {
        names.push(format!("ppt/slides/slide{at}.xml"));
    }
    let mut all = vec![("ppt/presentation.xml", format!("<p:presentation xmlns:p=\"{SLIDES}\"/>"))];
    for (name, text) in names.iter().zip(slides) {
        all.push((name, slide("p:sld", text)));
    }
    all.extend(parts.iter().map(|(name, text)| (*name, text.clone())));
    package("presentationml.presentation", "ppt/presentation.xml", &all)
}

/// Returns a slide or its notes with one paragraph.
pub fn slide(root: &str, text: &str) -> String {
    format!(
        "<{root} xmlns:p=\"{SLIDES}\" xmlns:a=\"{DRAWING}\"><p:cSld><p:spTree><p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"Box\"/></p:nvSpPr>\
         <p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></{root}>"
    )
}

/// A line on a page of a PDF.
#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    /// Its text, in ASCII.
    pub text: &'t str,
    /// Size in points.
    pub size: f32,
    /// Shade of gray; 1 is white.
    pub gray: f32,
    /// True for the rendering mode that draws nothing (ISO 32000-1, section 9.3.6).
    pub is_invisible: bool,
    /// Distance from the left edge in points.
    pub left: f32,
}

impl<'t> Line<'t> {
    /// A line that a reader sees.
    pub const fn visible(text: &'t str) -> Self {
        Self { text, size: 12.0, gray: 0.0, is_invisible: false, left: 72.0 }
    }
}

/// Texts of a PDF beside its pages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'t> {
    /// Title in the properties.
    pub title: &'t str,
    /// Text of a note on the first page.
    pub note: &'t str,
    /// Script that runs when the file is opened.
    pub script: &'t str,
    /// Address of a link on the first page.
    pub link: &'t str,
    /// Contents of an attached file.
    pub attachment: &'t str,
}

/// Returns a small PDF whose page unpacks to this many bytes.
pub fn pdf_bomb(bytes: u64) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    std::io::copy(&mut std::io::repeat(b' ').take(bytes), &mut packed).expect("memory takes every write");
    let packed = packed.finish().expect("memory takes every write");
    let mut pdf = Pdf::new();
    let (catalog, tree, page_id, content) = (Ref::new(1), Ref::new(2), Ref::new(3), Ref::new(4));
    pdf.catalog(catalog).pages(tree);
    pdf.pages(tree).kids([page_id]).count(1);
    pdf.page(page_id).media_box(Rect::new(0.0, 0.0, 595.0, 842.0)).parent(tree).contents(content);
    pdf.stream(content, &packed).filter(Filter::FlateDecode);
    pdf.finish()
}

/// Returns a PDF with these lines on each page.
pub fn pdf(pages: &[&[Line<'_>]], beside: Beside<'_>) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let (catalog, tree, font, attached) = (Ref::new(1), Ref::new(2), Ref::new(3), Ref::new(4));
    let (script, note, link, info) = (Ref::new(5), Ref::new(6), Ref::new(7), Ref::new(8));
    let page_ids: Vec<_> = (0..pages.len()).map(|at| Ref::new(20 + 2 * at as i32)).collect();
    pdf.catalog(catalog).pages(tree).pair(Name(b"OpenAction"), script);
    pdf.pages(tree).kids(page_ids.iter().copied()).count(pages.len() as i32);
    pdf.type1_font(font).base_font(Name(b"Helvetica"));
    pdf.embedded_file(attached, beside.attachment.as_bytes());
    pdf.indirect(script)
        .dict()
        .pair(Name(b"S"), Name(b"JavaScript"))
        .pair(Name(b"JS"), TextStr(beside.script));
    let rect = Rect::new(500.0, 700.0, 520.0, 720.0);
    let mut annotation = pdf.annotation(note);
    annotation.subtype(AnnotationType::Text).rect(rect).contents(TextStr(beside.note));
    annotation.finish();
    let mut annotation = pdf.annotation(link);
    annotation.subtype(AnnotationType::Link).rect(rect);
    annotation.action().action_type(ActionType::Uri).uri(Str(beside.link.as_bytes()));
    annotation.finish();
    pdf.document_info(info).title(TextStr(beside.title));
    for (id, lines) in page_ids.iter().zip(pages) {
        let content_id = Ref::new(id.get() + 1);
        let mut page = pdf.page(*id);
        page.media_box(Rect::new(0.0, 0.0, 595.0, 842.0)).parent(tree).contents(content_id);
        page.annotations([note, link]);
        page.resources().fonts().pair(Name(b"F1"), font);
        page.finish();
        let mut content = Content::new();
        for (at, line) in lines.iter().enumerate() {
            content.begin_text().set_font(Name(b"F1"), line.size).set_fill_gray(line.gray);
            let mode = if line.is_invisible { TextRenderingMode::Invisible } else { TextRenderingMode::Fill };
            content.set_text_rendering_mode(mode);
            content.next_line(line.left, 770.0 - 20.0 * at as f32).show(Str(line.text.as_bytes())).end_text();
        }
        pdf.stream(content_id, &content.finish());
    }
    pdf.finish()
}
