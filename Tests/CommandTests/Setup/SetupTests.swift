import Foundation
import Support
import Testing

/// `baton setup`, at a terminal and without one.
@Suite struct `Setting a machine up` {
    private let mark = "# Added by `baton setup`; `baton setup --undo` removes it.\n"
    private let line = "eval \"$(baton shell bash)\"\n"

    /// Answers everything with Enter but the name and the code.
    private func answerAll(_ run: GuidedSetup) throws {
        try run.answer("on another machine already? [y/N]")
        try run.answer("A name for this machine: [", "laptop")
        try run.repeatCode()
        try run.answer("Service: have systemd run the node whenever you are logged in? [Y/n]")
        try run.answer("Add it at the end of the file? [Y/n]")
        try run.answer("Add them at the end of the file? [Y/n]")
        try run.answer("Browsers: Firefox. Tell them where Baton is, for its extension? [Y/n]")
    }

    @Test func `a guided run does each part, a second one says that all is done, and undo takes all back`()
        throws
    {
        let new = try NewMachine()
        try new.write("alias ll='ls -l'", to: ".bashrc")
        let before = try new.files()
        let run = try GuidedSetup(on: new)
        try answerAll(run)
        #expect(try run.end() == 21, "\(run.output)\(run.process.errors)")
        #expect(run.output.contains("\n`baton doctor` says:\n✓ home: "), "\(run.output)")
        #expect(run.output.contains("Shell: bash needs this line in \(new.path(".bashrc")):\n    \(line)"))
        #expect(!run.output.contains("Next, start the node"), "\(run.output)")
        #expect(
            new.read(".bashrc") == "alias ll='ls -l'\n# Added by `baton setup`, with a line break; "
                + "`baton setup --undo` removes both.\n\(line)")
        #expect(new.read(".vimrc")?.hasPrefix("\" Added by `baton setup`, with this file; ") == true)
        #expect(new.units == ["baton.service", "baton.socket"])
        #expect(new.read(".mozilla/native-messaging-hosts/org.baton.browser.json") != nil)
        #expect(try new.hasAccount)

        let after = try new.files()
        let second = try GuidedSetup(on: new)
        #expect(try second.end() == 21, "\(second.output)")
        for text in [
            "Account: this machine has one already.", "Service: installed and running already.",
            "Shell: \(new.path(".bashrc")) has the line of bash already.",
            "Editors: \(new.path(".vimrc")) has the lines of Vim already.",
            "Browsers: Firefox: told where Baton is already.",
        ] {
            #expect(second.output.contains(text), "\(text) in \(second.output)")
        }
        #expect(!second.output.contains("? ["), "\(second.output)")
        #expect(try new.files() == after)

        let undo = try GuidedSetup(on: new, "--undo")
        try undo.answer("Shell: take the line of bash out of \(new.path(".bashrc"))? [Y/n]")
        try undo.answer("Editors: take the lines of Vim out of \(new.path(".vimrc"))? [Y/n]")
        try undo.answer("Browsers: remove what `baton browser install` wrote? [Y/n]")
        try undo.answer("Service: stop the node, and remove its service? Your data stays. [Y/n]")
        #expect(try undo.end() == 0, "\(undo.output)\(undo.process.errors)")
        #expect(try new.files() == before)
        #expect(try new.hasAccount)
        // Nothing is left to take back.
        let again = try new.setUp("--undo", "--yes")
        #expect(again.status == 0 && again.output.hasPrefix("Your account stays;"), "\(again)")
    }

    @Test func `each question can be answered with no, and nothing is changed`() throws {
        let new = try NewMachine()
        try new.write("", to: ".bashrc")
        let before = try new.files()
        let run = try GuidedSetup(on: new)
        try run.answer("already? [y/N]", "y")
        try run.answer("The code of `baton invite` on that machine: [no account now]")
        try run.answer("Add it at the end of the file? [Y/n]", "what")
        try run.answer("Type y or n, or Enter for yes.", "N")
        try run.answer("Add them at the end of the file? [Y/n]", "no")
        try run.answer("Tell them where Baton is, for its extension? [Y/n]", "n")
        #expect(try run.end() == 21, "\(run.output)")
        #expect(run.output.contains("Service: not installed, because there is no account here yet."))
        #expect(try new.files() == before && !new.hasAccount)
    }

    @Test func `a machine joins with a code, and is asked again after a wrong one`() throws {
        let account = try Account("desktop")
        let new = try NewMachine()
        let run = try GuidedSetup(on: new, "--skip", "service,shell,editors,browsers")
        try run.answer("already? [y/N]", "y")
        let code = try account[0].invite()
        try run.answer("The code of `baton invite`", "melody-flint")
        try run.answer(
            "The address of that machine, as HOST:PORT: [looked for on the local network]", account[0].address
        )
        try run.answer("The code of `baton invite`", code)
        try run.answer("The address of that machine", account[0].address)
        #expect(try run.end() == 21, "\(run.output)\(run.process.errors)")
        #expect(run.output.contains("in the account of “desktop”"), "\(run.output)")
        #expect(run.process.errors.hasPrefix("baton: "), "\(run.process.errors)")
        #expect(try new.hasAccount)
    }

    @Test func `without a terminal, setup says in two lines what it needs, and does nothing`() throws {
        let new = try NewMachine()
        try new.write("", to: ".bashrc")
        let before = try new.files()
        let answer = try new.setUp()
        expect(answer, 2)
        #expect(answer.errors.contains("--yes") && answer.errors.contains("--join CODE"), "\(answer)")
        #expect(answer.errors.contains("--skip account,service,shell,editors,browsers"), "\(answer)")
        #expect(answer.output.isEmpty)
        #expect(try new.files() == before && !new.hasAccount)
        // A terminal at one end is not enough.
        let terminal = try PseudoTerminal()
        let process = try new.machine.begin(["baton", "setup"] + NewMachine.root, terminal: terminal)
        #expect(try process.wait() == 2)
    }

    @Test func `with --yes everything is done without a question, once`() throws {
        let new = try NewMachine()
        try new.write("alias a=b\n", to: ".bashrc")
        let answer = try new.setUp("--yes", "--new", "laptop")
        #expect(answer.status == 21 && answer.errors.isEmpty, "\(answer)")
        #expect(answer.output.contains("Recovery code:") && !answer.output.contains("? ["), "\(answer)")
        #expect(new.read(".bashrc") == "alias a=b\n" + mark + line)
        let after = try new.files()
        let second = try new.setUp("--yes", "--new", "laptop")
        #expect(second.status == 21 && !second.output.contains("Recovery code:"), "\(second)")
        #expect(try new.files() == after)
        // A person has changed both ends of the file since.
        try new.write("alias a=c\n" + mark + line + "alias d=e\n", to: ".bashrc")
        #expect(try new.setUp("--undo", "--yes").status == 0)
        #expect(new.read(".bashrc") == "alias a=c\nalias d=e\n" && new.read(".vimrc") == nil)
        #expect(try new.units.isEmpty && new.hasAccount)
    }

    @Test func `a machine joins without a terminal, and a wrong code ends the setup`() throws {
        let account = try Account("desktop")
        let new = try NewMachine()
        let parts = "service,shell,editors,browsers"
        let wrong = try new.setUp("--yes", "--join", "melody-flint", "--skip", parts)
        #expect(wrong.status == 2 && wrong.errors.hasPrefix("baton: "), "\(wrong)")
        let code = try account[0].invite()
        let answer = try new.setUp("--yes", "--join", code, "--at", account[0].address, "--skip", parts)
        #expect(answer.status == 21 && answer.output.contains("Shell: left out."), "\(answer)")
        #expect(try new.hasAccount)
    }

    @Test func `parts that are skipped are left alone, also when they are taken back`() throws {
        let new = try NewMachine()
        try new.write("", to: ".bashrc")
        let parts = ["account", "service", "editors", "browsers"]
        let answer = try new.setUp("--yes", "--skip", parts.joined(separator: ","))
        for part in parts { #expect(answer.output.contains("\(part.capitalized): left out.\n"), "\(answer)") }
        #expect(try new.files() == [".bashrc": mark + line] && !new.hasAccount)
        #expect(try new.setUp("--undo", "--yes", "--skip", "shell").output.contains("Shell: left out."))
        #expect(new.read(".bashrc") == mark + line)
    }

    @Test func `a line that a person typed is neither added again nor taken back`() throws {
        let new = try NewMachine(programs: ["bash", "zsh", "fish", "vim"])
        let zdotdir = new.path("z")
        new.machine.variables["ZDOTDIR"] = zdotdir
        new.machine.variables["XDG_CONFIG_HOME"] = new.path("c")
        try new.write("source <(baton shell bash)", to: ".bash_aliases")
        try new.write("", to: ".bashrc")
        try new.write("if true; then eval \"$(baton shell zsh)\"; fi", to: "z/.zshrc")
        try new.write("", to: "c/fish/config.fish")
        try new.write("baton shell fish | source", to: "c/fish/conf.d/baton.fish")
        try new.write("set rtp+=~/baton/Editors/vim", to: ".vimrc")
        let before = try new.files()
        let answer = try new.setUp("--yes", "--skip", "account,service,browsers")
        #expect(answer.output.split(separator: "\n").count { $0.hasSuffix(" already.") } == 4, "\(answer)")
        #expect(try new.files() == before)
        let undo = try new.setUp("--undo", "--yes")
        #expect(undo.output.contains("\(zdotdir)/.zshrc was not added by setup, and stays."), "\(undo)")
        #expect(try new.files() == before)
    }

    @Test func `the settings of Neovim in Lua are left to the person, and are recognised afterwards`() throws
    {
        let new = try NewMachine(programs: ["nvim", "emacs"])
        try new.write("vim.o.number = true\n", to: ".config/nvim/init.lua")
        try #require(symlink("nowhere", new.path(".bash_aliases")) == 0)
        let parts = "account,service,shell,browsers"
        let answer = try new.setUp("--yes", "--skip", parts)
        #expect(answer.output.contains("Put them between `vim.cmd([[` and `]])` in that file."), "\(answer)")
        #expect(new.read(".config/nvim/init.lua") == "vim.o.number = true\n")
        let emacs = try #require(new.read(".emacs.d/init.el"))
        #expect(emacs.hasSuffix("(when (require 'baton nil t) (baton-mode 1))\n"), "\(emacs)")
        let line = try #require(answer.output.split(separator: "\n").first { $0.contains("set runtimepath") })
        try new.write("vim.cmd([[\n\(line)\n]])\n", to: ".config/nvim/init.lua")
        let second = try new.setUp("--yes", "--skip", parts)
        #expect(second.output.split(separator: "\n").count { $0.hasSuffix(" already.") } == 2, "\(second)")
        #expect(try new.setUp("--undo", "--yes").status == 0 && new.read(".emacs.d/init.el") == nil)
    }

    @Test func `the shells that are set up follow what is done in them`() throws {
        try #require(Tool.isThere("bash"), "bash is not installed")
        let new = try NewMachine(programs: [])
        new.machine.variables["PATH"] = "\(new.path("bin")):\(Products.folder):/usr/bin:/bin"
        try new.write("A=1", to: ".bashrc")
        let parts = "account,service,editors,browsers"
        #expect(
            try new.setUp("--yes", "--skip", parts).output.contains("Shell: added to \(new.path(".bashrc"))"))
        let words = ["bash", "-i", "-c", "echo A=$A, following: ${__baton_shell:+yes}"]
        #expect(try new.machine.type(words).output == "A=1, following: yes\n")
        #expect(try new.setUp("--undo", "--yes").status == 0)
        #expect(try new.machine.type(words).output == "A=1, following:\n")
    }

    @Test func `the line names the home and the account that the options name`() throws {
        let new = try NewMachine(programs: ["bash"])
        let answer = try new.setUp(
            "--yes", "--skip", "account,service,editors", "--home", new.path("a b"), "--account", "work")
        #expect(answer.errors.isEmpty, "\(answer)")
        let file = try #require(new.read(".bashrc"))
        #expect(
            file.hasSuffix("\neval \"$(baton shell bash --home '\(new.path("a b"))' --account work)\"\n"),
            "\(file)")
        #expect(try new.setUp("--undo", "--yes").status == 0 && new.read(".bashrc") == nil)
    }

    @Test func `a service that was installed in another way is not changed, and a stopped one is started`()
        throws
    {
        let new = try NewMachine()
        try new.machine.must("init", "--no-confirm", "--name", "laptop")
        let install = ["baton", "service", "install", "--listen", "127.0.0.1:4990"] + NewMachine.root
        #expect(try new.machine.type(install).status == 0)
        let before = try new.files()
        let parts = "shell,editors,browsers"
        let answer = try new.setUp("--yes", "--skip", parts)
        #expect(answer.output.contains("Service: installed and running already.\n"), "\(answer)")
        try new.machine.must("service", "stop")
        let run = try GuidedSetup(on: new, "--skip", parts)
        try run.answer("Service: it is installed, but the node is not running. Start it? [Y/n]")
        #expect(
            try run.end() == 21 && run.output.contains("The node is running, process 4711."), "\(run.output)")
        #expect(try new.files() == before)
        #expect(
            try new.machine.type([new.path("bin/systemctl"), "--user", "disable", "--now", "baton.service"])
                .status == 0)
        let disabled = try new.setUp("--yes", "--skip", parts)
        #expect(
            disabled.output.contains("Service: units are there that were changed or disabled"), "\(disabled)")
        #expect(try new.files() == before)
    }

    @Test func `root is refused unless root itself is meant`() throws {
        guard geteuid() == 0 else { return }
        let new = try NewMachine()
        let answer = try new.machine.baton("setup", "--yes")
        expect(answer, 14)
        #expect(answer.errors.contains("--as-root") && answer.output.isEmpty, "\(answer)")
    }

    @Test func `without baton on PATH or a service manager, setup says what to do`() throws {
        let new = try NewMachine()
        try FileManager.default.removeItem(atPath: new.path("bin/systemctl"))
        new.machine.variables["PATH"] = new.path("bin")
        let answer = try new.setUp("--yes", "--new", "laptop", "--skip", "editors,browsers")
        expect(answer, 1, advice: "baton setup")
        #expect(answer.errors.contains("in no folder of PATH") && new.read(".bashrc") == nil, "\(answer)")
        #expect(answer.output.contains("Service: not possible here: there is no systemctl"), "\(answer)")
    }
}

/// Start-up files that can't be replaced as others can.
@Suite struct `Setting up with hostile start-up files` {
    private let new: NewMachine
    private let rc: String

    init() throws {
        new = try NewMachine(programs: ["bash"])
        rc = new.path(".bashrc")
    }

    private func setUp(_ words: String...) throws -> Answer {
        try new.machine.type(
            ["baton", "setup", "--yes", "--skip", "account,service,editors,browsers"] + NewMachine.root
                + words)
    }

    @Test(arguments: ["read-only", "dangling", "folder", "pipe", "hard link", "folder read-only"])
    func `a file that can't be replaced is left as it is, and the way to do it by hand is shown`(kind: String)
        throws
    {
        let other = new.path("other")
        switch kind {
        case "read-only":
            try new.write("a", to: ".bashrc")
            try #require(chmod(rc, 0o400) == 0)
        case "dangling": try #require(symlink("nowhere", rc) == 0)
        case "folder": try #require(mkdir(rc, 0o700) == 0)
        case "pipe": try #require(mkfifo(rc, 0o600) == 0)
        case "hard link":
            try new.write("a", to: ".bashrc")
            try #require(link(rc, other) == 0)
        default:
            // The disk of the kernel's own files takes no new ones, not even from root.
            try #require(symlink("/proc/version", rc) == 0)
        }
        let answer = try setUp()
        expect(answer, 1, advice: "baton help shell")
        #expect(answer.output.contains("`baton doctor` says:"), "the setup goes on: \(answer)")
        #expect(answer.output.contains("Not all parts are done."), "\(answer)")
        if ["read-only", "hard link"].contains(kind) { #expect(new.read(".bashrc") == "a") }
        let left = try FileManager.default.contentsOfDirectory(atPath: new.folder.path)
        #expect(!left.contains { $0.hasSuffix(".baton-setup") }, "\(left)")
    }

    @Test func `a link is followed and kept, with mode, owner and content`() throws {
        try new.write("a", to: "dotfiles/bashrc")
        let target = new.path("dotfiles/bashrc")
        try #require(chmod(target, 0o640) == 0)
        if geteuid() == 0 { try #require(chown(target, 1234, 2345) == 0) }
        try #require(symlink("dotfiles/bashrc", rc) == 0)
        _ = try setUp()
        #expect(new.read("dotfiles/bashrc")?.hasSuffix("\neval \"$(baton shell bash)\"\n") == true)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: rc) == "dotfiles/bashrc")
        let attributes = try FileManager.default.attributesOfItem(atPath: target)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        if geteuid() == 0 { #expect(attributes[.ownerAccountID] as? Int == 1234) }
        #expect(try new.setUp("--undo", "--yes").status == 0)
        #expect(new.read("dotfiles/bashrc") == "a")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: rc) == "dotfiles/bashrc")
    }

    /// Whether another user can run the programs under test, and this one can become another user.
    private static let hasOtherUser: Bool = {
        var path = Products.folder[...]
        while let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            var status = stat()
            guard stat(String(path), &status) == 0, status.st_mode & 0o001 != 0 else { return false }
            path = path[..<slash]
        }
        return geteuid() == 0
    }()

    @Test(.enabled(if: hasOtherUser, "another user needs root, and must reach the programs"))
    func `a file that belongs to another user is left as it is`() throws {
        try new.write("a", to: ".bashrc")
        try #require(chmod(rc, 0o666) == 0)
        for path in [new.folder.path, new.path("runtime"), new.path("bin")] {
            try #require(chown(path, 65534, 65534) == 0)
        }
        let answer = try new.machine.type(
            ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Products.baton, "setup", "--yes"]
                + ["--skip", "account,service,editors,browsers"])
        expect(answer, 1, advice: "baton help shell")
        #expect(answer.errors.contains("belongs to another user"), "\(answer)")
        #expect(new.read(".bashrc") == "a")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount"))
    func `a full disk leaves the file as it is`() throws {
        let script = """
            mkdir '\(rc).disk' && mount -t tmpfs -o size=64k small '\(rc).disk'
            echo 'alias a=b' >'\(rc).disk/bashrc'
            ln -s .bashrc.disk/bashrc '\(rc)'
            cat /dev/zero >'\(rc).disk/zeros' 2>/dev/null || true
            status=0
            "$@" || status=$?
            cat '\(rc).disk/bashrc' >'\(rc).kept'
            ls -A '\(rc).disk' >>'\(rc).kept'
            exit $status
            """
        new.machine.variables["PATH"] = new.path("bin") + ":\(Products.folder):/usr/bin:/bin"
        let answer = try new.machine.type(
            [
                "unshare", "--mount", "/bin/sh", "-ec", script, "sh", Products.baton, "setup", "--as-root",
                "--yes",
            ]
                + ["--skip", "account,service,editors,browsers"])
        expect(answer, 1, advice: "baton help shell")
        #expect(answer.errors.contains("No space left on device"), "\(answer)")
        #expect(new.read(".bashrc.kept") == "alias a=b\nbashrc\nzeros\n")
    }
}

/// Setups that end in the middle.
@Suite struct `An interrupted setup` {
    /// The questions of a run, with the answers that come before the next one.
    private static let questions = [
        "already? [y/N]", "A name for this machine:", "Type the 16 words",
        "Service: have systemd run the node", "Add it at the end", "Add them at the end",
        "Browsers: Firefox.",
    ]

    @Test(arguments: Array(questions.indices), [SIGINT, SIGKILL])
    func `leaves nothing half done at any question, and is completed by the next run`(
        place: Int, signal: Int32
    ) throws {
        let new = try NewMachine()
        try new.write("alias a=b", to: ".bashrc")
        let run = try GuidedSetup(on: new)
        for (number, question) in Self.questions.prefix(place + 1).enumerated() {
            if number == place {
                try run.waitForQuestion(question)
                _ = run.process.end(signal)
            } else if question.hasPrefix("Type") {
                try run.repeatCode()
            } else {
                try run.answer(question)
            }
        }
        #expect(try new.hasAccount == (place > 2))
        let file = try #require(new.read(".bashrc"))
        #expect(file.hasSuffix("\neval \"$(baton shell bash)\"\n") == (place > 4), "\(file)")
        #expect(place > 4 || file == "alias a=b")
        #expect((new.read(".vimrc") != nil) == (place > 5))

        let next = try new.setUp("--yes")
        #expect(next.status == 21 && next.errors.isEmpty, "\(next)")
        let names = try new.files().keys.sorted()
        #expect(
            names == [
                ".bashrc", ".config/systemd/user/baton.service", ".config/systemd/user/baton.socket",
                ".mozilla/native-messaging-hosts/org.baton.browser.json", ".vimrc",
            ], "\(names)")
        let whole = try #require(new.read(".bashrc"))
        #expect(whole.components(separatedBy: "baton shell bash").count == 2, "\(whole)")
        #expect(try new.setUp("--undo", "--yes").status == 0)
        #expect(try new.files() == [".bashrc": "alias a=b"])
    }

    @Test func `the end of the input ends the setup with a message`() throws {
        let new = try NewMachine()
        let run = try GuidedSetup(on: new)
        try run.waitForQuestion("already? [y/N]")
        run.endInput()
        #expect(try run.end() == 1)
        #expect(run.process.errors.contains("Type `baton setup` to go on."), "\(run.process.errors)")
        #expect(try new.files().isEmpty)
    }

    @Test func `a file is whole at each moment at which a setup is killed`() throws {
        let new = try NewMachine(programs: ["bash"])
        let old = String(repeating: "alias a=b # a long file\n", count: 10_000)
        let words =
            ["baton", "setup", "--yes", "--skip", "account,service,editors,browsers"] + NewMachine.root
        var outcomes: Set<Bool> = []
        // The moment moves to later ones, until setups come to their end.
        var moment = Duration.zero
        while !outcomes.contains(true) || moment < .milliseconds(60) {
            try #require(moment < .seconds(20), "no setup has replaced the file")
            try new.write(old, to: ".bashrc")
            let run = try new.machine.begin(words)
            let begun = ContinuousClock.now
            while ContinuousClock.now - begun < moment { sched_yield() }
            run.end(SIGKILL)
            let file = try #require(new.read(".bashrc"))
            outcomes.insert(file != old)
            #expect(file == old || file == old + "\(mark)\(line)")
            moment += outcomes.contains(true) ? .milliseconds(1) : max(.milliseconds(1), moment / 4)
        }
        try new.write(old, to: ".bashrc")
        _ = try new.setUp("--yes", "--skip", "account,service,editors,browsers")
        let left = try FileManager.default.contentsOfDirectory(atPath: new.folder.path)
        #expect(!left.contains { $0.hasSuffix(".baton-setup") }, "\(left)")
    }

    private let mark = "# Added by `baton setup`; `baton setup --undo` removes it.\n"
    private let line = "eval \"$(baton shell bash)\"\n"
}
