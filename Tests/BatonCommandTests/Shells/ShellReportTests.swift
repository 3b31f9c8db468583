import BatonCore
import Foundation
import Support
import Testing

@testable import BatonCommand

/// Reports of shells, whole and cut off, and the lines that may be told.
@Suite struct `Reports of shells` {
    /// Returns the report that a shell writes as its 12th.
    private static func bytes(_ fields: String..., number: Int = 12) -> [UInt8] {
        let fields = fields.prefix(1) + ["\(number)"] + fields.dropFirst() + [".\(number)"]
        return fields.flatMap { Array($0.utf8) + [0] }
    }

    @Test func `a report has a folder and an optional command`() {
        #expect(ShellReport(Self.bytes("1", "/a b", "prompt"))?.state == .prompt)
        #expect(ShellReport(Self.bytes("1", "/a\nb", "command", "make -j4"))?.folder == "/a\nb")
        #expect(ShellReport(Self.bytes("1", "/a", "command", "make -j4"))?.state == .command("make -j4"))
        #expect(ShellReport(Self.bytes("1", "/a", "command", ".12"))?.state == .command(".12"))
    }

    @Test(arguments: [
        [], ["1"], ["1", "12"], ["1", "12", "/a"], ["2", "12", "/a", "prompt"], ["1", "12", "a", "prompt"],
        ["1", "12", "/a", "command"], ["1", "12", "/a", "other"], ["1", "11", "/a", "prompt"],
    ])
    func `a report with missing, unknown or malformed fields is refused`(fields: [String]) {
        #expect(ShellReport((fields + [".12"]).flatMap { Array($0.utf8) + [0] }) == nil)
    }

    @Test func `a report that is cut off at any byte is refused`() {
        let whole = Self.bytes("1", "/home/a", "command", "make", "    7  make\n")
        #expect(ShellReport(whole) != nil)
        for count in 0..<whole.count { #expect(ShellReport(Array(whole.prefix(count))) == nil, "\(count)") }
    }

    @Test func `a report half written over an earlier report is refused or read as the earlier one`() {
        let earlier = Self.bytes(
            "1", "/home/a", "command", "make -j4 all", "    7  make -j4 all; ls\n", number: 11)
        for later in [
            Self.bytes("1", "/", "prompt"), Self.bytes("1", "/", "prompt", "", "    8  cd /\n"),
            Self.bytes("1", "/", "command", "make", "    8  make\n"),
            Self.bytes("1", "/home/a", "command", "make -j4 test", "    8  make -j4 test && ls\n"),
        ] {
            for count in 0..<later.count {
                let report = ShellReport(Array(later.prefix(count) + earlier.dropFirst(count)))
                #expect(report == nil || report == ShellReport(earlier), "\(count)")
            }
            #expect(ShellReport(Array(later + earlier.dropFirst(later.count))) == ShellReport(later))
        }
    }

    @Test func `reading a report with changed bytes never crashes`() {
        var generator = SeededGenerator(seed: 27)
        for _ in 0..<2000 {
            var bytes = Self.bytes("1", "/home/a", "command", "make", "    7  make\n")
            for _ in 0..<generator.number(1...4) {
                bytes[generator.number(0...(bytes.count - 1))] = UInt8(generator.number(0...255))
            }
            if let report = ShellReport(bytes) { _ = report.typed(after: nil) }
        }
    }

    @Test func `the typed line is read from bash's history, if bash stored the line there`() {
        let prompt = ShellReport(Self.bytes("1", "/", "prompt", "", "    6  cd /\n"))?.history
        let typed = { (command: String, history: String) in
            ShellReport(Self.bytes("1", "/", "command", command, history))?.typed(after: prompt)
        }
        #expect(typed("make", "    7  make && ls\n") == "make && ls")
        #expect(typed("make", "    7* make \n") == "make")
        #expect(typed("make", "100000  make\n") == "make")
        #expect(typed("pass", "    6  cd /\n") == nil, "the line is not in the history")
        #expect(typed("cd /", "    6  cd /\n") == "cd /", "the same line again is not repeated there")
        #expect(typed("make", "    7   make\n") == nil, "it begins with a space")
        #expect(typed("c", "    6  cd /\n") == nil, "another command, which is not in the history")
        #expect(typed("make", "") == nil, "the history is empty, or off")
    }

    @Test func `a line that begins with a space is not reported`() {
        let line = { (text: String) in
            ShellReport(Self.bytes("1", "/", "command", text))?.typed(after: nil)
        }
        #expect(line("make\n") == "make")
        #expect(line(" make") == nil)
        #expect(line("\tmake") == nil)
        #expect(line("") == nil)
    }
}

/// Folders and commands that never become activities.
@Suite struct `Private folders and commands` {
    private let places = PrivatePlaces()

    @Test(arguments: [
        "pass show mail", "ls | pass insert x", "sudo pass", "LC_ALL=C pass show x",
        "curl -H 'Authorization: Bearer abc' x", "export GITHUB_TOKEN=x", "mysql -u me -pgeheim",
        "git clone https://me:geheim@example.org/x", "curl -u me:geheim x", "PASSWORD=x make", "gpg -d a",
        "echo ghp_0123456789", "cat ~/secrets.txt", "ssh-add ~/.ssh/id",
    ])
    func `commands that look like secrets are private`(command: String) {
        #expect(places.holds(command: command))
    }

    @Test(arguments: [
        "make test", "vim notes.md", "cargo build", "ssh desktop", "passenger start", "git push",
    ])
    func `commands that do not look like secrets are not private`(command: String) {
        #expect(!places.holds(command: command))
    }

    @Test func `a private folder covers its subfolders, and not the folders beside it`() {
        let holds = { places.holds(folder: $0, home: "/home/a") }
        #expect(holds("/home/a/.ssh") && holds("/home/a/.ssh/old"))
        #expect(!holds("/home/a/.sshd") && !holds("/home/a") && !holds("/home/b/.ssh"))
        var own = PrivatePlaces()
        own.folders = ["/srv/"]
        #expect(own.holds(folder: "/srv/x", home: nil) && !own.holds(folder: "/home/a/.ssh", home: "/home/a"))
    }

    @Test func `matching a pattern with many stars takes no exponential time`() {
        let text = String(repeating: "a", count: 20_000)
        let started = ContinuousClock.now
        #expect(!PrivatePlaces.matches(String(repeating: "*a", count: 40) + "b", text))
        #expect(ContinuousClock.now - started < .seconds(10))
    }

    @Test func `patterns match the same texts as a naive matcher`() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<5000 {
            let word = { (letters: String, most: Int) in
                String((0..<generator.number(0...most)).map { _ in generator.pick(Array(letters)) })
            }
            let (pattern, text) = (word("ab*", 6), word("ab", 8))
            #expect(
                PrivatePlaces.matches(pattern, text) == Self.naive(pattern[...], text[...]),
                "\(pattern) \(text)")
        }
    }

    private static func naive(_ pattern: Substring, _ text: Substring) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return naive(pattern.dropFirst(), text) || !text.isEmpty && naive(pattern, text.dropFirst())
        }
        return text.first == first && naive(pattern.dropFirst(), text.dropFirst())
    }
}

/// The scripts that shells read.
@Suite struct `Scripts of shells` {
    @Test(arguments: ["bash", "zsh", "fish"])
    func `a relative home in a shell's script becomes absolute`(shell: String)
        throws
    {
        let folder = try TemporaryFolder()
        let here = FileManager.default.currentDirectoryPath
        // The command makes the folder for what the shell tells, so the path leads out of the working folder.
        let up = String(repeating: "../", count: here.split(separator: "/").count)
        let home = "\(up)\(folder.path.dropFirst())/it's a FOLDER"
        let script = Typed(["shell", shell, "--home", home]).output
        #expect(script.contains("\(here)/\(up)"), "\(script.prefix(400))")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["it's a FOLDER"])
        let shells = "\(folder.path)/it's a FOLDER/run/shells"
        let mode = try FileManager.default.attributesOfItem(atPath: shells)[.posixPermissions]
        #expect(mode as? Int == 0o700)
        #expect(!script.contains("ARGUMENTS") && !script.contains("$ANSWER"))
        #expect(Typed(["shell", "csh"]).status == 2)
    }
}
