import BatonNode
import Testing

@Suite struct `The pause before redialling` {
    private var pause = RedialPause(.seconds(1)...Duration.seconds(30))

    /// Returns the lengths of the next pauses, in seconds.
    private mutating func begin(_ count: Int) -> [Int] {
        (0..<count).map { _ in Int(pause.begin() / .seconds(1)) }
    }

    @Test mutating func `doubles up to the longest pause`() {
        #expect(begin(7) == [1, 2, 4, 8, 16, 30, 30])
    }

    @Test mutating func `is reset by a long connection, and not by a short one`() {
        #expect(begin(3) == [1, 2, 4])
        pause.recordConnection(lasting: .seconds(32), isTransient: true)
        #expect(begin(1) == [8])
        pause.recordConnection(lasting: .seconds(65), isTransient: true)
        #expect(begin(2) == [1, 2])
    }

    @Test(arguments: [(lasting: 10, longest: 1), (lasting: 5, longest: 30)])
    mutating func `grows while short connections end repeatedly`(
        _ connections: (lasting: Int, longest: Int)
    ) {
        var longest = 0
        for _ in 0..<100 {
            longest = max(longest, begin(1)[0])
            pause.recordConnection(lasting: .seconds(connections.lasting), isTransient: true)
        }
        #expect(longest == connections.longest)
    }

    @Test mutating func `is the longest one for a device that broke the protocol, until it is forgiven`() {
        pause.recordConnection(lasting: .seconds(1000), isTransient: false)
        #expect(begin(2) == [30, 30])
        pause.recordConnection(lasting: .seconds(20), isTransient: true)
        #expect(begin(1) == [30])
        pause.forgive()
        #expect(begin(2) == [1, 2])
        // Without an offence, forgiving changes nothing.
        pause.forgive()
        #expect(begin(1) == [4])
    }
}
