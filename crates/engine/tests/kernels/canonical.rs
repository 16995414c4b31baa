//! The canonical form: the examples of RFC 8785, and comparison with the reference.

use std::iter;

use fjson::ErrorKind;
use fjson::Framing;
use fjson::Input;
use fjson::Options;
use proof::canonical::canonical;
use proof::canonical::document;
use proof::generate;
use proof::mutate;
use proof::pieces::Pieces;
use proof::random::rounds;
use proof::seeds;
use proof::suites;

fn form(text: &str) -> Result<String, ErrorKind> {
    let mut sink = Vec::new();
    let result = fjson::canonical(text, &mut sink, &Options::new());
    result.map(|_| String::from_utf8(sink).expect("text")).map_err(|error| error.kind())
}

/// RFC 8785, sections 3.2.2 to 3.2.4.
#[test]
fn the_examples_of_the_rfc() {
    let text = r#"{
      "numbers": [333333333.33333329, 1E30, 4.50,
                  2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }"#;
    let expected = r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#;
    assert_eq!(form(text).as_deref(), Ok(expected));
    let text = r#"{
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    }"#;
    let expected = [
        r#"{"\r":"Carriage Return","1":"One","#,
        "\"\u{80}\":\"Control\",",
        r#""ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","#,
        "\"\u{1f600}\":\"Emoji: Grinning Face\",\"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}",
    ];
    assert_eq!(form(text), Ok(expected.concat()));
}

/// A scalar is passed on only when the document ends.
#[test]
fn scalars_at_the_end_of_a_document() {
    for (text, expected) in [("1.0", "1"), ("true", "true"), ("\"\\/\"", "\"/\""), ("10", "10")] {
        for padding in [0, 1, 100, 10_000] {
            let text = format!("{}{text}", " ".repeat(padding));
            assert_eq!(form(&text).as_deref(), Ok(expected), "{padding}");
            let options = Options::new().framing(Framing::Lines);
            let mut sink = Vec::new();
            fjson::canonical(&format!("{text}\n{text}"), &mut sink, &options).expect("valid lines");
            assert_eq!(String::from_utf8(sink), Ok(format!("{expected}\n{expected}\n")));
        }
    }
}

/// RFC 8785, appendix B.
const DOUBLES: [(u64, &str); 24] = [
    (0x0000_0000_0000_0000, "0"),
    (0x8000_0000_0000_0000, "0"),
    (0x0000_0000_0000_0001, "5e-324"),
    (0x8000_0000_0000_0001, "-5e-324"),
    (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
    (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
    (0x4340_0000_0000_0000, "9007199254740992"),
    (0xc340_0000_0000_0000, "-9007199254740992"),
    (0x4430_0000_0000_0000, "295147905179352830000"),
    (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
    (0x44b5_2d02_c7e1_4af6, "1e+23"),
    (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
    (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
    (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
    (0x444b_1ae4_d6e2_ef50, "1e+21"),
    (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
    (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
    (0x41b3_de43_5555_5553, "333333333.3333332"),
    (0x41b3_de43_5555_5554, "333333333.33333325"),
    (0x41b3_de43_5555_5555, "333333333.3333333"),
    (0x41b3_de43_5555_5556, "333333333.3333334"),
    (0x41b3_de43_5555_5557, "333333333.33333343"),
    (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
    (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
];

#[test]
fn the_doubles_of_the_rfc() {
    for (bits, expected) in DOUBLES {
        let double = f64::from_bits(bits);
        for text in [format!("{double:e}"), format!("{double:.400}"), expected.to_owned()] {
            assert_eq!(form(&text).as_deref(), Ok(expected), "{text}");
        }
    }
}

#[test]
fn what_has_no_form() {
    for (text, kind) in [
        ("{\"a\":1,\"\\u0061\":1}", ErrorKind::DuplicateKey),
        ("[\"\\ud83d\"]", ErrorKind::LoneSurrogate),
        ("{\"\\ude00\":1}", ErrorKind::LoneSurrogate),
        ("[1e309]", ErrorKind::InexactNumber),
        ("[-1e309]", ErrorKind::InexactNumber),
        ("[1,]", ErrorKind::ExpectedValue),
    ] {
        assert_eq!(form(text), Err(kind), "{text}");
    }
    assert_eq!(form("[1e308,\"\u{fffe}\",1e-400]").as_deref(), Ok("[1e+308,\"\u{fffe}\",0]"));
}

/// A number has its form, or none, also if it arrives in pieces.
#[test]
fn numbers_in_pieces() {
    let long = format!("[0.{}, 1]", "3".repeat(400_000));
    for (text, expected) in [
        ("[1, 1e309]", None),
        ("[1, 15e307, 1]", Some("[1,1.5e+308,1]")),
        ("[1, 0.10]", Some("[1,0.1]")),
        ("{\"b\": 1.0, \"a\": 1.50e1}", Some("{\"a\":15,\"b\":1}")),
        ("[1.0, {\"b\": [2.0, {}], \"a\": 3}]", Some("[1,{\"a\":3,\"b\":[2,{}]}]")),
        (&long, Some("[0.3333333333333333,1]")),
    ] {
        for size in [1, 2, 3, 5, 7, 1000] {
            if text.len() > 100 * size && size < 1000 {
                continue;
            }
            for window in [0, 10, 100_000] {
                let input = Input::from_reader(Pieces::new(text.as_bytes(), iter::repeat(size)));
                let mut sink = Vec::new();
                let result = fjson::canonical(input, &mut sink, &Options::new().window(window));
                let got = result.ok().map(|_| String::from_utf8_lossy(&sink).into_owned());
                assert_eq!(got.as_deref(), expected, "{text:.40} {size} {window}");
            }
        }
    }
}

#[test]
fn at_random() {
    rounds(4_000, |random| {
        let mut text = match random.below(3) {
            0 => generate::tower(random),
            1 => {
                let size = random.below(3000);
                generate::document(random, size)
            }
            _ => seeds::pick(random),
        };
        mutate::shift(random, &mut text);
        document(&text, random);
        mutate::mutate(random, &mut text);
        document(&text, random);
    });
}

#[test]
fn data_sets() {
    for (name, text) in suites::data_sets() {
        let mut sink = Vec::new();
        let result = fjson::canonical(&text, &mut sink, &Options::new());
        match canonical(&text) {
            Some(expected) => assert!(sink == expected, "{name}"),
            None => assert!(result.is_err(), "{name}"),
        }
    }
}

#[test]
fn each_record_alone() {
    let mut sink = Vec::new();
    let options = Options::new().framing(Framing::Lines);
    let text = "{\"b\":1.0,\"a\":[ ]}\n\"\\u0041\"\n1e2\n{\"a\":1,\"a\":2}\n";
    let error = fjson::canonical(text, &mut sink, &options).expect_err("the last has a name twice");
    assert_eq!((error.kind(), error.record()), (ErrorKind::DuplicateKey, Some(4)));
    assert_eq!(String::from_utf8_lossy(&sink), "{\"a\":[],\"b\":1}\n\"A\"\n100\n");
}
