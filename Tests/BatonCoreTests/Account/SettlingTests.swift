import BatonCore
import Testing

@Suite("The settling of cleared and staged records") struct SettlingTests {
    private var settling: Settling
    private let limits = Limits()
    private let commit = StoreCommit(head: .none, clock: .zero, changed: [])

    init() { settling = Settling(limits) }

    private func time(_ seconds: Int) -> Instant { Instant(nanoseconds: 0) + .seconds(seconds) }

    private mutating func effects() -> [Settling.Effect] {
        var effects: [Settling.Effect] = []
        while let effect = settling.nextEffect() { effects.append(effect) }
        return effects
    }

    @Test mutating func `takes one step at a time in each lane until nothing is left to settle`() {
        settling.begin(.index, at: time(0))
        settling.begin(.index, at: time(0))
        settling.begin(.activities, at: time(0))
        #expect(
            effects() == [
                .settle(.index, most: limits.settledRecords),
                .settle(.activities, most: limits.settledRecords),
            ])
        // More work is left in the index by then, which may have come behind that step.
        settling.handleCommit(nil, in: .index, at: time(1))
        #expect(effects() == [.settle(.index, most: settling.pace.most)])
        settling.handleCommit(commit, in: .index, at: time(1))
        #expect(effects() == [.settle(.index, most: settling.pace.most)])
        settling.handleCommit(nil, in: .index, at: time(2))
        #expect(effects() == [] && settling.deadline == nil)
        settling.begin(.index, at: time(3))
        #expect(effects().count == 1)
    }

    @Test
    mutating func `pauses between small steps while the device writes, and works without pauses afterwards`()
    {
        settling.begin(.index, at: time(0))
        settling.handleCommit(commit, in: .index, at: time(0) + .milliseconds(1))
        #expect(settling.pace.most > limits.settledRecords)
        _ = effects()
        settling.noteWrite(in: .index)
        settling.handleCommit(commit, in: .index, at: time(0) + .milliseconds(11))
        let deadline = time(0) + .milliseconds(41)
        #expect(effects() == [] && settling.deadline == deadline)
        // The device's own commits report that more is left to be done.
        settling.begin(.index, at: time(0) + .milliseconds(20))
        #expect(effects() == [] && settling.deadline == deadline)
        settling.handleDeadline(at: deadline)
        #expect(effects() == [.settle(.index, most: limits.settledRecords)] && settling.deadline == nil)
        settling.handleCommit(commit, in: .index, at: deadline + .milliseconds(10))
        #expect(effects() == [.settle(.index, most: settling.pace.most)])
        #expect(settling.pace.most > limits.settledRecords)
    }

    @Test func `steps grow while they are fast, and take no longer than a write may wait`() {
        let limits = Limits()
        // The time that each record takes decides how many there are in a step.
        for microseconds in [1, 10, 60, 150, 400, 2000, 9000] {
            var (pace, sizes) = (SettlingPace(limits), [Int]())
            for _ in 0..<20 {
                sizes.append(pace.most)
                pace.recordTime(.microseconds(microseconds * pace.most))
            }
            let times = sizes.map { Duration.microseconds(microseconds * $0) }
            #expect(times.allSatisfy { $0 <= limits.settlingStep }, "\(microseconds): \(sizes)")
            #expect(sizes.allSatisfy { $0 >= limits.settledRecords && $0 <= limits.settledRecords * 100 })
            let isLargest = sizes.last == limits.settledRecords * Limits.settledMore
            let last = times.last ?? .zero
            #expect(isLargest || last >= limits.settlingStep / 2, "\(microseconds): \(sizes)")
            // The first steps are small, whatever they take; few of them are.
            #expect(sizes.firstIndex { $0 == sizes.last } ?? .max <= 6, "\(microseconds): \(sizes)")
            pace.recordTime(.microseconds(1), besideWrites: true)
            #expect(pace.most == limits.settledRecords)
        }
    }

    @Test mutating func `makes no pause for a write that came before there was anything to settle`() {
        settling.noteWrite(in: .index)
        settling.begin(.index, at: time(0))
        _ = effects()
        settling.handleCommit(commit, in: .index, at: time(0) + .milliseconds(10))
        #expect(effects() == [.settle(.index, most: settling.pace.most)] && settling.deadline == nil)
    }

    @Test mutating func `reports a step that the disk refused, and retries it later`() throws {
        settling.begin(.index, at: time(0))
        _ = effects()
        settling.handleFailure(StoreFailure(.full, "the disk is full"), in: .index, at: time(1))
        #expect(
            effects() == [.warn("could not finish a batch or a clear: the disk is full")]
        )
        let deadline = try #require(settling.deadline)
        #expect(deadline == time(1) + limits.settlingTime)
        settling.handleDeadline(at: time(1))
        #expect(effects() == [])
        settling.handleDeadline(at: deadline)
        #expect(effects().count == 1 && settling.deadline == nil)
    }
}
