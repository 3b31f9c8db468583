import BatonClient
import BatonCommand
import BatonCore
import Testing

@Suite struct `Printing JSON` {
    @Test func `JSON is printed on one line, with keys in the given order`() {
        let value = JSON.object([
            .init("z", .integer(-1)),
            .init("a", .array([.null, .boolean(true), .real(1), .real(0.5), .string("x")])),
            .init("empty", .object([])),
        ])
        #expect(value.text == #"{"z":-1,"a":[null,true,1.0,0.5,"x"],"empty":{}}"#)
    }

    @Test(
        arguments: [
            ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#), ("\u{0}\u{1f}\u{7f}", #""\u0000\u001f\u007f""#),
            ("\u{2028}\u{2029}\u{85}", #""\u2028\u2029\u0085""#), ("\u{202e}\u{200b}", #""\u202e\u200b""#),
            ("\u{e0041}", #""\udb40\udc41""#), ("日本 é 🙂", #""日本 é 🙂""#),
        ] as [(String, String)])
    func `JSON escapes quotes and control characters`(
        text: String, written: String
    ) {
        #expect(JSON.string(text).text == written)
    }

    private static let forms: [(PropertyValue, String)] = [
        (.data([]), #"{"$data":""}"#), (.data([0]), #"{"$data":"AA=="}"#),
        (.data([0xff, 0xfe]), #"{"$data":"//4="}"#), (.data(Array("Man".utf8)), #"{"$data":"TWFu"}"#),
        (.date(1_795_208_645.123), #"{"$date":"2026-11-20T21:04:05.123Z"}"#),
        (.date(.infinity), #"{"$date":"inf"}"#),
        (.date(1e300), #"{"$date":"1e+300"}"#), (.real(.nan), #"{"$real":"nan"}"#),
        (.url("file:///a"), #"{"$url":"file:///a"}"#),
        (.uuid(Array(0..<16)), #"{"$uuid":"00010203-0405-0607-0809-0A0B0C0D0E0F"}"#),
        (.set([.integer(2), .integer(1)]), #"{"$set":[1,2]}"#),
        (.array([.string("a"), .integer(.min)]), #"["a",-9223372036854775808]"#),
        (.dictionary([.string("b"): .integer(1), .string("a"): .null]), #"{"a":null,"b":1}"#),
        (.dictionary([.integer(1): .string("x"), .string("a"): .null]), #"{"$pairs":[[1,"x"],["a",null]]}"#),
        (.dictionary([.string("$data"): .string("x")]), #"{"$pairs":[["$data","x"]]}"#),
    ]

    @Test(arguments: forms) func `every type of value in an activity can be printed as JSON`(
        value: PropertyValue, written: String
    ) {
        #expect(JSON(value).text == written)
    }
}
