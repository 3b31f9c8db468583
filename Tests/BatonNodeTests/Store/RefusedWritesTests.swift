import BatonCore
import BatonNode
import Support
import Testing

/// The lines that a node logs while a disk refuses writes.
@Suite struct `Refused writes` {
    private func instant(_ time: Duration) -> Instant { Instant(nanoseconds: 1) + time }

    @Test func `thirteen refused writes a second for 200 seconds are logged in five lines`() {
        var refused = RefusedWrites(Limits())
        var lines: [String] = []
        for step in 0..<2600 {
            let now = instant(.milliseconds(77) * step)
            if let line = refused.handleRefusal("could not save a change: the disk is full", at: now) {
                lines.append(line)
            }
            // Small writes still fit.
            if let line = refused.handleKept(at: now) { lines.append(line) }
        }
        if let line = refused.handleKept(at: instant(.seconds(230))) { lines.append(line) }
        #expect(lines.count == 5, "\(lines)")
        #expect(lines.first == "could not save a change: the disk is full")
        #expect(lines[1] == "could not save a change: the disk is full (refused 780 more times in 60 s)")
        #expect(lines.last == "the disk accepts writes again; 2600 writes were refused in the meantime")
        #expect(refused.handleKept(at: instant(.seconds(300))) == nil)
    }
}
