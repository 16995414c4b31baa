
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'fjson' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'fjson'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'fjson' {
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check that inputs are valid JSON')
            [CompletionResult]::new('minify', 'minify', [CompletionResultType]::ParameterValue, 'Remove whitespace, checking while copying')
            [CompletionResult]::new('pretty', 'pretty', [CompletionResultType]::ParameterValue, 'Indent, checking while copying')
            [CompletionResult]::new('query', 'query', [CompletionResultType]::ParameterValue, 'Print what JSONPath or JSON Pointer select')
            [CompletionResult]::new('stats', 'stats', [CompletionResultType]::ParameterValue, 'Count types, sizes, names and numbers')
            [CompletionResult]::new('gzip', 'gzip', [CompletionResultType]::ParameterValue, 'Check, minify and compress on all cores')
            [CompletionResult]::new('bench', 'bench', [CompletionResultType]::ParameterValue, 'Measure speed, and run conformance suites')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the man pages into a directory')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completions for a shell')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'fjson;validate' {
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the names of more inputs from FILE, one per line; - is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'The same with a NUL after each name')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Refuse documents with more than N containers open at once, or none for no limit')
            [CompletionResult]::new('--kernel', '--kernel', [CompletionResultType]::ParameterName, 'The kernel to use: auto, or one of those that --version names')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Work on up to N threads; 0, the default, stands for one per processor')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Form of the report; validate writes those for machines to standard output, all else is standard error')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Show at most N errors and then how many more there are; 0 shows all')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour in the report; auto asks the environment and the terminal')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Documents one after another, with or without whitespace between them')
            [CompletionResult]::new('--seq', '--seq', [CompletionResultType]::ParameterName, 'Documents after record separators (RFC 7464, JSON text sequences)')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories, take hidden files too')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'Read regular files instead of mapping them into memory')
            [CompletionResult]::new('--unique-keys', '--unique-keys', [CompletionResultType]::ParameterName, 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory')
            [CompletionResult]::new('--ijson', '--ijson', [CompletionResultType]::ParameterName, 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Do not report invalid documents; the exit status tells')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Do not report invalid documents; the exit status tells')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what was read, how fast, and by which kernel')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what was read, how fast, and by which kernel')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'fjson;minify' {
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the names of more inputs from FILE, one per line; - is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'The same with a NUL after each name')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB')
            [CompletionResult]::new('--escape', '--escape', [CompletionResultType]::ParameterName, 'Write characters in strings as \u escapes: all beyond ASCII; or < > & U+2028 U+2029 (html); or these two (js)')
            [CompletionResult]::new('--max-memory', '--max-memory', [CompletionResultType]::ParameterName, 'Bytes, or with K, M or G behind the number KiB, MiB or GiB, that may be held for an object to be sorted, and in the canonical form for a string or number')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to FILE, which appears when it is complete')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to FILE, which appears when it is complete')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Refuse documents with more than N containers open at once, or none for no limit')
            [CompletionResult]::new('--kernel', '--kernel', [CompletionResultType]::ParameterName, 'The kernel to use: auto, or one of those that --version names')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Work on up to N threads; 0, the default, stands for one per processor')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Form of the report; validate writes those for machines to standard output, all else is standard error')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Show at most N errors and then how many more there are; 0 shows all')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour in the report; auto asks the environment and the terminal')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Documents one after another, with or without whitespace between them')
            [CompletionResult]::new('--seq', '--seq', [CompletionResultType]::ParameterName, 'Documents after record separators (RFC 7464, JSON text sequences)')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories, take hidden files too')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'Read regular files instead of mapping them into memory')
            [CompletionResult]::new('-S', '-S ', [CompletionResultType]::ParameterName, 'Sort the members of each object by name, in the order of code points; an object is held in memory until it ends')
            [CompletionResult]::new('--sort-keys', '--sort-keys', [CompletionResultType]::ParameterName, 'Sort the members of each object by name, in the order of code points; an object is held in memory until it ends')
            [CompletionResult]::new('--canonical', '--canonical', [CompletionResultType]::ParameterName, 'Write the canonical form of RFC 8785 (JCS); names that stand twice and what is no number or text to all are refused')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Replace each FILE by its output, keeping links, mode and owner')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Replace each FILE by its output, keeping links, mode and owner')
            [CompletionResult]::new('--unique-keys', '--unique-keys', [CompletionResultType]::ParameterName, 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory')
            [CompletionResult]::new('--ijson', '--ijson', [CompletionResultType]::ParameterName, 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Do not report invalid documents; the exit status tells')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Do not report invalid documents; the exit status tells')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what was read, how fast, and by which kernel')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what was read, how fast, and by which kernel')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'fjson;pretty' {
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the names of more inputs from FILE, one per line; - is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'The same with a NUL after each name')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB')
            [CompletionResult]::new('--escape', '--escape', [CompletionResultType]::ParameterName, 'Write characters in strings as \u escapes: all beyond ASCII; or < > & U+2028 U+2029 (html); or these two (js)')
            [CompletionResult]::new('--max-memory', '--max-memory', [CompletionResultType]::ParameterName, 'Bytes, or with K, M or G behind the number KiB, MiB or GiB, that may be held for an object to be sorted, and in the canonical form for a string or number')
            [CompletionResult]::new('--indent', '--indent', [CompletionResultType]::ParameterName, 'Spaces per level, 0 to 16; 0 breaks lines without indenting')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to FILE, which appears when it is complete')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to FILE, which appears when it is complete')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Refuse documents with more than N containers open at once, or none for no limit')
            [CompletionResult]::new('--kernel', '--kernel', [CompletionResultType]::ParameterName, 'The kernel to use: auto, or one of those that --version names')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Work on up to N threads; 0, the default, stands for one per processor')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Form of the report; validate writes those for machines to standard output, all else is standard error')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Show at most N errors and then how many more there are; 0 shows all')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour in the report; auto asks the environment and the terminal')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Documents one after another, with or without whitespace between them')
            [CompletionResult]::new('--seq', '--seq', [CompletionResultType]::ParameterName, 'Documents after record separators (RFC 7464, JSON text sequences)')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories, take hidden files too')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'Read regular files instead of mapping them into memory')
            [CompletionResult]::new('-S', '-S ', [CompletionResultType]::ParameterName, 'Sort the members of each object by name, in the order of code points; an object is held in memory until it ends')
            [CompletionResult]::new('--sort-keys', '--sort-keys', [CompletionResultType]::ParameterName, 'Sort the members of each object by name, in the order of code points; an object is held in memory until it ends')
            [CompletionResult]::new('--tab', '--tab', [CompletionResultType]::ParameterName, 'Indent with one tab per level')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Replace each FILE by its output, keeping links, mode and owner')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Replace each FILE by its output, keeping links, mode and owner')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Write nothing; name the inputs that are not formatted like this, and exit with 1 if there are any')
            [CompletionResult]::new('--unique-keys', '--unique-keys', [CompletionResultType]::ParameterName, 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory')
            [CompletionResult]::new('--ijson', '--ijson', [CompletionResultType]::ParameterName, 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Do not report invalid documents; the exit status tells')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Do not report invalid documents; the exit status tells')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what was read, how fast, and by which kernel')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what was read, how fast, and by which kernel')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'fjson;query' {
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the names of more inputs from FILE, one per line; - is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'The same with a NUL after each name')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Look for EXPR; given several times, for all of them in one pass, and each document''s matches come in their order')
            [CompletionResult]::new('--expr', '--expr', [CompletionResultType]::ParameterName, 'Look for EXPR; given several times, for all of them in one pass, and each document''s matches come in their order')
            [CompletionResult]::new('--where', '--where', [CompletionResultType]::ParameterName, 'Ask only documents for which CONDITION holds, which is what may stand behind the ? of a filter: @.level == ''error''')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Stop after N matches; what follows is not read, and not checked')
            [CompletionResult]::new('--order', '--order', [CompletionResultType]::ParameterName, 'Order of the matches: that of RFC 9535, or document, which holds nothing back')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Refuse documents with more than N containers open at once, or none for no limit')
            [CompletionResult]::new('--kernel', '--kernel', [CompletionResultType]::ParameterName, 'The kernel to use: auto, or one of those that --version names')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Work on up to N threads; 0, the default, stands for one per processor')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Form of the report; validate writes those for machines to standard output, all else is standard error')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Show at most N errors and then how many more there are; 0 shows all')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour in the report; auto asks the environment and the terminal')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Documents one after another, with or without whitespace between them')
            [CompletionResult]::new('--seq', '--seq', [CompletionResultType]::ParameterName, 'Documents after record separators (RFC 7464, JSON text sequences)')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories, take hidden files too')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'Read regular files instead of mapping them into memory')
            [CompletionResult]::new('--single', '--single', [CompletionResultType]::ParameterName, 'One document per input; another one behind it is an error')
            [CompletionResult]::new('--first', '--first', [CompletionResultType]::ParameterName, 'Stop after the first match; what follows is not read, and not checked')
            [CompletionResult]::new('--skip-bad', '--skip-bad', [CompletionResultType]::ParameterName, 'With --lines and --seq, leave out records that are invalid, and say on standard error how many they were')
            [CompletionResult]::new('--trust', '--trust', [CompletionResultType]::ParameterName, 'Believe that the input is one valid document, or valid records: check only what is printed, and read no further than to where nothing more can match')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Print strings without quotes and escapes')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Print strings without quotes and escapes')
            [CompletionResult]::new('--raw-bytes', '--raw-bytes', [CompletionResultType]::ParameterName, 'Print matches byte for byte, line breaks and all')
            [CompletionResult]::new('--pretty', '--pretty', [CompletionResultType]::ParameterName, 'Indent matches')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'End each match with a NUL in place of a line break')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'End each match with a NUL in place of a line break')
            [CompletionResult]::new('--array', '--array', [CompletionResultType]::ParameterName, 'Print all matches as one array')
            [CompletionResult]::new('--paths', '--paths', [CompletionResultType]::ParameterName, 'Print where matches are, as normalized paths; with --pointers and --offsets, in columns')
            [CompletionResult]::new('--pointers', '--pointers', [CompletionResultType]::ParameterName, 'The same as JSON Pointers')
            [CompletionResult]::new('--offsets', '--offsets', [CompletionResultType]::ParameterName, 'The same as bytes of the input: from..to, the second not included')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Print how many matches there are, for each EXPR on a line')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print a row of comma-separated values for each document')
            [CompletionResult]::new('--tsv', '--tsv', [CompletionResultType]::ParameterName, 'Print a row of tab-separated values for each document')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Begin with a row of the expressions')
            [CompletionResult]::new('--unique-keys', '--unique-keys', [CompletionResultType]::ParameterName, 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory')
            [CompletionResult]::new('--ijson', '--ijson', [CompletionResultType]::ParameterName, 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Do not report invalid documents; the exit status tells')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Do not report invalid documents; the exit status tells')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what was read, how fast, and by which kernel')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what was read, how fast, and by which kernel')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'fjson;stats' {
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the names of more inputs from FILE, one per line; - is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'The same with a NUL after each name')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write a table, or one JSON document')
            [CompletionResult]::new('--top', '--top', [CompletionResultType]::ParameterName, 'Show the N most frequent names')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Refuse documents with more than N containers open at once, or none for no limit')
            [CompletionResult]::new('--kernel', '--kernel', [CompletionResultType]::ParameterName, 'The kernel to use: auto, or one of those that --version names')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Work on up to N threads; 0, the default, stands for one per processor')
            [CompletionResult]::new('--max-memory', '--max-memory', [CompletionResultType]::ParameterName, 'Bytes, or with K, M or G behind the number KiB, MiB or GiB, that may be held of a string or number')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Show at most N errors and then how many more there are; 0 shows all')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour in the report; auto asks the environment and the terminal')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Documents one after another, with or without whitespace between them')
            [CompletionResult]::new('--seq', '--seq', [CompletionResultType]::ParameterName, 'Documents after record separators (RFC 7464, JSON text sequences)')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories, take hidden files too')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'Read regular files instead of mapping them into memory')
            [CompletionResult]::new('--unique-keys', '--unique-keys', [CompletionResultType]::ParameterName, 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory')
            [CompletionResult]::new('--ijson', '--ijson', [CompletionResultType]::ParameterName, 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Do not report invalid documents; the exit status tells')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Do not report invalid documents; the exit status tells')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what was read, how fast, and by which kernel')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what was read, how fast, and by which kernel')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'fjson;gzip' {
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the names of more inputs from FILE, one per line; - is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'The same with a NUL after each name')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to FILE, which appears when it is complete')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to FILE, which appears when it is complete')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Refuse documents with more than N containers open at once, or none for no limit')
            [CompletionResult]::new('--kernel', '--kernel', [CompletionResultType]::ParameterName, 'The kernel to use: auto, or one of those that --version names')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Work on up to N threads; 0, the default, stands for one per processor')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Form of the report; validate writes those for machines to standard output, all else is standard error')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Show at most N errors and then how many more there are; 0 shows all')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour in the report; auto asks the environment and the terminal')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Documents one after another, with or without whitespace between them')
            [CompletionResult]::new('--seq', '--seq', [CompletionResultType]::ParameterName, 'Documents after record separators (RFC 7464, JSON text sequences)')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories, take hidden files too')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'Read regular files instead of mapping them into memory')
            [CompletionResult]::new('-1', '-1', [CompletionResultType]::ParameterName, 'Fast; any number from 1 to 9 may be given, and 6 is what is used if none is')
            [CompletionResult]::new('-2', '-2', [CompletionResultType]::ParameterName, '2')
            [CompletionResult]::new('-3', '-3', [CompletionResultType]::ParameterName, '3')
            [CompletionResult]::new('-4', '-4', [CompletionResultType]::ParameterName, '4')
            [CompletionResult]::new('-5', '-5', [CompletionResultType]::ParameterName, '5')
            [CompletionResult]::new('-6', '-6', [CompletionResultType]::ParameterName, '6')
            [CompletionResult]::new('-7', '-7', [CompletionResultType]::ParameterName, '7')
            [CompletionResult]::new('-8', '-8', [CompletionResultType]::ParameterName, '8')
            [CompletionResult]::new('-9', '-9', [CompletionResultType]::ParameterName, 'Small')
            [CompletionResult]::new('--keep-space', '--keep-space', [CompletionResultType]::ParameterName, 'Compress the input as it is, with its whitespace')
            [CompletionResult]::new('--rsyncable', '--rsyncable', [CompletionResultType]::ParameterName, 'Keep what follows an edit as it was, for rsync and backups; the output grows a little')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Write to standard output')
            [CompletionResult]::new('--stdout', '--stdout', [CompletionResultType]::ParameterName, 'Write to standard output')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace FILE.gz if it is there')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace FILE.gz if it is there')
            [CompletionResult]::new('--unique-keys', '--unique-keys', [CompletionResultType]::ParameterName, 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory')
            [CompletionResult]::new('--ijson', '--ijson', [CompletionResultType]::ParameterName, 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Do not report invalid documents; the exit status tells')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Do not report invalid documents; the exit status tells')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what was read, how fast, and by which kernel')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what was read, how fast, and by which kernel')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'fjson;bench' {
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the names of more inputs from FILE, one per line; - is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'The same with a NUL after each name')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB')
            [CompletionResult]::new('--verb', '--verb', [CompletionResultType]::ParameterName, 'Measure this verb only; may be repeated')
            [CompletionResult]::new('--query', '--query', [CompletionResultType]::ParameterName, 'Query of the verb query; if not given, all values of the most frequent key')
            [CompletionResult]::new('--time', '--time', [CompletionResultType]::ParameterName, 'Approximate time for each verb and kernel; there are at least 6 samples')
            [CompletionResult]::new('--vs', '--vs', [CompletionResultType]::ParameterName, 'Time another program on the same file, in turn with fjson as a process (validate, or the verbs of --verb); {} is replaced by the file, or else the file is standard input; may be repeated')
            [CompletionResult]::new('--baseline', '--baseline', [CompletionResultType]::ParameterName, 'Compare with an earlier --export-json, and exit with 1 if a figure is slower beyond the noise of both runs')
            [CompletionResult]::new('--corpus', '--corpus', [CompletionResultType]::ParameterName, 'Search for the suites in DIR only')
            [CompletionResult]::new('--require', '--require', [CompletionResultType]::ParameterName, 'Fail if this suite is missing or incomplete; without a name, if any is')
            [CompletionResult]::new('--emit', '--emit', [CompletionResultType]::ParameterName, 'Only write a generated document of this shape to standard output')
            [CompletionResult]::new('--size', '--size', [CompletionResultType]::ParameterName, 'Its size in bytes, or in KiB, MiB or GiB with K, M or G after the number')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Refuse documents with more than N containers open at once, or none for no limit')
            [CompletionResult]::new('--kernel', '--kernel', [CompletionResultType]::ParameterName, 'The kernel to use: auto, or one of those that --version names')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Work on up to N threads; 0, the default, stands for one per processor')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of the results')
            [CompletionResult]::new('--export-json', '--export-json', [CompletionResultType]::ParameterName, 'Write the results and all samples to FILE, as JSON')
            [CompletionResult]::new('--report', '--report', [CompletionResultType]::ParameterName, 'Write a page with charts to FILE; measures every kernel and runs the suites')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Documents one after another, with or without whitespace between them')
            [CompletionResult]::new('--seq', '--seq', [CompletionResultType]::ParameterName, 'Documents after record separators (RFC 7464, JSON text sequences)')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories, take hidden files too')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out')
            [CompletionResult]::new('--all-kernels', '--all-kernels', [CompletionResultType]::ParameterName, 'Measure every kernel that this machine can run')
            [CompletionResult]::new('--suite', '--suite', [CompletionResultType]::ParameterName, 'Run the conformance suites')
            [CompletionResult]::new('--unique-keys', '--unique-keys', [CompletionResultType]::ParameterName, 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory')
            [CompletionResult]::new('--ijson', '--ijson', [CompletionResultType]::ParameterName, 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no results and no progress, only set the exit status')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no results and no progress, only set the exit status')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'Read regular files instead of mapping them into memory')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'fjson;man' {
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'fjson;completions' {
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernel chosen on this machine')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'fjson;help' {
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check that inputs are valid JSON')
            [CompletionResult]::new('minify', 'minify', [CompletionResultType]::ParameterValue, 'Remove whitespace, checking while copying')
            [CompletionResult]::new('pretty', 'pretty', [CompletionResultType]::ParameterValue, 'Indent, checking while copying')
            [CompletionResult]::new('query', 'query', [CompletionResultType]::ParameterValue, 'Print what JSONPath or JSON Pointer select')
            [CompletionResult]::new('stats', 'stats', [CompletionResultType]::ParameterValue, 'Count types, sizes, names and numbers')
            [CompletionResult]::new('gzip', 'gzip', [CompletionResultType]::ParameterValue, 'Check, minify and compress on all cores')
            [CompletionResult]::new('bench', 'bench', [CompletionResultType]::ParameterValue, 'Measure speed, and run conformance suites')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the man pages into a directory')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completions for a shell')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'fjson;help;validate' {
            break
        }
        'fjson;help;minify' {
            break
        }
        'fjson;help;pretty' {
            break
        }
        'fjson;help;query' {
            break
        }
        'fjson;help;stats' {
            break
        }
        'fjson;help;gzip' {
            break
        }
        'fjson;help;bench' {
            break
        }
        'fjson;help;man' {
            break
        }
        'fjson;help;completions' {
            break
        }
        'fjson;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
