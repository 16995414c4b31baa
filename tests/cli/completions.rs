//! `fjson completions`: a script for each shell, with every command, and what the shells complete with it.

use crate::place::FJSON;
use crate::place::Place;
use std::fs;
use std::os::unix::fs::symlink;

#[test]
fn every_shell_has_a_script() {
    let place = Place::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = place.fjson(&format!("completions {shell}")).stdout();
        for word in ["validate", "minify", "pretty", "man", "completions", "max-depth"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

/// Returns what a shell completes for each line, or `None` if the shell is not installed. `script` prints the completions of the
/// line in `$LINE`; the completion script is in the file `script`, and the program is `fjson` in the path.
fn completed(shell: &str, script: &str, line: &str) -> Option<Vec<String>> {
    let place = Place::new();
    if place.shell(&format!("command -v {shell}")).output().stdout.is_empty() {
        return None;
    }
    place.file("script", place.fjson(&format!("completions {shell}")).stdout());
    fs::create_dir(place.path("bin")).expect("a directory");
    symlink(FJSON, place.path("bin/fjson")).expect("a link to the program");
    place.file("data.json", "1");
    place.file("run", script);
    let run = place.shell(&format!("PATH=$PWD/bin:$PATH HOME=$PWD {shell} run")).env("LINE", line);
    let output = run.output();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{shell}: {text} {}", String::from_utf8_lossy(&output.stderr));
    Some(
        text.lines()
            .map(|line| line.split('\t').next().unwrap_or_default().trim_end_matches([' ', '=']).to_owned())
            .collect(),
    )
}

/// Commands, options, values of options, and files are completed.
fn assert_completes(shell: &str, script: &str) {
    for (line, wanted) in [
        ("fjson va", "validate"),
        ("fjson validate --max-d", "--max-depth"),
        ("fjson pretty --che", "--check"),
        ("fjson query --fir", "--first"),
        ("fjson validate --format sar", "sarif"),
        ("fjson completions zs", "zsh"),
        ("fjson pretty dat", "data.json"),
    ] {
        let Some(found) = completed(shell, script, line) else { return };
        assert!(found.iter().any(|word| word == wanted), "{shell}: {line}: {found:?}");
    }
}

#[test]
fn bash_completes() {
    let script = r#"
source ./script
words=($LINE)
COMP_WORDS=("${words[@]}") COMP_LINE=$LINE COMP_POINT=${#LINE} COMP_CWORD=$((${#words[@]} - 1))
compopt() { :; }
_fjson fjson "${words[-1]}" "${words[-2]}"
# Without a completion, bash falls back to file names.
[ ${#COMPREPLY[@]} -gt 0 ] || complete -p fjson | grep -q -e '-o default' && COMPREPLY+=($(compgen -f -- "${words[-1]}"))
printf '%s\n' "${COMPREPLY[@]}"
"#;
    assert_completes("bash", script);
}

#[test]
fn fish_completes() {
    assert_completes("fish", "source ./script\ncomplete -C \"$LINE\"\n");
}

/// zsh completes only in a terminal: it gets one, a line and a tab, and the line that it makes of them is read back.
#[test]
fn zsh_completes() {
    let script = r#"
zmodload zsh/zpty
zpty shell 'zsh -f -i'
send() { zpty -w shell "$1"; }
send "PS1= PS2= RPROMPT=; unsetopt zle_bracketed_paste 2>/dev/null; fpath=($PWD/functions \$fpath); autoload -Uz compinit; compinit -u -D"
send "zstyle ':completion:*' list-prompt ''; unsetopt list_beep; show() { print -r -- \"<<\$BUFFER>>\" > result; zle .kill-buffer }"
send "zle -N show; bindkey '^X' show; bindkey '^I' complete-word; print ready > ready"
for i in {1..200}; do [[ -s ready ]] && break; sleep 0.05; done
zpty -n -w shell "$LINE"$'\t'
sleep 0.3
zpty -n -w shell $'\x18'
for i in {1..200}; do [[ -s result ]] && break; sleep 0.05; done
zpty -d shell
result=$(<result)
result=${${result#<<}%>>}
words=(${=result})
print -r -- $words[-1]
"#;
    let script = format!("mkdir -p functions; cp script functions/_fjson\n{script}");
    assert_completes("zsh", &script);
}
