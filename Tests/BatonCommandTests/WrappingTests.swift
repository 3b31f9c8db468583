import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

@Suite struct `Messages on a narrow terminal` {
    private func wrapped(_ text: VisibleText, _ width: Int, hanging: Int? = nil) -> [String] {
        text.wrapped(to: width, hanging: hanging).map(\.text)
    }

    @Test func `a line is broken between words, and a line that fits is unchanged`() {
        #expect(wrapped("one two three", 13) == ["one two three"])
        #expect(wrapped("one two three", 12) == ["one two", "three"])
        #expect(wrapped("first\n\nsecond line", 8) == ["first", "", "second", "line"])
        #expect(wrapped("", 8) == [""])
    }

    @Test func `wide characters count as two cells`() {
        #expect(wrapped("第三章 結論 end", 10) == ["第三章", "結論 end"])
        #expect(wrapped("第三章 結論 end", 11) == ["第三章 結論", "end"])
    }

    @Test func `a broken line is indented below its first word, behind a mark, or in the second column`() {
        #expect(wrapped("    advice of words", 14) == ["    advice of", "    words"])
        #expect(wrapped("  ✗ port: in use by others", 16) == ["  ✗ port: in use", "    by others"])
        #expect(
            wrapped("  --all  list hidden ones", 20) == ["  --all  list hidden", "         ones"])
        #expect(wrapped("                first second", 20) == ["               first", "second"])
        #expect(wrapped("baton: one two", 10, hanging: 7) == ["baton: one", "two"], "there is no room")
        #expect(wrapped("baton: one two", 14, hanging: 7) == ["baton: one two"])
        #expect(wrapped("baton: one two six", 14, hanging: 7) == ["baton: one two", "       six"])
    }

    @Test func `an indentation shrinks if a word needs more room on the line`() {
        #expect(wrapped("                BATON_HOME)", 20) == ["         BATON_HOME)"])
        #expect(wrapped("      /home/me/a/long/path", 14) == ["      /home/me/a/long/path"])
    }

    @Test func `a word, a path and a command are never broken`() {
        let path = "/home/me/a/long/path/to/somewhere"
        #expect(wrapped("see \(path) now", 12) == ["see", path, "now"])
        #expect(
            wrapped("type `baton list --all` to see it", 20) == ["type", "`baton list --all`", "to see it"])
        #expect(wrapped("type `baton list --all`.", 10) == ["type", "`baton list --all`."])
        #expect(
            wrapped("To undo: baton forget --undo k3v9q2m --home /x", 20) == [
                "To undo:", "baton forget --undo k3v9q2m --home /x",
            ])
        #expect(wrapped("a `b c", 4) == ["a `b", "c"], "a backtick without another is a letter")
    }

    @Test(arguments: [20, 33, 40, 72])
    func `no message of any command is broken within a word`(width: Int) throws {
        let node = try FakeNode { request in
            switch request {
            case is GetStatus: .reply(Example.status([Example.peer(connected: false, trouble: "refused")]))
            case is GetSettings: .reply(Settings())
            default: .reply(Example.summary())
            }
        }
        for words in [["forget", "k3v"], ["status"], ["help", "continue"], ["help"], ["send", "x", "k3v"]] {
            let words = words.first == "help" ? words : words + ["--home", node.folder.path]
            let (whole, narrow) = (Typed(words), Typed(words, width: width))
            #expect(whole.status == 0 && narrow.status == 0, "\(whole)")
            #expect(
                narrow.output.split(whereSeparator: \.isWhitespace)
                    == whole.output.split(whereSeparator: \.isWhitespace))
            for line in narrow.output.split(separator: "\n") where CellWidth.of(line) > width {
                let isCommand = line.contains("`") || line.contains("baton ")
                let words = line.drop { $0 == " " }
                #expect(isCommand || !words.contains(" ") && CellWidth.of(words) > width, "\(line)")
            }
        }
    }

    @Test func `the words of a recovery code are printed in fewer columns on a narrow terminal`() {
        let words = "sunny waffle elm broom epic essay"
        let lines = { (width: Int?) in RecoveryCodeText(words).lines(width: width).map(\.text) }
        let four = ["   1 sunny     2 waffle    3 elm       4 broom", "   5 epic      6 essay"]
        #expect(lines(nil) == four && lines(47) == four)
        let two = ["   1 sunny     2 waffle", "   3 elm       4 broom", "   5 epic      6 essay"]
        #expect(lines(46) == two && lines(23) == two)
        #expect(lines(22) == words.split(separator: " ").enumerated().map { "   \($0 + 1) \($1)" })
    }

    @Test func `the output of list, completions and manual is not wrapped at words`() throws {
        let node = try FakeNode { _ in .reply(ActivitiesReply([Example.summary()], isLast: true)) }
        for line in Typed(node, "list", width: 44).output.split(separator: "\n") {
            #expect(CellWidth.of(line) <= 44)
        }
        #expect(Typed(["completions", "bash"], width: 20) == Typed(["completions", "bash"]))
        #expect(Typed(["manual"], width: 20) == Typed(["manual"]))
    }
}
