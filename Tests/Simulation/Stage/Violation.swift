/// The promises of the design that a world can break, by their numbers there.
package enum Promise: Int, CaseIterable, Sendable {
    case acknowledgedIsKept = 1
    case convergence = 2
    case noResurrection = 3
    case checkpointsFollowData = 4
    case resumption = 5
    case costFollowsChange = 6
    case dotsAreUnique = 7
    case strangersStayOut = 8
    case bounds = 9
    case unknownIsKept = 10
    /// Of this one also: what goes on now does not wait behind what was indexed.
    case freshestPayload = 11
}

/// Something that happened and may not.
package struct Violation: Equatable, Sendable, CustomStringConvertible {
    package let promise: Promise
    package let text: String

    package var description: String { "promise \(promise.rawValue) (\(promise)): \(text)" }
}
