
use builtin;
use str;

set edit:completion:arg-completer[fjson] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'fjson'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'fjson'= {
            cand -V 'Print the version and the kernel chosen on this machine'
            cand --version 'Print the version and the kernel chosen on this machine'
            cand -h 'Print help'
            cand --help 'Print help'
            cand validate 'Check that inputs are valid JSON'
            cand minify 'Remove whitespace, checking while copying'
            cand pretty 'Indent, checking while copying'
            cand query 'Print what JSONPath or JSON Pointer select'
            cand bench 'Measure speed, and run conformance suites'
            cand man 'Write the man pages into a directory'
            cand completions 'Print the completions for a shell'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'fjson;validate'= {
            cand --files-from 'Read the names of more inputs from FILE, one per line; - is standard input'
            cand --files0-from 'The same with a NUL after each name'
            cand -g 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out'
            cand --glob 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out'
            cand --max-bytes 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB'
            cand --max-depth 'Refuse documents with more than N containers open at once, or none for no limit'
            cand --kernel 'The kernel to use: auto, or one of those that --version names'
            cand --threads 'Work on up to N threads; 0, the default, stands for one per processor'
            cand --format 'Form of the report; validate writes those for machines to standard output, all else is standard error'
            cand --max-errors 'Show at most N errors and then how many more there are; 0 shows all'
            cand --color 'Colour in the report; auto asks the environment and the terminal'
            cand -V 'Print the version and the kernel chosen on this machine'
            cand --version 'Print the version and the kernel chosen on this machine'
            cand --lines 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson'
            cand --stream 'Documents one after another, with or without whitespace between them'
            cand --seq 'Documents after record separators (RFC 7464, JSON text sequences)'
            cand --hidden 'In directories, take hidden files too'
            cand --no-ignore 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out'
            cand --no-mmap 'Read regular files instead of mapping them into memory'
            cand --unique-keys 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory'
            cand --ijson 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit'
            cand -q 'Do not report invalid documents; the exit status tells'
            cand --quiet 'Do not report invalid documents; the exit status tells'
            cand -v 'Say what was read, how fast, and by which kernel'
            cand --verbose 'Say what was read, how fast, and by which kernel'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'fjson;minify'= {
            cand --files-from 'Read the names of more inputs from FILE, one per line; - is standard input'
            cand --files0-from 'The same with a NUL after each name'
            cand -g 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out'
            cand --glob 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out'
            cand --max-bytes 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB'
            cand --escape 'Write characters in strings as \u escapes: all beyond ASCII; or < > & U+2028 U+2029 (html); or these two (js)'
            cand --max-memory 'Bytes, or with K, M or G behind the number KiB, MiB or GiB, that may be held for an object to be sorted'
            cand -o 'Write to FILE, which appears when it is complete'
            cand --output 'Write to FILE, which appears when it is complete'
            cand --max-depth 'Refuse documents with more than N containers open at once, or none for no limit'
            cand --kernel 'The kernel to use: auto, or one of those that --version names'
            cand --threads 'Work on up to N threads; 0, the default, stands for one per processor'
            cand --format 'Form of the report; validate writes those for machines to standard output, all else is standard error'
            cand --max-errors 'Show at most N errors and then how many more there are; 0 shows all'
            cand --color 'Colour in the report; auto asks the environment and the terminal'
            cand -V 'Print the version and the kernel chosen on this machine'
            cand --version 'Print the version and the kernel chosen on this machine'
            cand --lines 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson'
            cand --stream 'Documents one after another, with or without whitespace between them'
            cand --seq 'Documents after record separators (RFC 7464, JSON text sequences)'
            cand --hidden 'In directories, take hidden files too'
            cand --no-ignore 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out'
            cand --no-mmap 'Read regular files instead of mapping them into memory'
            cand -S 'Sort the members of each object by name, in the order of code points; an object is held in memory until it ends'
            cand --sort-keys 'Sort the members of each object by name, in the order of code points; an object is held in memory until it ends'
            cand -i 'Replace each FILE by its output, keeping links, mode and owner'
            cand --in-place 'Replace each FILE by its output, keeping links, mode and owner'
            cand --unique-keys 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory'
            cand --ijson 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit'
            cand -q 'Do not report invalid documents; the exit status tells'
            cand --quiet 'Do not report invalid documents; the exit status tells'
            cand -v 'Say what was read, how fast, and by which kernel'
            cand --verbose 'Say what was read, how fast, and by which kernel'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'fjson;pretty'= {
            cand --files-from 'Read the names of more inputs from FILE, one per line; - is standard input'
            cand --files0-from 'The same with a NUL after each name'
            cand -g 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out'
            cand --glob 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out'
            cand --max-bytes 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB'
            cand --escape 'Write characters in strings as \u escapes: all beyond ASCII; or < > & U+2028 U+2029 (html); or these two (js)'
            cand --max-memory 'Bytes, or with K, M or G behind the number KiB, MiB or GiB, that may be held for an object to be sorted'
            cand --indent 'Spaces per level, 0 to 16; 0 breaks lines without indenting'
            cand -o 'Write to FILE, which appears when it is complete'
            cand --output 'Write to FILE, which appears when it is complete'
            cand --max-depth 'Refuse documents with more than N containers open at once, or none for no limit'
            cand --kernel 'The kernel to use: auto, or one of those that --version names'
            cand --threads 'Work on up to N threads; 0, the default, stands for one per processor'
            cand --format 'Form of the report; validate writes those for machines to standard output, all else is standard error'
            cand --max-errors 'Show at most N errors and then how many more there are; 0 shows all'
            cand --color 'Colour in the report; auto asks the environment and the terminal'
            cand -V 'Print the version and the kernel chosen on this machine'
            cand --version 'Print the version and the kernel chosen on this machine'
            cand --lines 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson'
            cand --stream 'Documents one after another, with or without whitespace between them'
            cand --seq 'Documents after record separators (RFC 7464, JSON text sequences)'
            cand --hidden 'In directories, take hidden files too'
            cand --no-ignore 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out'
            cand --no-mmap 'Read regular files instead of mapping them into memory'
            cand -S 'Sort the members of each object by name, in the order of code points; an object is held in memory until it ends'
            cand --sort-keys 'Sort the members of each object by name, in the order of code points; an object is held in memory until it ends'
            cand --tab 'Indent with one tab per level'
            cand -i 'Replace each FILE by its output, keeping links, mode and owner'
            cand --in-place 'Replace each FILE by its output, keeping links, mode and owner'
            cand --check 'Write nothing; name the inputs that are not formatted like this, and exit with 1 if there are any'
            cand --unique-keys 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory'
            cand --ijson 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit'
            cand -q 'Do not report invalid documents; the exit status tells'
            cand --quiet 'Do not report invalid documents; the exit status tells'
            cand -v 'Say what was read, how fast, and by which kernel'
            cand --verbose 'Say what was read, how fast, and by which kernel'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'fjson;query'= {
            cand --files-from 'Read the names of more inputs from FILE, one per line; - is standard input'
            cand --files0-from 'The same with a NUL after each name'
            cand -g 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out'
            cand --glob 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out'
            cand --max-bytes 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB'
            cand -p 'Look for EXPR; given several times, for all of them in one pass, and each document''s matches come in their order'
            cand --expr 'Look for EXPR; given several times, for all of them in one pass, and each document''s matches come in their order'
            cand --limit 'Stop after N matches'
            cand --order 'Order of the matches: that of RFC 9535, or document, which holds nothing back'
            cand --max-depth 'Refuse documents with more than N containers open at once, or none for no limit'
            cand --kernel 'The kernel to use: auto, or one of those that --version names'
            cand --threads 'Work on up to N threads; 0, the default, stands for one per processor'
            cand --format 'Form of the report; validate writes those for machines to standard output, all else is standard error'
            cand --max-errors 'Show at most N errors and then how many more there are; 0 shows all'
            cand --color 'Colour in the report; auto asks the environment and the terminal'
            cand -V 'Print the version and the kernel chosen on this machine'
            cand --version 'Print the version and the kernel chosen on this machine'
            cand --lines 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson'
            cand --stream 'Documents one after another, with or without whitespace between them'
            cand --seq 'Documents after record separators (RFC 7464, JSON text sequences)'
            cand --hidden 'In directories, take hidden files too'
            cand --no-ignore 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out'
            cand --no-mmap 'Read regular files instead of mapping them into memory'
            cand --first 'Stop after the first match'
            cand --skip-bad 'Leave out records that are invalid, and say on standard error how many they were'
            cand -r 'Print strings without quotes and escapes'
            cand --raw 'Print strings without quotes and escapes'
            cand --raw-bytes 'Print matches byte for byte, line breaks and all'
            cand --pretty 'Indent matches'
            cand -0 'End each match with a NUL in place of a line break'
            cand --null 'End each match with a NUL in place of a line break'
            cand --array 'Print all matches as one array'
            cand --paths 'Print where matches are, as normalized paths; with --pointers and --offsets, in columns'
            cand --pointers 'The same as JSON Pointers'
            cand --offsets 'The same as bytes of the input: from..to, the second not included'
            cand --count 'Print how many matches there are, for each EXPR on a line'
            cand --csv 'Print a row of comma-separated values for each document'
            cand --tsv 'Print a row of tab-separated values for each document'
            cand --header 'Begin with a row of the expressions'
            cand --unique-keys 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory'
            cand --ijson 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit'
            cand -q 'Do not report invalid documents; the exit status tells'
            cand --quiet 'Do not report invalid documents; the exit status tells'
            cand -v 'Say what was read, how fast, and by which kernel'
            cand --verbose 'Say what was read, how fast, and by which kernel'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'fjson;bench'= {
            cand --files-from 'Read the names of more inputs from FILE, one per line; - is standard input'
            cand --files0-from 'The same with a NUL after each name'
            cand -g 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out'
            cand --glob 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out'
            cand --max-bytes 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB'
            cand --verb 'Measure this verb only; may be repeated'
            cand --time 'Spend about so much time on each verb and kernel, on 6 samples at least'
            cand --vs 'Time another program on the same file, in turn with fjson as a process (validate, or as --verb says); {} stands for the file, or it is standard input; may be repeated'
            cand --baseline 'Compare with an earlier --export-json, and exit with 1 if something is slower beyond the noise of both'
            cand --corpus 'Look for the suites in DIR alone'
            cand --require 'Fail if this suite is missing or incomplete, or without a name any'
            cand --emit 'Write a document of this shape to standard output, and do nothing else'
            cand --size 'Its size in bytes, or with K, M or G behind the number in KiB, MiB or GiB'
            cand --max-depth 'Refuse documents with more than N containers open at once, or none for no limit'
            cand --kernel 'The kernel to use: auto, or one of those that --version names'
            cand --threads 'Work on up to N threads; 0, the default, stands for one per processor'
            cand --format 'Form of the results'
            cand --export-json 'Write the results and every sample to FILE, as JSON'
            cand --report 'Write a page with charts to FILE; measures every kernel and runs the suites'
            cand -V 'Print the version and the kernel chosen on this machine'
            cand --version 'Print the version and the kernel chosen on this machine'
            cand --lines 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson'
            cand --stream 'Documents one after another, with or without whitespace between them'
            cand --seq 'Documents after record separators (RFC 7464, JSON text sequences)'
            cand --hidden 'In directories, take hidden files too'
            cand --no-ignore 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out'
            cand --all-kernels 'Measure every kernel that this machine can run'
            cand --suite 'Run the conformance suites'
            cand --unique-keys 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory'
            cand --ijson 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit'
            cand -q 'Print no results and no progress; the exit status tells'
            cand --quiet 'Print no results and no progress; the exit status tells'
            cand --no-mmap 'Read regular files instead of mapping them into memory'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'fjson;man'= {
            cand -V 'Print the version and the kernel chosen on this machine'
            cand --version 'Print the version and the kernel chosen on this machine'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'fjson;completions'= {
            cand -V 'Print the version and the kernel chosen on this machine'
            cand --version 'Print the version and the kernel chosen on this machine'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'fjson;help'= {
            cand validate 'Check that inputs are valid JSON'
            cand minify 'Remove whitespace, checking while copying'
            cand pretty 'Indent, checking while copying'
            cand query 'Print what JSONPath or JSON Pointer select'
            cand bench 'Measure speed, and run conformance suites'
            cand man 'Write the man pages into a directory'
            cand completions 'Print the completions for a shell'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'fjson;help;validate'= {
        }
        &'fjson;help;minify'= {
        }
        &'fjson;help;pretty'= {
        }
        &'fjson;help;query'= {
        }
        &'fjson;help;bench'= {
        }
        &'fjson;help;man'= {
        }
        &'fjson;help;completions'= {
        }
        &'fjson;help;help'= {
        }
    ]
    $completions[$command]
}
