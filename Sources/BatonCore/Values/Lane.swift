/// One of the two parts of a store and of a device's journal.
///
/// The activities lane is always sent before the index lane.
package enum Lane: UInt8, CaseIterable, Comparable, Sendable {
    case activities = 0
    case index = 1

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Lane: CustomStringConvertible {
    /// The name of the lane in logs and file names.
    package var description: String {
        switch self {
        case .activities: "activities"
        case .index: "index"
        }
    }
}
