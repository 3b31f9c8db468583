import Foundation
import Testing

/// The Swift code of pages, which is that of the example.
@Suite struct `Code in pages` {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The files of the example, without indentation.
    private static func example() throws -> [String] {
        let folder = root.appendingPathComponent("Examples/Notes")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { ($0.hasSuffix(".swift") || $0.hasSuffix(".json")) && !$0.contains(".build/") }
        return try names.map {
            let text = try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
            return bare(text.components(separatedBy: "\n"))
        }
    }

    /// Lines without indentation, as one text.
    private static func bare(_ lines: [String]) -> String {
        "\n" + lines.map { $0.trimmingCharacters(in: .whitespaces) + "\n" }.joined()
    }

    /// The pieces of indented code in a page, between empty lines.
    private static func pieces(of page: String) throws -> [[String]] {
        let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
        let code =
            page == "README.md"
            ? try #require(text.components(separatedBy: "## In a Swift app\n").dropFirst().first)
                .components(separatedBy: "\n## ")[0] : text
        return code.components(separatedBy: "\n")
            .split { !$0.hasPrefix("    ") || $0.hasPrefix("    $ ") }.map(Array.init)
    }

    @Test(arguments: ["README.md", "Sources/CoreSpotlight/CoreSpotlight.docc/GettingStarted.md"])
    func `is also in the example project`(page: String) throws {
        let pieces = try Self.pieces(of: page)
        #expect(pieces.count > 2, "\(page) has code")
        for piece in pieces {
            let bare = Self.bare(piece)
            #expect(try Self.example().contains { $0.contains(bare) }, "\(page):\(bare)")
        }
    }
}
