package import BatonCore
import BatonNetwork
import Glibc

/// A non-blocking connection to the node of a home, for programs that also wait for other things.
///
/// Many requests may be unanswered at a time. The owner polls `descriptor`, and calls `receive()` when it is ready. The
/// connection closes when its owner releases it; after a failure it can no longer be used.
package struct AppConnection: ~Copyable {
    private let connection: UnixConnection
    private var dialogue: NodeDialogue
    /// The bytes of requests that are not written yet.
    private var outgoing: ArraySlice<UInt8> = []

    /// The maximum number of unanswered requests, after which a node stops reading from a connection.
    package static let most = 16
    /// The time to wait for a node that can't accept more clients at the moment.
    private static let patience = Duration.seconds(2)

    /// Connects to the node of a home; throws a failure with advice if no node is running.
    package init(_ home: Home) throws(LocalFailure) {
        dialogue = NodeDialogue(home)
        do throws(NetworkError) {
            connection = try .toNode(of: home, deadline: .now + Self.patience)
        } catch {
            throw NodeDialogue.failure(error, connectingTo: home)
        }
    }

    /// The descriptor to poll.
    package var descriptor: Int32 { connection.descriptor }

    /// The events to poll for: readable, and also writable while bytes wait to be sent.
    package var events: Int16 { Int16(outgoing.isEmpty ? POLLIN : POLLIN | POLLOUT) }

    /// The number of requests that are not answered yet.
    package var unanswered: Int { dialogue.unanswered }

    /// Makes a call; returns the number that its answer will have.
    ///
    /// The caller must not exceed the maximum number of unanswered calls, because the node would stop reading.
    @discardableResult package mutating func send(_ call: some LocalCall) throws(LocalFailure) -> UInt64 {
        let number = try add(call)
        try flush()
        return number
    }

    /// Makes a call as `send(_:)` does, but leaves its bytes for `flush()` unless there are many.
    mutating func add(_ call: some LocalCall) throws(LocalFailure) -> UInt64 {
        precondition(dialogue.unanswered < Self.most, "too many requests are unanswered")
        let (number, bytes) = try dialogue.ask(call)
        outgoing += bytes
        // The node reads large calls while the next one is encoded.
        if outgoing.count > Self.gatheredBytes { try flush() }
        return number
    }

    /// The most bytes of calls that are gathered for one write.
    private static let gatheredBytes = 16 << 10

    /// Writes the waiting bytes that the socket accepts now.
    mutating func flush() throws(LocalFailure) {
        guard !outgoing.isEmpty else { return }
        do throws(NetworkError) {
            outgoing = outgoing.dropFirst(try connection.sendNow(outgoing))
        } catch  where error.code == .reset {
            // Before a node closes the connection, it sends the reason, which can still be read.
        } catch {
            throw dialogue.failure(error)
        }
    }

    /// Returns the answers that have arrived, if any; also writes the bytes that wait to be sent.
    package mutating func receive() throws(LocalFailure) -> [LocalAnswer] {
        try flush()
        var answers: [LocalAnswer] = []
        while let bytes = try portion() {
            guard !bytes.isEmpty else {
                // The answers before the end are returned; the next call reports the end.
                if answers.isEmpty { throw dialogue.ended }
                break
            }
            dialogue.feed(bytes)
            while let answer = try dialogue.next() { answers.append(answer) }
            // The socket was empty; bytes that arrive later make the descriptor readable again.
            if bytes.count < NodeDialogue.portion { break }
        }
        return answers
    }

    /// Reads the bytes that have arrived: nil if there are none, an empty array at the end of the stream.
    private func portion() throws(LocalFailure) -> [UInt8]? {
        do throws(NetworkError) {
            return try connection.receiveNow(upTo: NodeDialogue.portion)
        } catch {
            throw dialogue.failure(error)
        }
    }
}
