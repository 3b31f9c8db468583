/// A position in the list of activities.
///
/// It is given by the activity at the position: by the time of its last change and by its identifier.
package struct ListPlace: Equatable, Comparable, Sendable {
    package var changed: WallTime
    package var identifier: String

    package init(changed: WallTime, identifier: String) {
        (self.changed, self.identifier) = (changed, identifier)
    }

    /// Whether `left` comes before `right` in the list; the latest change comes first.
    package static func < (left: Self, right: Self) -> Bool {
        left.changed == right.changed ? left.identifier < right.identifier : left.changed > right.changed
    }
}

extension ListPlace {
    func encode(to writer: inout CBORWriter) { writer.pair(changed, identifier) }

    init(from reader: inout CBORReader) throws(CBORError) { (changed, identifier) = try reader.pair() }
}
