use super::Username;
use crate::pii::{PiiType, Scanner};

fn found(text: &str) -> Vec<&str> {
    let scan = Scanner::new(text);
    let mut found: Vec<_> =
        scan.fields().iter().filter_map(|field| Username.labelled(&scan, field)).collect();
    Username.find(&scan, &mut found);
    found.dedup_by_key(|found| found.span);
    found.iter().map(|found| found.span.of(text)).collect()
}

#[test]
fn a_name_after_its_label_is_found() {
    for (text, name) in [
        ("username: jdoe", "jdoe"),
        ("Login: j.doe42, please", "j.doe42"),
        ("\"userName\": \"maria_k\",", "maria_k"),
        ("user id = anna99;", "anna99"),
        ("Benutzername: kschmidt", "kschmidt"),
        ("用户名：liwei88", "liwei88"),
        ("felhasználónév: kovacs_b", "kovacs_b"),
        ("Käyttäjätunnus: virtanen7", "virtanen7"),
        ("tool --http-user=marta_k --yes", "marta_k"),
        ("логин: petrov77", "petrov77"),
        ("twitter: @jane_doe", "@jane_doe"),
        ("my username is jsmith42", "jsmith42"),
        ("follow me on Instagram @jane.doe.", "@jane.doe"),
        ("username: admin, role: x", "admin"),
        ("Username is gallaghercurtis and the password is secret", "gallaghercurtis"),
        ("event=checkout user=arobinson ip=10.1.2.3", "arobinson"),
        ("Accepted publickey for carla_m from 10.0.0.7 port 22", "carla_m"),
        ("ssh tovey.k@10.0.0.7 -p 22", "tovey.k"),
        ("my discord is ottermoss, add me", "ottermoss"),
        ("my steam name is mossyOtter7", "mossyOtter7"),
        ("@mossy_otter thanks for the fix!", "@mossy_otter"),
        ("many thanks to @mossy_otter for the fix", "@mossy_otter"),
        ("La contraseña de mossy_otter es gato!99", "mossy_otter"),
        ("user;role\njdoe;clerk", "jdoe"),
        (r#"{"user":"mossfern","ip":"10.2.3.4"}"#, "mossfern"),
        (r#"c = connect("10.4.3.7", user="MossyOtter", password="x")"#, "MossyOtter"),
        ("My login is MossyOtter, call me", "MossyOtter"),
        ("curl -u jdoe:hunter2 https://x.example", "jdoe"),
    ] {
        assert_eq!(found(&text.replace('：', ":")), [name], "{text}");
    }
}

#[test]
fn talk_transcripts_and_code_name_nobody() {
    for text in [
        "User: hello",
        "the user wants this",
        "login: click here to go on",
        "username: string",
        "username = request.form",
        "username=input()",
        "user: can you help?",
        "github: see the link",
        "username: <name>",
        "login failed: timeout",
        r#"connect(user="admin", password=secret)"#,
        "the login is OAuth based",
        "handle: the lever of a door",
        "user_id: 42",
        "your username is incorrect, try again",
        "the username is already taken.",
        "Order.objects.filter(user=customer)",
        "user = account \n",
        "SELECT 1 FROM o JOIN u ON o.user_id = u.id",
        "user_id=account.user_id",
        "@Override public void run()",
        "@media screen and (max-width: 3px)",
        "@pytest.fixture\ndef client():",
        "@property\ndef size(self):",
        "npm install @angular/core today",
        "DECLARE @user_total INT",
        "Failed password for invalid user admin from 203.0.113.9 port 51122",
        "SET @row_number = 0",
        "@param user_id who it is",
        "write to jane_doe@example.com today",
        "ssh git@github.com and ssh root@host",
        "my discord is broken, sorry",
        "my github is private",
        "The password for everyone is changed",
        "Connection accepted for review from us",
    ] {
        assert_eq!(found(text), Vec::<&str>::new(), "{text}");
    }
}
