/// How large a property list may be that an app gives.
///
/// What peers send is bounded by the protocol; this is asked where a value is made, so that an app is told at
/// once what is too large, and nothing is written that could not be read again.
package struct PropertyLimits: Sendable {
    /// The most bytes, encoded.
    package let bytes: Int
    /// The most levels that values stand within each other; a single number or text stands in none.
    ///
    /// Dates, addresses, UUIDs and sets take one more, because they are encoded with a tag.
    package let depth: Int
    /// The most values, those within others and the keys of dictionaries included.
    package let values: Int

    /// The most values that an app may make.
    private static let valuesMost = 8192
    /// The most values that are read, whoever wrote them: enough for an app to be told that it made too many.
    package static let valuesRead = 2 * valuesMost

    package init(bytes: Int, depth: Int, values: Int) {
        (self.bytes, self.depth, self.values) = (bytes, depth, values)
    }

    /// For the payload of an activity; the rest of the activity must fit `Limits.activityBytes` with it.
    ///
    /// Values in memory take many times their bytes, so their number is bounded as well.
    package static let payload = PropertyLimits(
        bytes: Limits.activityBytes, depth: Limits.nestingDepth, values: valuesMost)

    /// Throws if the value is beyond one of the limits.
    package func check(_ value: PropertyValue) throws(PropertyLimitError) {
        var count = 0
        try measure(value, depth: 0, &count)
        let size = value.encoded.count
        guard size <= bytes else { throw PropertyLimitError(.bytes, found: size, most: bytes) }
    }

    /// Counts the value and those within it; stops where it would go too deep or count too far.
    private func measure(_ value: PropertyValue, depth: Int, _ count: inout Int) throws(PropertyLimitError) {
        let depth = value.isTagged ? depth + 1 : depth
        guard depth <= self.depth else { throw PropertyLimitError(.depth, found: depth, most: self.depth) }
        count += 1
        guard count <= values else { throw PropertyLimitError(.values, found: count, most: values) }
        switch value {
        case .array(let members): for member in members { try measure(member, depth: depth + 1, &count) }
        case .set(let members): for member in members { try measure(member, depth: depth + 1, &count) }
        case .dictionary(let pairs):
            for (key, value) in pairs {
                try measure(key, depth: depth + 1, &count)
                try measure(value, depth: depth + 1, &count)
            }
        case .string, .integer, .real, .boolean, .data, .date, .url, .uuid, .null: break
        }
    }
}

/// That a property list is too large.
package struct PropertyLimitError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Limit: Sendable, CaseIterable { case bytes, depth, values }

    /// Which limit it is beyond.
    package let limit: Limit
    /// How large it is; of depth and values, where counting them stopped.
    package let found: Int
    /// How large it may be.
    package let most: Int

    package init(_ limit: Limit, found: Int, most: Int) {
        (self.limit, self.found, self.most) = (limit, found, most)
    }

    package var description: String {
        switch limit {
        case .bytes: "It has \(found) bytes, and may have \(most)."
        case .depth: "Its values are nested more than \(most) deep."
        case .values: "It has more than \(most) values."
        }
    }
}

extension PropertyValue {
    /// Whether a tag stands before the value where it is encoded.
    fileprivate var isTagged: Bool {
        switch self {
        case .date, .url, .uuid, .set: true
        default: false
        }
    }
}
