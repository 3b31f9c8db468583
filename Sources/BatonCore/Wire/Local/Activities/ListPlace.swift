/// A place in the list of activities: the place of an activity that was there when the list was read.
package struct ListPlace: Equatable, Comparable, Sendable {
    package var changed: WallTime
    package var identifier: String

    package init(changed: WallTime, identifier: String) {
        (self.changed, self.identifier) = (changed, identifier)
    }

    /// Orders by the time of the change, the latest first.
    package static func < (left: Self, right: Self) -> Bool {
        left.changed == right.changed ? left.identifier < right.identifier : left.changed > right.changed
    }
}

extension ListPlace {
    func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.integer(changed.milliseconds)
        writer.text(identifier)
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(changed: WallTime(milliseconds: try reader.integer()), identifier: try reader.text())
    }
}
