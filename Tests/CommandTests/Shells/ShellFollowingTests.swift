import Foundation
import Support
import Testing

/// Shells with the line of `baton shell` in their file: what they tell, and where they go.
@Suite(
    .enabled(
        if: TerminalShell.isThere,
        "tmux is not on this machine: `Scripts/install-dependencies test` installs it")
)
struct `Shells that report their folder and command` {
    private let account: Account
    private let folder: String

    init() throws {
        account = try Account("laptop", "desktop")
        folder = (account[0].home as NSString).deletingLastPathComponent
        for machine in account.machines {
            // Each has its own home folder, as machines have.
            let home = folder + "/home-of-" + machine.name
            try FileManager.default.createDirectory(atPath: home + "/work", withIntermediateDirectories: true)
            machine.variables["HOME"] = home
        }
        try File.write("{shell: {commandAfter: 0.2}}", to: folder + "/config.json5")
        for machine in account.machines { machine.variables["BATON_CONFIG"] = folder + "/config.json5" }
    }

    private var laptop: Machine { account[0] }
    private var desktop: Machine { account[1] }

    private func home(_ machine: Machine) -> String { machine.variables["HOME"] ?? "" }

    private func shell(
        on machine: Machine, _ program: TerminalShell.Program = .bash, settings: String = ""
    ) throws -> TerminalShell {
        let line =
            program == .fish ? "baton shell fish | source" : "eval \"$(baton shell \(program.rawValue))\""
        return try TerminalShell(on: machine, program: program, settings: line + "\n" + settings)
    }

    /// Waits until a machine lists exactly these titles of the laptop.
    private func waitFor(_ titles: [String], on machine: Machine) throws {
        try eventually("\(titles): \((try? machine.type(["baton", "list"]).output) ?? "")") {
            try machine.list().filter { $0["device"]["name"] == .string("laptop") }.map { $0["title"] }
                == titles.map { .string($0) }
        }
    }

    /// The numbers of the helpers of a machine's shells.
    private func helpers(of machine: Machine) throws -> [pid_t] {
        let names = try FileManager.default.contentsOfDirectory(atPath: machine.home + "/run/shells")
        let shells = names.filter { Int($0) != nil }
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init).filter {
            number in
            let line = File.read("/proc/\(number)/cmdline")?.split(separator: "\0").map(String.init) ?? []
            return line.drop { $0 != "--follow" }.dropFirst().first.map(shells.contains) ?? false
        }
    }

    @Test(arguments: TerminalShell.Program.allCases)
    func `the folder and a long-running command are listed, and baton continue goes to the folder`(
        program: TerminalShell.Program
    ) throws {
        let shell = try shell(on: laptop, program)
        try shell.run("cd ~/work && true")
        try waitFor(["work"], on: desktop)
        // A node does not start beside files that others may read.
        let open = try shell.run("find $BATON_HOME -path '*/shells/*' -perm /077")
        #expect(open == [], "\(open)")
        try shell.type("sleep 600 && echo build")
        try waitFor(["sleep 600 — work"], on: desktop)
        try shell.press(["C-c"])
        try waitFor(["work"], on: desktop)
        let other = try self.shell(on: desktop, program)
        let lines = try other.run("baton continue org.baton.folder; pwd")
        #expect(lines.last == home(desktop) + "/work", "\(lines)")
        #expect(lines.contains("You are in \(home(desktop))/work now."), "\(lines)")
        // The next command must not go there again.
        #expect(try other.run("cd / && baton list >/dev/null; pwd").last == "/")
        #expect(
            try other.run("baton continue none; echo code=\(program == .fish ? "$status" : "$?")").last
                == "code=11")
    }

    @Test(arguments: TerminalShell.Program.allCases)
    func `private commands are not reported`(program: TerminalShell.Program) throws {
        let shell = try shell(on: laptop, program)
        try shell.run("cd ~/work && true")
        try waitFor(["work"], on: laptop)
        for (round, line) in [" sleep 600", "sleep 600 && echo my password", "TOKEN=1 sleep 600"].enumerated()
        {
            try shell.type(line)
            // Something that is told shows that time has passed for what is not.
            let marker = try self.shell(on: laptop, program)
            try marker.type("sleep 70\(round)")
            try eventually("the marker") {
                try laptop.list().contains {
                    $0["title"].string?.hasPrefix("sleep 70\(round)") == true
                }
            }
            #expect(try !laptop.type(["baton", "list", "--json"]).output.contains("600\""), "\(line)")
            #expect(try !laptop.type(["baton", "list", "--json"]).output.contains("assword"))
            #expect(try !laptop.type(["baton", "list", "--json"]).output.contains("TOKEN"))
            try shell.press(["C-c"])
        }
        try shell.run("mkdir ~/.ssh; cd ~/.ssh && true")
        try waitFor([], on: laptop)
        try shell.run("cd ~/work && true")
        try waitFor(["work"], on: laptop)
    }

    @Test(arguments: TerminalShell.Program.allCases)
    func `names of folders are never interpreted as code`(program: TerminalShell.Program) throws {
        let names = ["$(touch ran)", "`touch ran`", "-c", "a'b\"c\\d", "~", "a;touch ran", "%s%n", "é 漢字"]
        for machine in account.machines {
            for name in names {
                try FileManager.default.createDirectory(
                    atPath: home(machine) + "/work/" + name, withIntermediateDirectories: true)
            }
        }
        let (shell, other) = (try shell(on: laptop, program), try self.shell(on: desktop, program))
        for name in names {
            // The number of a folder is typed, so that no shell reads its name on the way.
            let path = home(laptop) + "/work/" + name
            try? FileManager.default.removeItem(atPath: home(laptop) + "/link")
            try FileManager.default.createSymbolicLink(
                atPath: home(laptop) + "/link", withDestinationPath: path)
            try shell.run("cd ~/link && cd \"$(pwd -P)\" && true")
            try waitFor([name], on: desktop)
            let lines = try other.run("cd /; baton continue org.baton.folder >/dev/null; pwd")
            #expect(lines.last == home(desktop) + "/work/" + name, "\(lines)")
        }
        for machine in account.machines {
            let all =
                FileManager.default.enumerator(atPath: home(machine))?.compactMap { $0 as? String } ?? []
            #expect(!all.contains { $0.hasSuffix("ran") && !$0.hasSuffix("touch ran") })
        }
    }

    @Test func `baton continue goes to this machine's clone, and reports how the two repositories differ`()
        throws
    {
        let git = "git -c user.name=A -c user.email=a@example.org -c init.defaultBranch=main"
        let shell = try shell(on: laptop)
        try shell.run("mkdir -p ~/src/app/inner && cd ~/src/app && \(git) init -q && echo 1 >a && git add a")
        try shell.run("\(git) commit -qm one; git clone -q . \(home(desktop))/clone; cd inner")
        try waitFor(["inner (main)"], on: desktop)
        let other = try self.shell(on: desktop)
        // No shell of the desktop has been in the clone yet.
        let unknown = try other.run("baton continue org.baton.folder; pwd")
        #expect(unknown.sentence.contains("Go to your clone once, or clone it."), "\(unknown)")
        try other.run("cd ~/clone")
        try eventually("a known clone") {
            File.read(home(desktop) + "/.local/state/baton/clones")?.contains("/clone") == true
        }
        try shell.run("echo 2 >>../a; \(git) commit -qam two; git checkout -qb topic; echo 3 >>../a")
        try eventually("the state of the repository") {
            let there = try desktop.list().first { $0["title"] == .string("inner (topic)") }
            return there?["info"]["repository"]["changed"] == .boolean(true)
        }
        let lines = try other.run("cd /; baton continue 'inner (topic)'; pwd")
        #expect(
            lines.last == home(desktop) + "/clone", "`inner` has no file, so it is not in the clone: \(lines)"
        )
        let text = lines.joined(separator: " ")
        #expect(text.contains("“laptop” is on the branch topic, which is not here."), "\(lines)")
        #expect(text.contains("“laptop” has commits that are not here"), "\(lines)")
        #expect(text.contains("“laptop” has changes that are not committed."), "\(lines)")
    }

    @Test(arguments: TerminalShell.Program.allCases)
    func `a folder that a shell has left is suggested with a reason, and continued by its number`(
        program: TerminalShell.Program
    ) throws {
        let shell = try shell(on: laptop, program)
        try shell.run("mkdir -p ~/play; cd ~/play")
        try waitFor(["play"], on: laptop)
        try laptop.must("suggest")
        try shell.run("cd ~/work")
        try waitFor(["work"], on: laptop)
        let lines = try shell.run("baton suggest --why")
        #expect(lines.contains { $0.contains("play") && $0.contains("this shell goes there") }, "\(lines)")
        #expect(lines.contains { $0.contains("Last used") || $0.contains("Used once here") }, "\(lines)")
        #expect(try laptop.must("list", "--finished") == "No finished activities are stored.\n")
        #expect(try shell.run("baton suggest --nth 1; pwd").last == home(laptop) + "/play")
        try waitFor(["play"], on: desktop)
        #expect(try desktop.must("suggest").contains("laptop  play"))
    }

    @Test func `a branch is changed only after confirmation`() throws {
        let git = "git -c user.name=A -c user.email=a@example.org -c init.defaultBranch=main"
        let shell = try shell(on: laptop)
        try shell.run("mkdir ~/app && cd ~/app && \(git) init -q && \(git) commit -q --allow-empty -m one")
        try shell.run("git branch topic; cp -r ~/app \(home(desktop))/app; git checkout -q topic")
        try waitFor(["app (topic)"], on: desktop)
        let other = try self.shell(on: desktop)
        for (answer, branch) in [("n", "main"), ("y", "topic")] {
            try other.run("cd /")
            try other.type("clear")
            try eventually("an empty screen") { other.screen == ["$"] }
            try other.type("baton continue org.baton.folder")
            try eventually("a question: \(other.screen)") { other.screen.last?.hasSuffix("[y/N]") == true }
            try other.type(answer)
            try eventually("a prompt") { other.screen.last == "$" }
            #expect(try other.run("git branch --show-current; pwd") == [branch, home(desktop) + "/app"])
        }
    }

    @Test(arguments: TerminalShell.Program.allCases)
    func `a shell works without its helper, its node or its folder`(
        program: TerminalShell.Program
    ) throws {
        let shell = try shell(on: laptop, program)
        try shell.run("cd && true")
        try waitFor(["~"], on: laptop)
        let helper = try #require(helpers(of: laptop).first)
        kill(helper, SIGSTOP)
        #expect(try shell.run("echo a").last == "a")
        kill(helper, SIGKILL)
        #expect(try shell.run("echo b").last == "b")
        #expect(try laptop.stopNode() == 0)
        #expect(try shell.run("echo c").last == "c")
        try FileManager.default.removeItem(atPath: laptop.home + "/run/shells")
        #expect(try shell.run("echo d") == ["d"], "nothing else is printed")
    }

    @Test func `the activity ends with the shell, and is restored after a restart of the node`() throws {
        var shell: TerminalShell? = try shell(on: laptop)
        try shell?.run("cd ~/work")
        try waitFor(["work"], on: desktop)
        laptop.killNode()
        try shell?.run("cd /")
        try laptop.startNode()
        try shell?.run("true")
        try waitFor(["/"], on: desktop)
        let helper = try #require(helpers(of: laptop).first)
        shell = nil
        try waitFor([], on: desktop)
        try eventually("the end of the helper") { kill(helper, 0) != 0 }
        #expect(try helpers(of: laptop).isEmpty)
    }

    @Test func `bash keeps the person's traps, prompts and exit statuses`() throws {
        let settings = "PROMPT_COMMAND='last=$?'\nPS0='<\\n'\n"
        let own = try TerminalShell(
            on: laptop, settings: settings + "eval \"$(baton shell bash)\"")
        // Nothing may be typed in between, not even to clear the screen.
        for (line, output) in [
            ("false", "<"), ("echo $last $?", "1 1"), ("echo one two", "one two"), ("echo $_", "two"),
        ] {
            try own.type(line)
            try eventually("the result of `\(line)`: \(own.screen)") {
                Array(own.screen.suffix(2)) == [output, "$"]
            }
        }
        let trapped = try shell(on: laptop, settings: "trap 'count=$((count+1))' DEBUG")
        #expect(try trapped.run("trap -p DEBUG").last == "trap -- 'count=$((count+1))' DEBUG")
        let strict = try shell(on: laptop, settings: "set -u\nset -o noclobber")
        #expect(try strict.run("echo a") == ["a"])
    }

    @Test func `the prompt shows that the machine is private`() throws {
        let shell = try shell(on: laptop)
        try laptop.must("private", "on")
        try eventually("the segment") {
            try shell.run("true")
            return try shell.run("echo \"[$BATON_SEGMENT]\"").last == "[private]"
        }
        #expect(try laptop.must("shell", "--segment") == "private\n")
        try laptop.must("private", "off")
        try eventually("no segment") {
            try shell.run("true")
            return try shell.run("echo \"[$BATON_SEGMENT]\"").last == "[]"
        }
    }

    @Test(arguments: TerminalShell.Program.allCases)
    func `a key opens the picker, the shell goes to the chosen folder, and the typed text is restored`(
        program: TerminalShell.Program
    ) throws {
        let shell = try shell(on: laptop, program)
        try shell.run("cd ~/work && true")
        try waitFor(["work"], on: desktop)
        let other = try self.shell(on: desktop, program)
        try other.press(["echo hel", "C-^"])
        try eventually("the picker: \(other.screen)") {
            other.screen.dropFirst().first?.hasPrefix("▌ / work") == true
        }
        try other.press(["wk lap"])
        try eventually("a shorter list: \(other.screen)") {
            other.screen.first?.hasPrefix("> wk lap ") == true
        }
        #expect(other.screen.contains { $0.hasPrefix("~/work: ") }, "\(other.screen)")
        try other.press(["Enter"])
        try eventually("what was typed: \(other.screen)") { other.screen.last == "$ echo hel" }
        try other.press(["lo; pwd", "Enter"])
        try eventually("the folder: \(other.screen)") {
            Array(other.screen.suffix(3)) == ["hello", home(desktop) + "/work", "$"]
        }
    }

    @Test func `baton without arguments prints the list without a terminal, and help without an account`()
        throws
    {
        let shell = try shell(on: laptop)
        try shell.run("cd ~/work && true")
        try waitFor(["work"], on: desktop)
        let list = try desktop.type(["baton"])
        #expect(list.status == 0 && list.output.contains("laptop  folder  work"), "\(list)")
        let stranger = Machine("stranger", in: try TemporaryFolder())
        let help = try stranger.type(["baton"])
        #expect(help.status == 2 && help.errors.contains("No command given."), "\(help)")
    }

    @Test(arguments: TerminalShell.Program.allCases)
    func `a shell whose report file was removed does not create a new one`(
        program: TerminalShell.Program
    ) throws {
        let old = try shell(on: laptop, program)
        try old.run("cd ~/work && true")
        try waitFor(["work"], on: laptop)
        try laptop.must("shell", "--remove")
        let new = try shell(on: laptop, program)
        try new.run("true")
        let reports = {
            try FileManager.default.contentsOfDirectory(atPath: laptop.home + "/run/shells").filter {
                Int($0) != nil
            }
        }
        try eventually("the file of the new shell") { try reports().count == 1 }
        let names = try reports()
        #expect(try old.run("umask 022; cd / && echo a") == ["a"])
        #expect(try reports() == names)
        // The node accepts the home still.
        #expect(try laptop.stopNode() == 0)
        try laptop.startNode()
    }

    @Test func `shell --remove deletes all files, and ends the helpers`() throws {
        let shell = try shell(on: laptop)
        try shell.run("mkdir ~/app && cd ~/app && git init -q && true")
        try waitFor(["app (master)"], on: laptop)
        let helper = try #require(helpers(of: laptop).first)
        #expect(try laptop.must("shell", "--remove").hasPrefix("Removed what was kept for shells."))
        try eventually("the end of the helper") { kill(helper, 0) != 0 }
        try waitFor([], on: laptop)
        #expect(!FileManager.default.fileExists(atPath: laptop.home + "/run/shells"))
        #expect(!FileManager.default.fileExists(atPath: home(laptop) + "/.local/state/baton/clones"))
        #expect(try shell.run("echo a") == ["a"])
        #expect(!FileManager.default.fileExists(atPath: laptop.home + "/run/shells"))
        #expect(try laptop.must("shell", "--remove") == "Nothing was kept for shells.\n")
    }
}
