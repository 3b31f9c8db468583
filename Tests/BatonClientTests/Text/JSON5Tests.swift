import BatonClient
import Support
import Testing

@Suite struct `Reading JSON5` {
    @Test func `JSON5 allows comments, trailing commas, bare keys and both quotation marks`() throws {
        let text = """
            \u{feff}// a line
            { bare: 'a "text"', "quoted": "it's", /* between */ $_9é: [1, +2, .5, 5., 0x1F, -1e3, -Infinity,],
              'b\\x41\\u00e9\\ud83d\\ude42\\
            c\\q\\0': true, n: null, f: false, }
            // the end
            """
        let value = try #require(try JSONReader.json5(Array(text.utf8)))
        guard case .object(let members) = value.content else {
            Issue.record("\(value) is no object")
            return
        }
        #expect(members.map(\.key) == ["bare", "quoted", "$_9é", "bAé🙂cq\0", "n", "f"])
        #expect(members[0].value.content == .string("a \"text\""))
        #expect(members[1].value.content == .string("it's"))
        guard case .array(let numbers) = members[2].value.content else {
            Issue.record("\(members[2]) is no array")
            return
        }
        let expected: [LocatedJSON.Content] = [
            .integer(1), .integer(2), .real(0.5), .real(5), .integer(31), .real(-1000), .real(-.infinity),
        ]
        #expect(numbers.map(\.content) == expected)
        #expect(members[3].value.content == .boolean(true) && members[4].value.content == .null)
        #expect((members[3].place.line, members[3].place.column) == (3, 3))
    }

    @Test(arguments: ["", "  \n", "// nothing", "/* nothing */"]) func `JSON5 without a value is empty`(
        text: String
    ) throws {
        #expect(try JSONReader.json5(Array(text.utf8)) == nil)
    }

    @Test(
        arguments: [
            ("{", "1:1: missing } for this {"), ("{\n a: [1,\n 2", "2:5: missing ] for this ["),
            ("{a 1}", "1:4: expected a colon after `a`, found `1`"),
            ("{a: 1 b: 2}", "1:7: expected a comma or }, found `b`"),
            ("{\r\n  a: 1,\r  a: 2}", "3:3: `a` is already defined on line 2"),
            ("{a: yes}", "1:5: a text such as `yes` needs quotation marks"),
            ("{a: }", "1:5: expected a value, found `}`"), ("[,]", "1:2: expected a value, found `,`"),
            ("{1: 2}", "1:2: expected a key, found `1`"),
            ("'a\nb'", "1:1: a text must end on the line where it begins"),
            ("'a", "1:1: unterminated text"), ("\n /* x", "2:2: unterminated comment"),
            ("1 / 2", "1:3: a comment starts with // or /*"), ("01", "1:1: `01` is not a number"),
            ("1.2.3", "1:1: `1.2.3` is not a number"), ("0x", "1:1: `0x` is not a number"),
            ("'\\u12'", "1:2: expected 4 hexadecimal digits"),
            ("'\\ud800'", "1:2: this is half of a surrogate pair"),
            ("'\\1'", "1:2: a digit can't follow \\"),
            ("1 2", "1:3: expected the end of the text, found `2`"),
            (String(repeating: "[", count: 65), "1:65: values are nested more than 64 deep"),
        ] as [(String, String)]) func `an error in JSON5 is reported with its line and column`(
            text: String, error: String
        )
    {
        #expect(self.error(Array(text.utf8)) == error)
    }

    @Test func `JSON5 that is not UTF-8 is refused`() {
        let bytes = Array("{\n a: '".utf8) + [0xff, 0x27, 0x7d]
        #expect(error(bytes) == "2:6: this is not UTF-8")
    }

    /// The error in a text, with its place; nil if there is none.
    private func error(_ bytes: [UInt8]) -> String? {
        do throws(TextError) {
            _ = try JSONReader.json5(bytes)
            return nil
        } catch {
            return error.description
        }
    }
}
