package import BatonCore
import BatonNetwork
import Glibc

/// A non-blocking connection to the node of a home, for programs that also wait for other descriptors.
///
/// Several requests may be unanswered at a time. The owner polls `descriptor`, and calls `receive()` when the
/// descriptor is ready. The connection closes when its owner releases it. After a failure, the connection can no longer
/// be used.
package struct AppConnection: ~Copyable {
    private let connection: UnixConnection
    private var dialogue: NodeDialogue
    /// The bytes of requests that are not written yet.
    private var outgoing: ArraySlice<UInt8> = []

    /// The maximum number of unanswered requests, at which a node stops reading from the connection.
    package static let most = 16
    /// How long to wait for a node that can't accept more clients at the moment.
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

    /// The events to poll for: readable, and while bytes wait to be sent, also writable.
    package var events: Int16 { Int16(outgoing.isEmpty ? POLLIN : POLLIN | POLLOUT) }

    /// The number of requests that are not answered yet.
    package var unanswered: Int { dialogue.unanswered }

    /// Makes a call; returns the number of the request, which the answer will also have.
    ///
    /// There must be fewer than `most` unanswered calls; otherwise, the program ends.
    @discardableResult package mutating func send(_ call: some LocalCall) throws(LocalFailure) -> UInt64 {
        let number = try add(call)
        try flush()
        return number
    }

    /// Makes a call as `send(_:)` does, but leaves its bytes to `flush()` unless more than `gatheredBytes` wait.
    mutating func add(_ call: some LocalCall) throws(LocalFailure) -> UInt64 {
        precondition(dialogue.unanswered < Self.most, "too many requests are unanswered")
        let (number, bytes) = try dialogue.ask(call)
        outgoing += bytes
        // With many bytes, flushes now, so that the node reads a large call while the next one is encoded.
        if outgoing.count > Self.gatheredBytes { try flush() }
        return number
    }

    /// The largest number of bytes that wait to be written in one system call.
    private static let gatheredBytes = 16 << 10

    /// Writes those of the waiting bytes that the socket accepts now.
    mutating func flush() throws(LocalFailure) {
        guard !outgoing.isEmpty else { return }
        do throws(NetworkError) {
            outgoing = outgoing.dropFirst(try connection.sendNow(outgoing))
        } catch  where error.code == .reset {
            // A node sends its reason before it closes the connection. So the reason can still be read.
        } catch {
            throw dialogue.failure(error)
        }
    }

    /// Returns the answers that have arrived, if any; before that, flushes the waiting bytes.
    package mutating func receive() throws(LocalFailure) -> [LocalAnswer] {
        try flush()
        var answers: [LocalAnswer] = []
        while let bytes = try portion() {
            guard !bytes.isEmpty else {
                // The answers that arrived before the end are returned first. The next call reports the end.
                if answers.isEmpty { throw dialogue.ended }
                break
            }
            dialogue.feed(bytes)
            while let answer = try dialogue.next() { answers.append(answer) }
            // The socket is empty now. Bytes that arrive later make the descriptor readable again.
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
