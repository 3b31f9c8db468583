import BatonCore
import Foundation

/// An activity of some 512 bytes: a document that someone edits, with what it takes to go on.
///
/// It is `Codable` by what the compiler makes of it, for the comparison with Foundation; what it holds is what is in
/// `activity`, but with fixed types where that has property-list values.
struct SampleActivity: Codable, Equatable {
    var type: String
    var title: String
    var info: Info
    var webpage: String
    var keywords: Set<String>
    var expiration: Date
    var started: Date
    var changed: Date

    struct Info: Codable, Equatable {
        var file: String
        var section: String
        var line: Int
        var column: Int
        var scroll: Double
        var opened: Date
        var isModified: Bool
        var project: String
        var branches: [String]
        var cursor: Data
        var session: UUID
    }

    init(_ words: inout Words) {
        type = "org.example.editing"
        title = words.phrase(4...6)
        let folder = words.list(2...3).joined(separator: "/")
        let session = words.bytes(16)
        info = Info(
            file: "/home/anna/Documents/\(folder)/\(words.word())-\(words.word()).md",
            section: words.phrase(4...6), line: words.number(1...2000), column: words.number(1...80),
            scroll: Double(words.number(0...1_000_000)) / 1_000_000,
            opened: Date(timeIntervalSince1970: Double(words.milliseconds()) / 1000),
            isModified: words.chance(50),
            project: "https://example.org/projects/\(words.word())",
            branches: words.list(3...4), cursor: Data(words.bytes(32)),
            session: session.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
        webpage = "https://example.org/documents/\(folder)?revision=\(words.number(1...9999))"
        keywords = Set(words.list(4...5))
        started = Date(timeIntervalSince1970: Double(words.milliseconds() / 1000))
        changed = started.addingTimeInterval(Double(words.number(1...9999)))
        expiration = started.addingTimeInterval(86_400 * 30)
    }

    /// The same as the product has it.
    var activity: Activity {
        var activity = Activity(type: type, started: started.wallTime)
        activity.title = title
        activity.webpage = webpage
        activity.keywords = keywords
        activity.expiration = expiration.wallTime
        activity.changed = changed.wallTime
        let session = withUnsafeBytes(of: info.session.uuid) { Array($0) }
        activity.info = [
            .string("file"): .string(info.file),
            .string("section"): .string(info.section),
            .string("line"): .integer(Int64(info.line)),
            .string("column"): .integer(Int64(info.column)),
            .string("scroll"): .real(info.scroll),
            .string("opened"): .date(info.opened.timeIntervalSince1970),
            .string("isModified"): .boolean(info.isModified),
            .string("project"): .url(info.project),
            .string("branches"): .array(info.branches.map { .string($0) }),
            .string("cursor"): .data(Array(info.cursor)),
            .string("session"): .uuid(session),
        ]
        return activity
    }

    /// As many as take the edge off one value's peculiarities, and few enough to stay in the processor's caches.
    static func corpus() -> [SampleActivity] {
        var words = Words(seed: 1)
        return (0..<64).map { _ in SampleActivity(&words) }
    }
}

extension Date {
    fileprivate var wallTime: WallTime { WallTime(milliseconds: Int64(timeIntervalSince1970 * 1000)) }
}
