import Foundation
import Support
import Testing

/// The tour of the README, typed in two terminals exactly as written.
///
/// Identifiers, codes, words, numbers and times differ each time, and are replaced by their kind on both sides.
@Suite(
    .enabled(
        if: TerminalShell.isThere,
        "tmux is not on this machine: `Scripts/install-dependencies test` installs it")
)
struct `The tour of the README` {
    /// A command of the tour, its shell, and its output.
    private struct Step {
        let isSecond: Bool
        let command: String
        var expected: [String] = []
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private let folder: TemporaryFolder
    private let machine: Machine
    private let shells: [TerminalShell]
    /// The ports of this test that replace those of the README.
    private let ports: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        let tour = Machine("tour", in: folder)
        machine = tour
        // The editor records its arguments, and ends.
        try FileManager.default.createDirectory(
            atPath: folder.path + "/bin", withIntermediateDirectories: true)
        try File.writeProgram("#!/bin/sh\necho \"$@\" >~/edited\n", to: folder.path + "/bin/vim")
        tour.variables["EDITOR"] = folder.path + "/bin/vim"
        shells = try (0..<2).map { _ in try TerminalShell(on: tour, width: 160, height: 60) }
        // Both are held at once, so that they differ, and free again when the nodes start.
        let free = try (0..<2).map { _ in try Listening() }
        ports = ["4817": "\(free[0].port)", "4818": "\(free[1].port)"]
    }

    /// A section of a page.
    private static func section(_ title: String, of page: String) throws -> String {
        let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
        let parts = text.components(separatedBy: "## \(title)\n")
        try #require(parts.count == 2, "\(page) has one section “\(title)”")
        return try #require(parts[1].components(separatedBy: "\n## ").first)
    }

    /// The steps of the tour, and of the part of the guide that continues it, in order.
    private static func steps() throws -> [Step] {
        var (steps, isSecond): ([Step], Bool) = ([], false)
        let tour =
            try section("Two minutes in two shells", of: "README.md")
            + section("Hand over anything", of: "Sources/BatonCommand/BatonCommand.docc/Guide.md")
        for line in tour.components(separatedBy: "\n") {
            if line.hasPrefix("    $ ") {
                steps.append(Step(isSecond: isSecond, command: String(line.dropFirst(6))))
            } else if line.hasPrefix("    ") || line.isEmpty, !steps.isEmpty {
                steps[steps.count - 1].expected.append(String(line.dropFirst(4)))
            } else {
                let words = line.lowercased()
                if words.contains("second, ") || words.contains("in the second:") { isSecond = true }
                let isFirst = ["in the first", "the first machine knows"].contains { words.contains($0) }
                if isFirst { isSecond = false }
            }
        }
        return steps
    }

    /// A line with everything that differs each time replaced by its kind, and runs of spaces as one.
    private func normal(_ line: String) -> String {
        var line = line.split(separator: " ").joined(separator: " ")
        for (port, ours) in ports { line = line.replacing(ours, with: port) }
        line.replace(/\([0-9a-z]{7}\)/, with: "(ID)")
        line.replace(#/^[0-9a-z]{7} (?=(here|laptop|desktop) )/#, with: "ID ")
        line.replace(/\baccount [0-9a-z]{7}\b/, with: "account ID")
        line.replace(/\b[a-z]{3,10}-[a-z]{3,10}-[a-z]{3,10}\b/, with: "WORDS")
        line.replace(/\bprocess [0-9]+/, with: "process NUMBER")
        line.replace(/[0-9.]+ ms\b/, with: "TIME")
        line.replace(/\b(just now|[0-9]+ seconds? ago)/, with: "TIME")
        line.replace(#/ (now|[0-9]+s)\b/#, with: " TIME")
        if line.wholeMatch(of: /([0-9]+ [a-z]+ ?){4}/) != nil { line.replace(/[a-z]+/, with: "WORD") }
        return line
    }

    private func normal(_ lines: [String]) -> [String] {
        lines.map { normal($0) }.filter { !$0.isEmpty && $0.wholeMatch(of: /\[[0-9]+\] [0-9]+/) == nil }
    }

    @Test func `its commands print what the README shows`() throws {
        var code = ""
        for step in try Self.steps() {
            let shell = shells[step.isSecond ? 1 : 0]
            var command = step.command
            for (port, ours) in ports { command = command.replacing(port, with: ours) }
            command.replace(/\b[a-z]+-[a-z]+-[a-z]+(?= --at)/, with: code)
            if command.hasPrefix("baton init") {
                try initialise(shell, command, step)
            } else if command.hasPrefix("baton invite") {
                code = try invite(shell, command, step)
            } else if command.hasPrefix("baton node") || step.expected.allSatisfy(\.isEmpty) {
                try shell.run(command)
            } else {
                try compare(shell, command, step)
            }
        }
        #expect(File.read(folder.path + "/edited") == "+42 \(folder.path)/try/report.md\n")
        for shell in shells { try shell.run("kill %1; wait") }
    }

    /// Types a command until its output is as in the README, because other machines hear of changes a moment later.
    private func compare(_ shell: TerminalShell, _ command: String, _ step: Step) throws {
        let expected = normal(step.expected)
        let isRepeatable = ["list", "status", "continue"].contains { command.hasPrefix("baton \($0)") }
        var shown = normal(try shell.run(command))
        if isRepeatable, shown != expected {
            try eventually("what the README says of `\(command)`: \(shown)") {
                shown = normal(try shell.run(command))
                return shown == expected
            }
        }
        #expect(shown == expected, "\(command)")
    }

    /// Creates the account, typing the words that are shown.
    private func initialise(_ shell: TerminalShell, _ command: String, _ step: Step) throws {
        try shell.type(command)
        try eventually("the question: \(shell.screen)") {
            shell.screen.contains { $0.hasPrefix("Type the 16 words") }
        }
        let words = shell.screen.filter { $0.hasPrefix("  ") }.flatMap { $0.split(separator: " ") }
            .filter { $0.first?.isLetter == true }.map { String($0.prefix(4)) }
        try #require(words.count == 16)
        try shell.type(words.joined(separator: " "))
        try eventually("the end of it: \(shell.screen)") { shell.screen.last == "$" }
        // The typed words follow the question, in the README as on the screen.
        let typed = { (lines: [String]) -> [String] in
            lines.map { $0.split(separator: " ").count == 16 && !$0.contains(".") ? "TYPED" : $0 }
        }
        let shown = shell.screen.drop { !$0.hasSuffix(command) }.dropFirst().dropLast()
        #expect(normal(typed(Array(shown))) == normal(typed(step.expected)))
    }

    /// Starts an invitation, which waits, and returns its code.
    private func invite(_ shell: TerminalShell, _ command: String, _ step: Step) throws -> String {
        try shell.type("clear")
        try eventually("an empty screen: \(shell.screen)") { shell.screen == ["$"] }
        try shell.type(command)
        let expected = normal(step.expected)
        try eventually("the code: \(shell.screen)") {
            Array(normal(shell.screen).dropFirst()) == expected
        }
        let shown = shell.screen.joined(separator: "\n")
        return try #require(shown.firstMatch(of: /Code: (\S+)/).map { String($0.1) })
    }
}
