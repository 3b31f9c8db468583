import Simulation
import Testing

@Suite struct `Worlds in which traces are let go` {
    /// What these seeds never come to is not tried by them.
    @Test func `come to what is rare`() {
        var marks = Marks()
        for name in [ProfileName.snapshots, .restores] {
            for seed in 1...60 as ClosedRange<UInt64> {
                let world = World(seed: seed, name)
                _ = world.run()
                marks += world.marks
            }
        }
        for mark in [
            Mark.tracesLetGo, .tracesLetGoWhileAway, .snapshots, .snapshotsCut, .snapshotsResumed, .renewals,
            .restoredWriting,
        ] { #expect(marks[mark] > 0, "\(mark.rawValue)") }
    }
}
