import BatonCore
import Support

/// What a world is made of: how many devices, how they are linked, what is done and what goes wrong how often.
///
/// A seed and a profile make one world. Each happening draws from a stream of its own, so that a smaller profile makes
/// a world in which the rest happens as before.
package struct Profile: Equatable, Sendable {
    /// How many devices there are at first.
    package var nodes = 3
    package var shape = Shape.full
    /// In how many steps things happen before all heals.
    package var steps = 60
    /// How many milliseconds a step takes.
    package var pace = 20
    /// The longest that a message or a disk takes, in milliseconds.
    package var delay = 3
    /// How many bytes of writes a batch gathers.
    package var batchBytes = 10_000
    /// How many transactions an app makes at once, at the most.
    package var burst = 1
    /// How many keys the writes share.
    package var keys = 3
    /// In how many of a thousand steps a link that is down is tried.
    package var connecting = 200
    /// Of how many in a hundred groups the disk makes sure at once that they survive the loss of power.
    package var syncing = 50
    /// How many in a hundred things that a thread of a store does for its lane take it very long.
    package var slowLanes = 3
    /// Whether nodes tell of activities before they are kept.
    package var tellsAhead = true
    /// How many devices offer no feature beyond version 1.
    package var oldNodes = 0
    /// How many devices of another account there are beside those.
    package var neighbours = 0
    package var constants = Constants()
    /// The fault that stays with one device while all others recover.
    package var lasting: LastingFault?
    /// Whether one node comes to hold what the others lack and claim, which they must find out and mend.
    package var plantsDifference = false
    /// In how many of a thousand steps each happens; what is not named does not.
    package var operations: [Operation: Int] = [:]
    package var faults: [Fault: Int] = [:]
    /// The phases that are not played.
    package var droppedPhases: Set<Phase> = []
    /// The numbers of first devices that are not there.
    package var droppedDevices: Set<Int> = []
    /// What was planned and does not take place.
    package var dropped: Set<PlannedEvent> = []

    package init() {}

    /// Numbers that the product has for good reasons, which hide mistakes where a world never comes to them.
    package struct Constants: Equatable, Sendable {
        /// How many bytes of batches a side has on the way.
        package var sentBytes = Limits().sentBytes
        /// The most bytes of one record in a range of a snapshot.
        package var rangeRecordBytes = Limits().rangeRecordBytes
        /// How many origins a vector has that is told as a whole.
        package var undividedOrigins = Limits().undividedOrigins
        /// How many places are passed over before a peer is told where to go on.
        package var placesPassedOver = Limits().placesPassedOver
        /// How many milliseconds pass before what a disk refused is tried again, at first and at the most.
        package var retryPause = 1000...30_000
        /// How many steps of the world pass until a change is reported.
        package var stepsToReport = 100

        package init() {}

        /// Draws each from tiny to real.
        init(_ generator: inout SeededGenerator) {
            sentBytes = generator.pick([1, 200, 2048, 64 << 10, sentBytes])
            rangeRecordBytes = generator.pick([1, 40, 300, 4000, rangeRecordBytes])
            undividedOrigins = generator.pick([0, 2, 2, 8, undividedOrigins])
            retryPause = generator.pick([5...20, 100...1000, retryPause])
            placesPassedOver = generator.pick([1, 5, placesPassedOver])
            stepsToReport = generator.pick([1, 10, stepsToReport, 1000])
        }
    }

    /// The settings of every node.
    var limits: Limits {
        var limits = Limits()
        limits.batchBytes = batchBytes
        limits.sentBytes = constants.sentBytes
        limits.rangeRecordBytes = constants.rangeRecordBytes
        limits.undividedOrigins = constants.undividedOrigins
        limits.placesPassedOver = constants.placesPassedOver
        limits.letsTracesGo = letsGo
        if letsGo { limits.reportTime = .milliseconds(constants.stepsToReport * pace) }
        let (first, last) = (constants.retryPause.lowerBound, constants.retryPause.upperBound)
        limits.retryPause = Duration.milliseconds(first)...Duration.milliseconds(last)
        return limits
    }

    /// How devices are linked.
    package enum Shape: String, CaseIterable, Sendable {
        case chain, star, ring, full
        /// Everyone can reach everyone, but only some of them at a time.
        case changing
    }

    /// The rate of what people and apps do; setting zero switches it off.
    package subscript(operation: Operation) -> Int {
        get { operations[operation] ?? 0 }
        set { operations[operation] = newValue > 0 ? newValue : nil }
    }

    /// The rate of what goes wrong; setting zero switches it off.
    package subscript(fault: Fault) -> Int {
        get { faults[fault] ?? 0 }
        set { faults[fault] = newValue > 0 ? newValue : nil }
    }

    /// Whether it is said who belongs to the account, and devices ask.
    package var hasRoster: Bool {
        operations.contains { $0.key.isOfRoster } || faults.contains { $0.key.isOfRoster }
    }

    /// Whether nodes have apps, whose activities they keep and hand over.
    var hasApps: Bool { operations.contains { $0.key.isOfApps } }

    /// What the account beside this one is made of: as much happens there, and nobody there lies.
    var ofNeighbour: Profile {
        var profile = self
        (profile.nodes, profile.neighbours, profile.droppedDevices) = (neighbours, 0, [])
        for fault in [Fault.misdial, .rubbish] { profile[fault] = 0 }
        return profile
    }

    /// Whether traces of deletions are let go.
    package var letsGo: Bool { self[.report] > 0 }
}

extension Profile: CustomStringConvertible {
    package var description: String {
        let what = Operation.allCases.filter { self[$0] > 0 }.map { "\($0) \(self[$0])" }
        let faults = Fault.allCases.filter { self[$0] > 0 }.map { "\($0) \(self[$0])" }
        let old =
            (oldNodes > 0 ? ", \(oldNodes) of an older version" : "")
            + (neighbours > 0 ? ", \(neighbours) of another account beside them" : "")
        let later =
            (lasting.map { ["one device stays \($0)"] } ?? [])
            + (plantsDifference ? ["a difference is planted"] : [])
        let dropped =
            droppedPhases.map(\.rawValue).sorted() + droppedDevices.sorted().map { "N\($0)" }
            + (self.dropped.isEmpty ? [] : ["\(self.dropped.count) events"])
        return """
            \(nodes) devices (\(shape)\(old)), \(steps) steps of \(pace) ms, delays up to \(delay) ms, \
            batches of \(batchBytes) bytes, bursts of \(burst), \(keys) keys, connecting \(connecting), \
            syncing \(syncing)
              \(constants.sentBytes) bytes on the way at once, records of \(constants.rangeRecordBytes) bytes in \
            ranges, vectors of \(constants.undividedOrigins) origins told as a whole, places told after \
            \(constants.placesPassedOver), disks tried again after \
            \(constants.retryPause) ms
              done, in a thousand steps: \(what.joined(separator: ", "))
              going wrong: \(faults.isEmpty ? "nothing" : faults.joined(separator: ", "))\
            \(later.isEmpty ? "" : "; afterwards: \(later.joined(separator: ", "))")
            """ + (dropped.isEmpty ? "" : "\n  dropped: \(dropped.joined(separator: ", "))")
    }
}
