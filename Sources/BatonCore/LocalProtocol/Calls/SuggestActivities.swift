/// Suggests activities that the person is likely to want now on the answering device.
package struct SuggestActivities: AccountCall, ReadingCall {
    package typealias Reply = SuggestedActivitiesReply
    package static let number = LocalCallNumber.suggestActivities

    /// The maximum number of suggestions to return.
    package var most: Int

    package init(most: Int) { self.most = most }

    package func encode(to writer: inout CBORWriter) { writer.value(Int64(most)) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let most: Int64 = try reader.value()
        self.init(most: Int(clamping: most))
    }
}

/// Activities that the person is likely to want, most likely activity first.
package struct SuggestedActivitiesReply: SimpleReply {
    package static let kind = LocalReplyKind.suggestedActivities

    package var suggestions: [SuggestedActivity]
    /// The title or type of the activity that was used last; nil if it no longer exists.
    ///
    /// The reason `PredictionReason.follows` refers to this activity.
    package var current: String?

    package init(_ suggestions: [SuggestedActivity], after current: String?) {
        (self.suggestions, self.current) = (suggestions, current)
    }

    package func encode(to writer: inout CBORWriter) { writer.pair(current, suggestions) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (current, suggestions) = try reader.pair()
    }
}

/// An activity that the person is likely to want, and the reasons for this.
package struct SuggestedActivity: Equatable, Sendable {
    package var summary: ActivitySummary
    /// A larger score means a likelier activity; scores of different replies can't be compared.
    package var score: Double
    /// The reasons for the suggestion, strongest first.
    package var reasons: [PredictionReason]

    package init(_ summary: ActivitySummary, score: Double, reasons: [PredictionReason]) {
        (self.summary, self.score, self.reasons) = (summary, score, reasons)
    }
}

extension SuggestedActivity: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { summary.encode(to: &$0) }
            fields.field(2) { $0.real(score) }
            fields.field(3) { writer in
                writer.array(count: reasons.count)
                for reason in reasons { reason.encode(to: &writer) }
            }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var summary: ActivitySummary?, score: Double?
        var reasons: [PredictionReason] = []
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: summary = try ActivitySummary(from: &reader)
            case 2:
                let start = reader.offset
                score = try reader.real()
                guard score?.isFinite ?? false else { throw CBORError(.outOfRange, at: start) }
            case 3:
                let read = try reader.array(upTo: Limits.suggestionReasons) { (reader) throws(CBORError) in
                    try PredictionReason.read(from: &reader)
                }
                // A newer node may know further reasons.
                reasons = read.compactMap(\.self)
            default: break
            }
        }
        self.init(
            try summary.required(1, in: reader), score: try score.required(2, in: reader), reasons: reasons)
    }
}

extension PredictionReason {
    private enum Kind: UInt64 {
        case follows = 1
        case often = 2
        case now = 3
        case recent = 4
        case elsewhere = 5
        case device = 6
        case donated = 7
    }

    fileprivate func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            switch self {
            case .follows(let times, let all):
                fields.field(1) { $0.unsigned(Kind.follows.rawValue) }
                fields.field(2) { $0.unsigned(UInt64(times)) }
                fields.field(3) { $0.unsigned(UInt64(all)) }
            case .often(let times, let part):
                fields.field(1) { $0.unsigned(Kind.often.rawValue) }
                fields.field(2) { $0.unsigned(UInt64(times)) }
                fields.field(5, part) { writer, part in
                    writer.array(count: 2)
                    writer.unsigned(part.days.rawValue)
                    writer.unsigned(part.part.rawValue)
                }
            case .now(let times, let all):
                fields.field(1) { $0.unsigned(Kind.now.rawValue) }
                fields.field(2) { $0.unsigned(UInt64(times)) }
                fields.field(3) { $0.unsigned(UInt64(all)) }
            case .recent(let time):
                fields.field(1) { $0.unsigned(Kind.recent.rawValue) }
                fields.field(4) { time.encode(to: &$0) }
            case .elsewhere(let time):
                fields.field(1) { $0.unsigned(Kind.elsewhere.rawValue) }
                fields.field(4) { time.encode(to: &$0) }
            case .device(let times):
                fields.field(1) { $0.unsigned(Kind.device.rawValue) }
                fields.field(2) { $0.unsigned(UInt64(times)) }
            case .donated(let time):
                fields.field(1) { $0.unsigned(Kind.donated.rawValue) }
                fields.field(4) { time.encode(to: &$0) }
            }
        }
    }

    /// Reads a reason; returns nil if its kind is known only to a newer version.
    fileprivate static func read(from reader: inout CBORReader) throws(CBORError) -> PredictionReason? {
        var kind: UInt64?, times: Int?, all: Int?, time: WallTime?, part: WeekPart?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: kind = try reader.unsigned()
            case 2: times = Int(try reader.unsigned(upTo: Self.timesMost))
            case 3: all = Int(try reader.unsigned(upTo: Self.timesMost))
            case 4: time = try WallTime(from: &reader)
            case 5: part = try Self.part(from: &reader)
            default: break
            }
        }
        switch try Kind(rawValue: kind.required(1, in: reader)) {
        case .follows?:
            return .follows(times: try times.required(2, in: reader), of: try all.required(3, in: reader))
        case .often?: return .often(times: try times.required(2, in: reader), mostly: part)
        case .now?: return .now(times: try times.required(2, in: reader), of: try all.required(3, in: reader))
        case .recent?: return .recent(try time.required(4, in: reader))
        case .elsewhere?: return .elsewhere(try time.required(4, in: reader))
        case .device?: return .device(times: try times.required(2, in: reader))
        case .donated?: return .donated(try time.required(4, in: reader))
        case nil: return nil
        }
    }

    private static func part(from reader: inout CBORReader) throws(CBORError) -> WeekPart {
        let start = reader.offset
        try reader.array(count: 2)
        guard let days = WeekPart.Days(rawValue: try reader.unsigned()),
            let part = WeekPart.Part(rawValue: try reader.unsigned())
        else { throw CBORError(.outOfRange, at: start) }
        return WeekPart(days, part)
    }

    private static let timesMost = UInt64(Int64.max)
}
