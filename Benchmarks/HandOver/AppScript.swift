/// The messages of the two apps of a hand-over, as bytes made in advance, so that both apps only read and write.
struct AppScript: Sendable {
    /// The first message of the sending app.
    var opening: [UInt8] = []
    /// Returns the sending app's message for the change of this number, counted from 1.
    let change: @Sendable (Int) throws -> [UInt8]
    /// The first message of the receiving app.
    var listening: [UInt8] = []
    /// The question that the receiving app repeats, if it is not told of changes unasked.
    var question: [UInt8]?
    /// The way in which it receives changes: a word that the bare program knows.
    var how: String

    /// The size of a change, about that of a document's activity.
    static let changeBytes = 512

    /// Returns the mark that a change contains, for which the receiving app looks.
    static func mark(_ number: Int) -> String {
        let digits = String(number)
        return "change \(String(repeating: "0", count: 8 - digits.count))\(digits);"
    }

    /// Returns a change of `changeBytes` bytes that contains nothing but its mark, at the end.
    static func bare(_ number: Int) -> [UInt8] {
        let mark = Array(mark(number).utf8)
        return [UInt8](repeating: 46, count: changeBytes - mark.count) + mark
    }

    /// The script for a relay that only forwards bytes.
    static let bare = AppScript(change: { bare($0) }, how: "told")

    /// Returns the file of the sending app, with this many changes.
    func told(_ count: Int) throws -> [UInt8] {
        try (1...count).reduce(into: Self.thing(opening)) { $0 += Self.thing(try change($1)) }
    }

    /// The file of the receiving app.
    var heard: [UInt8] { Self.thing(listening) + (question.map(Self.thing) ?? []) }

    /// Returns a message after its length, as the bare program reads it.
    private static func thing(_ bytes: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) } + bytes
    }
}
