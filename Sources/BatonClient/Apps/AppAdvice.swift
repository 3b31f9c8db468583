package import BatonCore

/// Tells a developer how to make an app's activities and items easier to find.
///
/// It looks at the calls that an app makes, and gives each piece of advice once. None of the advice is about an error.
package struct AppAdvice: Sendable {
    private var given: Set<Subject> = []
    /// The number of calls in a row that each changed only a few items of an index.
    private var smallCalls = 0
    /// The identifiers of items that were indexed before, by the domain and the title of the item.
    private var identifiers: [String: String] = [:]

    private enum Subject: Hashable {
        case smallCalls, largeCall, description, title, type, identifiers, activityTitle, holding, cutText,
            keeping
    }

    /// The number of items that one call should index: neither too few nor too many.
    private static let goodCall = 100...500
    /// The largest number of small calls in a row for which no advice is given.
    private static let smallCallsMost = 20
    private static let descriptionCharacters = 300
    private static let titlesMost = 2000

    package init() {}

    /// Returns advice about a call that an app makes.
    package mutating func advice(on call: any LocalCall) -> [String] {
        switch call {
        case let call as ChangeIndex: advice(on: call.changes)
        case let call as StartActivity: advice(on: call)
        default: []
        }
    }

    /// Returns advice about an activity that was released while it was current.
    package mutating func adviceOnRelease(ofType type: String) -> [String] {
        give(
            .holding,
            "The activity of type \(type) was released while it was current, so it was withdrawn. Hold it in a property for as long as it lasts."
        )
    }

    /// Returns advice about an item that is too large, so that only the beginning of one of its texts is indexed.
    package mutating func adviceOnCutting(_ text: Attribute, ofItem identifier: String) -> [String] {
        give(
            .cutText,
            "The item “\(identifier)” is too large, so only the beginning of its \(text.name) was indexed. Divide such a thing into several items, such as one for each chapter."
        )
    }

    /// Returns advice when changes of indexes are kept on the disk, because no node has taken the changes.
    package mutating func adviceOnKeeping(because failure: LocalFailure) -> [String] {
        give(
            .keeping,
            "Changes to indexes are kept on the disk until a node takes them. \(failure.text)")
    }

    private mutating func advice(on start: StartActivity) -> [String] {
        var advice: [String] = []
        if !Self.isReverseDNS(start.type) {
            advice += give(
                .type,
                "The type “\(start.type)” is not in reverse DNS. Name types after your domain, such as org.example.notes.edit, so that no other app has them."
            )
        }
        let isFound = start.change.eligibility?.contains(.search) ?? false
        if start.change.title?.isEmpty ?? true {
            advice += give(
                .activityTitle,
                isFound
                    ? "The activity of type \(start.type) is eligible for search and has no title, so a person can't tell what it is."
                    : "The activity of type \(start.type) has no title. Lists show its type instead.")
        }
        return advice
    }

    private mutating func advice(on changes: [IndexChange]) -> [String] {
        var advice: [String] = []
        let items = changes.compactMap { change -> (String, Item)? in
            if case .item(let identifier, let item) = change { (identifier, item) } else { nil }
        }
        guard !items.isEmpty else { return [] }
        smallCalls = items.count < Self.goodCall.lowerBound ? smallCalls + 1 : 0
        if smallCalls > Self.smallCallsMost {
            advice += give(
                .smallCalls,
                "More than \(Self.smallCallsMost) calls in a row index fewer than \(Self.goodCall.lowerBound) items each. Index \(Self.goodCall.lowerBound) to \(Self.goodCall.upperBound) items at once."
            )
        }
        if items.count > Self.goodCall.upperBound {
            advice += give(
                .largeCall,
                "A call indexes \(items.count) items. Index \(Self.goodCall.lowerBound) to \(Self.goodCall.upperBound) at once, so that little is lost if the app is stopped."
            )
        }
        for (identifier, item) in items { advice += self.advice(on: item, identifier) }
        return advice
    }

    private mutating func advice(on item: Item, _ identifier: String) -> [String] {
        var advice: [String] = []
        let title = item.attributes.value(.title)?.string ?? item.attributes.value(.displayName)?.string ?? ""
        if title.isEmpty {
            advice += give(
                .title, "The item “\(identifier)” has no title, so a person can't tell what it is.")
        }
        if let text = item.attributes.value(.contentDescription)?.string,
            text.count > Self.descriptionCharacters
        {
            advice += give(
                .description,
                "The description of the item “\(identifier)” has \(text.count) characters. Keep descriptions under \(Self.descriptionCharacters), and put the whole text into textContent."
            )
        }
        guard !title.isEmpty, Self.isRandom(identifier) else { return advice }
        let key = "\(item.domain ?? "")\n\(title)"
        if let other = identifiers[key], other != identifier {
            advice += give(
                .identifiers,
                "“\(title)” was indexed as “\(other)” and as “\(identifier)”. Use identifiers that stay the same, such as those of your database, or the same thing is found twice."
            )
        }
        if identifiers.count >= Self.titlesMost { identifiers = [:] }
        identifiers[key] = identifier
        return advice
    }

    private mutating func give(_ subject: Subject, _ text: String) -> [String] {
        given.insert(subject).inserted ? [text] : []
    }

    /// Whether a type has at least three parts, as in `org.example.edit`.
    private static func isReverseDNS(_ type: String) -> Bool {
        let parts = type.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= 3 && parts.allSatisfy { !$0.isEmpty } && !type.contains(" ")
    }

    /// Whether an identifier is a UUID, which an app may have generated anew for each call.
    private static func isRandom(_ identifier: String) -> Bool {
        let parts = identifier.split(separator: "-")
        return identifier.utf8.count == 36 && parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }
}
