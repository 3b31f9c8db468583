import Foundation
import Support
import Testing

/// Batches of scripts, applied all or nothing.
@Suite struct `baton index batch` {
    private let laptop: Machine

    init() throws { laptop = try Account("laptop")[0] }

    private func batch(_ lines: String...) throws -> Answer {
        let process = try laptop.begin(["baton", "index", "batch", "org.example.x"], hasInput: true)
        process.write(Array(lines.map { $0 + "\n" }.joined().utf8))
        process.closeInput()
        let status = try process.wait()
        return Answer(words: lines, status: status, output: process.output, errors: process.errors)
    }

    private func found(_ word: String) throws -> [JSONValue] {
        try laptop.json("search", word)["results"].list
    }

    @Test func `a misspelled key is reported with the key that was probably meant`() throws {
        let answer = try batch(#"{"item":"a","titel":"T"}"#, #"{"state":null}"#)
        #expect(answer.status == 2, "\(answer)")
        #expect(answer.errors.hasSuffix("did you mean `title`? Nothing was indexed.\n"), "\(answer)")
    }

    @Test func `a batch is stored with its client state`() throws {
        let answer = try batch(
            #"{"item":"a","title":"Apple pie","domain":"food.sweet"}"#, "",
            #"{"item":"b","title":"Apple juice","domain":"drink"}"#, #"{"update":"c","title":"nothing"}"#,
            #"{"state":"page 1","expected":null}"#)
        #expect(
            answer.status == 0
                && answer.output.hasPrefix("The whole batch is in the index.\n1 update changed nothing"),
            "\(answer)")
        #expect(try found("apple").count == 2)
        #expect(try laptop.must("index", "state", "org.example.x") == "page 1\n")
        expect(try batch(#"{"delete":"a"}"#, #"{"state":"page 2","expected":"page 0"}"#), 16)
        #expect(try found("apple").count == 2)
        #expect(
            try batch(#"{"delete":"a"}"#, #"{"clear":"food"}"#, #"{"state":null,"expected":"page 1"}"#).status
                == 0)
        #expect(try found("apple").map { $0["item"]["id"] } == [.string("b")])
    }

    @Test func `a batch without an end, or with an error, indexes nothing`() throws {
        let item = #"{"item":"a","title":"Apple pie"}"#
        let cut = try batch(item)
        expect(cut, 2)
        #expect(cut.errors.contains("does not end with a line"), "\(cut)")
        for line in [#"{"itm":"b"}"#, "x", #"{"item":"b","title":1}"#] {
            let wrong = try batch(item, line, #"{"state":null}"#)
            expect(wrong, 2)
            #expect(wrong.errors.contains("Line 2 of the batch: "), "\(wrong)")
        }
        #expect(try batch(item, #"{"state":null}"#, item).status == 2)
        #expect(try found("apple").isEmpty)
    }

    @Test func `a batch can be much larger than a request`() throws {
        let process = try laptop.begin(
            ["baton", "index", "batch", "org.example.x", "--json"], hasInput: true)
        let text = String(repeating: "x", count: 10_000)
        for number in 0..<500 {
            process.write(
                Array(#"{"item":"\#(number)","title":"many \#(number)","text":"\#(text)"}"#.utf8) + [10])
        }
        process.write(Array("{\"state\":\"done\"}".utf8))
        process.closeInput()
        #expect(try process.wait() == 0)
        #expect(process.output == #"{"passedOver":0}"# + "\n")
        #expect(try laptop.json("search", "many", "--limit", "100")["results"].list.count == 100)
    }
}
