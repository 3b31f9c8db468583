package import BatonCore

/// The activities that are going on, as a person sees them.
package struct ActivityList {
    private let summaries: [ActivitySummary]

    package init(_ summaries: [ActivitySummary]) { self.summaries = summaries }

    /// A row an activity, with identifiers that are as short as they can be told apart.
    package func table(at time: PresentTime) -> Table {
        var table = Table([
            .init("ID"), .init("DEVICE", least: 6), .init("TYPE", least: 8), .init("TITLE", least: 8),
            .init("CHANGED", isOptional: true), .init("", least: 12, isOptional: true),
        ])
        let length = Self.distinctLength(summaries.map(\.identifier))
        for summary in summaries {
            table.add([
                VisibleText(summary.identifier.prefix(length)),
                summary.device.isHere ? "here" : VisibleText(summary.device.name),
                VisibleText(summary.activity.type),
                VisibleText(summary.activity.title ?? ""),
                time.text(summary.activity.changed),
                summary.continuedOn.map { "continued on \($0)" } ?? "",
            ])
        }
        return table
    }

    /// How many characters tell all identifiers apart, but never fewer than a person is used to.
    static func distinctLength(_ identifiers: [String]) -> Int {
        let sorted = identifiers.sorted()
        return zip(sorted, sorted.dropFirst()).reduce(ActivitySummary.shortLength) { length, pair in
            max(length, zip(pair.0, pair.1).prefix { $0 == $1 }.count + 1)
        }
    }
}

extension ActivitySummary {
    /// How many characters of an identifier are shown.
    static let shortLength = 7

    /// Enough of the identifier for a person to type.
    package var short: VisibleText { VisibleText(identifier.prefix(Self.shortLength)) }

    /// The title in quotation marks, or the type where there is none.
    package var label: VisibleText { activity.title.map { "“\($0)”" } ?? VisibleText(activity.type) }
}
