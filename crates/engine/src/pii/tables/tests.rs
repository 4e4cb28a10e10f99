use super::{super::Scanner, Column};

fn read(text: &str) -> Vec<(Column, &str)> {
    let scan = Scanner::new(text);
    scan.cells().iter().map(|cell| (cell.column, cell.span.of(text))).collect()
}

#[test]
fn a_heading_says_what_the_cells_under_it_are() {
    for text in [
        "nom;telephone\nMoreau;0612",
        "| Nom | Telephone |\n| Moreau | 0612 |",
        "id\tNom\ttelephone\r\n1\tMoreau\t0612\r\n",
        "Here it is:\n\"nom\",\"telephone\",\"note\"\n\"Moreau\",\"0612\",\"a, b\"\n\nThat was it",
        "INSERT INTO people (id, nom, telephone) VALUES (1, 'Moreau', '0612');",
        "<tr><th>Nom</th><th class=\"n\">Telephone</th></tr>\n<tr><td>Moreau</td><td>0612</td></tr>",
        "insert into people (nom, note, telephone)\nvalues ('Moreau', 'a, (b)', '0612')",
    ] {
        assert_eq!(read(text), [(Column::AnyName, "Moreau"), (Column::Phone, "0612")], "{text}");
    }
}

#[test]
fn beside_a_column_of_given_names_a_name_is_a_surname() {
    let names = [(Column::PersonName, "Moreau"), (Column::PersonName, "Ada")];
    assert_eq!(read("nom;prénom\nMoreau;Ada"), names);
}

#[test]
fn two_blanks_part_the_cells_of_a_drawn_table() {
    let cells = [(Column::Username, "anna b"), (Column::Phone, "0612")];
    assert_eq!(read("user      telephone\nanna b    0612"), cells);
    assert_eq!(read("user   | telephone\n-------+-------\nanna b | 0612"), cells);
}

#[test]
fn every_row_is_read_until_a_line_has_other_cells() {
    let cells = |text| read(text).into_iter().map(|(_, cell)| cell).collect::<Vec<_>>();
    assert_eq!(cells("user;note\nanna;1\nbert;2\nThe end; really; so\ncarl;3"), ["anna", "bert"]);
    assert_eq!(cells("INSERT INTO t (user, a) VALUES ('anna', 1), ('bert', 2); (c, d)"), ["anna", "bert"]);
}

#[test]
fn keys_that_belong_together_hold_a_name() {
    let text = r#"[{"first":"Ada","last":"Byron"},{"first":"1","total":"9"}]"#;
    assert_eq!(read(text), [(Column::PersonName, "Ada"), (Column::PersonName, "Byron")]);
}

#[test]
fn prose_and_code_are_no_tables() {
    for text in [
        "Give me your name, please\nand your age, too",
        "name, phone",
        "fn f(name, phone)\nlet a = (b, c)",
        "name: Ada\nphone: 1",
        "user, password,\nself.host, port,",
        "<p><th><tr>",
        "NAME    READY   AGE\nnginx   1/1     5d",
        "price;total\n1;2",
        "INSERT INTO t VALUES (1, 'a')",
        "INSERT INTO t (name, phone",
        "INSERT INTO t (name, phone) VALUES ('a, 1",
    ] {
        assert_eq!(read(text), [], "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_search_panic(text in "(name|tel|;|,|\\||\t|\n|\"|'|\\(|\\)|INSERT INTO |VALUES |é|\\PC){0,40}") {
        for cell in Scanner::new(&text).cells() {
            proptest::prop_assert!(text.get(cell.span.start..cell.span.end).is_some());
        }
    }
}
