import BatonClient
import BatonCore
import Support
import Testing

@testable import BatonCommand

/// As much of a command as is told.
@Suite struct `The part of a shell command that is reported` {
    /// Returns the text that is told of the command of a line that runs.
    private func told(
        _ line: String, running: [String]? = nil, _ settings: ShellSettings = ShellSettings(),
        in folder: String = "/home/a/work"
    ) -> String? {
        ToldCommand.running(running, of: line, by: settings, in: folder, home: "/home/a")?.text
    }

    @Test(arguments: [
        ("docker login", "docker login"), ("make test", "make test"), ("vim notes.md", "vim notes.md"),
        ("ssh build", "ssh build"), ("ssh me@build.example.org", "ssh me@build.example.org"),
        ("vim ~/src/app/main.swift", "vim ~/src/app/main.swift"),
        ("less /var/log/dpkg.log", "less /var/log/dpkg.log"),
        ("sudo apt upgrade", "sudo apt upgrade"), ("time make", "time make"),
        ("./run.sh all", "./run.sh all"),
        ("sha256sum debian-12.iso", "sha256sum debian-12.iso"), ("vim Übersicht.txt", "vim Übersicht.txt"),
        ("vim 漢字.txt", "vim 漢字.txt"), ("swift test", "swift test"), ("man 2 open", "man 2 open"),
        ("wget https://example.org/a.iso", "wget https://example.org/a.iso"),
        ("cargo build", "cargo build"), ("code notes.md", "code notes.md"),
        ("npm install @types/node@18", "npm install @types/node@18"),
        ("python3 manage.py runserver", "python3 manage.py runserver"),
    ])
    func `a command of plain words is reported whole`(line: String, text: String) {
        let command = ToldCommand.running(nil, of: line, by: ShellSettings(), in: "/", home: "/home/a")
        #expect(command?.text == text)
        #expect(command?.hidden == nil)
    }

    @Test(arguments: [
        ("docker login -p geheim", "docker login …", HiddenPart.option),
        ("docker login registry -u me -p geheim", "docker login …", .argument),
        ("MYSQL_PWD=geheim mysqldump shop", "mysqldump shop …", .assignment),
        ("A='geheim 2' B=\"geheim\" cmd x", "cmd x …", .assignment),
        ("redis-cli -a geheim", "redis-cli …", .option),
        ("redis-cli auth geheim", "redis-cli auth …", .argument),
        ("smbclient -U u%geheim //s/x", "smbclient …", .option),
        ("smbclient //s/x geheim", "smbclient …", .argument),
        ("nmcli con modify Home wifi-sec.psk geheim", "nmcli con modify Home wifi-sec.psk …", .argument),
        ("rabbitmqctl add_user bob geheim", "rabbitmqctl add_user …", .argument),
        ("pdftk a.pdf input_pw geheim", "pdftk a.pdf input_pw …", .argument),
        ("redis-cli config set requirepass geheim", "redis-cli config …", .argument),
        ("grep geheim notes.md", "grep …", .argument), ("sudo rg geheim", "sudo rg …", .argument),
        ("timeout 60 echo geheim", "timeout 60 echo …", .argument),
        ("ansible-vault encrypt_string geheim", "ansible-vault encrypt_string …", .argument),
        ("sqlplus bob/geheim@shop", "sqlplus …", .argument),
        ("db connect bob/geheim@shop", "db connect …", .word),
        ("vpn 482913", "vpn …", .word), ("mysql –pgeheim", "mysql …", .word),
        ("rsync u%geheim@s", "rsync …", .word), ("zip -P geheim a.zip b", "zip …", .option),
        ("7z a -pgeheim a.7z b", "7z a …", .option), ("ldapsearch -w geheim", "ldapsearch …", .option),
        ("openssl enc -k geheim", "openssl enc …", .option), ("mongo -p geheim", "mongo …", .option),
        ("mongosh shop --eval 'geheim'", "mongosh shop …", .option),
        ("make CC=geheim", "make …", .assignment),
        ("vim 'geheim'", "vim …", .quotation), ("vim a\"geheim\"", "vim …", .quotation),
        ("vim geheim\\ x", "vim …", .quotation), ("vim $geheim", "vim …", .expansion),
        ("vim ${x:-geheim}", "vim …", .expansion), ("mail <geheim", "mail …", .redirection),
        ("make 2>geheim", "make …", .redirection), ("make &>geheim", "make …", .redirection),
        ("mail <<<geheim", "mail …", .redirection), ("make test # geheim", "make test …", .comment),
        ("ftp me:geheim@example.org", "ftp …", .word),
        ("git clone https://me@example.org/x", "git clone …", .word),
        ("curl https://example.org/?t=geheim", "curl …", .assignment),
        ("mplayer *geheim", "mplayer …", .word),
        ("ssh host 4f2a9c1be77d", "ssh host …", .word),
        ("wget https://example.org/aGVsbG8gd29ybGQx", "wget …", .word),
        ("host 550e8400-e29b-41d4-a716-446655440000", "host …", .word), ("echo geheim", "echo …", .argument),
        ("sudo -u geheim make", "sudo make …", .option), ("sudo -p geheim make", "sudo …", .option),
        ("sudo X=geheim make all", "sudo make all …", .assignment), ("env -S 'geheim x'", "env …", .option),
        ("env A=geheim B='geheim' make", "env make …", .assignment),
        ("exec -a geheim vim", "exec vim …", .option),
        ("nohup make -C geheim", "nohup make …", .option), ("vim ~/.ssh/geheim", "vim …", .place),
        ("vim work/../.ssh/geheim", "vim …", .place), ("vim ./.ssh/geheim", "vim …", .place),
        ("vim ~/x/../.ssh/geheim", "vim …", .place), ("vim geheim.kdbx", "vim …", .place),
        ("vim .env", "vim …", .place),
        ("set +o geheim", "set …", .option),
    ])
    func `the reported part stops before a word that may be a secret`(
        line: String, text: String, hidden: HiddenPart
    ) {
        let command = ToldCommand.running([], of: line, by: ShellSettings(), in: "/home/a", home: "/home/a")
        #expect(command?.text == text)
        #expect(command?.hidden == hidden)
    }

    @Test(arguments: [
        "", "DB_PASS=geheim", "'geheim' x", "$geheim x", "<geheim cmd", "(((", "for x in geheim",
        "case geheim",
        "geheim:geheim", "4f2a9c1be77d4f2a9c1be77d4f2a x", "function geheim", "[[ geheim ]]",
    ])
    func `nothing is reported of a line whose program is not known`(line: String) {
        #expect(told(line) == nil)
    }

    @Test(arguments: [
        ("cd app && make test", ["make", "cc"], "make test"), ("DB_PASS=geheim; cmd x", ["cmd"], "cmd x"),
        ("a -x; b two && c", ["b"], "b two"), ("make; vim -c geheim", ["vim"], "vim …"),
        ("cat big | sort | less", ["sort", "less"], "sort …"), ("sleep 600 & make", ["make"], "make"),
        ("sudo make all; true", ["sudo", "make"], "sudo make all"),
        ("make clean; make all", ["make"], "make …"),
        ("make; make", ["make"], "make"), ("(cd x; make all)", ["bash", "make"], "make all"),
        ("while true; do make -k; done", ["make"], "make …"), ("if a; then b; else c d; fi", ["c"], "c d"),
        ("x && a-long-name-of-a-program z", ["a-long-name-of-"], "a-long-name-of-a-program z"),
        ("cd x; npm start", ["npm start", "node"], "npm start"),
        ("cd x && ./manage.py shell", ["python3"], "./manage.py shell"),
        ("a; b", ["other"], "other …"), ("vim $(fzf geheim)", ["fzf"], "fzf …"),
        ("vim `fzf`", ["vim"], "vim …"),
        ("mysql <<EOF\nmysql geheim\nEOF", ["mysql"], "mysql …"), ("x $'a\\'; vim geheim'", ["vim"], "vim …"),
        ("echo geheim | docker login", ["docker"], "docker login …"), ("time (make; true)", ["make"], "make"),
        ("sudo make all && sudo mysql shop", ["sudo", "mysql"], "sudo mysql shop"),
        ("sudo make all && sudo mysql shop", ["sudo"], "sudo …"),
        ("sudo make all && make docs", ["make"], "make …"),
        ("make # a; vim geheim", ["vim"], "vim …"), ("make # a; vim geheim", ["make"], "make …"),
        ("$EDITOR notes.md && git commit", ["vim"], "vim …"), ("$x; git commit", ["git"], "git commit"),
    ])
    func `if a line has several commands, only the running command is reported`(
        line: String, running: [String], text: String
    ) {
        #expect(told(line, running: running) == text)
    }

    @Test func `a process is recognised by the program of the reported command`() throws {
        let command = ToldCommand.running(
            ["bash", "sudo", "make"], of: "(sudo ./bin/make all; ls)", by: ShellSettings(), in: "/", home: nil
        )
        let told = try #require(command)
        #expect(["sudo", "make"].allSatisfy { told.names(process: $0) })
        #expect(!told.names(process: "bash") && !told.names(process: "ls"))
    }

    @Test func `if a line has several commands, nothing is reported while the running command is unknown`() {
        #expect(told("a; b") == nil)
        #expect(told("a; b", running: []) == nil)
        #expect(told("a; b", running: ["4f2a9c1be77d4f2a9c1be77d"]) == nil)
        #expect(told("a; b", running: ["pass"]) == nil, "the patterns hold for the program, too")
    }

    @Test func `a private pattern matches the whole line, also where whole commands are reported`() {
        var settings = ShellSettings()
        settings.wholeFolders = ["/"]
        settings.wholeCommands = ["sleep"]
        #expect(told("sleep 600 && echo my password", running: ["sleep"], settings) == nil)
        #expect(told("make GITHUB_TOKEN=x", settings) == nil)
    }

    @Test func `whole commands are reported for the programs and folders that the person names`() throws {
        let text = "{shell: {wholeCommands: ['make'], wholeFolders: ['~/src']}}"
        let settings = try #require(try Configuration(Array(text.utf8), from: "x").shell)
        #expect(
            told("cd x && make -j4 CC='a b' >log", running: ["make"], settings) == "make -j4 CC='a b' >log")
        #expect(told("make -j4; docker login -p geheim", running: ["docker"], settings) == "docker login …")
        #expect(told("X=geheim make -j4", settings) == "make -j4 …", "the assignment is not the program's")
        #expect(told("/usr/bin/make -k | less", running: ["make"], settings) == "/usr/bin/make -k …")
        #expect(told("X=1 cargo -q run", settings, in: "/home/a/src/app") == "X=1 cargo -q run")
        #expect(told("cargo -q run", settings, in: "/home/a/srcs") == "cargo …")
        for wrong in ["{shell: {wholeCommands: ['a b']}}", "{shell: {wholeCommands: 'make'}}"] {
            #expect(throws: TextError.self) { try Configuration(Array(wrong.utf8), from: "x") }
        }
    }

    @Test func `a command longer than the limit is cut, and marked as cut`() {
        let line = "vim" + String(repeating: " word", count: 100)
        let command = ToldCommand.running(nil, of: line, by: ShellSettings(), in: "/", home: nil)
        #expect(command?.text == String(line.prefix(200)) + " …" && command?.hidden == .rest)
    }

    @Test func `the activity stores a shortened command under a different key from a whole command`() throws {
        let change = { (line: String) in
            let command = try #require(
                ToldCommand.running(nil, of: line, by: ShellSettings(), in: "/", home: nil))
            var activity = ShellActivity(folder: "/srv/app")
            activity.command = ShellActivity.Command(told: command, start: WallTime(milliseconds: 1))
            return try #require(activity.change(PortablePaths(in: nil, home: "/home/a")))
        }
        let (whole, cut) = (try change("make test"), try change("docker login -p geheim"))
        #expect(whole.set[.string("command")] == .string("make test"))
        #expect(whole.set[.string("shortened")] == nil)
        #expect(cut.set[.string("shortened")] == .string("docker login …"))
        #expect(cut.set[.string("command")] == nil)
        #expect(cut.title == "docker login … — app")
        #expect(!String(reflecting: cut).contains("geheim"))
    }
}

/// Generated lines with a secret.
@Suite struct `Secrets in generated commands` {
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz")

    /// A secret that looks like a word, so that only its place in the line hides it.
    private func secret(_ generator: inout SeededGenerator) -> String {
        "qz" + String((0..<generator.number(3...8)).map { _ in generator.pick(Self.letters) })
    }

    private func word(_ generator: inout SeededGenerator) -> String {
        generator.pick([
            "make", "vim", "notes.md", "build", "ssh", "test", "docker", "src/app", "sudo", "env", "time",
        ])
    }

    /// A part of a command that has a secret in it.
    private func hidden(_ secret: String, _ generator: inout SeededGenerator) -> String {
        let word = word(&generator)
        return generator.pick([
            "-p \(secret)", "-p\(secret)", "--\(word)=\(secret)", "--\(word) \(secret)", "\(word)=\(secret)",
            "'\(secret)'", "\"\(secret)\"", "\"\(word)\" \(secret)", "$'\(secret)'", "\(word)\\ \(secret)",
            "'a; \(word) \(secret)'", "\"a && \(word) \(secret)\"", "$(\(word) \(secret))",
            "`\(word) \(secret)`",
            "${x:-\(secret)}", "$\(secret)", ">\(secret)", "<\(secret)", "2>\(secret)", "<<<\(secret)",
            "u%\(secret)", "\(word):\(secret)@host", "https://me:\(secret)@host/", "<(\(word) \(secret))",
            "# \(secret)", "<<\(secret)\n\(word) \(secret)\n\(secret)", "*\(secret)", "{\(secret),a}",
        ])
    }

    @Test func `no part of a secret in an option, an assignment or a quotation is reported`() {
        var generator = SeededGenerator(seed: 49)
        for _ in 0..<2000 {
            let secret = secret(&generator)
            var line = generator.chance(30) ? "PW=\(secret) " : ""
            if generator.chance(20) { line += "\(word(&generator)); " }
            line += generator.pick(["", "", "sudo ", "env ", "time "])
            line += generator.pick(["make", "vim", "docker"])
            line += (0..<generator.number(0...2)).map { _ in " " + word(&generator) }.joined()
            line += " " + hidden(secret, &generator)
            if generator.chance(50) { line += " \(word(&generator)) \(secret)" }
            if generator.chance(30) { line += " | \(word(&generator)) -w \(secret)" }
            let running = (0..<generator.number(0...2)).map { _ in word(&generator) }
            for running in [nil, running] {
                let told = ToldCommand.running(
                    running, of: line, by: ShellSettings(), in: "/home/a", home: "/home/a")
                #expect(told?.text.contains(secret) != true, "\(line): \(told?.text ?? "")")
            }
            for told in ToldCommand.all(of: line, by: ShellSettings(), in: "/", home: nil) ?? [] {
                #expect(!told.text.contains(secret), "\(line): \(told.text)")
            }
        }
    }

    @Test func `a random word is reported nowhere in a command`() {
        var generator = SeededGenerator(seed: 50)
        let hexadecimal = Array("0123456789abcdef")
        let all = Self.letters + Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        for _ in 0..<1000 {
            let letters = generator.pick([hexadecimal, all])
            let word = String((0..<generator.number(20...64)).map { _ in generator.pick(letters) })
            #expect(!PlainWord.isPlain(word) && !PlainWord.isProgram(word), "\(word)")
        }
    }

    @Test(arguments: [
        "vim \"${x:-\"a; make geheim b\"}\"", "vim ${x:-${y}; make geheim b}",
        "vim \"${x:-'a\"; make geheim b'}\"",
    ])
    func `a secret in a nested expansion is reported in no command`(line: String) {
        let told = ToldCommand.all(of: line, by: ShellSettings(), in: "/", home: nil) ?? []
        #expect(told.map(\.text) == ["vim …"])
    }

    @Test func `random lines are read without a crash`() {
        var generator = SeededGenerator(seed: 51)
        let letters = Array("ab '\"`$(){}<>|&;#\\\n=-~é")
        for _ in 0..<4000 {
            let line = String((0..<generator.number(0...24)).map { _ in generator.pick(letters) })
            _ = ToldCommand.all(of: line, by: ShellSettings(), in: "/", home: nil)
            #expect(TypedLine(line).commands.allSatisfy { !$0.words.isEmpty })
        }
    }
}
