import Foundation
import Support
import Testing

/// Names that other devices chose, completed by real shells in a terminal.
@Suite(.enabled(if: TerminalShell.isThere, "tmux is not installed"))
struct `Completing hostile names` {
    /// A way to start a word, and to end it.
    private struct Quotation {
        let opening: String, closing: String
        /// Whether names with a space are completed in this quotation.
        var completesSpaces = false

        /// Whether fish supports it, too.
        var isOfFish: Bool { !opening.contains("`") && !opening.hasPrefix("$'") }
    }

    private static let quotations = [
        Quotation(opening: "", closing: "", completesSpaces: true),
        Quotation(opening: "'", closing: "'", completesSpaces: true),
        Quotation(opening: "\"", closing: "\"", completesSpaces: true),
        Quotation(opening: "$'", closing: "'"),
        Quotation(opening: "$(baton show ", closing: ")"),
        Quotation(opening: "\"$(baton show ", closing: ")\""),
        Quotation(opening: "`baton show ", closing: "`"),
        Quotation(opening: "\"`baton show ", closing: "`\""),
    ]

    /// Types of activities that would run a command, each in another quotation.
    ///
    /// A shell or `baton` takes some of them for something else. One letter tells them apart, after which they are
    /// completed.
    private static let types = [
        "A$(touch${IFS}hit)", "B`touch${IFS}hit`", "C';touch${IFS}hit;'", "D\";touch${IFS}hit;\"",
        "E;touch${IFS}hit", "F\\';touch${IFS}hit;\\'", "G!!", "H&touch${IFS}hit&", "I|touch${IFS}hit",
        "J>hit",
        "K`hit`", "L{a,b}", "M)touch${IFS}hit", "~root", "-yes", "--all", "=hit", "*",
    ]
    /// Identifiers have no capital letters.
    private static let letters = "ABCDEFGHIJKLM".map(String.init)

    @Test(arguments: TerminalShell.Program.allCases)
    fileprivate func `completing a hostile name runs no code, with any open quotation mark`(
        program: TerminalShell.Program
    ) throws {
        try #require(Tool.isThere(program.rawValue), "\(program) is not installed")
        let machine = try Account("laptop")[0]
        for (number, type) in Self.types.enumerated() {
            try machine.must("start", "--instance", "\(number)", "--title", type, "--", type)
        }
        try machine.must("rename", "N's laptop")
        let folder = machine.home + "-typed"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try File.writeProgram("#!/bin/sh\ntouch '\(folder)/hit'\n", to: folder + "/hit.program")
        let typed = folder + "/typed"
        let shell = try TerminalShell(
            on: machine, width: 200, height: 50, program: program,
            settings: Self.settings(of: program, folder: folder, typed: typed))
        var count = 0
        /// Types a line, and returns what its commands were given, once the last one ran.
        func type(_ keys: [String]) throws -> [String] {
            count += 1
            try shell.press(keys + ["; baton end\(count)", "Enter"])
            let all = try eventual(
                "the end of \(keys); the screen: \(shell.screen)",
                attempt: { () -> [String]? in
                    let lines = (File.read(typed) ?? "").split(separator: "\n").map(String.init)
                    return lines.last == "<end\(count)>" ? lines : nil
                })
            let before = all.lastIndex(of: "<end\(count - 1)>").map { $0 + 1 } ?? 0
            return Array(all[before..<(all.count - 1)])
        }
        for quotation in Self.quotations where program != .fish || quotation.isOfFish {
            let keys = Self.letters.flatMap { letter in
                [
                    (letter == "A" ? "" : "; ") + "baton show \(quotation.opening)\(letter)", "Tab",
                    quotation.closing,
                ]
            }
            let told = try type(keys)
            if quotation.completesSpaces {
                #expect(told == Self.letters.map { "<show><\($0)>" }, "\(program), \(quotation)")
            }
            #expect(!FileManager.default.fileExists(atPath: folder + "/hit"), "\(program), \(quotation)")
        }
        // All candidates are listed, with their titles.
        try shell.press(["baton show ", "Tab", "Tab", "C-c"])
        #expect(try type([":"]) == [])
        #expect(!FileManager.default.fileExists(atPath: folder + "/hit"))
        // A harmless name stays one word in each quotation, or stays as it was typed.
        #expect(try type(["baton revoke N", "Tab"]) == ["<revoke><N's laptop>"])
        // Fish completes none of Baton's words in quotation marks; bash would have to close them for an apostrophe.
        let hasName = (double: program != .fish, single: program == .zsh)
        #expect(
            try type(["baton revoke \"N", "Tab"] + (hasName.double ? [] : ["\""]))
                == ["<revoke><\(hasName.double ? "N's laptop" : "N")>"])
        #expect(
            try type(["baton revoke 'N", "Tab"] + (hasName.single ? [] : ["'"]))
                == ["<revoke><\(hasName.single ? "N's laptop" : "N")>"])
    }

    /// A `baton` that runs `complete` for real, and only records the other commands.
    private static func settings(
        of program: TerminalShell.Program, folder: String, typed: String
    ) -> String {
        let note = "printf '<%s>' \(program == .fish ? "$argv" : "\"$@\"") >>'\(typed)'; echo >>'\(typed)'"
        return switch program {
        case .bash:
            """
            cd '\(folder)'
            baton() { if [[ $1 == complete ]]; then command baton "$@"; else \(note); fi; }
            source <(command baton completions bash)
            """
        case .zsh:
            """
            cd '\(folder)'
            autoload -U compinit; compinit -u -D
            baton() { if [[ $1 == complete ]]; then command baton "$@"; else \(note); fi; }
            source <(command baton completions zsh)
            """
        case .fish:
            """
            cd '\(folder)'
            function baton
                if test "$argv[1]" = complete
                    command baton $argv
                else
                    \(note)
                end
            end
            command baton completions fish | source
            """
        }
    }
}
