/// How often a world came to what is rare, so that a test can tell whether it is tried at all.
package struct Marks: Sendable {
    /// Traces of deletions that were let go.
    package internal(set) var traces = 0
    /// Of these, how many while a node was away from the one that let go.
    package internal(set) var tracesWhileAway = 0
    /// Snapshots that were begun.
    package internal(set) var snapshots = 0
    /// Ranges that followed another one.
    package internal(set) var laterRanges = 0
    /// Snapshots that went on where they had been cut.
    package internal(set) var resumed = 0
    /// States that were put back.
    package internal(set) var restored = 0
    /// Writes that were written anew after a snapshot.
    package internal(set) var renewals = 0

    package init() {}

    package static func += (left: inout Marks, right: Marks) {
        left.traces += right.traces
        left.tracesWhileAway += right.tracesWhileAway
        left.snapshots += right.snapshots
        left.laterRanges += right.laterRanges
        left.resumed += right.resumed
        left.restored += right.restored
        left.renewals += right.renewals
    }
}
