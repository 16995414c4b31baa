//! Doubles: published hard cases, borders between neighbors, and random ones.
//!
//! Whether a text was read as the nearest double is decided by the exact decimals half way to both neighbors, not by
//! another reader, which may have the same bug.

use std::time::Instant;

use fjson::scalar::Number;
use fjson::scalar::NumberBuffer;
use proof::decimal::Decimal;
use proof::random::Random;
use proof::random::rounds;
use proof::scalar;

/// 2¹⁰²⁴, the next double if there were one.
const BEYOND: &str = "179769313486231590772930519078902473361797697894230657273430081157732675805500963132708477322407536021120113879871393357658789768814416622492847430639474124377767893424865485276302219601246094119453082952085005768838150682342462881473913110540827237163350510684586298239947245938479716304835356329624224137216";

/// Vern Paxson, *A Program for Testing IEEE Decimal-Binary Conversion* (1991), tables 1 and 2: the decimals of each length
/// that lie closest to the middle between two doubles, below it and above it.
const PAXSON: [&str; 44] = [
    "5e+125",
    "69e+267",
    "999e-026",
    "7861e-034",
    "75569e-254",
    "928609e-261",
    "9210917e+080",
    "84863171e+114",
    "653777767e+273",
    "5232604057e-298",
    "27235667517e-109",
    "653532977297e-123",
    "3142213164987e-294",
    "46202199371337e-072",
    "231010996856685e-073",
    "9324754620109615e+212",
    "78459735791271921e+049",
    "272104041512242479e+200",
    "6802601037806061975e+198",
    "20505426358836677347e-221",
    "836168422905420598437e-234",
    "4891559871276714924261e+222",
    "9e-265",
    "85e-037",
    "623e+100",
    "3571e+263",
    "81661e+153",
    "920657e-023",
    "4603285e-024",
    "87575437e-309",
    "245540327e+122",
    "6138508175e+120",
    "83356057653e+193",
    "619534293513e+124",
    "2335141086879e+218",
    "36167929443327e-159",
    "609610927149051e-255",
    "3743626360493413e-165",
    "94080055902682397e-242",
    "899810892172646163e+283",
    "7120190517612959703e+120",
    "25188282901709339043e-252",
    "308984926168550152811e-052",
    "6372891218502368041059e+064",
];

/// Texts on which parsers have failed or hung: William Clinger, *How to Read Floating Point Numbers Accurately* (1990);
/// David Gay's `strtod`; PHP bug 53632 and CVE-2010-4476; Rick Regan's *Exploring Binary*.
const PUBLISHED: [&str; 39] = [
    "1.448997445238699",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "9007199254740994",
    "9007199254740995",
    "5e-324",
    "4.9406564584124654e-324",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "7.5e-324",
    "2.2250738585072011e-308",
    "2.2250738585072012e-308",
    "2.2250738585072013e-308",
    "2.2250738585072014e-308",
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "1.00000000000000011102230246251565404236316680908203124",
    "1.00000000000000011102230246251565404236316680908203125",
    "1.00000000000000011102230246251565404236316680908203126",
    "1.00000000000000033306690738754696212708950042724609375",
    "6.631236846766476e-316",
    "3.2378839133029012895883524125015321748630094e-319",
    "8.10109172351e-10",
    "0.1e-322",
    "1.8446744073709551616e19",
    "0.500000000000000166533453693773481063544750213623046875",
    "3.518437208883201171875e13",
    "62.5364939768271845828",
    "1090544144181609348671888949248",
    "1090544144181609348835077142190",
    "0.3e-323",
    "9.5e-3",
    "1e23",
    "8.5e-37",
    "1e-400",
    "1e400",
    "2e308",
];

/// A text is read as the nearest double: it lies between the borders to the neighbors, or on one if the double is even.
fn is_nearest(text: &str) {
    let value = Number::new(text.as_bytes()).unwrap_or_else(|| panic!("{text} is a number")).to_f64();
    let decimal = Decimal::new(text.trim_start_matches('-')).expect("a number");
    let exact = |value: f64| {
        if value.is_finite() { Decimal::exact(value) } else { Decimal::new(BEYOND).expect("a number") }
    };
    let magnitude = value.abs();
    let middle = |neighbor: f64| exact(magnitude).half_way(&exact(neighbor));
    let below = if magnitude > 0.0 { middle(magnitude.next_down()) } else { exact(0.0) };
    let is_even = magnitude.to_bits().is_multiple_of(2);
    let is_beyond_below = below < decimal || is_even && below == decimal;
    let is_within_above = magnitude.is_infinite() || {
        let above = middle(magnitude.next_up());
        decimal < above || is_even && decimal == above
    };
    assert!(is_beyond_below && is_within_above, "{text} is read as {value:e}, which is not the nearest");
    assert_eq!(value.is_sign_negative(), text.starts_with('-'));
    scalar::number(text.as_bytes());
    scalar::double(value);
}

#[test]
fn published() {
    for text in PAXSON.into_iter().chain(PUBLISHED) {
        is_nearest(text);
        is_nearest(&format!("-{text}"));
    }
}

/// The deciding digit may follow any number of others.
#[test]
fn longer_than_any_border() {
    for zeros in [0, 700, 770, 1500] {
        let zeros = "0".repeat(zeros);
        is_nearest(&format!("9007199254740993.{zeros}0"));
        is_nearest(&format!("9007199254740993.{zeros}1"));
        is_nearest(&format!("0.{zeros}1"));
    }
}

/// The middle between a double and the next, and what lies a little below and above.
fn border(value: f64) {
    let next = if value.next_up().is_finite() { Decimal::exact(value.next_up()) } else { beyond() };
    let middle = Decimal::exact(value).half_way(&next);
    is_nearest(&middle.text());
    is_nearest(&middle.clone().and_a_little().text());
    is_nearest(&middle.less_a_little().text());
    scalar::double(value);
}

fn beyond() -> Decimal {
    Decimal::new(BEYOND).expect("a number")
}

#[test]
fn borders_of_the_smallest_and_greatest() {
    let smallest_normal = f64::MIN_POSITIVE.to_bits();
    let infinite = f64::INFINITY.to_bits();
    let bits = (0..20).chain(smallest_normal - 20..smallest_normal + 20).chain(infinite - 20..infinite);
    bits.map(f64::from_bits).for_each(border);
    // Powers of two: the neighbor below is nearer than the one above.
    for power in (-1022..1024).step_by(31) {
        let value = 2_f64.powi(power);
        [value, value.next_down(), value.next_up()].into_iter().for_each(border);
    }
    // Where integers stop being exact.
    for value in [9_007_199_254_740_992.0_f64, 18_446_744_073_709_551_616.0] {
        [value, value.next_down(), value.next_up()].into_iter().for_each(border);
    }
}

/// A random finite double.
fn any(random: &mut Random) -> f64 {
    loop {
        let value = f64::from_bits(random.bits());
        if value.is_finite() {
            return value;
        }
    }
}

#[test]
fn borders_of_random_doubles() {
    rounds(1_300, |random| border(any(random).abs()));
}

#[test]
fn powers_of_ten_and_short_decimals() {
    for exponent in -345..=310 {
        for digits in ["1", "2", "5", "9", "15", "123", "99999", "123456789", "999999999999999", "12345678901234567"] {
            is_nearest(&format!("{digits}e{exponent}"));
        }
    }
}

/// Tests this many random doubles, of all exponents and of common ones: both texts are read back as the same bits, and
/// have the digits of `ryu` and of the standard library, two other algorithms for the shortest text.
fn shortest_and_back(count: u64) {
    let (mut random, mut buffer, mut other) = (Random::new(1), NumberBuffer::new(), NumberBuffer::new());
    let mut ryu = ryu::Buffer::new();
    for index in 0..count {
        let value = match index % 4 {
            0 | 1 => any(&mut random),
            2 => f64::from_bits(random.bits() >> 12 | 1.0_f64.to_bits()) * 360.0 - 540.0,
            _ => f64::from((random.bits() >> 40) as u32) / 100.0,
        };
        let text = buffer.double(value).expect("a finite double");
        let number = Number::new(text.as_bytes()).expect("a number");
        assert_eq!(number.to_f64().to_bits(), value.to_bits(), "{text}");
        assert_eq!(Number::new(ryu.format_finite(value).as_bytes()), Some(number), "{text}");
        let by_std = format!("{value:e}");
        let ecmascript = other.ecmascript(value).expect("a finite double");
        let [by_std, ecmascript] = [&by_std, ecmascript].map(|text| Number::new(text.as_bytes()));
        // If two shortest texts are equally near, the standard library may choose the other one.
        if by_std != Some(number) || ecmascript != Some(number) {
            scalar::double(value);
        }
    }
}

#[test]
fn a_million() {
    shortest_and_back(1_000_000);
}

/// `cargo test --release --test scalar -- --ignored --nocapture`; the result is in DESIGN.md.
#[test]
#[ignore = "takes minutes"]
fn a_hundred_million() {
    let start = Instant::now();
    shortest_and_back(100_000_000);
    let _ = std::io::Write::write_fmt(
        &mut std::io::stderr(),
        format_args!("100,000,000 doubles in {:.0} s, no difference\n", start.elapsed().as_secs_f64()),
    );
}
