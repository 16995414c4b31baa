//! Command lines: splits one into words, and joins words into one.
//!
//! Commands run without a shell, because starting a shell takes longer than running many programs.

#![forbid(unsafe_code)]

/// Splits a line into words. Quotation marks and backslashes have the meaning that they have in a shell; nothing else has.
pub fn split(line: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        match character {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' => {
                let (quoted, after) = rest.as_str().split_once('\'').ok_or("a quotation mark is missing")?;
                word.get_or_insert_default().push_str(quoted);
                rest = after.chars();
            }
            '"' => push_quoted(word.get_or_insert_default(), &mut rest)?,
            '\\' => {
                let escaped = rest.next().ok_or("the last backslash has no character after it")?;
                word.get_or_insert_default().push(escaped);
            }
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    if words.is_empty() { Err("the command is empty") } else { Ok(words) }
}

/// Appends the text up to the closing `"`.
fn push_quoted(word: &mut String, rest: &mut std::str::Chars<'_>) -> Result<(), &'static str> {
    loop {
        match rest.next().ok_or("a quotation mark is missing")? {
            '"' => return Ok(()),
            '\\' if rest.as_str().starts_with(['"', '\\']) => word.extend(rest.next()),
            character => word.push(character),
        }
    }
}

/// Joins arguments to a line that a shell splits into the same arguments.
pub fn join<'a>(arguments: impl IntoIterator<Item = &'a str>) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-+./,:=@%".contains(letter);
    let quoted = |argument: &str| {
        if !argument.is_empty() && argument.chars().all(is_plain) {
            argument.to_owned()
        } else {
            format!("'{}'", argument.replace('\'', r"'\''"))
        }
    };
    arguments.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_like_in_a_shell() {
        for (line, words) in [
            ("jq empty {}", vec!["jq", "empty", "{}"]),
            ("  jq\t'.a | .b'  ", vec!["jq", ".a | .b"]),
            (r#"a "b \" c \n" d\ e"#, vec!["a", r#"b " c \n"#, "d e"]),
            (r#"a'b'"c" '' "#, vec!["abc", ""]),
        ] {
            assert_eq!(split(line), Ok(words.iter().map(ToString::to_string).collect()), "{line}");
        }
        for line in ["", "  ", "'a", "\"a", "a\\"] {
            assert!(split(line).is_err(), "{line}");
        }
    }

    #[test]
    fn joined_words_can_be_split() {
        let words = ["fjson", "bench", "it's", "a b", "", "--vs", "jq empty {}"];
        assert_eq!(split(&join(words)), Ok(words.map(str::to_owned).to_vec()));
        assert_eq!(join(["a", "b c"]), "a 'b c'");
    }
}
