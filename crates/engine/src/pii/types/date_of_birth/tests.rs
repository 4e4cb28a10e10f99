use super::{DateOfBirth, births};
use crate::pii::{PiiType, Scanner};

fn dates(text: &str) -> Vec<&str> {
    births(text).into_iter().map(|one| one.span.of(text)).collect()
}

#[test]
fn a_date_beside_a_word_of_birth_is_found() {
    for (text, date) in [
        ("She was born on 3 March 1987 in Leeds.", "3 March 1987"),
        ("DOB: 03/04/1987", "03/04/1987"),
        ("dob: 03/04/87", "03/04/87"),
        ("date of birth - 1987-04-03", "1987-04-03"),
        ("\"date_of_birth\": \"1990-12-31\"", "1990-12-31"),
        ("Born: March 3rd, 1987", "March 3rd, 1987"),
        ("my birthday is April 12, 1995", "April 12, 1995"),
        ("Born in Paris on 12 May 1980", "12 May 1980"),
        ("geboren am 03.04.1987 in Ulm", "03.04.1987"),
        ("Geburtsdatum: 3. März 1987", "3. März 1987"),
        ("née le 14 juillet 1979 à Lyon", "14 juillet 1979"),
        ("Fecha de nacimiento: 5 de mayo de 1970", "5 de mayo de 1970"),
        ("nato il 2 giugno 1966", "2 giugno 1966"),
        ("nascida em 25 de abril de 1974", "25 de abril de 1974"),
        ("geboren op 30 april 1980", "30 april 1980"),
        ("data urodzenia: 11.11.1988", "11.11.1988"),
        ("doğum tarihi: 23.04.1992", "23.04.1992"),
        ("родился 12 июня 1985 года", "12 июня 1985"),
        ("出生日期：1990年5月17日", "1990年5月17日"),
        ("1990年5月17日出生", "1990年5月17日"),
        ("生年月日: 1988年12月3日", "1988年12月3日"),
        ("생년월일: 1991년 2월 7일", "1991년 2월 7일"),
        ("DOB 19870403", "19870403"),
        ("N A M E :  Ada     D . O . B .   11.12.1960", "11.12.1960"),
        ("D.O.B. 03/04/1987", "03/04/1987"),
        ("geboren am 3.4.87 in Ulm", "3.4.87"),
        ("née le 14/07/79", "14/07/79"),
        ("nato il 2/6/66", "2/6/66"),
        ("nacido el 05/05/70", "05/05/70"),
        ("Jan Kos, ur. 11.11.1988 w Łodzi", "11.11.1988"),
        ("doğum tarihi: 23.04.92", "23.04.92"),
        ("geboren am 7.Mai 1984", "7.Mai 1984"),
        ("Született: 1984. május 7.", "1984. május 7"),
        ("Tgl. lahir: 07-05-1984", "07-05-1984"),
        ("born 2 May '71", "2 May '71"),
        ("昭和48年11月2日生まれ", "昭和48年11月2日"),
        ("Syntymäaikani on 2.11.1973", "2.11.1973"),
        ("rođen 2. studenoga 1973.", "2. studenoga 1973"),
        ("\"birth_date\": \"1973-11-02\"", "1973-11-02"),
    ] {
        assert_eq!(dates(text), [date], "{text}");
    }
}

#[test]
fn other_dates_are_no_dates_of_birth() {
    for text in [
        "Mozart was born on 27 January 1756.",
        "Shakespeare was born in 1564.",
        "She was born in 1978.",
        "Albert Einstein, born on 14 March 1879, changed physics.",
        "Elvis Presley was born on January 8, 1935.",
        "The meeting is on 3 March 2021.",
        "A star is born. Released on 5 October 2018.",
        "The invoice of 12.03.2020 is due.",
        "Newborn care since 03/04/1987",
        "date of birth: 99/99/1987",
        "The stubborn bug of 2020-01-02",
        "version 1.2.1987",
        "dob: required, format YYYY-MM-DD",
        "Write a function that validates a date of birth.",
        "A new idea was born in the office on 3.4.21",
        "La natura ur. La data",
        "The airborne division landed on 6 June 1944.",
    ] {
        assert_eq!(dates(text), [""; 0], "{text}");
    }
}

#[test]
fn a_column_of_births_holds_dates_of_birth() {
    let text = "client;dob;since\nA;1987-04-03;2020-01-02\nB;unknown;2021-01-02";
    let mut found = Vec::new();
    DateOfBirth.find(&Scanner::new(text), &mut found);
    let dates: Vec<_> = found.iter().map(|one| one.span.of(text)).collect();
    assert!(dates.contains(&"1987-04-03") && !dates.contains(&"unknown") && !dates.contains(&"2020-01-02"));
}
