import Support
import Testing

@Suite struct `Worlds in which traces are let go` {
    /// What these seeds never come to is not tried by them.
    @Test func `come to all that is rare`() {
        var marks = Marks()
        for seed in 1_001...1_300 as ClosedRange<UInt64> {
            let world = World(seed: seed)
            let violations = world.run()
            #expect(violations.isEmpty, "replay with BATON_SEED=\(seed): \(violations.prefix(2))")
            marks += world.marks
        }
        #expect(marks.tracesWhileAway > 0 && marks.traces > marks.tracesWhileAway)
        #expect(marks.snapshots > 0 && marks.laterRanges > 0)
        #expect(marks.restored > 0 && marks.renewals > 0)
    }
}
