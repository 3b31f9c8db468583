import AppIntents
import Support
import Testing

@Suite struct `Files of intents` {
    @Test func `are written to disk for a closure, and removed afterwards`() async throws {
        let file = IntentFile(data: Data("text".utf8), filename: "../a.txt")
        let place = try await file.withFile(contentType: .plainText) {
            (url: URL, isItself: Bool) async throws -> URL in
            #expect(!isItself && url.lastPathComponent == "a.txt")
            #expect(try String(contentsOf: url, encoding: .utf8) == "text")
            return url
        }
        #expect(!FileManager.default.fileExists(atPath: place.deletingLastPathComponent().path))
        await #expect(throws: IntentValueError.self) {
            try await file.withFile(contentType: .png) { _, _ in Issue.record("the type differs") }
        }
    }

    @Test func `are opened in place if the caller allows it`() async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path + "/a.txt")
        try Data("text".utf8).write(to: url)
        let file = IntentFile(fileURL: url)
        #expect(file.data == Data("text".utf8) && file.availableContentTypes == [.plainText])
        for isAllowed in [true, false] {
            try await file.withFile(contentType: .text, allowOpenInPlace: isAllowed) { place, isItself in
                #expect(isItself == isAllowed && (place == url) == isAllowed)
            }
        }
        #expect(FileManager.default.fileExists(atPath: url.path))
        #expect(IntentFile(fileURL: URL(fileURLWithPath: "/no/such/file")).data.isEmpty)
    }

    @Test func `throw if their file can't be read, and pass no empty copy to a closure`() async {
        let file = IntentFile(fileURL: URL(fileURLWithPath: "/proc/self/none/a.txt"))
        await #expect(throws: (any Error).self) { try await file.data(contentType: .plainText) }
        await #expect(throws: (any Error).self) {
            try await file.withFile(contentType: .plainText) { url, _ in Issue.record("\(url) is passed") }
        }
    }
}
