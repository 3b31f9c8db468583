package import BatonClient
package import BatonCore
import BatonTerminal

/// Shows suggested activities to a person, and as JSON.
package struct SuggestionText {
    private let reply: SuggestedActivitiesReply
    /// Returns a description of the handler that would continue an activity on this machine, or nil if there is none.
    private let handler: (ActivitySummary) -> VisibleText?

    package init(
        _ reply: SuggestedActivitiesReply, handler: @escaping (ActivitySummary) -> VisibleText?
    ) {
        (self.reply, self.handler) = (reply, handler)
    }

    // MARK: For a person

    /// A table that has a row for each suggestion.
    ///
    /// The IDs are shortened, but long enough to tell them apart.
    private var table: Table {
        var table = Table([
            .init("ID"), .init("DEVICE", least: 6), .init("TITLE", least: 8),
            .init("CONTINUES WITH", least: 8, isOptional: true),
        ])
        let summaries = reply.suggestions.map(\.summary)
        let length = ActivityList.distinctLength(summaries.map(\.identifier))
        for summary in summaries {
            table.add([
                VisibleText(summary.identifier.prefix(length)),
                summary.device.isHere ? "here" : VisibleText(summary.device.name),
                VisibleText(summary.activity.title ?? summary.activity.type),
                handler(summary) ?? "no handler here",
            ])
        }
        return table
    }

    /// The lines of the table.
    ///
    /// With `withReasons`, a line with the reasons follows each row.
    package func lines(
        width: Int?, isStyled: Bool, withReasons: Bool, at time: PresentTime
    ) -> [VisibleText] {
        let lines = table.lines(width: width, isStyled: isStyled)
        guard withReasons else { return lines }
        return Array(lines.prefix(1))
            + zip(lines.dropFirst(), reply.suggestions).flatMap { line, suggestion in
                [line, "  " + why(suggestion, at: time)]
            }
    }

    /// The reasons for a suggestion, as a sentence.
    package func why(_ suggestion: SuggestedActivity, at time: PresentTime) -> VisibleText {
        let parts = suggestion.reasons.map { text($0, of: suggestion.summary, at: time) }
        return parts.isEmpty ? "It is here." : parts.joined("; ").capitalized + "."
    }

    private func text(
        _ reason: PredictionReason, of summary: ActivitySummary, at time: PresentTime
    ) -> VisibleText {
        switch reason {
        case .follows(let times, let all):
            let after = reply.current.map { "“\(VisibleText($0))”" as VisibleText } ?? "what you did last"
            return times * 2 >= all && all > 1
                ? "usually follows \(after) (\(Self.share(times, of: all)))"
                : "followed \(after) \(Self.share(times, of: all))"
        case .often(let times, let part):
            let often: VisibleText = times == 1 ? "used once here" : "used \(times) times here"
            return often + (part.map { ", mostly " + Self.text($0) } ?? "")
        case .now(let times, let all):
            return "\(times) of \(all) times at about this time of day"
        case .recent(let last): return "last used " + time.text(last)
        case .elsewhere(let changed):
            return "changed on “\(VisibleText(summary.device.name))” " + time.text(changed)
        case .device(let times):
            return times == 1
                ? "one thing from “\(VisibleText(summary.device.name))” was used here"
                : "\(times) things from “\(VisibleText(summary.device.name))” were used here"
        case .donated(let last): return "done in " + VisibleText(summary.app) + " " + time.text(last)
        }
    }

    private static func share(_ times: Int, of all: Int) -> VisibleText {
        times == all ? (all == 1 ? "once" : "each of \(all) times") : "\(times) of \(all) times"
    }

    private static func text(_ part: WeekPart) -> VisibleText {
        switch (part.days, part.part) {
        case (.all, .night): "at night"
        case (.all, .all): "at any time"
        case (.all, let part): "in the \(part.word)"
        case (.weekdays, .all): "on weekdays"
        case (.weekends, .all): "at weekends"
        case (.weekdays, let part): "on weekday \(part.word)s"
        case (.weekends, let part): "on weekend \(part.word)s"
        }
    }

    // MARK: JSON

    /// Everything about the suggestions, as JSON for programs.
    package func json(at time: PresentTime) -> JSON {
        .object([
            .init("after", JSON(reply.current)),
            .init(
                "suggestions",
                .array(
                    reply.suggestions.map { suggestion in
                        .object([
                            .init("activity", JSON(suggestion.summary)),
                            .init("handler", JSON(handler(suggestion.summary)?.text)),
                            .init("score", .real(suggestion.score)),
                            .init("reasons", .array(suggestion.reasons.map { JSON($0) })),
                            .init("why", .string(why(suggestion, at: time).text)),
                        ])
                    })),
        ])
    }
}

extension JSON {
    /// One reason why an activity is suggested.
    fileprivate init(_ reason: PredictionReason) {
        let (kind, members): (String, [Member]) =
            switch reason {
            case .follows(let times, let all):
                ("follows", [.init("times", .integer(Int64(times))), .init("of", .integer(Int64(all)))])
            case .often(let times, let part):
                (
                    "often",
                    [.init("times", .integer(Int64(times)))]
                        + (part.map {
                            [.init("days", .string($0.days.word)), .init("part", .string($0.part.word))]
                        } ?? [])
                )
            case .now(let times, let all):
                ("now", [.init("times", .integer(Int64(times))), .init("of", .integer(Int64(all)))])
            case .recent(let time): ("recent", [.init("at", JSON(time))])
            case .elsewhere(let time): ("elsewhere", [.init("at", JSON(time))])
            case .device(let times): ("device", [.init("times", .integer(Int64(times)))])
            case .donated(let time): ("donated", [.init("at", JSON(time))])
            }
        self = .object([.init("kind", .string(kind))] + members)
    }
}

extension WeekPart.Days {
    fileprivate var word: String {
        switch self {
        case .all: "all"
        case .weekdays: "weekdays"
        case .weekends: "weekends"
        }
    }
}

extension WeekPart.Part {
    fileprivate var word: String {
        switch self {
        case .all: "all"
        case .morning: "morning"
        case .afternoon: "afternoon"
        case .evening: "evening"
        case .night: "night"
        }
    }
}

extension VisibleText {
    /// The text with its first letter capitalised.
    fileprivate var capitalized: VisibleText {
        guard let first = text.first, first.isLetter else { return self }
        return VisibleText(first.uppercased() + text.dropFirst())
    }
}
