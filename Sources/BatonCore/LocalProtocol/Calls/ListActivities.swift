/// Lists activities of all devices, most recently changed first, up to the size of one answer.
package struct ListActivities: AccountCall, ReadingCall {
    package typealias Reply = ActivitiesReply
    package static let number = LocalCallNumber.listActivities

    package var extent: Extent
    /// The place of the last activity in the previous answer; nil to list from the beginning.
    package var place: ListPlace?

    package enum Extent: UInt64, Equatable, Sendable {
        /// Current activities, without those that are hidden on this device.
        case goingOn = 0
        /// Current activities, including those that are hidden on this device.
        case withForgotten = 1
        /// Activities that have ended but can still be continued.
        case finished = 2
    }

    package init(_ extent: Extent = .goingOn, after place: ListPlace? = nil) {
        (self.extent, self.place) = (extent, place)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1, extent == .goingOn ? nil : extent.rawValue) { $0.unsigned($1) }
            fields.field(2, place) { $1.encode(to: &$0) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        self.init()
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1:
                let start = reader.offset
                guard let extent = Extent(rawValue: try reader.unsigned()) else {
                    throw CBORError(.outOfRange, at: start)
                }
                self.extent = extent
            case 2: place = try ListPlace(from: &reader)
            default: break
            }
        }
    }
}

/// A part of a list of activities.
package struct ActivitiesReply: SimpleReply {
    package static let kind = LocalReplyKind.activities

    package var activities: [ActivitySummary]
    /// Whether this is the last part of the list.
    package var isLast: Bool

    package init(_ activities: [ActivitySummary], isLast: Bool) {
        (self.activities, self.isLast) = (activities, isLast)
    }

    package func encode(to writer: inout CBORWriter) { writer.pair(isLast, activities) }

    package init(from reader: inout CBORReader) throws(CBORError) { (isLast, activities) = try reader.pair() }
}
