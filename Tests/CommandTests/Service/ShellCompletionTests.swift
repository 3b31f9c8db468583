import Foundation
import Support
import Testing

/// How shells use `baton completions`, and manual tools use `baton manual`.
@Suite struct `Shell completions and the manual page` {
    private let machine: Machine

    init() throws {
        machine = try Account("laptop")[0]
        try machine.must("rename", "my laptop")
    }

    /// The words that bash offers after a line.
    private func bash(_ lines: String...) throws -> [String] {
        let script = """
            source <(baton completions bash)
            complete_line() {
                COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
                # As readline cuts a line, which a script can't ask it to.
                read -ra COMP_WORDS <<<"${1//=/ = }"
                [[ $1 == *" " ]] && COMP_WORDS+=("")
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _baton
                (IFS=,; echo "${COMPREPLY[*]}")
            }
            for line in "$@"; do complete_line "$line"; done
            """
        let answer = try machine.type(["bash", "-c", script, "bash"] + lines)
        try #require(answer.status == 0 && answer.errors.isEmpty, "\(answer)")
        return answer.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
            String.init)
    }

    @Test func `bash completes commands, options, files, devices and activities`() throws {
        try machine.must("start", "org.example.editing", "--instance", "x", "--title", "Draft")
        let identifier = try #require(try machine.list().first?["id"].string?.prefix(7))
        let offered = try bash(
            "baton serv", "baton service st", "baton revoke ", "baton continue org.ex",
            "baton continue ", "baton backup --fo", "baton list --home=\(machine.home)/node.l",
            "baton backup \(machine.home)/node.l", "baton status --nonsense x", "baton continue zzz")
        #expect(
            offered == [
                "service", "start,stop,status", "my\\ laptop", "org.example.editing",
                "Draft,\(identifier),org.example.editing", "--force", "", "\(machine.home)/node.lock", "", "",
            ])
        #expect(try bash("baton list --home=\(machine.home.dropLast(3))") == [machine.home])
    }

    @Test(.enabled(if: Tool.isThere("fish"), "fish is not installed"))
    func `fish completes commands, options and devices`() throws {
        let script = "baton completions fish | source; for line in $argv; complete -C $line; end"
        let answer = try machine.type([
            "fish", "-c", script, "baton service st", "baton revoke m", "baton init --no-c",
        ])
        #expect(answer.errors.isEmpty, "\(answer)")
        let offered = answer.output.split(separator: "\n").map { $0.split(separator: "\t")[0] }
        #expect(offered == ["start", "status", "stop", "my laptop", "--no-confirm"], "\(answer)")
    }

    @Test(.enabled(if: Tool.isThere("zsh"), "zsh is not installed"))
    func `zsh completes commands and devices`() throws {
        // The shell opens a terminal, in which a line is typed and completed.
        let script = #"""
            zmodload zsh/zpty
            zpty typist zsh -f -i
            zpty -w typist 'PS1=; autoload -U compinit; compinit -u -D; source <(baton completions zsh); echo re''ady'
            zpty -r -m typist answer '*ready*'
            zpty -n -w typist $'baton service uni\t'
            zpty -r -m typist answer '*uninstall*' && echo word
            zpty -n -w typist $'\C-ubaton revoke m\t'
            zpty -r -m typist answer '*my\\ laptop*' && echo device
            zpty -d typist
            """#
        let answer = try machine.type(["zsh", "-f", "-c", script])
        #expect(answer.output.hasSuffix("word\ndevice\n"), "\(answer)")
    }

    @Test(
        .enabled(if: Tool.isThere("groff") || Tool.isThere("mandoc"), "neither groff nor mandoc is installed")
    )
    func `groff and mandoc find no fault in the manual page`() throws {
        let page = machine.home + "/baton.1"
        try File.write(try machine.must("manual"), to: page)
        if Tool.isThere("groff") {
            let answer = try machine.type(["groff", "-man", "-ww", "-z", page])
            #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer)")
        }
        if Tool.isThere("mandoc") {
            let answer = try machine.type(["mandoc", "-Tlint", "-W", "error", page])
            #expect(answer.status == 0 && answer.output.isEmpty, "\(answer)")
        }
    }
}
