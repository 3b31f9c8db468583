import Support
import Testing

/// The key that opens the picker, in every mode of the three shells.
///
/// A function that prints a word stands for the picker.
@Suite(
    .enabled(
        if: TerminalShell.isThere,
        "tmux is not on this machine: `Scripts/install-dependencies test` installs it")
)
struct `The key of a shell that opens the picker` {
    private let folder: TemporaryFolder
    private let machine: Machine

    init() throws {
        folder = try TemporaryFolder()
        machine = Machine("laptop", in: folder)
    }

    /// A shell in which the picker prints a word and goes to another folder.
    private func shell(
        _ program: TerminalShell.Program, vi: Bool = false, key: String? = nil
    ) throws -> TerminalShell {
        let settings =
            switch program {
            case .bash, .zsh:
                """
                \(key.map { "BATON_KEY='\($0)'" } ?? "")
                eval "$(baton shell \(program))"
                baton() { echo picked; cd /usr; }
                """
            case .fish:
                """
                function fish_mode_prompt
                    test $fish_bind_mode = default; and commandline | string match -q '?*'; and printf 'command mode '
                end
                \(vi ? "" : "functions -e fish_mode_prompt")
                \(key.map { "set BATON_KEY \($0)" } ?? "")
                baton shell fish | source
                function baton; printf '\\npicked\\n'; touch ~/picked; cd /usr; end
                """
            }
        return try TerminalShell(on: machine, program: program, vi: vi, settings: settings)
    }

    /// Waits until the picker was open, and the line is there again.
    private func expectPicker(_ shell: TerminalShell, then line: String) throws {
        try eventually("the picker: \(shell.screen)") { shell.screen.contains { $0.hasPrefix("picked") } }
        try eventually("the line again: \(shell.screen)") { shell.screen.last == line }
    }

    @Test(arguments: TerminalShell.Program.allCases, [false, true])
    func `restores the typed text and the cursor position`(program: TerminalShell.Program, vi: Bool)
        throws
    {
        let shell = try shell(program, vi: vi)
        try shell.press(["echo hel", "C-^"])
        try expectPicker(shell, then: "$ echo hel")
        try shell.press(["lo; pwd", "Enter"])
        try eventually("the folder: \(shell.screen)") {
            Array(shell.screen.suffix(3)) == ["hello", "/usr", "$"]
        }
    }

    @Test(arguments: [TerminalShell.Program.bash, .zsh], [false, true])
    func `leaves no extra line behind, with any prompt`(program: TerminalShell.Program, vi: Bool) throws {
        let shell = try shell(program, vi: vi)
        let long = "a long prompt that takes more than one line of the terminal, /usr, /usr, /usr, /usr"
        let prompts =
            program == .bash
            ? [#"PS1='$ '"#, #"PS1='\[\e[1m\]\w\[\e[0m\]\n$ '"#, #"PS1='\#(long)\n$ '"#]
            : [#"PS1='$ '"#, #"PS1=$'%B%F{red}%~%f%b\n$ '"#, #"PS1=$'\#(long)\n$ '"#]
        for prompt in prompts {
            try shell.type("\(prompt); cd /usr; clear")
            try eventually("the prompt: \(shell.screen)") {
                shell.screen.last == "$" && !shell.screen.contains { $0.contains("clear") }
            }
            try shell.press(["echo hel", "C-^"])
            try expectPicker(shell, then: "$ echo hel")
            #expect(shell.screen.first == "picked", "\(shell.screen)")
            try shell.press(["Enter"])
            try eventually("the next prompt: \(shell.screen)") {
                shell.screen.last == "$" && shell.screen.contains("hel")
            }
        }
    }

    @Test(arguments: TerminalShell.Program.allCases)
    func `works in the command mode of vi`(program: TerminalShell.Program) throws {
        let shell = try shell(program, vi: true)
        try shell.press(["echo hello", "Escape"])
        if program == .fish {
            // It takes a key right behind Escape for one key with Alt.
            try eventually("the command mode: \(shell.screen)") {
                shell.screen.last == "command mode $ echo hello"
            }
        }
        try shell.press(["C-^"])
        try expectPicker(shell, then: program == .fish ? "command mode $ echo hello" : "$ echo hello")
    }

    @Test(arguments: TerminalShell.Program.allCases)
    func `works during a search in the history`(program: TerminalShell.Program) throws {
        let shell = try shell(program)
        try search(program, in: shell)
        try shell.press(["C-^"])
        if program == .fish {
            // Its list of what was found goes on behind the picker, and is drawn over the word.
            return try eventually("the picker: \(shell.screen)") { File.read(folder.path + "/picked") != nil }
        }
        try eventually("the picker: \(shell.screen)") { shell.screen.contains { $0.hasPrefix("picked") } }
        try eventually("what was found: \(shell.screen)") {
            shell.screen.suffix(3).contains("$ echo git one")
        }
    }

    @Test(arguments: [TerminalShell.Program.bash, .zsh])
    func `leaves the shell's own key that ends a history search working`(program: TerminalShell.Program)
        throws
    {
        let shell = try shell(program)
        try search(program, in: shell)
        try shell.press(["C-g"])
        try eventually("what was typed: \(shell.screen)") { shell.screen.last == "$ abc" }
        #expect(!shell.screen.contains { $0.hasPrefix("picked") })
    }

    @Test(arguments: TerminalShell.Program.allCases)
    func `can be changed or disabled`(program: TerminalShell.Program) throws {
        let name =
            switch program {
            case .bash: "\\C-t"
            case .zsh: "^T"
            case .fish: "\\ct"
            }
        let shell = try shell(program, key: name)
        try shell.press(["echo hel", "C-t"])
        try expectPicker(shell, then: "$ echo hel")
        let silent = try self.shell(program, key: program == .fish ? "''" : "")
        try silent.press(["echo hel", "C-^", "lo", "Enter"])
        try eventually("the end of the command: \(silent.screen)") { silent.screen.last == "$" }
        #expect(!silent.screen.contains { $0.contains("picked") }, "\(silent.screen)")
    }

    /// Runs a command, types something else, and looks for the command in the history.
    private func search(_ program: TerminalShell.Program, in shell: TerminalShell) throws {
        try shell.run("echo git one")
        // The search of fish is for what was typed before it, too.
        try shell.press(program == .fish ? ["C-r"] : ["abc", "C-r"])
        try eventually("a search: \(shell.screen)") { shell.screen.contains { $0.contains("search") } }
        try shell.press(["git"])
        try eventually("what was found: \(shell.screen)") {
            shell.screen.dropFirst().contains { $0.contains("git one") && $0 != "git one" }
        }
    }
}
