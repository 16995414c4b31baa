//! Tests that joined chunks equal the whole, for every chunk size and from every comma on.

#![forbid(unsafe_code)]

use std::env;
use std::fmt::Display;

use super::ChunkFactory;
use super::ConsumerFactory;
use super::Divisible;
use super::LineConsumer;
use super::RecordBatch;
use super::count_records;
use super::driver::ChunkedDocument;
use super::driver::Join;
use crate::error::Error;
use crate::error::Fault;
use crate::explain::Reader;
use crate::explain::random::Random;
use crate::grammar::Checker;
use crate::grammar::MAX_TILE_BYTES;
use crate::grammar::RewrittenLines;
use crate::grammar::Tile;
use crate::input::Input;
use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Framing;
use crate::options::Options;
use crate::scan::AfterComma;
use crate::scan::Checkpoint;
use crate::scan::Consumer;
use crate::scan::padded;
use crate::sink::Division;
use crate::sink::Output;
use crate::sink::Stage;

/// Copies what it takes.
struct Copied<'w> {
    stage: Stage<'w>,
}

impl Consumer for Copied<'_> {
    const LAYOUT: bool = false;
    const OUTPUT: bool = true;

    fn begin(&mut self, _: u64, _: Option<u8>) -> Result<(), Error> {
        Ok(())
    }

    fn take<K: Kernel>(&mut self, _: K, _: &Tile<K>, bytes: &[u8], length: usize) {
        self.stage.push(&bytes[..length]);
    }

    fn held(&self) -> usize {
        self.stage.held()
    }

    fn release(&mut self, _: &[u8]) -> Result<(), Error> {
        self.stage.release(&[], 0)
    }

    fn discard(&mut self) {
        self.stage.discard();
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.stage.write()
    }

    fn end(&mut self) -> Result<(), Error> {
        self.stage.release(&[], 0)
    }
}

impl LineConsumer for Copied<'_> {}

impl Divisible for Copied<'_> {
    type Factory = Copier;

    fn factory(&self) -> Copier {
        Copier
    }

    fn divides_records(&self, _: &Options) -> bool {
        true
    }

    fn division(&self) -> Division {
        Division::Chunks
    }

    fn join(&mut self, output: &Output, _: i64) -> Result<bool, Error> {
        self.stage.write_through(output).map(|()| true)
    }
}

#[derive(Clone, Copy)]
struct Copier;

impl ConsumerFactory for Copier {
    type Part = Copied<'static>;
    type Output = Output;

    fn part(self, options: &Options, memory: Output) -> Copied<'static> {
        Copied { stage: Stage::in_memory(memory, options, 0) }
    }

    fn into_output(part: Copied<'static>) -> Option<Output> {
        part.stage.into_output()
    }
}

impl ChunkFactory for Copier {
    const LEVELS: bool = false;

    fn enter(_: &mut Copied<'static>, _: i64) {}
}

/// Reads a text up to a comma as the scan does, then in chunks, then to its end as the scan does.
struct InChunks<'t> {
    text: &'t [u8],
    comma: usize,
    size: usize,
    count: usize,
    options: &'t Options,
}

impl Pass for InChunks<'_> {
    /// The result for the text, and how many chunks were joined. `None` if the scan would not stop at the comma.
    type Output = Option<(Result<(), Fault>, usize)>;

    fn run<K: Kernel>(self, kernel: K) -> Self::Output {
        let Self { text, comma, size, count, options } = self;
        let mut scratch = [b' '; MAX_TILE_BYTES];
        let mut checker = Checker::new(kernel, options.max_depth, false);
        checker.start_document();
        let (before, after) = text.split_at(comma + 1);
        let mut tiles = before.chunks(Checker::<K>::TILE);
        if !tiles.all(|tile| checker.check(padded::<K>(&mut scratch, tile, 0), false, false)) {
            return None;
        }
        // Commas in strings do not count.
        checker.tile().last_comma().filter(|last| last % Checker::<K>::TILE == comma % Checker::<K>::TILE)?;
        let object = checker.reconcile()?;
        let mut checkpoint = Checkpoint::document(0, options.max_depth);
        checkpoint.move_after_comma(before.len() as u64, checker.nesting(), object).expect("there is memory");
        let mut written = Vec::new();
        let mut consumer = Copied { stage: Stage::new(&mut written, 0, options, 0) };
        let from = AfterComma { offset: 0, object };
        let document = ChunkedDocument { text: after, size, count, options, factory: Copier };
        let mut nesting = checker.nesting().clone();
        let input = Input::from(after);
        let mut join = Join::new(document, &input, from);
        // Threads read chunks before the ones before them are joined.
        let chunks: Vec<_> = (0..count).map(|number| document.chunk(number, None, Output::default()).read()).collect();
        let mut joined = 0;
        for (number, chunk) in chunks.into_iter().enumerate() {
            if !join.next(number, chunk, &mut nesting, &mut consumer).expect("memory takes it all") {
                break;
            }
            joined += 1;
        }
        let AfterComma { offset, object } = join.position();
        let at = usize::try_from(offset).expect("in memory");
        assert_eq!(written, after[..at], "chunks of {size}: {}", shown(text));
        *checker.nesting() = nesting;
        checkpoint.move_after_comma((before.len() + at) as u64, checker.nesting(), object).expect("there is memory");
        checker.start_after_comma(object);
        let mut rest = after[at..].chunks(Checker::<K>::TILE);
        let rest_is_valid = rest.all(|tile| checker.check(padded::<K>(&mut scratch, tile, 0), false, false));
        let end = padded::<K>(&mut scratch, b"", 1);
        let ended = checker.check(end, false, false);
        let is_valid = rest_is_valid && ended && checker.finish();
        Some((if is_valid { Ok(()) } else { Err(checkpoint.fault(&after[at..], true, checker.nesting())) }, joined))
    }
}

fn shown(text: &[u8]) -> impl Display {
    text[..text.len().min(2000)].escape_ascii()
}

/// Returns the reader's result for the whole text.
fn verdict(text: &[u8], max_depth: Option<u64>) -> Result<(), Fault> {
    let mut reader = Reader::new(0, max_depth);
    reader.feed(text).and_then(|()| reader.finish())
}

/// Checks that the result, with error kind and offset, is right for chunks of these sizes, from each comma on. Returns
/// how many chunks were joined.
fn check(text: &[u8], isa: Isa, max_depth: Option<u64>, sizes: impl Fn(usize) -> Vec<(usize, usize)>) -> usize {
    let options = Options::new().isa(isa).max_depth(max_depth);
    let expected = verdict(text, max_depth);
    let mut joined = 0;
    for (comma, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b',') {
        for (size, count) in sizes(text.len() - comma - 1) {
            let Some((got, count)) = isa.run(InChunks { text, comma, size, count, options: &options }) else { break };
            assert_eq!(got, expected, "chunks of {size} on {isa}: {}", shown(text));
            joined += count;
        }
    }
    joined
}

/// Single cuts at every offset, and chunks of a few bytes each.
fn everywhere(length: usize) -> Vec<(usize, usize)> {
    let single = (1..=length).map(|size| (size, 1));
    single.chain([1, 2, 3, 5, 7].into_iter().filter(|&size| size < length).map(|size| (size, length / size))).collect()
}

/// All sequences of up to seven tokens, eight with `FJSON_THOROUGH`, or `FJSON_FUZZ_TOKENS`, from each of their commas on, in one
/// chunk of each length and in chunks of one byte. Only these violate the rules about the root. Text after an error is tested too: it
/// might make chunks look valid.
#[test]
fn sequences() {
    const TOKENS: [&str; 7] = ["[", "]", "{", "}", ",", "\"a\":", "1"];
    let default = if env::var_os("FJSON_THOROUGH").is_some() { 8 } else { 7 };
    let longest = env::var("FJSON_FUZZ_TOKENS").map_or(default, |text| text.parse().expect("a number of tokens"));
    let mut joined = 0;
    for length in 1..=longest {
        for number in 0..TOKENS.len().pow(length) {
            let digits = (0..length).scan(number, |rest, _| {
                let digit = *rest % TOKENS.len();
                *rest /= TOKENS.len();
                Some(digit)
            });
            let text: String = digits.map(|digit| TOKENS[digit]).collect();
            joined += check(text.as_bytes(), Isa::detect(), None, |length| {
                let mut sizes: Vec<_> = (1..=length).map(|size| (size, 1)).collect();
                sizes.push((1, length));
                sizes
            });
        }
    }
    assert!(joined > 300 || longest < 8, "only {joined} chunks were joined");
}

/// Documents that random damage hardly ever produces.
#[test]
fn kinds_across_cuts() {
    let mut joined = 0;
    for text in [
        r#"[1,2],"a":[3,4]"#,
        r#"[[1],"a":2}"#,
        r#"[0,[],"a":1,2]"#,
        r#"{"a":0,"b":{},1,"c":2}"#,
        "[1,[2],3]",
        r#"{"a":[1,{"b":[2,3],"c":{"d":4,"e":5}},6],"f":7}"#,
        r#"[[[[1,2],3],4],{"a":{"b":[5,[6]],"c":7},"d":8}]"#,
        r#"["a,\"b","[\\",",{\"c\":",{"d,":"\\\\,","e":["\u002c,"]},",",1]"#,
        r#"["\\\\\\\\\\\\\\\\\\\\\\\\","\"\"\"\"\"\"\"\"\"","\\\",\\\",\\\",\\"]"#,
        r#"{"a":{},"b":[[],{}],"c":[[[[[[[[[[1,2],3],4],5],6],7],8],9],10],11],"d":1}"#,
        "[\"\u{e9}\u{20ac},\u{1f600}\" , -0.5e+7 ,\ttrue,\r\n[ null ,false ] , {\"x\" : 1e9, \"y\" :[ ] }]",
    ] {
        for isa in Isa::available() {
            joined += check(text.as_bytes(), isa, None, everywhere);
            for end in 0..text.len() {
                let mut broken = text.as_bytes().to_vec();
                broken[end] ^= b'[' ^ b'{';
                check(&broken, isa, None, everywhere);
                check(&text.as_bytes()[..end], isa, None, everywhere);
            }
        }
    }
    assert!(joined > 300, "only {joined} chunks were joined");
}

#[test]
fn random_documents() {
    let (mut valid, mut joined) = (0, 0);
    for seed in 1..4000 {
        let mut random = Random::new(seed);
        let text = random.document();
        let mut text = if seed.is_multiple_of(3) { text.into_bytes() } else { random.broken(&text) };
        text.truncate(2000);
        let isa = Isa::available().nth(random.below(3)).unwrap_or_default();
        let depth = (random.below(4) == 0).then(|| random.below(12) as u64);
        valid += usize::from(verdict(&text, depth).is_ok());
        let shift = random.below(7);
        joined += check(&text, isa, depth, |length| {
            let sizes = (0..6).map(|power| (shift + 1 + (7 << power), 17));
            sizes.filter(|(size, _)| *size < length).map(|(size, count)| (size, count.min(length / size))).collect()
        });
    }
    assert!(valid > 500 && joined > 10_000, "{valid} documents were valid, {joined} chunks were joined");
}

/// Chunks that end with a closing bracket do not show what is around it, and are joined anyway.
#[test]
fn chunks_may_close_containers() {
    for text in [r#"{"a":[0,1],"b":2}"#, "[[0,1],2]", r#"{"a":[[0,1]],"b":2}"#, r#"[{"a":[0,1]},2]"#] {
        for isa in Isa::available() {
            assert_eq!(check(text.as_bytes(), isa, None, |length| vec![(2, 1.min(length / 2))]), 1, "{isa}: {text}");
        }
    }
}

/// Valid lines are checked together, up to the depth that is allowed.
#[test]
fn lines_are_checked_together() {
    let text = "{\"a\":[1,2]}\n[]\r\n 7 \n\n\"x\"\n".repeat(50);
    for isa in Isa::available() {
        let options = Options::new().isa(isa).framing(Framing::Lines).max_depth(Some(2));
        let batch = RecordBatch::first(text.as_bytes(), &options, Framing::Lines, RewrittenLines::default());
        assert_eq!(count_records(&options, &batch.expect("there are lines")), Some(200), "{isa}");
    }
}

/// Nothing invalid is joined, and tokens that are too long are left to the scan.
#[test]
fn long_tokens_are_left_alone() {
    let text = format!("[1,\"{}\",2]", "x,".repeat(5000));
    assert_eq!(check(text.as_bytes(), Isa::detect(), None, |length| vec![(100, 50.min(length / 100))]), 0);
    assert_eq!(check(text.as_bytes(), Isa::detect(), None, |length| vec![(9000, 1.min(length / 9000))]), 1);
}
