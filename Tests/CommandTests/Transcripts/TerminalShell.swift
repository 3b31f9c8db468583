import Foundation
import Support
import Testing

/// A shell of a machine in a terminal of tmux: what a person types there, and what they see.
///
/// The terminal, with all that runs in it, ends when nobody holds it any more.
final class TerminalShell {
    private let machine: Machine
    private let socket: String

    /// Whether this machine has what is needed.
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux")

    /// The shells that a person may type in.
    enum Program: String, CaseIterable { case bash, zsh, fish }

    /// Starts a shell that reads these settings first.
    init(
        on machine: Machine, width: Int = 80, height: Int = 24, program: Program = .bash,
        settings text: String = ""
    ) throws {
        self.machine = machine
        socket = machine.home + "-" + UUID().uuidString.prefix(8) + ".tmux"
        machine.variables["TERM"] = "xterm"
        // Some shells take no prompt from those who start them.
        let settings = socket + ".settings"
        let prompt =
            program == .fish ? "function fish_prompt; printf '$ '; end\nset -g fish_greeting" : "PS1='$ '"
        let command: String
        switch program {
        case .bash:
            try File.write("\(prompt)\n\(text)\n", to: settings)
            command = "bash --noprofile --rcfile '\(settings)' -i"
        case .zsh:
            try FileManager.default.createDirectory(
                atPath: settings, withIntermediateDirectories: false)
            try File.write("\(prompt)\n\(text)\n", to: settings + "/.zshrc")
            command = "ZDOTDIR='\(settings)' zsh -d -i"
        case .fish:
            try File.write("\(prompt)\n\(text)\n", to: settings)
            command = "fish --no-config -i -C \"source '\(settings)'\""
        }
        try tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", "\(width)", "-y", "\(height)", command)
        try eventually("a prompt: \(screen)") { screen == ["$"] }
    }

    deinit { _ = try? tmux("kill-server") }

    @discardableResult private func tmux(_ words: String...) throws -> String {
        let answer = try machine.type(["tmux", "-u", "-S", socket] + words)
        try #require(answer.status == 0, "\(answer)")
        return answer.output
    }

    /// The lines that are seen, without empty ones at the end; why none can be, where that is so.
    var screen: [String] {
        do {
            let text = try tmux("capture-pane", "-p")
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            while lines.last?.isEmpty == true { lines.removeLast() }
            return lines
        } catch {
            return ["\(error)"]
        }
    }

    /// Types a line, and does not wait.
    func type(_ line: String) throws {
        try tmux("send-keys", "-l", line)
        try tmux("send-keys", "Enter")
    }

    /// Presses keys, each a key's name or a text, and does not wait.
    func press(_ keys: [String]) throws {
        let answer = try machine.type(["tmux", "-u", "-S", socket, "send-keys"] + keys)
        try #require(answer.status == 0, "\(answer)")
    }

    /// Types a line on an empty screen, and returns what is seen once the shell asks for the next one.
    @discardableResult func run(_ line: String) throws -> [String] {
        // One that is empty looks as it will when it was emptied, and what is typed would be wiped away with the rest.
        if screen != ["$"] {
            try type("clear")
            try eventually("an empty screen: \(screen)") { screen == ["$"] }
        }
        try type(line)
        return try eventual(
            "the end of `\(line)`; the screen: \(screen)",
            attempt: {
                let lines = screen
                return lines.count > 1 && lines.last == "$" ? Array(lines.dropFirst().dropLast()) : nil
            })
    }
}
