import BatonCommand
import BatonCore
import ClientSupport
import Testing

@Suite struct `Parsing arguments` {
    private static let start = CommandSpecification(
        "start", "Begin.", operands: [.required("TYPE"), .optional("MORE")],
        options: [
            .value("title", "TEXT", "a title"), .value("info", "KEY=VALUE", "a value", repeats: true),
            .flag("wait", "wait"),
        ])

    private func parse(_ words: String...) throws(LocalFailure) -> Arguments {
        try ArgumentParser(names: ["start", "status", "list"]) { $0 == "start" ? Self.start : nil }.parse(
            words)
    }

    @Test func `options and operands may come in any order`() throws {
        let arguments = try parse(
            "--json", "start", "--info", "a=1", "type", "--title=a=b", "--info=b=2", "--home", "/tmp/x",
            "more", "--wait")
        #expect(arguments.command?.name == "start")
        #expect(arguments[0] == "type" && arguments[1] == "more" && arguments[2] == nil)
        #expect(arguments.value("title") == "a=b" && arguments.values("info") == ["a=1", "b=2"])
        #expect(arguments.has("wait") && arguments.has("json") && arguments.value("home") == "/tmp/x")
    }

    @Test func `an option's value and words after -- are taken literally`() throws {
        #expect(try parse("start", "t", "--title", "--json").value("title") == "--json")
        let arguments = try parse("start", "--", "--title", "--")
        #expect(arguments[0] == "--title" && arguments[1] == "--")
        #expect(try parse("start", "-")[0] == "-")
        #expect(try parse("start", "t", "--title=").value("title") == "")
    }

    @Test func `required operands may be missing with --help`() throws {
        #expect(try parse("start", "--help").has("help"))
        #expect(try parse("-h").has("help"))
        #expect(try parse().command == nil)
    }

    @Test(
        arguments: [
            (["strat"], "Did you mean `baton start`?"), (["lis"], "Did you mean `baton list`?"),
            (["xyzzy"], "See `baton help`."), (["start", "t", "--tilte", "x"], "Did you mean `--title`?"),
            (["start", "t", "--frobnicate"], "See `baton help start`."),
            (["--wait", "start"], "See `baton help`."),
            (["start", "t", "--title"], "--title TEXT"),
            (["start", "t", "--wait=yes"], "does not take a value"),
            (["start", "t", "--title", "a", "--title", "b"], "twice"), (["start"], "Missing argument: TYPE"),
            (["start", "a", "b", "c"], "Unexpected argument: c"), (["start", "t", "-x"], "has no option -x"),
        ] as [([String], String)]) func `wrong arguments are refused with advice`(
            words: [String], advice: String
        )
    {
        let parser = ArgumentParser(names: ["start", "status", "list"]) { $0 == "start" ? Self.start : nil }
        let failure = failure { () throws(LocalFailure) in try parser.parse(words) }
        #expect(failure?.code == .usage)
        #expect(failure?.text.contains(advice) == true, "\(failure?.text ?? "no failure")")
    }

    @Test func `the help of a command is generated from its table of options`() {
        #expect(Self.start.usage == "baton start TYPE [MORE] [--title TEXT] [--info KEY=VALUE]… [--wait]")
        let help = Self.start.help.text
        #expect(
            help.hasPrefix("Usage: baton start TYPE") && help.contains("  --title TEXT")
                && help.contains("--json"))
        for line in help.split(separator: "\n") { #expect(line.count <= 80) }
    }
}

@Suite struct `The argument --info` {
    @Test(
        arguments: [
            ("a=b", "a", .string("b")), ("a=", "a", .string("")), ("a=b=c", "a", .string("b=c")),
            ("a:b=c", "a:b", .string("c")),
            ("n:=42", "n", .integer(42)), ("n:=-1", "n", .integer(-1)), ("n:=1.5", "n", .real(1.5)),
            ("n:=-2e3", "n", .real(-2000)),
            ("n:=true", "n", .boolean(true)), ("n:=false", "n", .boolean(false)), ("n:=null", "n", .null),
            ("a=:=", "a", .string(":=")), ("é=日", "é", .string("日")),
        ] as [(String, String, PropertyValue)]) func `KEY=TEXT is a string, and KEY:=VALUE has another type`(
            text: String, key: String, value: PropertyValue
        ) throws
    {
        let parsed = try InfoArgument.parse(text)
        #expect(parsed.key == key && parsed.value == value)
    }

    @Test(arguments: [
        "", "a", "=b", ":=1", "n:=", "n:=x", "n:=nan", "n:=inf", "n:=0x10", "n:=1e999", "n:=+1", "n:= 1",
    ])
    func `a malformed --info is refused`(text: String) {
        #expect(failure { () throws(LocalFailure) in try InfoArgument.parse(text).key }?.code == .usage)
    }
}
