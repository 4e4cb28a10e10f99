use super::{Kind, fields};

fn read(text: &str) -> Vec<(Kind, &str)> {
    fields(text).iter().map(|field| (field.kind, field.value.span.of(text))).collect()
}

#[test]
fn a_password_is_read_in_any_notation() {
    for (text, value) in [
        (r#"{"password":"ab\"cd9xQ7"}"#, r#"ab\"cd9xQ7"#),
        (r#"{"args":"{\"password\":\"maple7\"}"}"#, "maple7"),
        ("password: maple7 # note", "maple7"),
        ("password = 'maple 7'", "maple 7"),
        ("db.password=maple7", "maple7"),
        ("PGPASSWORD=maple7 psql", "maple7"),
        ("?user=a&password=maple7&next=/home", "maple7"),
        ("Server=db;Password=maple7;Encrypt=True", "maple7"),
        ("tool --db-password maple7 --yes", "maple7"),
        ("<DbPassword>maple7</DbPassword>", "maple7"),
        ("ALTER USER a IDENTIFIED BY 'maple7'", "maple7"),
        ("- name: DB_PASSWORD\n  value: maple7", "maple7"),
        ("Le mot de passe est maple7", "maple7"),
        ("密码是maple7", "maple7"),
        ("비밀번호는 maple7", "maple7"),
    ] {
        assert_eq!(read(text), [(Kind::Password, value)], "{text}");
    }
}

#[test]
fn the_nearest_label_decides() {
    assert_eq!(read("passport / account number: 4471882"), [(Kind::BankAccount, "4471882")]);
    assert_eq!(read("api token password: maple7"), [(Kind::Password, "maple7")]);
}

#[test]
fn a_label_inside_a_value_is_none() {
    assert_eq!(read("token: my-password:x"), [(Kind::Secret, "my-password:x")]);
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "(password|account no|token|=|: | is |\"|\\\\|<|>|value|&|;|密码|٣|\\PC|\n){0,14}") {
        let mut end = 0;
        for field in fields(&text) {
            proptest::prop_assert!(!field.value.span.of(&text).is_empty());
            proptest::prop_assert!(field.key.start <= field.value.span.start);
            end = end.max(field.value.span.end);
        }
        proptest::prop_assert!(end <= text.len());
    }
}
