package import BatonCore
import BatonNetwork
import Glibc

/// Copies bytes between a stream and two descriptors of this process, until both directions end or the stream breaks.
///
/// One thread serves both directions. It holds at most one frame of each direction.
package struct StreamCopier: ~Copyable {
    private let node: NodeConnection
    private var decoder: FrameDecoder
    private let input: Int32
    private let output: StreamOutput
    /// Whether the input is a terminal; the copier does not wait for the end of a terminal once the other side has
    /// ended.
    private let isTyped: Bool
    /// Bytes that wait to be sent to the node.
    private var outgoing: ArraySlice<UInt8> = []
    /// Bytes that wait to be written to the output.
    private var incoming: ArraySlice<UInt8> = []
    private var hasInputEnded = false
    private var hasHeardEnd = false
    private var hasSaidTaken = false
    private var hasHeardTaken = false
    /// The time at which to give up, once the process that reads the output has ended.
    ///
    /// The reader may have ended because it knew that nothing follows, as tar does.
    private var deadline: MonotonicTime?

    /// How long to wait for the end of the stream, once the process that reads the output has ended.
    private static let patience = Duration.seconds(2)

    /// Takes over a connection on which a stream was opened.
    package init(_ node: consuming NodeConnection, input: Int32, output: Int32) {
        decoder = node.dialogue.decoder
        self.node = node
        self.input = input
        self.output = StreamOutput(output)
        isTyped = isatty(input) == 1
    }

    /// Copies until both sides have received everything.
    package mutating func run() throws(LocalFailure) {
        // This process only copies, so it will use freed memory again.
        FreedMemory.keep()
        // If the reader of the output ends, this process must continue, to tell the other side.
        signal(SIGPIPE, SIG_IGN)
        do throws(LocalFailure) {
            try takeFrames()
            while !isComplete {
                let ready = try wait()
                if ready.output { try write() }
                if ready.connection { try receive() }
                if ready.input, outgoing.isEmpty { try read() }
                if !outgoing.isEmpty { try send() }
            }
        } catch {
            tellOfEnd()
            throw error
        }
    }

    private var isComplete: Bool {
        hasInputEnded && hasHeardEnd && hasSaidTaken && hasHeardTaken && outgoing.isEmpty
    }

    // MARK: Waiting

    /// Waits until a descriptor is ready.
    private mutating func wait() throws(LocalFailure) -> (input: Bool, connection: Bool, output: Bool) {
        let mayRead = !hasInputEnded && outgoing.isEmpty
        let events = (incoming.isEmpty ? POLLIN : 0) | (outgoing.isEmpty ? 0 : POLLOUT)
        // The output is polled even if nothing is to be written, to notice that the reader of the output has ended.
        var files = [
            pollfd(fd: mayRead ? input : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: events == 0 ? -1 : node.connection.descriptor, events: Int16(events), revents: 0),
            pollfd(
                fd: incoming.isEmpty && (hasHeardEnd || deadline != nil) ? -1 : output.descriptor,
                events: Int16(incoming.isEmpty ? 0 : POLLOUT), revents: 0),
        ]
        let deadline = hasHeardEnd ? nil : deadline
        while true {
            let rest = deadline.map { Int32(max(0, ($0 - .now) / .milliseconds(1)).rounded(.up)) }
            let count = poll(&files, nfds_t(files.count), rest ?? -1)
            if count > 0 { break }
            guard count < 0 else { throw Self.refused(EPIPE) }
            guard errno == EINTR else {
                throw LocalFailure(.failed, "Waiting for the stream failed: \(SystemText.of(errno)).")
            }
        }
        // If more data arrives, writing it fails. But the end of the stream can be handled without a reader, so the
        // copier waits a while for it.
        if incoming.isEmpty, files[2].revents != 0 { self.deadline = .now + Self.patience }
        return (files[0].revents != 0, files[1].revents != 0, files[2].revents != 0)
    }

    // MARK: The way out

    /// Reads the input, which is ready, up to the size of a frame.
    private mutating func read() throws(LocalFailure) {
        let (input, head) = (input, Frame.headBytes)
        var (count, error) = (0, Int32(0))
        let frame = [UInt8](unsafeUninitializedCapacity: head + Limits.streamFrameBytes) { buffer, filled in
            let room = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[head...])
            count = Glibc.read(input, room.baseAddress, room.count)
            error = errno
            guard count > 0 else { return }
            Frame.writeHead(.localStreamData, count: count, to: buffer)
            filled = head + count
        }
        if count > 0 {
            outgoing = frame[...]
        } else if count == 0 {
            sayEnd()
        } else if error != EINTR, error != EAGAIN {
            throw LocalFailure(
                .streamBroken, "Reading the input failed: \(SystemText.of(error)). The stream was cut off.")
        }
    }

    private mutating func sayEnd() {
        guard !hasInputEnded else { return }
        hasInputEnded = true
        outgoing += LocalStreamMessage.end.frame.encoded
    }

    private mutating func send() throws(LocalFailure) {
        do throws(NetworkError) {
            outgoing = outgoing.dropFirst(try node.connection.sendNow(outgoing))
        } catch {
            // The node's reason is in a message that this side has not read yet.
            (outgoing, hasInputEnded) = ([], true)
        }
    }

    // MARK: The way in

    private mutating func receive() throws(LocalFailure) {
        guard incoming.isEmpty else { return }
        var isOver = false
        do throws(NetworkError) {
            // The decoder is swapped out of `self`, so that the closure can use the connection.
            var decoder = FrameDecoder()
            swap(&decoder, &self.decoder)
            defer { swap(&decoder, &self.decoder) }
            _ = try decoder.feed { (buffer, most) throws(NetworkError) in
                let count = try node.connection.receiveNow(into: &buffer, most: min(most, Self.portion))
                isOver = count == 0
                return count ?? 0
            }
        } catch {
            throw Self.cut
        }
        guard !isOver else { throw Self.cut }
        try takeFrames()
    }

    /// The largest number of bytes that are read at once.
    private static let portion = 128 << 10

    /// Decodes frames that have arrived, until there are bytes to write.
    private mutating func takeFrames() throws(LocalFailure) {
        while incoming.isEmpty {
            let message: LocalStreamMessage
            do throws(CloseReason) {
                guard let frame = try decoder.next() else { break }
                message = try LocalStreamMessage(frame)
            } catch {
                throw LocalFailure(
                    .streamBroken, "The node sent something that the command does not understand: \(error).")
            }
            switch message {
            case .data(let bytes): incoming = bytes[...]
            case .end:
                hasHeardEnd = true
                hasSaidTaken = true
                outgoing += LocalStreamMessage.taken.frame.encoded
                // Nobody reads the input any more, so the person at the terminal need not end it.
                if isTyped { sayEnd() }
            case .taken: hasHeardTaken = true
            case .abort(let reason): throw LocalFailure(reason)
            }
        }
    }

    /// Writes as much as the output accepts without blocking.
    private mutating func write() throws(LocalFailure) {
        do throws(StreamOutput.Refused) {
            incoming = incoming.dropFirst(try output.write(incoming))
        } catch {
            throw Self.refused(error.number)
        }
        if incoming.isEmpty { try takeFrames() }
    }

    // MARK: Ways to fail

    /// Tells the other side, if possible, that this side gives up.
    private func tellOfEnd() {
        // In the middle of a frame, no message can be sent. Then the end of the connection tells the other side.
        guard outgoing.isEmpty else { return }
        do throws(NetworkError) {
            _ = try node.connection.sendNow(LocalStreamMessage.abort(.givenUp).frame.encoded[...])
        } catch {
            // The connection is gone, and the other side notices that by itself.
        }
    }

    private static func refused(_ number: Int32) -> LocalFailure {
        LocalFailure(
            .streamBroken,
            number == EPIPE
                ? "The program that reads the output ended before the stream did. The stream was cut off."
                : "Writing the output failed: \(SystemText.of(number)). The stream was cut off.")
    }

    /// The failure if the node ended before the stream did.
    static var cut: LocalFailure {
        LocalFailure(.streamBroken, "The node ended before the stream did. The data is incomplete.")
    }
}

extension LocalFailure {
    /// Describes to a person why a stream broke.
    init(_ reason: StreamBreak) {
        let text =
            switch reason {
            case .appGone: "The program at the other end ended before the stream did."
            case .givenUp:
                "The program at the other end could not read or write any more."
            case .linkGone: "The connection to the other machine broke."
            case .withheldThere: "The other machine is private now, so nothing leaves it."
            case .withheldHere:
                "This machine is private now, so nothing leaves it; type `baton private off` to end that."
            default: "The other machine cut off the stream."
            }
        self.init(.streamBroken, "\(text) The data is incomplete.")
    }
}
