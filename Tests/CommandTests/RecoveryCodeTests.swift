import Glibc
import Support
import Testing

/// Creating an account: nothing exists before the person has the recovery code.
@Suite struct `Creating an account at a terminal` {
    private let folder: TemporaryFolder
    private let laptop: Machine

    init() throws {
        folder = try TemporaryFolder()
        laptop = Machine("laptop", in: folder)
    }

    /// Starts at a terminal, and waits until the code is asked for.
    private func begin() throws -> (process: ChildProcess, terminal: PseudoTerminal, words: [String]) {
        let terminal = try PseudoTerminal()
        let process = try laptop.begin(["baton", "init", "--name", "laptop"], terminal: terminal)
        try eventually("a question; \(process.errors)") { process.output.contains("Type the 16 words") }
        let shown = process.output.split(separator: "\n").filter { $0.hasPrefix("  ") }
        let words = shown.flatMap { $0.split(separator: " ") }.filter { $0.first?.isLetter == true }.map(
            String.init)
        try #require(words.count == 16)
        return (process, terminal, words)
    }

    /// Whether the home is empty: no account, and no folder for one.
    private var isUntouched: Bool { access(laptop.home, F_OK) != 0 }

    @Test(arguments: ["", "upper", "numbered", "four letters"])
    func `init accepts the recovery code in any reasonable form`(how: String) throws {
        let (process, terminal, words) = try begin()
        #expect(isUntouched)
        switch how {
        case "upper":
            for start in stride(from: 0, to: 16, by: 4) {
                terminal.type(words[start..<start + 4].joined(separator: " ").uppercased())
            }
        case "numbered":
            for start in stride(from: 0, to: 16, by: 4) {
                terminal.type((start..<start + 4).map { "\($0 + 1) \(words[$0])" }.joined(separator: "   "))
            }
        case "four letters": terminal.type(words.map { String($0.prefix(4)) }.joined(separator: "-"))
        default: terminal.type(words.joined(separator: " "))
        }
        #expect(try process.wait() == 0, "\(process.output)\(process.errors)")
        #expect(process.output.contains("This machine is “laptop”"))
        expect(try laptop.baton("status"), 3, advice: "baton node")
    }

    @Test
    func `init reports what is wrong with a typed code, and creates the account once the code is right`()
        throws
    {
        let (process, terminal, words) = try begin()
        terminal.type("lemn " + words.dropFirst().joined(separator: " "))
        try eventually("words on the spelling") {
            process.output.contains("did you mean “lemon”? Try again, or press Ctrl-C to create no account.")
        }
        #expect(isUntouched)
        var swapped = words
        swapped[4] = swapped[4] == "lemon" ? "tiger" : "lemon"
        terminal.type(swapped.joined(separator: " "))
        try eventually("words on the mistake") {
            process.output.contains("Word 5 is wrong. Try again, or press Ctrl-C to create no account.")
        }
        #expect(isUntouched)
        terminal.type(words.joined(separator: " "))
        #expect(try process.wait() == 0, "\(process.output)\(process.errors)")
    }

    @Test func `init says how many words of the recovery code are still missing`() throws {
        let (process, terminal, words) = try begin()
        terminal.type(words.prefix(3).joined(separator: " "))
        try eventually("the missing words: \(process.output)") {
            process.output.contains("13 more words, or")
        }
        terminal.type(words.dropFirst(3).prefix(12).joined(separator: " "))
        try eventually("the last word: \(process.output)") { process.output.contains("1 more word, or") }
        terminal.type(words[15])
        #expect(try process.wait() == 0, "\(process.output)\(process.errors)")
    }

    @Test func `init keeps asking after any number of mistakes`() throws {
        let (process, terminal, words) = try begin()
        for number in 1...5 {
            terminal.type(words.dropLast().joined(separator: " ") + "\n")
            try eventually("words on the mistake") {
                process.output.split(separator: "\n").count { $0.contains("has 16 words; these are 15") }
                    == number
            }
        }
        #expect(isUntouched && process.isRunning)
        terminal.type(words.joined(separator: " "))
        #expect(try process.wait() == 0, "\(process.output)\(process.errors)")
    }

    @Test func `init creates nothing if its input ends or the command is killed`() throws {
        do {
            let (process, terminal, _) = try begin()
            terminal.end()
            #expect(try process.wait() == 1)
            #expect(process.errors.contains("No account was created") && isUntouched)
        }
        for signal in [SIGKILL, SIGINT] {
            let (process, terminal, _) = try begin()
            defer { withExtendedLifetime(terminal) {} }
            let children = File.read("/proc/\(process.number)/task/\(process.number)/children") ?? ""
            let worker = try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
            _ = process.end(signal)
            // The child notices that its parent is gone.
            try eventually("the end of the worker") { kill(worker, 0) != 0 }
            #expect(isUntouched)
        }
        expect(try laptop.baton("status"), 4, advice: "baton init")
    }

    @Test func `init without a terminal suggests what to type`() throws {
        expect(try laptop.baton("init"), 2, advice: "baton init")
        #expect(try laptop.baton("init").errors.contains("--no-confirm"))
        #expect(isUntouched)
        // A program that reads JSON stores the code itself.
        let made = try laptop.json("init")
        #expect(made["recoveryCode"].string?.split(separator: " ").count == 16)
    }
}
