/// Size limits of a property list that an app passes in.
///
/// The protocol has its own limits for data from peers. The limits here are checked where an app creates a value. So
/// the app is told immediately that a value is too large, and no value is written that can't be read later.
package struct PropertyLimits: Sendable {
    /// The maximum size of the encoding in bytes.
    package let bytes: Int
    /// The maximum depth of nesting.
    ///
    /// A single number or text has depth zero.
    ///
    /// Dates, addresses, UUIDs and sets add one level, because they are encoded with a tag.
    package let depth: Int
    /// The maximum number of values, including nested values and the keys of dictionaries.
    package let values: Int

    /// The maximum number of values in a payload that an app creates.
    private static let valuesMost = 8192
    /// The maximum number of values that are read from any source.
    ///
    /// It is larger than the limit for apps, so an app's value can be read and the app can be told that it has too
    /// many.
    package static let valuesRead = 2 * valuesMost

    package init(bytes: Int, depth: Int, values: Int) {
        (self.bytes, self.depth, self.values) = (bytes, depth, values)
    }

    /// The limits of an activity's payload.
    ///
    /// The payload and the rest of the activity together must fit into `Limits.activityBytes`.
    ///
    /// The number of values is limited, too, because values take far more memory than their encoding.
    package static let payload = PropertyLimits(
        bytes: Limits.activityBytes, depth: Limits.nestingDepth, values: valuesMost)

    /// Throws if the value exceeds one of the limits.
    package func check(_ value: PropertyValue) throws(PropertyLimitError) {
        var count = 0
        try measure(value, depth: 0, &count)
        let size = value.encodedCount
        guard size <= bytes else { throw PropertyLimitError(.bytes, found: size, most: bytes) }
    }

    /// Counts a value and its nested values.
    ///
    /// It throws as soon as a value is nested too deeply or there are too many values.
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

/// An error for a property list that is too large.
package struct PropertyLimitError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Limit: Sendable, CaseIterable { case bytes, depth, values }

    /// The limit that was exceeded.
    package let limit: Limit
    /// The measured size.
    ///
    /// For `depth` and `values`, it is the count at which the check stopped.
    package let found: Int
    /// The largest allowed size.
    package let most: Int

    package init(_ limit: Limit, found: Int, most: Int) {
        (self.limit, self.found, self.most) = (limit, found, most)
    }

    package var description: String {
        switch limit {
        case .bytes: "It has \(found) bytes; the limit is \(most)."
        case .depth: "Its values are nested more than \(most) deep."
        case .values: "It has more than \(most) values."
        }
    }
}

extension PropertyValue {
    /// Whether the encoding of the value begins with a tag.
    fileprivate var isTagged: Bool {
        switch self {
        case .date, .url, .uuid, .set: true
        default: false
        }
    }
}
