import BatonCore

extension FuzzTarget {
    /// The frame decoder: the first byte sets the largest frame, the others arrive.
    package static let frames = FuzzTarget("frames") { bytes throws(FuzzViolation) in
        let limit = bytes.first.flatMap { $0 == 0 ? nil : Int($0) } ?? Limits.frameBytes
        let stream = bytes.dropFirst()
        let whole = try Cutting(stream, limit: limit) { stream.count }
        let single = try Cutting(stream, limit: limit) { 1 }
        var places = stream.reversed().map { Int($0 % 37) }.makeIterator()
        let cut = try Cutting(stream, limit: limit) { places.next() ?? 1 }
        places = stream.reversed().map { Int($0 % 37) }.makeIterator()
        let asked = try Cutting(stream, limit: limit, isAsked: true) { places.next() ?? 1 }
        for other in [single, cut, asked] {
            try require(other.frames, is: whole.frames, "the frames of a stream in pieces")
            try require(other.refusal, is: whole.refusal, "the refusal of a stream in pieces")
        }
        let read = whole.frames.flatMap(\.encoded)
        try require(stream.starts(with: read), "frames are encoded as they came")
        guard whole.refusal == nil else { return }
        try require(whole.pendingBytes, is: stream.count - read.count, "what waits")
    }
}

/// The frames and the error that a decoder finds in a stream that arrives in pieces.
private struct Cutting {
    private(set) var frames: [Frame] = []
    private(set) var refusal: CloseReason?
    private(set) var pendingBytes = 0

    init(
        _ stream: ArraySlice<UInt8>, limit: Int, isAsked: Bool = false, pieces: () -> Int
    ) throws(FuzzViolation) {
        var (decoder, rest) = (FrameDecoder(limit: limit), stream)
        while !rest.isEmpty, refusal == nil {
            var piece = rest.prefix(pieces())
            if isAsked {
                _ = decoder.feed { buffer, most in
                    piece = piece.prefix(most)
                    buffer += piece
                    return piece.count
                }
            } else {
                decoder.feed(piece)
            }
            rest = rest.dropFirst(piece.count)
            try FuzzTarget.require(
                decoder.pendingBytes <= Self.headBytes + limit + piece.count,
                "\(decoder.pendingBytes) bytes wait, \(piece.count) of them new")
            try drain(&decoder)
            guard refusal == nil else { break }
            try FuzzTarget.require(
                decoder.pendingBytes < Self.headBytes + limit,
                "\(decoder.pendingBytes) bytes of one frame wait")
        }
        pendingBytes = decoder.pendingBytes
    }

    private static let headBytes = 4

    /// Takes all complete frames; a decoder that refuses the stream must keep refusing it.
    private mutating func drain(_ decoder: inout FrameDecoder) throws(FuzzViolation) {
        do throws(CloseReason) {
            while let frame = try decoder.next() { frames.append(frame) }
        } catch {
            refusal = error
        }
        guard let refusal else { return }
        try FuzzTarget.require(
            [.frameTooLarge, .unknownFrame].contains(refusal.code), "a stream is refused with \(refusal)")
        try FuzzTarget.require(Self.refusal(of: &decoder), is: refusal, "the refusal, asked once more")
    }

    private static func refusal(of decoder: inout FrameDecoder) -> CloseReason? {
        do throws(CloseReason) {
            _ = try decoder.next()
            return nil
        } catch {
            return error
        }
    }
}
