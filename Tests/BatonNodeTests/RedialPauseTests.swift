import BatonNode
import Testing

/// How long a device that is gone is left alone, told by the seconds of one pause after the other.
@Suite struct `Pauses before a device is sought again` {
    private var pause = RedialPause(.seconds(1)...Duration.seconds(30))

    private mutating func begin(_ count: Int) -> [Int] {
        (0..<count).map { _ in Int(pause.begin() / .seconds(1)) }
    }

    @Test mutating func `they double, up to the longest`() {
        #expect(begin(7) == [1, 2, 4, 8, 16, 30, 30])
    }

    @Test mutating func `a connection that was short does not begin them anew, one that was long does`() {
        #expect(begin(3) == [1, 2, 4])
        pause.note(lasting: .seconds(32), isTransient: true)
        #expect(begin(1) == [8])
        pause.note(lasting: .seconds(65), isTransient: true)
        #expect(begin(2) == [1, 2])
    }

    @Test(arguments: [(lasting: 10, longest: 1), (lasting: 5, longest: 30)])
    mutating func `connections that end again and again grow the pause if they are short`(
        _ connections: (lasting: Int, longest: Int)
    ) {
        var longest = 0
        for _ in 0..<100 {
            longest = max(longest, begin(1)[0])
            pause.note(lasting: .seconds(connections.lasting), isTransient: true)
        }
        #expect(longest == connections.longest)
    }

    @Test mutating func `who broke the protocol is left alone for longest, until it is forgiven`() {
        pause.note(lasting: .seconds(1000), isTransient: false)
        #expect(begin(2) == [30, 30])
        pause.note(lasting: .seconds(20), isTransient: true)
        #expect(begin(1) == [30])
        pause.forgive()
        #expect(begin(2) == [1, 2])
        // There is nothing to forgive.
        pause.forgive()
        #expect(begin(1) == [4])
    }
}
