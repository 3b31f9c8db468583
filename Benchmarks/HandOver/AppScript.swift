/// What the two apps of a hand-over say: as bytes, made ahead, so that neither has anything to do but read and write.
struct AppScript: Sendable {
    /// What the telling app says first.
    var opening: [UInt8] = []
    /// What it says to tell a change of that number, counted from 1.
    let change: @Sendable (Int) throws -> [UInt8]
    /// What the hearing app says first.
    var listening: [UInt8] = []
    /// What it asks again and again, if nobody tells it by itself.
    var question: [UInt8]?
    /// How it hears: a word that the bare program knows.
    var how: String

    /// How large a change is: an activity of a document, or so.
    static let changeBytes = 512

    /// What a change says somewhere, and the hearing app looks for.
    static func mark(_ number: Int) -> String {
        let digits = String(number)
        return "change \(String(repeating: "0", count: 8 - digits.count))\(digits);"
    }

    /// A change of so many bytes that says nothing but its mark, at its end.
    static func bare(_ number: Int) -> [UInt8] {
        let mark = Array(mark(number).utf8)
        return [UInt8](repeating: 46, count: changeBytes - mark.count) + mark
    }

    /// What passes a relay that does nothing but pass on.
    static let bare = AppScript(change: { bare($0) }, how: "told")

    /// A file of the telling app, with so many changes.
    func told(_ count: Int) throws -> [UInt8] {
        try (1...count).reduce(into: Self.thing(opening)) { $0 += Self.thing(try change($1)) }
    }

    /// A file of the hearing app.
    var heard: [UInt8] { Self.thing(listening) + (question.map(Self.thing) ?? []) }

    /// A thing to say behind its length, as the bare program reads it.
    private static func thing(_ bytes: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) } + bytes
    }
}
