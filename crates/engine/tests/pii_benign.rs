//! Harmless text in which nothing personal may be found.

use guardengine_engine::{pii::find_all, text::Text};

const BENIGN: &[&str] = &[
    // Versions
    "Upgrade to version 2.14.3 before Friday.",
    "rustc 1.90.0 (1159e78c4 2025-09-14)",
    "linux 6.8.0-45-generic #45-Ubuntu SMP x86_64",
    "assembly 4.0.30319.42000",
    "Chrome/124.0.6367.118 Safari/537.36",
    "pip install numpy==1.26.4 pandas>=2.2,<3",
    "\"react\": \"^18.3.1\", \"vite\": \"5.4.10\"",
    "firmware 10.4.2.1 fixes the call quality",
    // Dates and times
    "The phone call is on 2024-01-15 at 10:30.",
    "2024-01-15T10:30:00Z request done in 12 ms",
    "2024-01-15T10:30:00.123456+02:00",
    "Von 01.02.2023 bis 28.02.2023 geschlossen",
    "12/25/2024 and 01/01/2025 are holidays",
    "Unix time 1700000000 was in November 2023",
    "duration 01:23:45.678",
    "seasons 2018-2019 and 2022/2023",
    "会议在2024年3月15日下午3点开始",
    "[15/Jan/2024:10:30:00 +0000]",
    // Orders, products, references
    "Order #4711-0815 has shipped.",
    "Your order 112-7654321-9876543 arrives tomorrow",
    "ticket 20240115-0042 is closed",
    "Invoice INV-2024-001234 is due",
    "ISBN 978-3-16-148410-0",
    "EAN 4006381333931 on the shelf",
    "part no. 123-456-7890-B",
    "SKU 00012345678 is out of stock",
    "The model RTX-4090 costs less than an A100-80GB",
    "RFC 5322 and RFC 8259, section 3.2.1",
    "DOI 10.1000/182 and arXiv:2301.01234",
    "CVE-2024-3094 affects xz 5.6.0 and 5.6.1",
    // Hashes and identifiers
    "commit da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "md5 d41d8cd98f00b204e9800998ecf8427e",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "trace_id=4bf92f3577b34da6a3ce929d0e0e4736",
    "git checkout 1a2b3c4d",
    "color: #1a2b3c; background: #ff00aa80;",
    "etag: \"33a64df551425fcc55e4d42a148795d9f25f89d4\"",
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    // Code
    "for (int i = 0; i < 1000000; i++) { sum += i * 31; }",
    "@Override public String toString() { return name; }",
    "@app.route('/users/<int:user_id>')",
    "def login(username: str, password: str) -> bool:",
    "password = getpass.getpass()",
    "const token = await fetchToken();",
    "let key = std::env::var(\"API_KEY\")?;",
    "api_key=os.environ[\"OPENAI_API_KEY\"]",
    "assert_eq!(a::b::c(1_000_000), 0xDEADBEEF);",
    "0x7ffee4b5c8a0 in main () at main.c:42",
    "git clone git@github.com:rust-lang/rust.git",
    "import x from '@scope/package@1.2.3'",
    "SELECT username, password FROM users WHERE id = 42;",
    "matrix = A@B + C",
    "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]",
    "port: 8080, timeout: 30000, retries: 5",
    "ALTER TABLE users ADD COLUMN login VARCHAR(255);",
    "if (token == null) return Response.status(401);",
    "<input type=\"password\" name=\"password\" required>",
    "username: string;",
    "bind 127.0.0.1:8080 and [::1]:8080",
    "netmask 255.255.255.0",
    "server 0.0.0.0:80",
    "icon@2x.png",
    // Figures, tables, maths
    "id,price,qty\n1001,19.99,3\n1002,5.49,12\n1003,1299.00,1",
    "revenue grew from 1,234,567 to 12,345,678 dollars",
    "$1,299.99 or 1.299,99 € or ¥150000",
    "pi is 3.14159265358979 and e is 2.718281828459045",
    "6.02214076e23 and 1.380649e-23",
    "12345678 * 87654321 = 1082152022374638",
    "0.1234, 0.5678, 0.9012, 0.3456",
    "loss 0.6931 0.5123 0.4321 0.3987",
    "100 200 300 400 500 600 700 800 900",
    "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
    "population: 1412000000",
    "speed of light 299792458 m/s",
    "<path d=\"M 40.7128,-74.0060 L 41.1234,-73.5678 Z\"/>",
    "transform: matrix(0.8660, 0.5000, -0.5000, 0.8660, 0, 0)",
    "lottery numbers 06 12 34 56 78",
    "temperature from -12.5 to 38.7, humidity 45%",
    // Games, recipes, sport, talk
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7",
    "Mix 250 g flour, 2 eggs and 1/2 l milk; bake 45 min at 180 °C.",
    "They won 3-2 after 120 minutes, 5-4 on penalties.",
    "Add 1 1/2 cups of sugar and 3/4 teaspoon of salt.",
    "Call me maybe is a song from 2011.",
    "I forgot my password, how do I reset it?",
    "A good password has at least 12 characters.",
    "The password is required, the username is optional.",
    "User: hello\nAssistant: Hi! How can I help?",
    "What does the user name the file?",
    "login: click the button in the corner",
    "Please send it to me at home or at work.",
    "We met at noon, dot your i's.",
    "Handy tips: cut 3 slices",
    "My phone has 256 GB and a 5000 mAh battery.",
    "The new mobile has a 6.78 inch display with 2780x1264 pixels",
    "telephone game, phone booth, cell wall",
    "Windows 10.0.19045.4291 is out",
    "page 123-456 of the second volume",
    // Logs
    "INFO 2024-01-15 10:30:00,123 worker-7 took 1234567 ns",
    "GET /api/v1/orders/123456789/items?page=2 HTTP/1.1 200 5316",
    "E0115 10:30:00.123456 7 main.go:42] exit 137",
    "127.0.0.1 - - \"GET / HTTP/1.1\" 200 612",
    "pid 12345 mem 1048576 cpu 99.7",
    "retry 3/5 after 1500ms, x-request-id 7f3c2b1a",
];

#[test]
fn harmless_text_holds_nothing_personal() {
    let flagged: Vec<_> = BENIGN
        .iter()
        .flat_map(|line| {
            find_all(&Text::new(line)).into_iter().map(move |found| (line, found.kind, found.value))
        })
        .collect();
    assert!(flagged.is_empty(), "{flagged:#?}");
}

#[test]
fn harmless_lines_stay_harmless_side_by_side() {
    let text = BENIGN.join("\n\n");
    let flagged: Vec<_> =
        find_all(&Text::new(&text)).into_iter().map(|found| (found.kind, found.value)).collect();
    assert!(flagged.is_empty(), "{flagged:#?}");
}
