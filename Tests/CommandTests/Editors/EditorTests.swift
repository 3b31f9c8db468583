import Foundation
import Support
import Testing

/// Vim, Neovim and Emacs with their plugin: what they tell, and where files go on.
@Suite(
    .enabled(
        if: TerminalShell.isThere,
        "tmux is not on this machine: `Scripts/install-dependencies test` installs it")
)
struct `Editors that report the edited file` {
    private let account: Account
    private let folder: String

    init() throws {
        account = try Account("laptop", "desktop")
        folder = (account[0].home as NSString).deletingLastPathComponent
        for machine in account.machines {
            let home = folder + "/home-of-" + machine.name
            try FileManager.default.createDirectory(atPath: home + "/work", withIntermediateDirectories: true)
            machine.variables["HOME"] = home
            for name in ["a.txt", "b.txt"] {
                let lines = (1...9).map { "\(name) \($0) of \(machine.name)\n" }
                try File.write(lines.joined(), to: home + "/work/" + name)
            }
        }
    }

    private var laptop: Machine { account[0] }
    private var desktop: Machine { account[1] }

    private func home(_ machine: Machine) -> String { machine.variables["HOME"] ?? "" }

    /// Starts an editor in a terminal of its own.
    private func open(
        _ editor: EditorProgram, on machine: Machine, in folder: String = "~/work", _ arguments: String = "",
        unsaved: String? = nil
    ) throws -> TerminalShell {
        try editor.configure(machine, unsaved: unsaved)
        let shell = try TerminalShell(on: machine)
        try shell.type("cd \(folder) && \(editor.command) \(arguments)")
        return shell
    }

    /// Waits until a machine knows the file that is edited on one, at this line.
    @discardableResult private func waitFor(
        _ file: String, line: Int64, of device: Machine, on machine: Machine, seen: TerminalShell? = nil
    ) throws -> JSONValue {
        try eventual(
            "\(file):\(line) of \(device.name): \((try? machine.must("list", "--json")) ?? ""); \(seen?.screen ?? [])"
        ) { () -> JSONValue? in
            try machine.list().first { activity in
                activity["device"]["name"] == .string(device.name)
                    && activity["info"]["file"] == .string(file) && activity["info"]["line"] == .integer(line)
            }
        }
    }

    /// Waits until an editor runs to which files of the folder can be passed.
    private func waitForEditor(_ editor: EditorProgram, on machine: Machine, seen: TerminalShell) throws {
        try eventually("\(editor.title) on \(machine.name): \(seen.screen)") {
            try machine.json("handlers")["handlers"].list.contains {
                $0["app"]["title"] == .string(editor.title)
            }
        }
    }

    private func text(of file: String, on machine: Machine) -> String {
        File.read(home(machine) + "/work/" + file) ?? ""
    }

    // MARK: Telling and continuing

    @Test(arguments: EditorProgram.allCases)
    func `a file continues at its line, with the other open files, in a running editor of its folder`(
        editor: EditorProgram
    ) throws {
        let there = try open(editor, on: laptop, editor == .emacs ? "b.txt a.txt" : "a.txt b.txt")
        if editor == .emacs { try there.press(["C-x", "1", "C-x", "b", "a.txt", "Enter"]) }
        try waitFor("~/work/a.txt", line: 1, of: laptop, on: desktop, seen: there)
        try there.press(["Down", "Down", "Right"])
        let told = try waitFor("~/work/a.txt", line: 3, of: laptop, on: desktop, seen: there)
        #expect(told["title"] == .string("a.txt") && told["info"]["column"] == .integer(2), "\(told)")
        let here = try open(editor, on: desktop)
        try waitForEditor(editor, on: desktop, seen: here)
        let shell = try TerminalShell(on: desktop)
        let lines = try shell.run("cd / && baton continue \(told["id"].string ?? "")")
        #expect(lines.last == "“a.txt” continues in \(editor.title).", "\(lines)")
        let opened = try waitFor("~/work/a.txt", line: 3, of: desktop, on: laptop, seen: here)
        #expect(opened["info"]["column"] == .integer(2))
        #expect(opened["info"]["open"] == .list([.string("~/work/b.txt")]), "\(opened)")
        #expect(here.screen.contains("a.txt 3 of desktop"), "\(here.screen)")
        try eventually("what the other machine is told: \(there.screen)") {
            there.screen.contains { $0.contains("a.txt continues on desktop.") }
        }
        // The activity ends with the editor.
        try here.press(editor.keysToLeave)
        try eventually("the end") { try !laptop.list().contains { $0["id"] == opened["id"] } }
    }

    @Test(arguments: EditorProgram.allCases)
    func `without a running editor the file opens in EDITOR, with all open files`(
        editor: EditorProgram
    ) throws {
        let there = try open(.vim, on: laptop, "+4 a.txt b.txt")
        let told = try waitFor("~/work/a.txt", line: 4, of: laptop, on: desktop, seen: there)
        try editor.configure(desktop)
        desktop.variables["EDITOR"] = editor.command
        let shell = try TerminalShell(on: desktop)
        // An editor of another folder does not get it.
        let other = try open(.vim, on: desktop, in: "/usr/share")
        try waitForEditor(.vim, on: desktop, seen: other)
        try shell.type("cd / && baton continue \(told["id"].string ?? "")")
        let opened = try waitFor("~/work/a.txt", line: 4, of: desktop, on: desktop, seen: shell)
        #expect(opened["info"]["open"] == .list([.string("~/work/b.txt")]), "\(opened)")
        #expect(shell.screen.contains("a.txt 4 of desktop"), "\(shell.screen)")
        try shell.press(editor.keysToLeave)
        try eventually("a prompt: \(shell.screen)") { shell.screen.last == "$" }
        #expect(try shell.run("echo \"[$BATON_OPENING]\"").last == "[]")
    }

    @Test func `a file continues in this machine's clone, even while the other machine is off`() throws {
        let git = "git -c user.name=A -c user.email=a@example.org -c init.defaultBranch=main"
        let shell = try TerminalShell(on: laptop)
        try shell.run("mkdir -p ~/src/app/inner && cd ~/src/app && \(git) init -q && echo one >inner/c.txt")
        try shell.run(
            "echo two >d.txt; git add . && \(git) commit -qm one; git clone -q . \(home(desktop))/clone")
        let there = try open(.vim, on: laptop, in: "~/src/app", "inner/c.txt d.txt")
        let told = try waitFor("~/src/app/inner/c.txt", line: 1, of: laptop, on: desktop, seen: there)
        try eventually("the repository") {
            try desktop.list().contains { $0["title"] == .string("c.txt — app (main)") }
        }
        #expect(told["device"]["name"] == .string("laptop"))
        laptop.killNode()
        let here = try open(.neovim, on: desktop, in: "~/clone")
        try waitForEditor(.neovim, on: desktop, seen: here)
        let other = try TerminalShell(on: desktop)
        // An editor without a file makes its clone known only with one.
        let unknown = try other.run("baton continue c.txt")
        #expect(unknown.sentence.contains("Go to your clone once, or clone it."), "\(unknown)")
        try here.press([":edit d.txt", "Enter"])
        try waitFor("~/clone/d.txt", line: 1, of: desktop, on: desktop, seen: here)
        let lines = try other.run("baton continue c.txt")
        #expect(lines.sentence.contains("“laptop” could not be reached"), "\(lines)")
        let opened = try waitFor("~/clone/inner/c.txt", line: 1, of: desktop, on: desktop, seen: here)
        #expect(opened["info"]["open"] == .list([.string("~/clone/d.txt")]), "\(opened)")
    }

    @Test(arguments: EditorProgram.allCases)
    func `an editor's own command continues a file, and a terminal in an editor opens files in that editor`(
        editor: EditorProgram
    ) throws {
        let there = try open(.vim, on: laptop, "+5 a.txt")
        try waitFor("~/work/a.txt", line: 5, of: laptop, on: desktop, seen: there)
        // In the home folder an editor works nowhere in particular, except by its own commands.
        let here = try open(editor, on: desktop, in: "~")
        try waitForEditor(editor, on: desktop, seen: here)
        try here.press(editor.keysToRun("continue"))
        try waitFor("~/work/a.txt", line: 5, of: desktop, on: desktop, seen: here)
        try there.press(["Down"])
        try waitFor("~/work/a.txt", line: 6, of: laptop, on: desktop, seen: there)
        try here.press(editor.keysToRun("pick"))
        try eventually("the list: \(here.screen)") {
            here.screen.contains { $0.contains(editor == .emacs ? "Continue:" : "= a.txt") }
        }
        try here.press(editor == .emacs ? ["a.txt", "Tab", "Enter"] : ["lap", "Enter"])
        try waitFor("~/work/a.txt", line: 6, of: desktop, on: desktop, seen: here)
        try here.press(editor.keysToRun("status"))
        try eventually("the status: \(here.screen)") {
            here.screen.contains { $0.contains("laptop") && $0.contains("connected") }
        }
    }

    // MARK: Changes that are not written

    @Test(arguments: EditorProgram.allCases)
    func `unsaved changes on the other machine are reported`(editor: EditorProgram) throws {
        let (there, here, lines) = try continueUnsaved(editor, how: nil)
        #expect(lines.isEmpty || !lines.joined().contains("new"), "\(lines)")
        try eventually("the note: \(here.screen)") {
            here.screen.joined(separator: " ").contains("a.txt has changes on “laptop” that are not saved.")
        }
        #expect(text(of: "a.txt", on: laptop).hasPrefix("a.txt 1"), "\(there.screen)")
    }

    @Test(arguments: EditorProgram.allCases)
    func `unsaved changes are saved before continuing if the settings say write`(editor: EditorProgram) throws
    {
        let (there, here, _) = try continueUnsaved(editor, how: "write")
        #expect(text(of: "a.txt", on: laptop).hasPrefix("newa.txt 1"), "\(there.screen)")
        #expect(!here.screen.joined().contains("not saved"), "\(here.screen)")
    }

    @Test(arguments: EditorProgram.allCases)
    func `unsaved changes are sent if the settings say send, and applied only by a command`(
        editor: EditorProgram
    ) throws {
        try File.write(text(of: "a.txt", on: laptop), to: home(desktop) + "/work/a.txt")
        let (_, here, _) = try continueUnsaved(editor, how: "send")
        try eventually("the offer: \(here.screen)") {
            here.screen.joined(separator: " ").contains("changes of ~/work/a.txt there")
        }
        #expect(here.screen.contains("a.txt 1 of laptop"), "\(here.screen)")
        try here.press(editor.keysToRun("diff"))
        try eventually("the difference: \(here.screen)") { here.screen.contains("+newa.txt 1 of laptop") }
        try here.press(editor == .emacs ? ["C-x", "0"] : [":quit", "Enter"])
        try here.press(editor.keysToRun("apply"))
        try eventually("the change: \(here.screen)") { here.screen.contains("newa.txt 1 of laptop") }
        #expect(text(of: "a.txt", on: desktop).hasPrefix("a.txt 1"), "nothing is written")
        let told = try eventual("the change is unsaved here, too") {
            try laptop.list().first {
                $0["device"]["name"] == .string("desktop") && $0["info"]["unsaved"] != .null
            }
        }
        #expect(told["info"]["unsaved"] == .list([.string("~/work/a.txt")]))
        // Further changes of a text that does not fit are refused.
        try here.press(editor.keysToRun("apply"))
        try eventually("a refusal: \(here.screen)") {
            here.screen.joined(separator: " ").contains("has changes of its own here")
        }
    }

    @Test(arguments: EditorProgram.allCases)
    func `changes to other folders are refused by name, and changes to several files need confirmation`(
        editor: EditorProgram
    ) throws {
        let home = home(desktop)
        try FileManager.default.createDirectory(atPath: home + "/.ssh", withIntermediateDirectories: true)
        for name in [".bashrc", ".ssh/authorized_keys"] { try File.write("1\n", to: home + "/" + name) }
        let here = try open(editor, on: desktop)
        try waitForEditor(editor, on: desktop, seen: here)
        let files = ["~/work/a.txt", "~/work/b.txt", "~/.bashrc", "~/.ssh/authorized_keys"]
        let line = { (file: String) in file.hasPrefix("~/work/") ? "\(file.suffix(5)) 1 of desktop" : "1" }
        let changes = files.map { file in
            #"{"file":"\#(file)","diff":"--- x\n+++ x\n@@ -1,1 +1,1 @@\n-\#(line(file))\n+evil\n"}"#
        }
        let list = files.map { "\"\($0)\"" }.joined(separator: ",")
        let info =
            #"{"file":"~/work/a.txt","open":[\#(list)],"changes":[\#(changes.joined(separator: ","))]}"#
        let app = try laptop.begin(["baton", "app", "org.example.hostile"], hasInput: true)
        let start = #"{"become":{"type":"org.baton.file","title":"hostile","info":\#(info)}}"#
        app.write(Array((start + "\n").utf8))
        try eventually("the activity") {
            try desktop.list().contains { $0["title"] == .string("hostile") }
        }
        try desktop.must("continue", "hostile")
        try eventually("the names of all files: \(here.screen)") {
            // Lines may break anywhere, in Emacs behind a backslash.
            let text = here.screen.joined().filter { $0 != " " && $0 != "\\" }
            return [
                "changesof~/work/a.txt,~/work/b.txtthere", "/.bashrcon“laptop”arenotapplied",
                "/.ssh/authorized_keyson“laptop”arenotapplied",
            ].allSatisfy { text.contains($0) }
        }
        try here.press(editor.keysToRun("apply"))
        try eventually("a question: \(here.screen)") {
            let text = here.screen.joined(separator: " ")
            return text.contains("Take changes into") && text.contains("~/work/b.txt")
        }
        try here.press(["y"])
        let told = try eventual("the changes: \(here.screen)") {
            try laptop.list().first {
                $0["device"]["name"] == .string("desktop") && $0["info"]["unsaved"].list.count == 2
            }
        }
        #expect(
            Set(told["info"]["unsaved"].list.compactMap(\.string)) == ["~/work/a.txt", "~/work/b.txt"],
            "\(told)")
        for name in [".bashrc", ".ssh/authorized_keys"] { #expect(File.read(home + "/" + name) == "1\n") }
        app.closeInput()
        #expect(try app.wait() == 0, "\(app.errors)")
    }

    /// Edits a file without writing it, and continues it in the running editor of the other machine.
    private func continueUnsaved(
        _ editor: EditorProgram, how: String?
    ) throws -> (there: TerminalShell, here: TerminalShell, lines: [String]) {
        let there = try open(editor, on: laptop, "a.txt", unsaved: how)
        try waitFor("~/work/a.txt", line: 1, of: laptop, on: desktop, seen: there)
        try there.press(editor.keysToInsert("new"))
        try eventually("a change: \(there.screen)") {
            try desktop.list().contains { $0["info"]["unsaved"] == .list([.string("~/work/a.txt")]) }
        }
        let here = try open(editor, on: desktop)
        try waitForEditor(editor, on: desktop, seen: here)
        let lines = try TerminalShell(on: desktop).run("baton continue a.txt")
        #expect(lines.sentence.contains("fresh from its app on “laptop”"), "\(lines)")
        try waitFor("~/work/a.txt", line: 1, of: desktop, on: desktop, seen: here)
        return (there, here, lines)
    }

    // MARK: Hostile names

    @Test(arguments: EditorProgram.allCases)
    func `hostile file names can't reach a shell, an option or a command of the editor`(
        editor: EditorProgram
    ) throws {
        let names = [
            "$(touch ran)", "`touch ran`", "-c", "+!touch ran", "a|!touch ran", "a'b\"c\\d", "%", "#<cfile>",
            "[ab]*?{c,d}", "~", "$HOME", "vim: set ft=sh:", "é 漢字", "+7", "a;b", "(touch ran)", "x,y",
        ]
        for machine in account.machines {
            for name in names { try File.write("1\n2\n3\n", to: home(machine) + "/work/" + name) }
        }
        let here = try open(editor, on: desktop)
        try waitForEditor(editor, on: desktop, seen: here)
        for name in names {
            try laptop.must([
                "start", "org.baton.file", "--instance", "x", "--title", "hostile", "--info",
                "file=~/work/" + name, "--info", "line:=2",
            ])
            try eventually("\(name)") {
                try desktop.list().contains { $0["info"]["file"] == .string("~/work/" + name) }
            }
            try desktop.must("continue", "hostile")
            try waitFor("~/work/" + name, line: 2, of: desktop, on: laptop, seen: here)
        }
        // All are open there now, so they are the list of what is opened beside the first one here.
        let there = try open(.neovim, on: laptop)
        try waitForEditor(.neovim, on: laptop, seen: there)
        let last = try waitFor("~/work/x,y", line: 2, of: desktop, on: laptop, seen: here)
        #expect(last["info"]["open"].list.count == names.count - 1, "\(last)")
        try laptop.must("finish", "--instance", "x")
        try laptop.must("continue", last["id"].string ?? "")
        let opened = try waitFor("~/work/x,y", line: 2, of: laptop, on: desktop, seen: there)
        #expect(
            Set(opened["info"]["open"].list.compactMap(\.string))
                == Set(last["info"]["open"].list.compactMap(\.string)))
        for machine in account.machines {
            let all =
                FileManager.default.enumerator(atPath: home(machine))?.compactMap { $0 as? String } ?? []
            #expect(!all.contains { ($0 as NSString).lastPathComponent == "ran" }, "\(all)")
        }
    }

    // MARK: Secrets and failures

    @Test(arguments: EditorProgram.allCases)
    func `private files are not reported`(editor: EditorProgram) throws {
        try FileManager.default.createDirectory(
            atPath: home(laptop) + "/.ssh", withIntermediateDirectories: true)
        try File.write("Host secret\n", to: home(laptop) + "/.ssh/config")
        let there = try open(editor, on: laptop, "a.txt")
        try waitFor("~/work/a.txt", line: 1, of: laptop, on: laptop, seen: there)
        try there.press(
            editor == .emacs
                ? ["C-x", "C-f", "C-a", "C-k", "~/.ssh/config", "Enter"] : [":edit ~/.ssh/config", "Enter"])
        try eventually("nothing is told: \(there.screen)") { try laptop.list().isEmpty }
        // An editor that was started for a secret, such as a message of a commit, gets no other files.
        #expect(try !laptop.must("handlers").contains("\(editor.title) in "))
        try there.press(
            editor == .emacs
                ? ["C-x", "C-f", "C-a", "C-k", "~/work/b.txt", "Enter"] : [":edit b.txt", "Enter"])
        let told = try waitFor("~/work/b.txt", line: 1, of: laptop, on: laptop, seen: there)
        #expect(told["info"]["open"] == .list([.string("~/work/a.txt")]), "\(told)")
        #expect(try !laptop.must("list", "--json").contains(".ssh"))
        // One buffer can be kept private by hand.
        try there.press(
            editor == .emacs
                ? ["M-:", "(setq baton-private t)", "Enter"]
                : [":let b:baton_private = 1", "Enter", "Down"])
        try eventually("nothing is told: \(there.screen)") { try laptop.list().isEmpty }
    }

    @Test(arguments: EditorProgram.allCases)
    func `an editor works without a node or the baton command, and finds a node that starts later`(
        editor: EditorProgram
    ) throws {
        try editor.configure(laptop)
        laptop.killNode()
        let shell = try open(editor, on: laptop, "a.txt")
        try eventually("the file: \(shell.screen)") { shell.screen.contains("a.txt 1 of laptop") }
        try shell.press(["Down"])
        try laptop.startNode()
        try shell.press(["Down"])
        try waitFor("~/work/a.txt", line: 3, of: laptop, on: laptop, seen: shell)
        // A node that restarts is told again.
        laptop.killNode()
        try laptop.startNode()
        try waitFor("~/work/a.txt", line: 3, of: laptop, on: laptop, seen: shell)
        #expect(!shell.screen.contains { $0.contains("rror") || $0.contains("baton") }, "\(shell.screen)")
        let bare = try TerminalShell(on: laptop)
        try bare.type("cd ~/work && PATH=/usr/bin:/bin \(editor.command) b.txt")
        try eventually("the file: \(bare.screen)") { bare.screen.contains("b.txt 1 of laptop") }
        try bare.press(editor.keysToRun("status"))
        try eventually("a message: \(bare.screen)") {
            bare.screen.contains {
                $0.contains("not installed") || $0.contains("baton-status") || $0.contains("No such file")
            }
        }
    }

    @Test func `an editor that waits for an answer is not disturbed, and the file opens in EDITOR`() throws {
        let there = try open(.vim, on: laptop, "+2 a.txt")
        let told = try waitFor("~/work/a.txt", line: 2, of: laptop, on: desktop, seen: there)
        desktop.variables["EDITOR"] = "cat"
        for editor in EditorProgram.allCases {
            let here = try open(editor, on: desktop, "b.txt")
            try waitFor("~/work/b.txt", line: 1, of: desktop, on: desktop, seen: here)
            try here.press(editor.keysToAsk)
            let shell = try TerminalShell(on: desktop)
            let lines = try shell.run("baton continue \(told["id"].string ?? "")")
            #expect(lines.contains("a.txt 2 of desktop"), "\(lines)")
            #expect(lines.sentence.contains("\(editor.title) does not answer"), "\(lines)")
            #expect(here.screen.contains("b.txt 1 of desktop"), "\(here.screen)")
        }
    }

    @Test(arguments: [EditorProgram.vim, .neovim])
    func `a file that is open in another Vim is opened read-only`(editor: EditorProgram) throws {
        let there = try open(.vim, on: laptop, "+2 a.txt")
        let told = try waitFor("~/work/a.txt", line: 2, of: laptop, on: desktop, seen: there)
        let first = try open(editor, on: desktop, in: "/", "-c 'set swapfile' ~/work/a.txt")
        try eventually("the file: \(first.screen)") { first.screen.contains("a.txt 1 of desktop") }
        try first.press(["i", "x", "Escape"])
        try eventually("a change: \(first.screen)") { first.screen.contains("xa.txt 1 of desktop") }
        let second = try open(editor, on: desktop, "-c 'set swapfile' b.txt")
        try waitFor("~/work/b.txt", line: 1, of: desktop, on: desktop, seen: second)
        try desktop.must("continue", told["id"].string ?? "")
        try eventually("the file, with a warning: \(second.screen)") {
            second.screen.joined(separator: " ").contains("opened for reading")
        }
    }

    @Test func `an editor that ends leaves no file or process behind, and has a help page`() throws {
        for editor in EditorProgram.allCases {
            let shell = try open(editor, on: laptop, "a.txt")
            try waitFor("~/work/a.txt", line: 1, of: laptop, on: laptop, seen: shell)
            if editor != .emacs {
                try shell.press([":help baton", "Enter"])
                try eventually("help: \(shell.screen)") {
                    shell.screen.contains { $0.hasPrefix("With this plugin your") }
                }
                // Beside help, the file goes on.
                try shell.press([":quit", "Enter", "Down"])
                try waitFor("~/work/a.txt", line: 2, of: laptop, on: laptop, seen: shell)
            }
            try shell.press(editor.keysToLeave)
            try eventually("a prompt: \(shell.screen)") { shell.screen.last == "$" }
            try eventually("the end") { try laptop.list().isEmpty }
        }
        let all = FileManager.default.enumerator(atPath: home(laptop))?.compactMap { $0 as? String } ?? []
        #expect(!all.contains { $0.lowercased().contains("baton") }, "\(all)")
    }
}
