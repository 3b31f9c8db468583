import Foundation
import Support
import Testing

/// A shell of a machine in a terminal of tmux, with what a person types and sees.
///
/// The terminal, with all that runs in it, ends when the object is freed.
final class TerminalShell {
    private let machine: Machine
    private let socket: String
    private let width: Int

    /// Whether this machine has everything that is needed.
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux")

    /// The shells that can be used.
    enum Program: String, CaseIterable { case bash, zsh, fish }

    /// Starts a shell that reads these settings first, with the keys of vi if they are wanted.
    init(
        on machine: Machine, width: Int = 80, height: Int = 24, program: Program = .bash, vi: Bool = false,
        settings text: String = ""
    ) throws {
        self.machine = machine
        self.width = width
        socket = machine.home + "-" + UUID().uuidString.prefix(8) + ".tmux"
        machine.variables["TERM"] = "xterm"
        // Some shells ignore a prompt from the environment.
        let settings = socket + ".settings"
        let prompt =
            program == .fish ? "function fish_prompt; printf '$ '; end\nset -g fish_greeting" : "PS1='$ '"
        let command: String
        switch program {
        case .bash:
            try File.write("\(vi ? "set -o vi\n" : "")\(prompt)\n\(text)\n", to: settings)
            command = "bash --noprofile --rcfile '\(settings)' -i"
        case .zsh:
            try FileManager.default.createDirectory(
                atPath: settings, withIntermediateDirectories: false)
            try File.write(
                "\(vi ? "bindkey -v\n" : "")\(prompt)\n\(text)\n", to: settings + "/.zshrc")
            command = "ZDOTDIR='\(settings)' zsh -d -i"
        case .fish where vi:
            // Fish takes the keys of vi from a configuration only.
            try FileManager.default.createDirectory(
                atPath: settings + "/fish", withIntermediateDirectories: true)
            try File.write(
                "set -g fish_key_bindings fish_vi_key_bindings\n\(prompt)\n\(text)\n",
                to: settings + "/fish/config.fish")
            command = "XDG_CONFIG_HOME='\(settings)' fish -i"
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

    /// The visible lines, without empty ones at the end; or why the screen can't be read.
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

    /// Types a line without waiting.
    func type(_ line: String) throws {
        try tmux("send-keys", "-l", line)
        try tmux("send-keys", "Enter")
    }

    /// Presses keys, each a key's name or a text, without waiting.
    func press(_ keys: [String]) throws {
        let answer = try machine.type(["tmux", "-u", "-S", socket, "send-keys"] + keys)
        try #require(answer.status == 0, "\(answer)")
    }

    /// Types a line on an empty screen, and returns what is shown until the next prompt.
    @discardableResult func run(_ line: String) throws -> [String] {
        // A screen that is already empty looks the same before and after it is cleared, so the typed line could be
        // cleared with it.
        if screen != ["$"] {
            try type("clear")
            try eventually("an empty screen: \(screen)") { screen == ["$"] }
        }
        try type(line)
        let typed = ("$ ".count + line.count + width - 1) / width
        return try eventual(
            "the end of `\(line)`; the screen: \(screen)",
            attempt: {
                let lines = screen
                return lines.count > typed && lines.last == "$"
                    ? Array(lines.dropFirst(typed).dropLast()) : nil
            })
    }
}

extension [String] {
    /// The words of lines with a space between them, wherever lines were broken.
    var sentence: String { flatMap { $0.split(separator: " ") }.joined(separator: " ") }
}
