import Foundation
import Support
import Testing

/// Text from elsewhere is shown, and can't control the terminal, wherever a person sees it.
@Suite struct `Hostile text` {
    /// Escape sequences, line ends, a bell, a change of the reading direction, and invisible characters.
    static let hostile =
        "a\u{1b}]0;owned\u{7}\u{1b}[2J\r\nbaton: fake line\tb\u{202e}c\u{200b}d\u{9b}31me\u{2028}f\u{7f}"

    /// The characters that may be in output for a terminal: line ends and visible characters.
    private func expectHarmless(
        _ text: String, _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let seen = text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n"
                || !(scalar.value < 0x20 || 0x7f..<0xa0 ~= scalar.value
                    || [.format, .lineSeparator, .paragraphSeparator].contains(
                        scalar.properties.generalCategory))
        }
        #expect(seen, what, sourceLocation: sourceLocation)
        #expect(!text.contains("\nbaton: fake line"), what, sourceLocation: sourceLocation)
    }

    @Test func `hostile titles, types, keys and values can't control a terminal`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        // A type that is typed has no colon.
        let type = Self.hostile.filter {
            !$0.isWhitespace && $0 != ":" && $0 != "\u{7f}" && ($0.asciiValue ?? 0x21) > 0x20
        }
        let keyword = Self.hostile
        for answer in [
            try laptop.baton(
                "start", type, "--title", Self.hostile, "--info", "\(Self.hostile)=\(Self.hostile)",
                "--keyword", keyword,
                "--url", "https://example.org/\u{1b}[2J"),
            try laptop.baton("update", "--info", "x=\(Self.hostile)"),
        ] {
            #expect(answer.status == 0, "\(answer)")
            expectHarmless(answer.output, "\(answer)")
        }
        try desktop.waitForActivity(titled: Self.hostile)
        for machine in [laptop, desktop] {
            // Its web page is refused, but the activity is shown all the same.
            let refused = try machine.baton("continue", type)
            #expect(refused.status == 1 && !refused.output.isEmpty, "\(refused)")
            expectHarmless(refused.output + refused.errors, "\(refused)")
            for words in [
                ["list"], ["continue", type, "--no-handler"], ["show", type], ["status"], ["devices"],
            ] {
                let answer = try machine.type(["baton"] + words)
                #expect(answer.status == 0, "\(answer)")
                expectHarmless(answer.output + answer.errors, "\(answer)")
            }
            #expect(try machine.must("list").split(separator: "\n").count == 2)
            // Programs get the exact text, in JSON without control characters.
            let line = try machine.must("list", "--json")
            expectHarmless(line, "\(line)")
            #expect(try machine.list().first?["info"]["x"] == .string(Self.hostile))
            #expect(try machine.list().first?["info"][Self.hostile] == .string(Self.hostile))
        }
        expectHarmless(laptop.log, "\(laptop.log)")
        expectHarmless(desktop.log, "\(desktop.log)")
        #expect(laptop.log.contains("was continued on"))
        expectHarmless(try laptop.must("finish"), "finish")
    }

    @Test func `hostile device names can't control a terminal`() throws {
        let folder = try TemporaryFolder()
        let (laptop, desktop) = (Machine("laptop", in: folder), Machine("desktop", in: folder))
        let name = "x\u{1b}[2J\n\u{202e}baton: fake line"
        let initialised = try laptop.baton("init", "--no-confirm", "--name", name)
        try #require(initialised.status == 0, "\(initialised)")
        expectHarmless(initialised.output, "\(initialised)")
        try laptop.startNode()
        let inviting = try laptop.begin(["baton", "invite"])
        let code = try eventual("a code", attempt: { inviting.output.firstMatch(of: /Code: (\S+)/)?.1 })
        let joined = try desktop.baton(
            "join", String(code), "--at", laptop.address, "--name", "y\u{7}\r" + name)
        try #require(joined.status == 0, "\(joined)")
        expectHarmless(joined.output, "\(joined)")
        #expect(try inviting.wait() == 0)
        expectHarmless(inviting.output, "\(inviting.output)")
        try desktop.startNode()
        try desktop.waitUntilInStep()
        try desktop.must("start", "x", "--title", "t")
        try laptop.waitForActivity(titled: "t")
        for machine in [laptop, desktop] {
            for words in [["list"], ["continue", "x"], ["status"], ["devices"]] {
                let answer = try machine.type(["baton"] + words)
                #expect(answer.status == 0, "\(answer)")
                expectHarmless(answer.output + answer.errors, "\(answer)")
            }
        }
        desktop.killNode()
        let waiting = try laptop.baton("status", "--wait", "--timeout", "0")
        #expect(waiting.status == 1, "\(waiting)")
        expectHarmless(waiting.errors, "\(waiting)")
        expectHarmless(laptop.log + desktop.log, "\(laptop.log)\(desktop.log)")
    }

    @Test(arguments: [
        Typed(["continue", hostile]), Typed(["update", hostile, "--title", "x"]), Typed([hostile]),
        Typed(["list", "--" + hostile]),
        Typed(["join", hostile, "--at", hostile]),
        Typed(["start", "x", "--info", hostile]), Typed(["start", "x", "--expires", hostile]),
        Typed(["start", "x", "--url", hostile]),
        Typed(["node", "--listen", hostile]), Typed(["list", "--home", "/nonexistent/" + hostile]),
        Typed(["help", hostile]),
    ])
    fileprivate func `hostile arguments in an error can't control a terminal`(typed: Typed) throws {
        let laptop = try Account("laptop")[0]
        let answer = try laptop.type(["baton"] + typed.words)
        #expect(answer.status != 0, "\(answer)")
        expectHarmless(answer.output + answer.errors, "\(answer)")
    }

    @Test func `a title of a hundred kilobytes is shown, and one of a megabyte is refused`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        let long = String(repeating: "\u{1b}", count: 100_000)
        try laptop.must("start", "x", "--title", long)
        try desktop.waitForActivity(titled: long)
        expectHarmless(try desktop.must("list"), "list")
        expectHarmless(try desktop.must("continue", "x"), "continue")
        expectHarmless(laptop.log, "log")
        // An argument of a program has at most 128 KiB, so a megabyte is sent in pieces.
        let pieces = (0..<10).flatMap { ["--info", "k\($0)=\(String(repeating: "x", count: 105_000))"] }
        let answer = try laptop.type(["baton", "update"] + pieces)
        #expect(answer.status == 15, "\(answer)")
        #expect(try laptop.list().first?["info"] == .object([:]))
        try desktop.must("list")
    }

    @Test func `a list of twenty large activities arrives complete`() throws {
        let account = try Account("laptop", "desktop")
        let large = String(repeating: "x", count: 120_000)
        for number in 0..<20 {
            try account[0].must(
                "start", "x", "--instance", "\(number)", "--title", "t\(number)", "--info", "x=" + large)
        }
        try eventually("all of them on the desktop") { try account[1].list().count == 20 }
        for machine in account.machines {
            #expect(try machine.list().allSatisfy { $0["info"]["x"] == .string(large) })
            #expect(try machine.must("list").split(separator: "\n").count == 21)
        }
    }
}

/// Arguments that a person types, named in the test's output by their harmless part.
private struct Typed: Sendable, CustomTestStringConvertible {
    let words: [String]

    init(_ words: [String]) { self.words = words }

    var testDescription: String {
        words.map { $0.contains("\u{1b}") ? "…" : $0 }.joined(separator: " ")
    }
}
