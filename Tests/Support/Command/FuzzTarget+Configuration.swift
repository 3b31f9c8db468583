import BatonClient
import BatonCommand
package import Support

extension FuzzTarget {
    /// The targets of this module.
    package static let command = [configuration]

    /// The reader of the person's configuration: for any file it returns a result, or an error with a position.
    package static let configuration = FuzzTarget("configuration") { bytes throws(FuzzViolation) in
        let read = Reading(bytes)
        try require(Reading(bytes) == read, "the same bytes give the same")
        if let error = read.error {
            let lines = bytes.reduce(1) { $0 + ($1 == 0x0a || $1 == 0x0d ? 1 : 0) }
            try require((1...lines).contains(error.place.line), "\(error) lies within \(lines) lines")
            try require(
                (1...bytes.count + 1).contains(error.place.column),
                "\(error) lies within \(bytes.count) bytes")
            try require(!error.text.isEmpty, "an error says what is wrong")
        } else {
            // Lines before the file's text change only the reported positions of handlers.
            let later = Reading(Array("// one more line\n".utf8) + bytes)
            try require(later.error, is: nil, "a comment before it does no harm")
            try require(
                later.configuration?.handlers.map(\.pattern), is: read.configuration?.handlers.map(\.pattern),
                "the handlers behind a comment")
        }
    }
}

/// The reader's result for some bytes.
private struct Reading: Equatable {
    private(set) var configuration: Configuration?
    private(set) var error: TextError?

    init(_ bytes: [UInt8]) {
        do throws(TextError) {
            configuration = try Configuration(bytes, from: "config.json5")
        } catch {
            self.error = error
        }
    }
}
