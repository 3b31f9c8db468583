import BatonCore
import Testing

/// Tests that a peer's forbidden message ends the link, with the right code.
struct StreamMisconductTests {
    /// Returns one side, whose peer is the test; stream 1 was opened by it, and is open.
    private static func opened() throws -> StreamMultiplexer {
        var side = StreamMultiplexer(isDialler: false)
        try side.handleMessage(StreamMessage(1, .open(StreamPair.identity)))
        let (event, isAccepted) = (side.nextEvent(), side.accept(1))
        #expect(event == .requested(1, StreamPair.identity) && isAccepted)
        return side
    }

    private static func code(
        _ messages: [(UInt64, StreamMessage.Word)], to side: StreamMultiplexer
    ) -> CloseCode? {
        var side = side
        do throws(CloseReason) {
            for (number, word) in messages { try side.handleMessage(StreamMessage(number, word)) }
            return nil
        } catch {
            return error.code
        }
    }

    private static let full = ArraySlice([UInt8](repeating: 0, count: Limits.streamDataBytes))
    private static var window: [(UInt64, StreamMessage.Word)] {
        Array(repeating: (1, .data(full)), count: Limits.streamWindowBytes / Limits.streamDataBytes)
    }

    @Test func `data beyond the credit breaks the link`() throws {
        let side = try Self.opened()
        #expect(Self.code(Self.window, to: side) == nil)
        #expect(Self.code(Self.window + [(1, .data([0]))], to: side) == .windowExceeded)
    }

    @Test func `data, an end or credit after the stream's end breaks the link`() throws {
        let side = try Self.opened()
        #expect(Self.code([(1, .end), (1, .data([0]))], to: side) == .unexpected)
        #expect(Self.code([(1, .end), (1, .end)], to: side) == .unexpected)
        #expect(Self.code([(1, .credit(1)), (1, .end), (1, .credit(1))], to: side) == nil)
    }

    @Test func `acknowledging bytes that were never sent breaks the link`() throws {
        var side = try Self.opened()
        #expect(Self.code([(1, .taken)], to: side) == .unexpected)
        side.end(1)
        #expect(Self.code([(1, .taken)], to: side) == nil)
        #expect(Self.code([(1, .taken), (1, .taken)], to: side) == .unexpected)
        #expect(Self.code([(1, .taken), (1, .credit(1))], to: side) == .unexpected)
    }

    @Test func `more credit than a counter can hold breaks the link`() throws {
        let side = try Self.opened()
        #expect(Self.code([(1, .credit(Limits.streamCreditMost))], to: side) == .unexpected)
    }

    @Test(arguments: [
        StreamMessage.Word.opened, .refused(.gone), .data([1]), .credit(1), .end, .taken, .abort(.appGone),
    ])
    func `messages for streams that never existed break the link`(word: StreamMessage.Word) throws {
        for number in [0, 2, 3, 99] as [UInt64] {
            #expect(Self.code([(number, word)], to: try Self.opened()) == .unexpected)
        }
    }

    @Test func `opening a stream with the other side's number, or a used number, breaks the link`() throws {
        let side = try Self.opened()
        for number in [0, 1, 2, 4] as [UInt64] {
            #expect(Self.code([(number, .open(StreamPair.identity))], to: side) == .unexpected)
        }
        #expect(Self.code([(5, .open(StreamPair.identity))], to: side) == nil)
        #expect(
            Self.code([(5, .open(StreamPair.identity)), (3, .open(StreamPair.identity))], to: side)
                == .unexpected)
    }

    @Test func `an unrequested answer, or data before a stream is open, breaks the link`() throws {
        var side = try Self.opened()
        #expect(Self.code([(1, .opened)], to: side) == .unexpected)
        let number = side.open(StreamPair.identity)
        #expect(number == 2)
        #expect(Self.code([(2, .data([0]))], to: side) == .unexpected)
        #expect(Self.code([(2, .opened), (2, .opened)], to: side) == .unexpected)
        #expect(Self.code([(2, .opened), (2, .data([0]))], to: side) == nil)
    }

    @Test
    func `data for a stream that was refused because of the limit breaks the link, and an abort does not`()
        throws
    {
        var side = StreamMultiplexer(isDialler: false)
        for place in 0..<Limits.linkStreams {
            try side.handleMessage(StreamMessage(UInt64(2 * place + 1), .open(StreamPair.identity)))
        }
        let next = UInt64(2 * Limits.linkStreams + 1)
        try side.handleMessage(StreamMessage(next, .open(StreamPair.identity)))
        let refusal = side.nextWord()
        #expect(refusal == StreamMessage(next, .refused(.busy)))
        #expect(Self.code([(next, .data([0]))], to: side) == .unexpected)
        // The two may have crossed.
        #expect(Self.code([(next, .abort(.cancelled))], to: side) == nil)
    }

    @Test func `an aborted stream is confirmed once, and bytes in transit are ignored`() throws {
        var side = try Self.opened()
        side.abort(1, .appGone)
        #expect(Self.words(&side) == [StreamMessage(1, .opened), StreamMessage(1, .abort(.appGone))])
        try side.handleMessage(StreamMessage(1, .data([1, 2, 3])))
        let event = side.nextEvent()
        #expect(event == nil && side.heldBytes == 0)
        // Its window still holds.
        #expect(Self.code(Self.window, to: side) == .windowExceeded)
        try side.handleMessage(StreamMessage(1, .abort(.appGone)))
        #expect(Self.words(&side).isEmpty && side.count == 0)

        var other = try Self.opened()
        try other.handleMessage(StreamMessage(1, .abort(.givenUp)))
        let breakage = other.nextEvent()
        #expect(breakage == .broken(1, .givenUp))
        #expect(Self.words(&other) == [StreamMessage(1, .opened), StreamMessage(1, .abort(.givenUp))])
        #expect(other.count == 0)
    }

    private static func words(_ side: inout StreamMultiplexer) -> [StreamMessage] {
        var words: [StreamMessage] = []
        while let word = side.nextWord() { words.append(word) }
        return words
    }
}
