/// A position in the list of activities, given by the last change and identifier of the activity at it.
package struct ListPlace: Equatable, Comparable, Sendable {
    package var changed: WallTime
    package var identifier: String

    package init(changed: WallTime, identifier: String) {
        (self.changed, self.identifier) = (changed, identifier)
    }

    /// Sorts by the time of the change, latest first.
    package static func < (left: Self, right: Self) -> Bool {
        left.changed == right.changed ? left.identifier < right.identifier : left.changed > right.changed
    }
}

extension ListPlace {
    func encode(to writer: inout CBORWriter) { writer.pair(changed, identifier) }

    init(from reader: inout CBORReader) throws(CBORError) { (changed, identifier) = try reader.pair() }
}
