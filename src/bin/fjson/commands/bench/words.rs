//! A command as one would type it, split into its words.
//!
//! No shell is asked: starting one takes longer than many a program that is to be timed.

#![forbid(unsafe_code)]

/// The words of `line`. Quotes and backslashes work as in a shell, and nothing else does.
pub fn split(line: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        match character {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' => {
                let (quoted, behind) = rest.as_str().split_once('\'').ok_or("a quotation mark is missing")?;
                word.get_or_insert_default().push_str(quoted);
                rest = behind.chars();
            }
            '"' => push_quoted(word.get_or_insert_default(), &mut rest)?,
            '\\' => word.get_or_insert_default().push(rest.next().ok_or("nothing stands behind the last backslash")?),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    if words.is_empty() { Err("the command is empty") } else { Ok(words) }
}

/// The text up to a closing `"`.
fn push_quoted(word: &mut String, rest: &mut std::str::Chars<'_>) -> Result<(), &'static str> {
    loop {
        match rest.next().ok_or("a quotation mark is missing")? {
            '"' => return Ok(()),
            '\\' if rest.as_str().starts_with(['"', '\\']) => word.extend(rest.next()),
            character => word.push(character),
        }
    }
}

/// The arguments as a line that a shell splits into the same words.
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
    fn a_line_is_split_as_a_shell_would() {
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
    fn what_is_joined_can_be_split() {
        let words = ["fjson", "bench", "it's", "a b", "", "--vs", "jq empty {}"];
        assert_eq!(split(&join(words)), Ok(words.map(str::to_owned).to_vec()));
        assert_eq!(join(["a", "b c"]), "a 'b c'");
    }
}
