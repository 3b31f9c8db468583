import BatonCore
import Support

/// One entry of a file of test vectors: members of a JSON object, in order.
struct Vector {
    let name: String
    private let members: [(name: String, value: Value)]

    /// The value of a member.
    enum Value {
        case text(String)
        case texts([String])
        case number(UInt64)
        case boolean(Bool)
    }

    init(_ name: String, _ description: String, _ members: [(String, Value)]) {
        self.name = name
        self.members =
            [("name", .text(name)), ("description", .text(description))]
            + members.map { (name: $0.0, value: $0.1) }
    }

    /// A frame with its head, and its body in diagnostic notation.
    init(_ name: String, _ description: String, _ frame: Frame) {
        self.init(
            name, description,
            [
                ("frame", .number(UInt64(frame.kind.rawValue))), ("hex", .text(frame.encoded.hex)),
                ("decoded", .text(Diagnostic.text(of: frame.body))),
            ])
    }

    /// A file of vectors.
    static func json(_ vectors: [Vector]) -> String {
        "[\n" + vectors.map(\.json).joined(separator: ",\n") + "\n]\n"
    }

    private var json: String {
        let lines = members.map { "    \(Self.quoted($0.name)): \(Self.json($0.value))" }
        return "  {\n" + lines.joined(separator: ",\n") + "\n  }"
    }

    private static func json(_ value: Value) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .texts(let texts): "[" + texts.map(quoted).joined(separator: ", ") + "]"
        case .number(let number): "\(number)"
        case .boolean(let value): "\(value)"
        }
    }

    /// Returns text as JSON encodes it.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// Identifiers in vectors: sixteen times the same byte, so that they are easy to recognize.
extension Identifier {
    static func filled(_ byte: UInt8) -> Self {
        let word = UInt64(byte) &* 0x0101_0101_0101_0101
        return Self(high: word, low: word)
    }
}

/// The values that the vectors are about.
enum Sample {
    static let account = AccountIdentifier.filled(0xac)
    static let laptop = DeviceIdentifier.filled(0x1a)
    static let desktop = DeviceIdentifier.filled(0xde)
    /// A life of the laptop, and one of the desktop.
    static let (life, otherLife) = (Life.filled(0x11), Life.filled(0x22))
    /// The 1st of July 2026, noon.
    static let noon = WallTime(milliseconds: 1_782_907_200_000)

    /// Returns the stamp this many milliseconds after noon.
    static func stamp(_ milliseconds: UInt64, counter: UInt64 = 0, _ life: Life = life) -> Stamp {
        let time = (UInt64(noon.milliseconds) + milliseconds) << 16 | counter
        return Stamp(time: HybridTime(value: time), life: life)
    }

    static func dot(_ sequence: UInt64, place: UInt32 = 0, _ life: Life = life, _ lane: Lane = .activities)
        -> Dot
    {
        Dot(origin: Origin(life: life, lane: lane), sequence: sequence, place: place)
    }

    static let activityName = ActivityName(device: laptop, app: "org.example.editor", instance: "window-1")

    static let entityType = EntityTypeDescription(
        EntityTypeName(app: "org.example.notes", type: "Note"), title: "Note", synonyms: ["Memo"],
        properties: [
            EntityTypeDescription.Property("title", kind: "text", attribute: "title"),
            EntityTypeDescription.Property("modified", kind: "date", attribute: "contentModificationDate"),
            EntityTypeDescription.Property("draft", kind: "flag"),
        ], appTitle: "Notes")

    static let activity: Activity = {
        var activity = Activity(type: "org.example.editing", started: noon)
        activity.title = "Draft of the report"
        activity.info = [.string("file"): .string("report.md"), .string("line"): .integer(42)]
        activity.webpage = "https://example.org/report"
        activity.keywords = ["draft", "report"]
        activity.changed = noon.advanced(by: .seconds(60))
        activity.expiration = noon.advanced(by: .seconds(7200))
        return activity
    }()

    /// The activity with possible additions of a newer version.
    static let newerActivity: Activity = {
        var activity = Sample.activity
        activity.attributes[.number(99)] = .unknown(
            PropertyValue.string("a field of a newer version").encoded)
        activity.continuation = Activity.Continuation(
            device: desktop, time: noon.advanced(by: .seconds(90)))
        return activity
    }()

    static let device = Device(identifier: desktop, name: "desktop", admitted: noon)
}
