package import BatonCore

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
    /// This promise also says that a current activity does not wait behind indexed items.
    case freshestPayload = 11
}

/// An event or state that breaks a promise.
package struct Violation: Equatable, Sendable, CustomStringConvertible {
    package let promise: Promise
    /// The subject of the violation, as far as the checker knows it.
    package let subject: Subject
    package let text: String

    package var description: String { "promise \(promise.rawValue) (\(promise)): \(text)" }

    /// The writes and records behind a broken promise, and the node that broke it.
    package struct Subject: Equatable, Sendable {
        package let dots: Set<Dot>
        package let records: Set<RecordIdentity>
        /// The name of the node.
        package let node: String?

        /// Whether the checker knows no subject.
        var isEmpty: Bool { dots.isEmpty && records.isEmpty && node == nil }

        init(
            _ writes: [Write] = [], dots: [Dot] = [], records: [RecordIdentity] = [],
            at node: SimulatedNode? = nil
        ) {
            self.dots = Set(writes.map(\.dot) + dots)
            self.records = Set(writes.map(\.identity) + records)
            self.node = node?.name
        }
    }
}
