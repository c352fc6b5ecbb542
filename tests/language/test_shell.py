"""What a command line runs, where, and what it is fed."""

import pytest

from steno.language.shell import parts, plain

RUNS = {
    # What a shell is given is run, however it gets there.
    "bash <<'EOF'\nnpm ci\nnpm test\nEOF\nmake": ["bash", "npm ci", "npm test", "make"],
    "cat <<EOF | ssh host\nnpm ci\nEOF": ["cat", "ssh host", "npm ci"],
    "echo 'npm ci' | sudo -E bash -s": ["echo '…'", "bash -s", "npm ci"],
    "bash <<< 'npm ci'": ["bash", "npm ci"],
    "eval npm ci": ["eval npm ci", "npm ci"],
    "find . -name a -exec rm -f {} \\; -print": ["find . -name a -exec rm -f {} ; -print", "rm -f {}"],
    "script -qc 'npm ci' /dev/null": ["script -qc '…' /dev/null", "npm ci"],
    # What is only said is not.
    "cat > notes <<EOF\nnpm ci\nEOF\nmake": ["cat", "make"],
    "git commit -m \"$(cat <<'EOF'\nnpm ci\nEOF\n)\" && git push": ["git commit -m '…'", "cat", "git push"],
    # No document begins here.
    "echo 'a << b'\nnpm ci": ["echo '…'", "npm ci"],
    "echo $((1<<n))\nnpm ci": ["1", "echo $(…)", "npm ci"],
    "cat <\0007": ["cat"],
    # What stands behind `$(…)` belongs to the command around it.
    "make $(ls a) b": ["ls a", "make $(…) b"],
    "X=$(date) make && $(npm bin)/eslint src": ["date", "make", "npm bin", "$(…)/eslint src"],
    "diff <(ls a) <(ls b) c": ["ls a", "ls b", "diff $(…) $(…) c"],
    "make $(ls a": ["ls a", "make"],
    # What stands before a program, with its options and their values.
    "env -u A B=1 sudo -u bob -E timeout -k 5 10 nice -n 3 npm ci": ["npm ci"],
    "ls | xargs -n 1 -I {} rm {}": ["ls", "rm {}"],
}


@pytest.mark.parametrize("command", RUNS)
def test_a_command_line_is_read_as_a_shell_reads_it(command: str) -> None:
    assert [part.text for part in parts(command)] == RUNS[command]


def test_a_program_runs_where_the_line_went_before() -> None:
    found = parts("cd app && (cd web && rm a) && bash -c 'rm b' > log; cd ~/x; rm c > $D/log; cd; rm d")
    assert [(part.text, part.directory, part.files) for part in found if part.files] == [
        ("rm a", "app/web", ("app/web/a",)),
        ("bash -c '…'", "app", ("app/log",)),
        ("rm b", "app", ("app/b",)),
        ("rm c", "~/x", ("~/x/c", "$D/log")),
        ("rm d", "~", ("~/d",)),
    ]


def test_a_program_has_its_words_as_they_were_written() -> None:
    [part] = parts('A=1 sudo -E psql -c "say \\"x y\\"" \'it\' <<EOF\nselect 1\nEOF')
    assert part.before == ("A=1", "sudo", "-E")
    assert part.words == ("psql", "-c", '"say \\"x y\\""', "'it'")
    assert [*map(plain, part.words)] == ["psql", "-c", 'say "x y"', "it"]
    assert part.fed == "select 1"
