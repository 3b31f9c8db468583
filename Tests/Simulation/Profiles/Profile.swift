import BatonCore
package import BatonStore
import Support

/// The parameters of a world: how many devices, how they are linked, and how often each operation and each fault
/// happens.
///
/// A seed and a profile make one world. Each happening draws from a stream of its own, so that a smaller profile makes
/// a world in which the rest happens as before.
package struct Profile: Equatable, Sendable {
    /// The number of devices at first.
    package var nodes = 3
    package var shape = Shape.full
    /// The number of steps in which things happen before all heals.
    package var steps = 60
    /// The milliseconds that a step takes.
    package var pace = 20
    /// The longest that a message or a disk takes, in milliseconds.
    package var delay = 3
    /// The bytes of writes that a batch gathers.
    package var batchBytes = 10_000
    /// The most transactions that an app makes at once.
    package var burst = 1
    /// The number of keys that the writes share.
    package var keys = 3
    /// How many steps in a thousand try a link that is down.
    package var connecting = 200
    /// How many groups in a hundred are durable at once.
    package var syncing = 50
    /// How many things in a hundred take a store's thread very long.
    package var slowLanes = 3
    /// How many frames in a hundred wait while more answers of the store come.
    package var lateFrames = 0
    /// Whether nodes that are in step compare what they hold, and repair what differs.
    package var comparesStates = true
    /// Whether nodes send activities before they are stored.
    package var tellsAhead = true
    /// The number of devices that offer no feature beyond version 1.
    package var oldNodes = 0
    /// The number of devices of a neighbouring account.
    package var neighbours = 0
    package var constants = Constants()
    /// The fault that stays with one device while all others recover.
    package var lasting: LastingFault?
    /// Whether one node comes to hold a write that all claim and the others lack; the nodes must find and repair that
    /// difference.
    package var plantsDifference = false
    /// How many steps in a thousand have each operation; one without a number does not happen.
    package var operations: [Operation: Int] = [:]
    package var faults: [Fault: Int] = [:]
    /// The phases that are not played.
    package var droppedPhases: Set<Phase> = []
    /// The numbers of the first devices that are left out.
    package var droppedDevices: Set<Int> = []
    /// The planned events that are left out.
    package var dropped: Set<PlannedEvent> = []

    package init() {}

    /// The product's constants, which hide mistakes in code that a world never reaches with them.
    package struct Constants: Equatable, Sendable {
        /// The bytes of unacknowledged batches that a side may send.
        package var sentBytes = Limits().sentBytes
        /// The most bytes of one record in a range of a snapshot.
        package var rangeRecordBytes = Limits().rangeRecordBytes
        /// The most origins of a vector that is sent as a whole.
        package var undividedOrigins = Limits().undividedOrigins
        /// The most positions that are passed over before a peer is told where to resume.
        package var placesPassedOver = Limits().placesPassedOver
        /// The milliseconds before a refused write is tried again: at first, and at most.
        package var retryPause = 1000...30_000
        /// The steps of the world before a change is reported.
        package var stepsToReport = 100
        /// The most lost writes that a device adopts at once.
        package var adoptedWrites = Limits().adoptedWrites
        /// The most records of one step of settling, sweeping or collecting; nil if each step draws its own number.
        package var stepRecords: Int?
        /// The milliseconds before settling that a disk refused is tried again.
        package var settlingPause = 30_000
        /// The seconds before devices in step compare again.
        package var secondsToCheck = 300
        /// The seconds that a peer may acknowledge nothing.
        package var secondsToAcknowledge = 120
        /// The seconds between two sweeps, and those that a clock must run evenly before one.
        package var secondsToSweep = 6 * 3600
        /// The milliseconds between changes of an activity that are sent, and how many are sent at once.
        package var publishingPause = 33
        package var publishedAtOnce = Limits().publishedAtOnce
        /// The days for which ended activities are kept.
        package var finishedDays: Int64 = 30
        /// The limits of the work that one search does.
        package var search = SearchLimits()

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

        /// Draws those that were drawn first after others had been, so that they draw what they did.
        mutating func drawMore(_ generator: inout SeededGenerator) {
            adoptedWrites = generator.pick([1, 2, adoptedWrites])
            stepRecords = generator.pick([nil, nil, 1, 25, 1000])
            settlingPause = generator.pick([10, 1000, settlingPause])
            secondsToCheck = generator.pick([5, 60, secondsToCheck])
            secondsToAcknowledge = generator.pick([30, secondsToAcknowledge])
            secondsToSweep = generator.pick([1, 3600, secondsToSweep])
            publishingPause = generator.pick([1, publishingPause, 500])
            publishedAtOnce = generator.pick([1, publishedAtOnce])
            finishedDays = generator.pick([1, 3, finishedDays])
        }

        /// Draws the limits of searches, from tiny to real.
        mutating func drawSearch(_ generator: inout SeededGenerator) {
            search.rankedItems = generator.pick([1, 4, search.rankedItems])
            search.newestItems = generator.pick([1, 3, search.newestItems])
            // Items that were opened and are gone take a place among the opened ones until the node starts again, so
            // fewer than that make a difference.
            search.activities = generator.pick([1, 3, search.activities])
            search.completions = generator.pick([2, search.completions])
            search.stepItems = generator.pick([1, 3, search.stepItems])
            search.stepActivities = generator.pick([1, search.stepActivities])
            search.stepScopes = generator.pick([1, 5, search.stepScopes])
            search.wordsAtOnce = generator.pick([1, 4, search.wordsAtOnce])
            search.spareItems = generator.pick([0, search.spareItems])
            search.pageSteps = generator.pick([1, search.pageSteps])
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
        limits.collectsTombstones = collects
        if collects { limits.reportTime = .milliseconds(constants.stepsToReport * pace) }
        limits.adoptedWrites = constants.adoptedWrites
        limits.adoptingTime = min(limits.adoptingTime, .milliseconds(200 * delay))
        limits.settlingTime = .milliseconds(constants.settlingPause)
        limits.checkTime = .seconds(constants.secondsToCheck)
        limits.acknowledgingTime = .seconds(constants.secondsToAcknowledge)
        limits.sweepPause = .seconds(constants.secondsToSweep)
        limits.clockProvingTime = .seconds(max(1, constants.secondsToSweep / 6))
        limits.publishingPause = .milliseconds(constants.publishingPause)
        limits.publishedAtOnce = constants.publishedAtOnce
        let (first, last) = (constants.retryPause.lowerBound, constants.retryPause.upperBound)
        limits.retryPause = Duration.milliseconds(first)...Duration.milliseconds(last)
        return limits
    }

    /// How devices are linked.
    package enum Shape: String, CaseIterable, Sendable {
        case chain, star, ring, full
        /// All devices can reach each other, but only some of them at a time.
        case changing
    }

    /// The rate of an operation; setting zero switches it off.
    package subscript(operation: Operation) -> Int {
        get { operations[operation] ?? 0 }
        set { operations[operation] = newValue > 0 ? newValue : nil }
    }

    /// The rate of a fault; setting zero switches it off.
    package subscript(fault: Fault) -> Int {
        get { faults[fault] ?? 0 }
        set { faults[fault] = newValue > 0 ? newValue : nil }
    }

    /// Whether the world has a roster, which devices consult.
    package var hasRoster: Bool {
        operations.contains { $0.key.isOfRoster } || faults.contains { $0.key.isOfRoster }
    }

    /// Whether nodes have apps, whose activities they store and hand off.
    var hasApps: Bool { operations.contains { $0.key.isOfApps } }

    /// The profile of the neighbouring account: as much happens there, and nobody there lies.
    var ofNeighbour: Profile {
        var profile = self
        (profile.nodes, profile.neighbours, profile.droppedDevices) = (neighbours, 0, [])
        for fault in [Fault.misdial, .rubbish] { profile[fault] = 0 }
        return profile
    }

    /// Whether tombstones are collected.
    package var collects: Bool { self[.report] > 0 }
}

extension Profile: CustomStringConvertible {
    package var description: String {
        let what = Operation.allCases.filter { self[$0] > 0 }.map { "\($0) \(self[$0])" }
        let faults = Fault.allCases.filter { self[$0] > 0 }.map { "\($0) \(self[$0])" }
        let old =
            (oldNodes > 0 ? ", \(oldNodes) of an older version" : "")
            + (neighbours > 0 ? ", \(neighbours) of another account beside them" : "")
        let late = lateFrames > 0 ? ", \(lateFrames) of a hundred frames late" : ""
        let later =
            (lasting.map { ["one device stays \($0)"] } ?? [])
            + (comparesStates ? [] : ["no device compares what it holds"])
            + (plantsDifference ? ["a difference is planted"] : [])
        let dropped =
            droppedPhases.map(\.rawValue).sorted() + droppedDevices.sorted().map { "N\($0)" }
            + (self.dropped.isEmpty ? [] : ["\(self.dropped.count) events"])
        return """
            \(nodes) devices (\(shape)\(old)), \(steps) steps of \(pace) ms, delays up to \(delay) ms, \
            batches of \(batchBytes) bytes, bursts of \(burst), \(keys) keys, connecting \(connecting), \
            syncing \(syncing)\(late)
              \(constants)
              done, in a thousand steps: \(what.joined(separator: ", "))
              going wrong: \(faults.isEmpty ? "nothing" : faults.joined(separator: ", "))\
            \(later.isEmpty ? "" : "; afterwards: \(later.joined(separator: ", "))")
            """ + (dropped.isEmpty ? "" : "\n  dropped: \(dropped.joined(separator: ", "))")
    }
}

extension Profile.Constants: CustomStringConvertible {
    package var description: String {
        """
        \(sentBytes) bytes on the way at once, records of \(rangeRecordBytes) bytes in ranges, vectors of \
        \(undividedOrigins) origins told as a whole, places told after \(placesPassedOver), disks tried again after \
        \(retryPause) ms, changes reported after \(stepsToReport) steps, \(adoptedWrites) writes adopted at once, \
        \(stepRecords.map { "\($0)" } ?? "a few") records in a step, settling tried again after \(settlingPause) ms, \
        compared after \(secondsToCheck) s, acknowledged within \(secondsToAcknowledge) s, swept every \
        \(secondsToSweep) s, \(publishedAtOnce) changes of an activity sent at once and one each \
        \(publishingPause) ms, ended activities kept for \(finishedDays) days, \(search.rankedItems) items ranked, \
        \(search.newestItems) newest and \(search.activities) activities in memory, \
        \(search.completions) words completed, queries in steps of \(search.stepItems) items, \
        \(search.stepActivities) activities and \(search.stepScopes) scopes, \(search.wordsAtOnce) candidates at once, \
        \(search.spareItems) to spare, \(search.pageSteps) steps a page
        """
    }
}
