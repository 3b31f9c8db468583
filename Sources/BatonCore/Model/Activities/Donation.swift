/// An app's report that the person did something in the app, like Apple's `INInteraction`.
///
/// The action may be suggested to the person later.
///
/// The action itself is an activity, which is stored only on the device. An app may donate the same action many times.
package struct Donation: Equatable, Sendable {
    /// The app's identifier of the donation, by which the app can delete it.
    package var identifier: String
    /// The app's identifier of a group of donations, by which the app can delete them together.
    package var group: String?
    /// The time when the person did the action.
    package var time: WallTime

    package init(_ identifier: String, in group: String? = nil, at time: WallTime) {
        (self.identifier, self.group, self.time) = (identifier, group, time)
    }

    /// The donations that an app deletes.
    package enum Selection: Equatable, Sendable {
        case identifiers([String])
        case group(String)
        case all

        /// Returns whether a donation is selected; texts are compared byte for byte.
        package var test: (Donation) -> Bool {
            switch self {
            case .identifiers(let identifiers):
                let meant = Set(identifiers.map { Array($0.utf8) })
                return { meant.contains(Array($0.identifier.utf8)) }
            case .group(let group): return { $0.group?.utf8.elementsEqual(group.utf8) ?? false }
            case .all: return { _ in true }
            }
        }
    }
}

extension Donation {
    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.text(identifier)
        if let group { writer.text(group) } else { writer.null() }
        time.encode(to: &writer)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        identifier = try reader.text()
        group = try reader.optional { (reader) throws(CBORError) in try reader.text() }
        time = try WallTime(from: &reader)
    }
}
