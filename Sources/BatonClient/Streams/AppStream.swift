package import BatonCore
import BatonNetwork
import Glibc

/// A continuation stream for a program with any number of threads: two independent directions of bytes.
///
/// The stream has a thread of its own, which talks to the node. The stream buffers received bytes until the program
/// reads them. When the buffer is full, the other side has to wait. The stream also buffers at most one frame that the
/// program has written.
package final class AppStream: Sendable {
    private let state = Monitor(State())
    private let bell: Bell

    /// The number of unread bytes at which the stream stops receiving.
    private static let room = 256 << 10
    /// How long to wait for the other side's end of the stream, once the program no longer reads.
    private static let patience = Duration.seconds(2)

    private struct State: Sendable {
        var incoming: ArraySlice<UInt8> = []
        /// Encoded frames that wait to be sent.
        var outgoing: ArraySlice<UInt8> = []
        var (hasHeardEnd, hasSaidTaken, hasHeardTaken) = (false, false, false)
        var (isInputClosed, isOutputClosed) = (false, false)
        /// Whether received bytes were dropped before the program read them.
        var hasDropped = false
        var failure: LocalFailure?
        /// The closures to call after each change that a reader or a writer may be waiting for.
        var changed: [@Sendable () -> Void] = []

        /// Whether both directions have ended, and all bytes have been taken.
        var isComplete: Bool {
            isOutputClosed && hasHeardEnd && hasSaidTaken && hasHeardTaken && outgoing.isEmpty
        }
    }

    /// The outcome of a read.
    package enum Portion: Equatable, Sendable {
        case bytes(ArraySlice<UInt8>)
        case end
        case failed(LocalFailure)
        /// The program has closed this direction itself.
        case closed
    }

    // MARK: Opening

    /// Opens a stream to the app that has an activity on another device.
    package static func open(_ selection: ActivitySelection, in home: Home) throws(LocalFailure) -> AppStream
    {
        var node = try NodeConnection(home)
        _ = try node.ask(OpenStream(selection), within: Limits().streamOpeningTime + .seconds(5))
        return try AppStream(node)
    }

    /// Accepts the stream that an event of the node announced.
    package static func accept(_ event: UInt64, in home: Home) throws(LocalFailure) -> AppStream {
        var node = try NodeConnection(home)
        _ = try node.ask(AcceptStream(event))
        return try AppStream(node)
    }

    /// Takes over a connection on which a stream was opened.
    private init(_ node: consuming NodeConnection) throws(LocalFailure) {
        let carrier = Carrier(node)
        do throws(NetworkError) {
            self.bell = try Bell()
            let (state, bell) = (self.state, self.bell)
            try SystemThread(name: "baton-stream") { carrier.run(state, bell) }.detach()
        } catch {
            throw LocalFailure(.failed, "The stream can't be opened: \(error)")
        }
    }

    deinit {
        closeInput()
        closeOutput()
    }

    // MARK: Reading and writing

    /// Registers a closure to be called, on any thread, after each change that a reader or a writer may be waiting for.
    ///
    /// The closure is also called once immediately.
    package func observe(_ changed: @escaping @Sendable () -> Void) {
        state.change { $0.changed.append(changed) }
        changed()
    }

    /// Returns at most this number of bytes; waits until bytes have arrived, or the direction has ended.
    package func read(most: Int) -> Portion {
        let portion = state.wait { state -> Portion? in
            if state.isInputClosed { return .closed }
            if !state.incoming.isEmpty {
                let bytes = state.incoming.prefix(most)
                state.incoming = state.incoming.dropFirst(most)
                Self.takeEnd(&state)
                return .bytes(bytes)
            }
            if state.hasHeardEnd { return .end }
            return state.failure.map { .failed($0) }
        }
        bell.ring()
        return portion
    }

    /// Writes the first bytes, at most one frame, and returns their number; waits until there is room for a frame.
    package func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(LocalFailure) -> Int {
        let count = min(bytes.count, Limits.streamFrameBytes)
        let result = state.wait { state -> Result<Int, LocalFailure>? in
            if let failure = state.failure { return .failure(failure) }
            if state.isOutputClosed {
                return .failure(LocalFailure(.streamBroken, "The stream is already closed."))
            }
            guard state.outgoing.isEmpty else { return nil }
            state.outgoing += Frame.localStreamHead(count) + Array(bytes.prefix(count))
            return .success(count)
        }
        bell.ring()
        return try result.get()
    }

    /// Writes the first bytes, at most one frame, and returns their number; waits until there is room for a frame.
    package func write(_ bytes: ArraySlice<UInt8>) throws(LocalFailure) -> Int {
        let result = bytes.withUnsafeBufferPointer { buffer in
            Result { () throws(LocalFailure) in try write(buffer) }
        }
        return try result.get()
    }

    /// Waits until the other side has taken all bytes that this side wrote, or the stream has broken.
    package func awaitTaken() {
        state.wait { state -> Void? in state.hasHeardTaken || state.failure != nil ? () : nil }
    }

    /// Whether there are bytes to read.
    package var hasBytes: Bool { state.change { !$0.incoming.isEmpty && !$0.isInputClosed } }

    /// Whether the other side has ended its direction, and the program has read everything.
    package var isAtEnd: Bool { state.change { $0.incoming.isEmpty && $0.hasHeardEnd } }

    /// Whether a write would return immediately.
    package var hasSpace: Bool {
        state.change { $0.outgoing.isEmpty && !$0.isOutputClosed && $0.failure == nil }
    }

    /// The reason why the stream broke; nil if it did not break.
    package var failure: LocalFailure? { state.change { $0.failure } }

    /// Stops reading; bytes can still be written.
    package func closeInput() {
        state.change { state in
            if !state.incoming.isEmpty { state.hasDropped = true }
            (state.isInputClosed, state.incoming) = (true, [])
        }
        bell.ring()
    }

    /// Ends the direction to the other side, which still gets all bytes that were already written.
    package func closeOutput() {
        state.change { state in
            guard !state.isOutputClosed else { return }
            state.isOutputClosed = true
            if state.failure == nil { state.outgoing += LocalStreamMessage.end.frame.encoded }
        }
        bell.ring()
    }

    /// Tells the other side that everything was taken, once the program has read all bytes before the end.
    private static func takeEnd(_ state: inout State) {
        guard state.hasHeardEnd, state.incoming.isEmpty, !state.hasSaidTaken, !state.hasDropped else {
            return
        }
        state.hasSaidTaken = true
        state.outgoing += LocalStreamMessage.taken.frame.encoded
    }

    // MARK: The thread

    /// The connection, which only the thread of the stream uses.
    ///
    /// `@unchecked` because the compiler can't see that the connection is handed to that thread before anything uses
    /// it.
    private final class Carrier: @unchecked Sendable {
        private let node: NodeConnection
        private var decoder: FrameDecoder

        init(_ node: consuming NodeConnection) {
            decoder = node.dialogue.decoder
            self.node = node
        }

        func run(_ state: Monitor<State>, _ bell: Bell) {
            let descriptor = node.connection.descriptor
            UnsharedDescriptors.add(descriptor)
            defer { UnsharedDescriptors.remove(descriptor) }
            var deadline: MonotonicTime?
            do throws(LocalFailure) {
                try takeFrames(state)
                while true {
                    let (reads, writes, isComplete, gaveUp) = state.change {
                        state -> (Bool, Bool, Bool, Bool) in
                        let reads = state.incoming.count < AppStream.room
                        let writes = !state.outgoing.isEmpty
                        let isGivenUp =
                            state.isOutputClosed && state.isInputClosed && !writes
                            && (state.hasHeardTaken || state.hasHeardEnd && state.hasDropped)
                        return (reads, writes, state.isComplete, isGivenUp)
                    }
                    if isComplete { break }
                    if gaveUp, deadline == nil { deadline = .now + AppStream.patience }
                    let hasEnded = state.change { $0.hasHeardEnd && $0.hasHeardTaken && $0.hasDropped }
                    if gaveUp, hasEnded || deadline.map({ $0 <= .now }) ?? false {
                        giveUp()
                        break
                    }
                    let events = Int16((reads ? POLLIN : 0) | (writes ? POLLOUT : 0))
                    let ready = Waiting.forOne(
                        of: [(events == 0 ? -1 : descriptor, events), (bell.descriptor, Int16(POLLIN))],
                        within: deadline.map { max($0 - .now, .zero) })
                    if ready[1] { bell.clear() }
                    guard ready[0] else { continue }
                    if writes { send(state) }
                    if reads { try receive(state) }
                }
            } catch {
                state.change { $0.failure = error }
            }
            let changed = state.change { state in
                defer { state.changed = [] }
                return state.changed
            }
            for changed in changed { changed() }
        }

        private func send(_ state: Monitor<State>) {
            let waiting = state.change { $0.outgoing }
            guard !waiting.isEmpty else { return }
            do throws(NetworkError) {
                let count = try node.connection.sendNow(waiting)
                guard count > 0 else { return }
                let changed = state.change { state in
                    state.outgoing = state.outgoing.dropFirst(count)
                    return state.outgoing.isEmpty ? state.changed : []
                }
                for changed in changed { changed() }
            } catch {
                // The node's reason is in a message that this side has not read yet.
                state.change { state in
                    (state.outgoing, state.isOutputClosed) = ([], true)
                }
            }
        }

        private func receive(_ state: Monitor<State>) throws(LocalFailure) {
            let bytes: [UInt8]?
            do throws(NetworkError) {
                bytes = try node.connection.receiveNow(upTo: AppStream.room / 2)
            } catch {
                throw StreamCopier.cut
            }
            guard let bytes else { return }
            guard !bytes.isEmpty else { throw StreamCopier.cut }
            decoder.feed(bytes)
            try takeFrames(state)
        }

        private func takeFrames(_ state: Monitor<State>) throws(LocalFailure) {
            var hasChanged = false
            while true {
                let message: LocalStreamMessage
                do throws(CloseReason) {
                    guard let frame = try decoder.next() else { break }
                    message = try LocalStreamMessage(frame)
                } catch {
                    throw LocalFailure(
                        .streamBroken,
                        "The node sent something that this program does not understand: \(error).")
                }
                hasChanged = true
                if case .abort(let reason) = message { throw LocalFailure(reason) }
                state.change { state in
                    switch message {
                    case .data(let bytes):
                        if state.isInputClosed { state.hasDropped = true } else { state.incoming += bytes }
                    case .end:
                        state.hasHeardEnd = true
                        AppStream.takeEnd(&state)
                    case .taken: state.hasHeardTaken = true
                    case .abort: break
                    }
                }
            }
            guard hasChanged else { return }
            for changed in state.change({ $0.changed }) { changed() }
        }

        /// Tells the other side, if possible, that this side no longer reads.
        private func giveUp() {
            do throws(NetworkError) {
                _ = try node.connection.sendNow(LocalStreamMessage.abort(.givenUp).frame.encoded[...])
            } catch {
                // The connection is gone, and the other side notices that by itself.
            }
        }
    }
}
