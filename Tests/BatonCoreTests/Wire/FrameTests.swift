import BatonCore
import Support
import Testing

@Suite struct `A frame decoder` {
    @Test(arguments: Seeds.first(20))
    func `finds the same frames however the bytes are divided`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let frames = (0..<30).map { _ in
            Frame(
                kind: generator.pick([.hello, .batch, .close, .localRequest, .pairingGrant]),
                body: generator.bytes(0...80))
        }
        var (decoder, found) = (FrameDecoder(), [Frame]())
        var rest = frames.flatMap(\.encoded)[...]
        while !rest.isEmpty {
            let count = min(rest.count, generator.pick([0, 1, 2, 3, 5, 50, 500]))
            decoder.feed(rest.prefix(count))
            rest = rest.dropFirst(count)
            while let frame = try decoder.next() { found.append(frame) }
            // Only a part of one frame waits.
            #expect(decoder.pendingBytes < 4 + 80)
        }
        #expect(found == frames && decoder.pendingBytes == 0)
    }

    @Test(arguments: Seeds.first(20))
    func `finds the same frames when it reads, and never reads beyond the frame that it has begun`(
        _ seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let frames = (0..<30).map { _ in Frame(kind: .batch, body: generator.bytes(0...80)) }
        var (decoder, found) = (FrameDecoder(), [Frame]())
        var rest = frames.flatMap(\.encoded)[...]
        while !rest.isEmpty {
            let waiting = decoder.pendingBytes
            let count = decoder.feed { buffer, most in
                let piece = rest.prefix(min(most, generator.pick([0, 1, 3, 5, 50, 500])))
                rest = rest.dropFirst(piece.count)
                // In the middle of a body it asks for the rest of this body.
                #expect(waiting < 4 || most <= 80)
                buffer += piece
                return piece.count
            }
            #expect(decoder.pendingBytes == waiting + count)
            while let frame = try decoder.next() { found.append(frame) }
            #expect(decoder.pendingBytes < 4 + 80)
        }
        #expect(found == frames && decoder.pendingBytes == 0)
    }

    @Test(arguments: [4, 5, 16, 1003, 1004, 5000])
    func `gets the same bytes from a frame that was split in two`(_ place: Int) {
        let frame = Frame(kind: .batch, body: (0..<1000).map { UInt8(truncatingIfNeeded: $0) })
        let (first, rest) = frame.split(after: place)
        #expect(first.count == min(place, frame.byteCount) && first + rest == frame.encoded)
    }

    @Test func `accepts the largest frame, and refuses a larger one after its header`() throws {
        var decoder = FrameDecoder(limit: 1000)
        let largest = Frame(kind: .batch, body: [UInt8](repeating: 7, count: 1000))
        decoder.feed(largest.encoded)
        #expect(try decoder.next() == largest)
        decoder.feed([0x00, 0x03, 0xe9])
        #expect(try decoder.next() == nil)
        decoder.feed([0x03])
        for _ in 0..<2 {
            let error = #expect(throws: CloseReason.self) { try decoder.next() }
            #expect(error?.code == .frameTooLarge)
        }
    }

    @Test(arguments: [0x00, 0x0d, 0x18, 0x3e, 0x47, 0x68, 0xff] as [UInt8])
    func `refuses an unknown kind after the header`(_ kind: UInt8) {
        var decoder = FrameDecoder()
        decoder.feed([0x0f, 0xff, 0xff, kind])
        let error = #expect(throws: CloseReason.self) { try decoder.next() }
        #expect(error?.code == .unknownFrame)
    }

    @Test func `finds a frame without a body`() throws {
        var decoder = FrameDecoder()
        decoder.feed([0, 0, 0, 0x04])
        #expect(try decoder.next() == Frame(kind: .acknowledgement, body: []))
    }
}
