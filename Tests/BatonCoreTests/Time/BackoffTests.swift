import BatonCore
import Testing

@Suite("Backoff") struct BackoffTests {
    private var backoff = Backoff(.seconds(1)...Duration.seconds(30))

    private mutating func pauses(_ count: Int) -> [Duration] { (0..<count).map { _ in backoff.next() } }

    @Test mutating func `pauses double up to the longest one`() {
        #expect(pauses(7) == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
    }

    @Test mutating func `a reset restarts with the shortest pause`() {
        #expect(pauses(3).last == .seconds(4))
        #expect(backoff.upcoming == .seconds(8))
        backoff.reset()
        #expect(pauses(2) == [.seconds(1), .seconds(2)])
    }

    @Test mutating func `an exhausted backoff stays at the longest pause until it is reset`() {
        backoff.exhaust()
        #expect(pauses(2) == [.seconds(30), .seconds(30)])
        backoff.reset()
        #expect(pauses(1) == [.seconds(1)])
    }

    @Test mutating func `equal bounds give equal pauses`() {
        backoff = Backoff(.seconds(2)...Duration.seconds(2))
        #expect(pauses(3) == [.seconds(2), .seconds(2), .seconds(2)])
    }
}
