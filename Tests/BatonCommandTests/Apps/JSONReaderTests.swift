import BatonClient
import BatonCommand
import BatonCore
import Testing

@Suite struct `Reading JSON` {
    private func read(_ text: String) throws(JSONError) -> JSON { try JSON(reading: Array(text.utf8)) }

    private func error(_ text: some Sequence<UInt8>) -> String? {
        do throws(JSONError) {
            _ = try JSON(reading: Array(text))
            return nil
        } catch {
            return error.text
        }
    }

    @Test func `every kind of JSON value is read`() throws {
        let json = try read(
            #" {"a": [1, -2.5, 1e3, true, false, null], "b": {"c": "\u00e9\ud83d\ude42\n\"\\\/"}, "d": ""} "#)
        let expected = JSON.object([
            .init(
                "a", .array([.integer(1), .real(-2.5), .real(1000), .boolean(true), .boolean(false), .null])),
            .init("b", .object([.init("c", .string("é🙂\n\"\\/"))])), .init("d", .string("")),
        ])
        #expect(json == expected)
        #expect(try read(json.text) == json)
    }

    @Test func `whole numbers stay integers if they fit`() throws {
        #expect(try read("9223372036854775807") == .integer(.max))
        #expect(try read("-9223372036854775808") == .integer(.min))
        #expect(try read("9223372036854775808") == .real(9_223_372_036_854_775_808))
    }

    @Test(arguments: [
        "", "{", "[", "[1,]", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "'a'", "01", "1.", ".5", "+1", "1e", "nul",
        "\"a", "\"\u{1}\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "1 2",
        "{\"a\":1,\"a\":2}", "1e999", "[1 2]", "-", "NaN",
    ]) func `malformed JSON is refused`(text: String) {
        #expect(error(text.utf8) != nil)
    }

    @Test func `JSON that is not UTF-8 or nested too deep is refused`() {
        #expect(error([0x22, 0xff, 0x22])?.contains("UTF-8") == true)
        #expect(error(Array(repeating: UInt8(ascii: "["), count: 100_000))?.contains("deep") == true)
        #expect(error("[[[1]]]".utf8) == nil)
    }

    @Test func `every value of an activity survives printing and reading`() throws {
        let values: [PropertyValue] = [
            .null, .boolean(true), .integer(-7), .real(0.5), .string("a\u{202e}b\u{0}"), .data([]),
            .data([1]),
            .data([0xff, 0, 1]), .data(Array(0...255)), .date(1_795_208_645.123),
            .url("https://example.org/"),
            .uuid(Array(0..<16)), .array([.integer(1), .string("x")]), .set([.integer(1), .string("x")]),
            .dictionary([.string("a"): .dictionary([.string("b"): .null])]),
            .dictionary([.integer(1): .string("x")]), .dictionary([.string("$data"): .string("x")]),
            .real(.infinity), .dictionary([:]),
        ]
        for value in values {
            #expect(try PropertyValue(try read(JSON(value).text)) == value, "\(JSON(value).text)")
        }
    }

    @Test(arguments: [
        #"{"$data":"*"}"#, #"{"$data":1}"#, #"{"$nothing":1}"#, #"{"$data":"","b":1}"#, #"{"$uuid":"12"}"#,
        #"{"$pairs":[[1]]}"#, #"{"$date":"soon"}"#, #"{"$data":"AAAAA==="}"#,
    ]) func `malformed special values are refused`(text: String) throws {
        let json = try read(text)
        #expect(throws: JSONError.self) { try PropertyValue(json) }
    }
}

@Suite struct `Splitting input into lines` {
    @Test func `lines are read however their bytes are divided`() {
        let text = Array("one\n\ntwo two\nrest".utf8)
        for size in 1...text.count {
            var (buffer, lines) = (LineBuffer(most: 7), [LineBuffer.Line]())
            for start in stride(from: 0, to: text.count, by: size) {
                buffer.feed(text[start..<min(start + size, text.count)])
                while let line = buffer.next() { lines.append(line) }
            }
            #expect(lines == ["one", "", "two two"].map { .whole(Array($0.utf8)) }, "\(size)")
            #expect(buffer.rest() == .whole(Array("rest".utf8)))
            #expect(buffer.rest() == nil)
        }
    }

    @Test func `a line that is too long is reported once, and skipped`() {
        let text = Array("aaaaaaaaaaaaaaaaaaaa\nb\naaaa\n".utf8)
        for size in 1...text.count {
            var (buffer, lines) = (LineBuffer(most: 3), [LineBuffer.Line]())
            for start in stride(from: 0, to: text.count, by: size) {
                buffer.feed(text[start..<min(start + size, text.count)])
                while let line = buffer.next() { lines.append(line) }
            }
            #expect(lines == [.tooLong, .whole([UInt8(ascii: "b")]), .tooLong], "\(size)")
        }
    }
}
