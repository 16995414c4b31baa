//! The command lines under test: every command, and every option with which text is read twice.

use crate::faults::contents::Content;
use crate::faults::contents::Content::Deep;
use crate::faults::contents::Content::Formatted;
use crate::faults::contents::Content::Lines;
use crate::faults::contents::Content::Long;
use crate::faults::contents::Content::Wide;

/// A command line without the name of its input.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// The command and its options.
    pub words: &'static str,
    /// The contents of its input.
    pub contents: &'static [Content],
    /// Where the output goes.
    pub effect: Effect,
    /// The number of bytes that take some milliseconds to read.
    pub size: usize,
}

/// The destination of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// To standard output.
    Prints,
    /// To the file `out`.
    Writes,
    /// To the place of the input.
    Edits,
}

const DOCUMENTS: &[Content] = &[Wide, Deep, Long];
const MANY: usize = 6 << 20;
const FEW: usize = 1 << 20;

const fn line(words: &'static str, contents: &'static [Content], size: usize) -> Line {
    Line { words, contents, effect: Effect::Prints, size }
}

const fn writes(words: &'static str, effect: Effect) -> Line {
    Line { words, contents: DOCUMENTS, effect, size: FEW }
}

/// All command lines.
pub const LINES: &[Line] = &[
    line("validate", DOCUMENTS, MANY),
    line("validate --unique-keys", DOCUMENTS, MANY),
    line("validate --ijson", DOCUMENTS, MANY),
    line("validate --stream", &[Wide, Lines], MANY),
    line("validate --lines", &[Lines], MANY),
    line("validate --lines --unique-keys", &[Lines], MANY),
    line("minify", DOCUMENTS, MANY),
    line("minify --ijson", DOCUMENTS, MANY),
    line("minify -S", DOCUMENTS, FEW),
    line("minify -S --unique-keys", DOCUMENTS, FEW),
    line("minify --canonical", DOCUMENTS, FEW),
    line("minify --escape ascii", DOCUMENTS, FEW),
    line("minify --escape none", DOCUMENTS, FEW),
    line("minify -S --natural", &[Wide], FEW),
    line("minify --bom accept", &[Wide, Long], FEW),
    line("minify --skip-prefix", &[Lines], FEW),
    line("minify --jsonc", DOCUMENTS, MANY),
    line("pretty --jsonc", DOCUMENTS, FEW),
    line("minify --lines", &[Lines], MANY),
    line("minify --stream -S", &[Lines], FEW),
    line("pretty", DOCUMENTS, FEW),
    line("pretty --unique-keys", DOCUMENTS, FEW),
    line("pretty -S", DOCUMENTS, FEW),
    line("pretty --tab --lines", &[Lines], FEW),
    line("pretty --width 60", DOCUMENTS, FEW),
    line("pretty --compact-arrays", DOCUMENTS, FEW),
    line("pretty --check", &[Formatted], MANY),
    line("pretty --check --ijson", &[Formatted], MANY),
    writes("minify -i", Effect::Edits),
    writes("minify -i -S", Effect::Edits),
    writes("pretty -i", Effect::Edits),
    writes("pretty -i --unique-keys", Effect::Edits),
    writes("pretty -i --jsonc", Effect::Edits),
    writes("minify -o out", Effect::Writes),
    writes("minify -o out --canonical", Effect::Writes),
    writes("pretty -o out", Effect::Writes),
    writes("gzip -o out", Effect::Writes),
    line("gzip -c", DOCUMENTS, FEW),
    line("gzip -c --keep-space", DOCUMENTS, FEW),
    line("gzip -c --rsyncable -1", &[Wide], FEW),
    line("delete --missing-ok $..a", DOCUMENTS, FEW),
    line("set $.id 1 --lines", &[Lines], FEW),
    line("delete --missing-ok --check $..a", DOCUMENTS, FEW),
    writes("delete --missing-ok $..a -i", Effect::Edits),
    writes("delete --missing-ok $..a -o out", Effect::Writes),
    line("diff --full /dev/null", DOCUMENTS, FEW),
    line("diff --quiet --lines --key /id /dev/null", &[Lines], FEW),
    line("validate --schema ../schema.json", DOCUMENTS, FEW),
    line("validate --lines --schema ../schema.json", &[Lines], FEW),
    line("validate --check-schema", &[Long], FEW),
    line("minify --schema ../schema.json", &[Wide], FEW),
    line("minify --lines --schema ../schema.json", &[Lines], FEW),
    line("query --schema ../schema.json $..a", &[Wide, Long], FEW),
    line("pretty --check --schema ../schema.json", &[Formatted], FEW),
    line("gzip -c --schema ../schema.json", &[Wide], FEW),
    writes("pretty --schema ../schema.json -i", Effect::Edits),
    writes("minify --schema ../schema.json -o out", Effect::Writes),
    line("stats", DOCUMENTS, FEW),
    line("stats --format json --lines", &[Lines], FEW),
    line("stats --paths", DOCUMENTS, FEW),
    line("stats --infer-schema", DOCUMENTS, FEW),
    line("jq -c .", DOCUMENTS, FEW),
    line("jq -S .", &[Wide, Lines], FEW),
    line("jq .id?", &[Lines], FEW),
    line("jq -c .[]|.id?", &[Wide], FEW),
    line("jq [..|numbers]|length", DOCUMENTS, FEW),
    line("jq -c --stream .", &[Wide, Long, Lines], FEW),
    line("jq -s length", &[Wide, Lines], FEW),
    line("jq -n reduce(inputs|.id?)as$id(0;.+$id)", &[Lines], FEW),
    line("jq -c --lines --skip-bad .", &[Lines], FEW),
    writes("jq . -i", Effect::Edits),
    writes("jq -c -s . -i", Effect::Edits),
    writes("jq -c . -o out", Effect::Writes),
    line("query --assignments $..*", DOCUMENTS, FEW),
    line("query $.a", &[Long], MANY),
    line("query $[5000].a", &[Wide], MANY),
    line("query /20/a", &[Wide, Deep], MANY),
    line("query $..a", DOCUMENTS, MANY),
    line("query --paths $..a", DOCUMENTS, FEW),
    line("query --paths $..name", DOCUMENTS, MANY),
    line("query --pointers $..z", DOCUMENTS, FEW),
    line("query --offsets $[*]", DOCUMENTS, FEW),
    line("query -p $..a -p $..b", DOCUMENTS, FEW),
    line("query -p $..a -p $[*].name", DOCUMENTS, FEW),
    line("query --csv -p $.id -p $.name --lines", &[Lines], FEW),
    line("query --tsv -p $.id -p $.b --lines", &[Lines], FEW),
    line("query --csv --header --columns auto --lines", &[Lines], FEW),
    line("query --csv --rows $ -p $.id -p @.name --lines", &[Lines], FEW),
    line("query --raw $..name", DOCUMENTS, FEW),
    line("query --raw $[*].a", &[Wide], FEW),
    line("query --pretty $[*].b", DOCUMENTS, FEW),
    line("query --array $..b", DOCUMENTS, FEW),
    line("query $.id --where @.b.z>1 --lines", &[Lines], FEW),
    line("query $.id --where @.b.z>1 --stream", &[Lines], FEW),
    line("query --skip-bad $.id --lines", &[Lines], MANY),
    Line { contents: &[Lines], ..writes("query --skip-bad --bad-records out $.id --lines", Effect::Writes) },
    line("query $.id --lines", &[Lines], MANY),
    line("query $.name --stream", &[Lines], MANY),
    line("query $..[?@.z==2]", DOCUMENTS, FEW),
    line("query $..[?@.a]", DOCUMENTS, FEW),
    line("query $[?@.b.z==2].id", &[Wide], FEW),
    line("query $..[0] --unique-keys", DOCUMENTS, FEW),
    line("query $..* --ijson", DOCUMENTS, FEW),
    line("query --count $..a", DOCUMENTS, MANY),
    line("query --count $..*", DOCUMENTS, FEW),
    line("query --trust $..a", DOCUMENTS, MANY),
    line("query --trust $[*].name", &[Wide], MANY),
    line("query --order document $..*", DOCUMENTS, FEW),
    line("query --order document --paths $..a..b", DOCUMENTS, FEW),
    line("query --first $..z", DOCUMENTS, MANY),
    line("query --limit 20000 $..a", DOCUMENTS, FEW),
];

impl Line {
    /// The words of the command line.
    #[must_use]
    pub fn words(&self) -> Vec<&'static str> {
        self.words.split_whitespace().collect()
    }
}
