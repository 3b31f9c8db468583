import BatonCommand
import Foundation
import Support
import Testing

/// The words about the commands that a shell tells.
@Suite struct `The help of baton shell` {
    @Test func `lists the same unreported parts of commands as the Guide`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let guide = try String(
            contentsOf: root.appendingPathComponent("Sources/BatonCommand/BatonCommand.docc/Guide.md"),
            encoding: .utf8)
        let help = Typed(["help", "shell"]).output
        #expect(try parts(help) == parts(guide))
        #expect(try parts(help).contains("expansion, redirection, pipe"))
    }

    /// The list of parts in a text, on one line.
    private func parts(_ text: String) throws -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let list = try #require(words.split(separator: "up to the first ").dropFirst().first)
        return String(try #require(list.split(separator: ".").first))
    }
}
