import BatonCore
import Foundation
import Glibc
import Support
import Testing

/// `baton search` at a terminal, where the results follow what is typed.
@Suite struct `Searching while typing` {
    private let laptop: Machine
    private let terminal: PseudoTerminal
    /// The modes of the terminal before a search.
    private let modes: [UInt32]

    init() throws {
        laptop = try Account("laptop")[0]
        laptop.variables["TERM"] = "xterm-256color"
        terminal = try PseudoTerminal()
        try terminal.resize(width: 60, height: 12)
        modes = try terminal.modes
        for (number, title) in ["Annual report", "Année à Paris", "東京都の天気"].enumerated() {
            _ = try laptop.must("index", "add", "org.example.notes", "n\(number)", "--title", title)
        }
    }

    private func begin(_ words: String...) throws -> ChildProcess {
        let process = try laptop.begin(
            ["baton", "search"] + words, terminal: terminal, showsOnTerminal: true)
        try eventually("the screen: \(terminal.output)\(process.errors)") {
            lines.first?.hasPrefix("Search: ") == true || lines.first?.hasPrefix("> ") == true
        }
        return process
    }

    private var lines: [String] { terminal.screen }

    private func waitFor(_ line: String, _ process: ChildProcess) throws {
        try eventually("“\(line)” in \(lines); \(process.errors)") { lines.contains { $0.hasPrefix(line) } }
    }

    /// Whether the terminal is as it was before the search.
    private var isRestored: Bool {
        get throws {
            try terminal.modes == modes && terminal.output.contains("\u{1b}[?1049l")
                && !terminal.output.components(separatedBy: "\u{1b}[?1049l").last!.contains("\u{1b}[?1049h")
                && terminal.output.contains("\u{1b}[?1000l")
                && !terminal.output.components(separatedBy: "\u{1b}[?1000l").last!.contains("\u{1b}[?1000h")
        }
    }

    @Test func `results are updated after each key, and Enter opens the chosen result in its app`() throws {
        let app = try laptop.begin(["baton", "app", "org.example.notes"], hasInput: true)
        app.write(Array(#"{"handle":["com.apple.corespotlightitem"],"title":"Notes","id":1}"#.utf8) + [10])
        try eventually("the app: \(app.output)") { app.output.contains(#"{"id":1,"done":true}"#) }
        let process = try begin()
        #expect(try terminal.modes != modes, "raw mode")
        terminal.press("anne")
        try waitFor("▌ * Année à Paris", process)
        #expect(lines[0].hasPrefix("Search: anne "))
        terminal.press("\u{7f}\u{7f}")
        try waitFor("Search: an", process)
        try eventually("two results: \(lines)") {
            lines.contains { $0.hasPrefix("  * Année à Paris") || $0.hasPrefix("  * Annual report") }
        }
        terminal.press("\u{1b}[B")
        let chosen = try eventual("the second result") {
            lines.dropFirst(2).first { $0.hasPrefix("▌ ") }
        }
        terminal.press("\r")
        let event = try eventual("the event: \(app.output)\(process.errors)") {
            app.output.split(separator: "\n").first { $0.contains(#""event":"open""#) }
        }
        let number = try #require(JSONValue(event + "\n")["number"].integer)
        #expect(try JSONValue(event + "\n")["type"] == .string("com.apple.corespotlightitem"))
        app.write(Array("{\"opened\":\(number)}\n".utf8))
        #expect(try process.wait() == 0, "\(process.errors)")
        let title = try #require(["Annual report", "Année à Paris"].first { chosen.contains($0) })
        #expect(
            terminal.output.hasSuffix("“\(title)” is open in Notes.\r\n"), "\(terminal.output.suffix(200))")
        #expect(try isRestored)
        app.closeInput()
        _ = try app.wait()
    }

    @Test(arguments: ["\u{1b}", "\u{3}", "\u{4}"])
    func `Esc, Control-C and Control-D restore the terminal's modes`(key: String) throws {
        let process = try begin()
        if key != "\u{4}" {
            terminal.press("東京")
            try waitFor("▌ * 東京都の天気", process)
        }
        terminal.press(key)
        #expect(try process.wait() == 0, "\(process.errors)")
        #expect(try isRestored)
        #expect(terminal.output.hasSuffix("\u{1b}[?25h") && process.errors.isEmpty)
    }

    @Test func `a click chooses a result, and other mouse events do nothing`() throws {
        let process = try begin()
        #expect(terminal.output.contains("\u{1b}[?1000h\u{1b}[?1006h"))
        terminal.press("an")
        try eventually("two results: \(lines)") {
            lines.count > 2 && lines[1].hasPrefix("▌ * ") && lines[2].hasPrefix("  * ")
        }
        terminal.press("\u{1b}[<2;5;3M\u{1b}[<0;5;9M\u{1b}[<0;5;3m\u{1b}[<0;5;3M")
        try eventually("the second result: \(lines)") {
            lines.count > 2 && lines[1].hasPrefix("  * ") && lines[2].hasPrefix("▌ * ")
        }
        #expect(lines[0].hasPrefix("Search: an "))
        terminal.press("\u{1b}")
        #expect(try process.wait() == 0, "\(process.errors)")
        #expect(try isRestored)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
    func `a signal that ends the search restores the terminal's modes`(signal: Int32) throws {
        let process = try begin()
        terminal.press("an")
        try waitFor("Search: an", process)
        process.signal(signal)
        #expect(try process.wait() == 128 + signal)
        #expect(try isRestored)
    }

    @Test func `the screen adapts to the size of the window, and has no colours with NO_COLOR`() throws {
        laptop.variables["NO_COLOR"] = "1"
        let process = try begin()
        terminal.press("annual")
        try waitFor("▌ * Annual report", process)
        #expect(lines.count == 12 && !terminal.output.contains("\u{1b}[1m"))
        #expect(!terminal.output.contains("\u{1b}[7m") && !terminal.output.contains("\u{1b}[36m"))
        // A key redraws the first line, and nothing else that has not changed.
        let before = terminal.output.count
        terminal.press("\u{1b}[D")
        try eventually("a moved cursor: \(terminal.output.suffix(50))") {
            terminal.output.hasSuffix("\u{1b}[1;14H\u{1b}[?25h")
        }
        #expect(!terminal.output.dropFirst(before).contains("report"))
        try terminal.resize(width: 14, height: 5)
        process.signal(SIGWINCH)
        try eventually("a small screen: \(lines)") { lines.starts(with: ["> annual", "▌ * Annual r…"]) }
        #expect(lines.count == 5, "\(lines)")
        terminal.press("\u{1b}")
        #expect(try process.wait() == 0)
        laptop.variables["NO_COLOR"] = nil
        let colored = try begin()
        terminal.press("annual")
        try eventually("a chosen row: \(terminal.output.suffix(300))") {
            terminal.output.contains("\u{1b}[1;4;7mAnn")
        }
        terminal.press("\u{1b}")
        #expect(try colored.wait() == 0)
    }

    @Test func `a search continues after a restart of the node, and after being stopped and resumed`() throws
    {
        let process = try begin("--limit", "5")
        laptop.killNode()
        try waitFor("The node has stopped.", process)
        terminal.press("annual")
        try laptop.startNode()
        try waitFor("▌ * Annual report", process)
        // A process that is stopped at the terminal gets raw mode again when it goes on.
        process.signal(SIGSTOP)
        process.signal(SIGCONT)
        terminal.press("x\u{7f}")
        try waitFor("▌ * Annual report", process)
        terminal.press("\u{1b}")
        #expect(try process.wait() == 0)
        #expect(try isRestored)
    }

    @Test
    func `an address that was shown in full is opened without a question, and any other needs confirmation`()
        throws
    {
        let work = laptop.home + "-work"
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
        try File.writeProgram("#!/bin/sh\necho \"opened $@\"\n", to: work + "/xdg-open")
        laptop.variables["PATH"] = "\(work):\(Products.folder):/usr/bin:/bin"
        let (short, long) = (
            "https://example.org/1", "https://example.org/" + String(repeating: "a", count: 60)
        )
        for (number, url) in [short, long].enumerated() {
            _ = try laptop.must(
                "index", "add", "org.example.web", "\(number)", "--title", "Page \(number)x", "--url", url)
        }
        let first = try begin()
        terminal.press("page 0x")
        try waitFor("▌ * Page 0x", first)
        terminal.press("\r")
        #expect(try first.wait() == 0, "\(first.errors)")
        #expect(terminal.output.hasSuffix("opened \(short)\r\n"), "\(terminal.output.suffix(200))")
        // One does not fit the screen; the other is opened before it is shown.
        for (text, isShown) in [("page 1x", true), ("page 0x", false)] {
            let process = try begin()
            terminal.press(isShown ? text : text + "\r")
            if isShown {
                try waitFor("▌ * Page 1x", process)
                terminal.press("\r")
            }
            try eventually("a question: \(terminal.output.suffix(200))") {
                terminal.output.hasSuffix("? [y/N]\r\n")
            }
            terminal.type("n")
            #expect(try process.wait() == 1)
        }
    }

    @Test func `search without words or without a terminal reports what is missing`() throws {
        for words in [
            ["search"], ["search", "--json"], ["search", "--watch"], ["search", "--in", "org.a"],
        ] {
            let answer = try laptop.type(["baton"] + words)
            #expect(
                answer.status == 2 && answer.errors.hasPrefix("baton: Missing argument: WORD"), "\(answer)")
        }
        // A terminal without a screen can't show one.
        laptop.variables["TERM"] = "dumb"
        let process = try laptop.begin(["baton", "search"], terminal: terminal, showsOnTerminal: true)
        #expect(try process.wait() == 2)
        #expect(try terminal.modes == modes)
        #expect(terminal.output.isEmpty)
    }
}
