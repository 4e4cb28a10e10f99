use std::io::Cursor;

use super::*;

/// A file of one row of two half floats (1.5 and -2), a scalar, and an alias.
fn file() -> Vec<u8> {
    let mut file = head(2);
    file.extend(variable("weight", &[1, 2], 4, &[0x00, 0x3e, 0x00, 0xc0]));
    file.extend(variable("heads", &[], 2, &[8, 0]));
    file.extend(1u32.to_le_bytes());
    file.extend([text("other"), text("weight")].concat());
    file
}

fn head(variables: u32) -> Vec<u8> {
    [&6u32.to_le_bytes(), &*text(KIND), &3u32.to_le_bytes(), &variables.to_le_bytes()].concat()
}

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u16 + 1).to_le_bytes(), text.as_bytes(), b"\0"].concat()
}

fn variable(name: &str, sizes: &[u32], kind: u8, data: &[u8]) -> Vec<u8> {
    let sizes: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
    let rank = [sizes.len() as u8 / 4];
    [&*text(name), &rank, &sizes, &[kind], &(data.len() as u32).to_le_bytes(), data].concat()
}

fn read(file: &[u8]) -> Result<ModelFile<Cursor<&[u8]>>, Reason> {
    ModelFile::read(Cursor::new(file), file.len() as u64)
}

#[track_caller]
fn assert_refused(file: &[u8], reason: &str) {
    assert_eq!(read(file).err().as_deref(), Some(reason));
}

#[test]
fn reads_half_floats_and_whole_numbers() {
    let file = file();
    let mut model = read(&file).unwrap();
    assert_eq!(model.floats("weight", &[1, 2]), Ok(vec![1.5, -2.0]));
    assert_eq!(model.integer("heads"), Ok(8));
    assert_eq!((model.has("other"), model.has("heads")), (false, true));
}

#[test]
fn names_what_a_variable_lacks() {
    let file = file();
    let mut model = read(&file).unwrap();
    assert_eq!(model.floats("bias", &[1]), Err("has no bias".to_owned()));
    let other = model.floats("weight", &[2, 1]);
    assert_eq!(other, Err("has weight as F16 [1, 2]; F16 [2, 1] is needed".to_owned()));
    assert_eq!(model.integer("weight"), Err("has weight with sizes; one number is needed".to_owned()));
}

#[test]
fn refuses_a_file_cut_short_anywhere() {
    let file = file();
    for length in 20..file.len() {
        assert_refused(&file[..length], "is cut short");
    }
    for length in 0..18 {
        assert_refused(&file[..length], "is not a Whisper model of CTranslate2");
    }
    assert_refused(&[&file[..], &[0]].concat(), "contains more than a model");
}

#[test]
fn refuses_absurd_counts_before_it_reads_on() {
    assert_refused(&head(u32::MAX), "has variables of 4294967295; at most 8192 are accepted");
    let sizes = [head(1), variable("weight", &[u32::MAX, 2], 4, &[])].concat();
    assert_refused(&sizes, "has weight of 4294967295; at most 262144 are accepted");
    let dimensions = [head(1), variable("weight", &[1; 5], 4, &[0, 0])].concat();
    assert_refused(&dimensions, "has weight with 5 dimensions; at most 4 are accepted");
    let product = [head(1), variable("weight", &[1 << 18; 4], 4, &[])].concat();
    assert_refused(
        &product,
        "has weight with 0 bytes, which do not fit its sizes [262144, 262144, 262144, 262144]",
    );
    let name = [head(1), 999u16.to_le_bytes().to_vec()].concat();
    assert_refused(&name, "has a name of 999 bytes; 1 to 256 are accepted");
}

#[test]
fn refuses_other_types_and_names() {
    let unknown = [head(1), variable("weight", &[], 77, &[])].concat();
    assert_refused(&unknown, "has weight of an unknown type");
    let twice = [head(2), variable("a", &[], 1, &[1]), variable("a", &[], 1, &[1])].concat();
    assert_refused(&twice, "has a twice, the first with 1 bytes");
    let not_text = [head(1), vec![2, 0, 0xff, 0]].concat();
    assert_refused(&not_text, "has a name that is not text");
    let mut other_version = file();
    other_version[0] = 5;
    assert_refused(&other_version, "is not a Whisper model of CTranslate2");
}

#[test]
fn refuses_numbers_that_are_not_finite() {
    let infinite =
        [head(1), variable("weight", &[1, 1], 4, &[0x00, 0x7c]), 0u32.to_le_bytes().to_vec()].concat();
    let mut model = read(&infinite).unwrap();
    let expected = Err("has weight with numbers that are not finite".to_owned());
    assert_eq!(model.floats("weight", &[1, 1]), expected);
}
