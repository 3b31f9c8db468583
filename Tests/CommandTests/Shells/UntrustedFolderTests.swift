import Foundation
import Support
import Testing

/// Folders with a repository whose settings name programs, as an archive or a synchronized folder can contain it: going
/// there, and looking at an activity that names it, starts nothing.
@Suite(
    .enabled(
        if: TerminalShell.isThere,
        "tmux is not on this machine: `Scripts/install-dependencies test` installs it")
)
struct `Untrusted folders` {
    private let account: Account
    private let folder: String

    init() throws {
        account = try Account("laptop", "desktop")
        folder = (account[0].home as NSString).deletingLastPathComponent
        // Each call of git is recorded, with its folder and its arguments.
        try FileManager.default.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: true)
        try File.writeProgram(
            "#!/bin/sh\necho \"$PWD: $*\" >>'\(calls)'\nexec /usr/bin/git \"$@\"\n", to: folder + "/bin/git")
        try File.writeProgram("#!/bin/sh\necho \"$0 $*\" >>'\(mark)'\nexit 1\n", to: folder + "/bin/program")
        for machine in account.machines {
            let home = folder + "/home-of-" + machine.name
            try FileManager.default.createDirectory(atPath: home + "/work", withIntermediateDirectories: true)
            machine.variables["HOME"] = home
            try makeHostile(home + "/hostile")
            let path = machine.variables["PATH"] ?? "\(Products.folder):/usr/bin:/bin"
            machine.variables["PATH"] = "\(folder)/bin:\(path)"
        }
        // Making the repositories has left traces.
        unlink(mark)
        unlink(calls)
    }

    private var laptop: Machine { account[0] }
    private var desktop: Machine { account[1] }
    private var mark: String { folder + "/ran" }
    private var calls: String { folder + "/calls-of-git" }

    private func home(_ machine: Machine) -> String { machine.variables["HOME"] ?? "" }

    /// Makes a repository that has git start a program in every way that is known.
    private func makeHostile(_ path: String) throws {
        let program = folder + "/bin/program"
        try sh(
            """
            mkdir -p '\(path)' && cd '\(path)'
            git init -q -b main . && echo one >a && git add a
            commit() { git -c user.name=A -c user.email=a@example.org commit -q --allow-empty -m "$1"; }
            commit one; first=$(git rev-parse HEAD); commit two; git branch topic
            rm -f ".git/objects/$(echo $first | cut -c1-2)/$(echo $first | cut -c3-)"
            echo '* filter=evil diff=evil' >.git/info/attributes
            for hook in post-checkout reference-transaction post-index-change; do cp '\(program)' .git/hooks/$hook; done
            git config remote.origin.url https://example.org/hostile
            cat >>.git/config <<END
            [core]
            repositoryformatversion = 1
            fsmonitor = \(program)
            pager = \(program)
            sshCommand = \(program)
            [extensions]
            partialClone = evil
            [remote "evil"]
            url = .
            promisor = true
            uploadpack = "\(program); false"
            [filter "evil"]
            clean = \(program)
            smudge = \(program)
            [alias]
            status = !\(program)
            END
            echo changed >a
            """)
    }

    private func sh(_ script: String) throws {
        let answer = try laptop.type(["sh", "-c", script])
        try #require(answer.status == 0, "\(answer)")
    }

    /// Expects that neither the program nor git was started.
    private func expectNothingStarted(_ what: String) {
        #expect(File.read(mark) == nil, "\(what): \(File.read(mark) ?? "")")
        #expect(File.read(calls) == nil, "\(what): \(File.read(calls) ?? "")")
    }

    @Test(arguments: TerminalShell.Program.allCases)
    func `a shell in the folder reports its branch, and starts no program of the repository`(
        program: TerminalShell.Program
    ) throws {
        let line =
            program == .fish ? "baton shell fish | source" : "eval \"$(baton shell \(program.rawValue))\""
        let shell = try TerminalShell(on: laptop, program: program, settings: line)
        try shell.run("cd ~/hostile && true")
        let told = try eventual("the folder: \((try? laptop.must("list")) ?? "")") {
            try desktop.list().first { $0["title"] == .string("hostile (main)") }
        }
        let repository = told["info"]["repository"]
        #expect(repository["remotes"] == .list([.string("example.org/hostile")]), "\(told)")
        #expect(repository["commit"].string?.count == 40 && repository["root"] == .string("~/hostile"))
        expectNothingStarted("going there")
        // The other machine has such a folder, too; it shows and continues what this one does.
        let name = told["id"].string ?? ""
        try desktop.must("show", name)
        expectNothingStarted("showing")
        #expect(try desktop.must("show", name, "--json").contains("hostile"))
        let printed = try desktop.must("continue", "--print", name)
        #expect(printed.contains("\(home(desktop))/hostile"), "\(printed)")
        expectNothingStarted("printing")
        try desktop.must("continue", name)
        try desktop.must("search", "hostile")
        expectNothingStarted("continuing")
        // The trap is a real one.
        try sh("cd ~/hostile && git rev-list HEAD; true")
        #expect(File.read(mark) != nil && File.read(calls) != nil)
    }

    @Test func `another branch is not offered if the repository's settings may start programs`() throws {
        let repository =
            #"{"root":"~/hostile","remotes":["example.org/hostile"],"branch":"topic"}"#
        let app = try laptop.begin(["baton", "app", "org.example.hostile"], hasInput: true)
        let info = #"{"folder":"~/hostile","repository":\#(repository)}"#
        let start = #"{"become":{"type":"org.baton.folder","title":"hostile","info":\#(info)}}"#
        app.write(Array((start + "\n").utf8))
        try desktop.waitForActivity(titled: "hostile")
        let shell = try TerminalShell(on: desktop, settings: "eval \"$(baton shell bash)\"")
        let lines = try shell.run("baton continue hostile; pwd")
        let text = lines.sentence
        #expect(text.contains("is on the branch topic; here is the branch main."), "\(lines)")
        #expect(text.contains("settings of this repository may start programs."), "\(lines)")
        #expect(lines.last == home(desktop) + "/hostile", "\(lines)")
        expectNothingStarted("continuing")
        app.closeInput()
        #expect(try app.wait() == 0)
    }

    @Test
    func `continuing a file of the folder by the command or an editor starts no program of the repository`()
        throws
    {
        try laptop.must([
            "start", "org.baton.file", "--instance", "x", "--title", "hostile", "--info", "file=~/hostile/a",
        ])
        let name = try #require(try desktop.waitForActivity(titled: "hostile")["id"].string)
        desktop.variables["EDITOR"] = "cat"
        try desktop.must("show", name)
        try desktop.must("continue", "--print", name)
        #expect(try desktop.must("continue", name).contains("changed"))
        expectNothingStarted("continuing")
        for editor in EditorProgram.allCases {
            try editor.configure(desktop)
            desktop.variables["EDITOR"] = editor.command
            let other = try TerminalShell(on: desktop)
            try other.type("cd / && baton continue \(name)")
            try eventually("\(editor): \(other.screen)") {
                try laptop.list().contains {
                    $0["device"]["name"] == .string("desktop") && $0["info"]["file"] == .string("~/hostile/a")
                }
            }
            expectNothingStarted("\(editor)")
            try other.press(editor.keysToLeave)
        }
    }

    @Test
    func
        `a running Emacs without the plugin opens a file of the folder, and starts no program of the repository`()
        throws
    {
        try laptop.must([
            "start", "org.baton.file", "--instance", "x", "--title", "hostile", "--info", "file=~/hostile/a",
        ])
        let name = try #require(try desktop.waitForActivity(titled: "hostile")["id"].string)
        let socket = folder + "/emacs"
        let server = try TerminalShell(on: desktop)
        try server.type("cd / && emacs -Q --fg-daemon='\(socket)'")
        try eventually("an Emacs: \(server.screen)") {
            try desktop.type(["emacsclient", "-s", socket, "--eval", "t"]).status == 0
        }
        desktop.variables["EDITOR"] = "emacsclient -t -s '\(socket)'"
        let shell = try TerminalShell(on: desktop)
        try shell.type("cd / && baton continue \(name)")
        try eventually("the file: \(shell.screen)") {
            shell.screen.contains { $0.hasPrefix("changed") }
        }
        expectNothingStarted("emacsclient")
        // The trap is a real one: what the person opens is looked at by git.
        let path = home(desktop) + "/hostile/b"
        try File.write("", to: path)
        let visit = "(progn (find-file-noselect \"\(path)\") (kill-emacs))"
        _ = try desktop.type(["emacsclient", "-s", socket, "--eval", visit])
        #expect(File.read(calls) != nil)
    }
}
