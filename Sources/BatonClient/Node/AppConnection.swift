package import BatonCore
import BatonNetwork
import Glibc

/// A connection to the node that runs on a home, for programs that wait for other things too.
///
/// Many requests may be under way; none of its calls waits, once it is made. The owner asks the kernel about
/// `descriptor`, and calls `receive()` when it is ready. It ends when its owner lets go of it; after a failure it is of
/// no more use.
package struct AppConnection: ~Copyable {
    private let connection: UnixConnection
    private var dialogue: NodeDialogue
    /// Bytes of requests that the kernel has not taken yet.
    private var outgoing: ArraySlice<UInt8> = []

    /// The most requests that may be unanswered; a node reads no more of one connection before it has answered.
    package static let most = 16
    /// How long to wait for a node that has no room for more clients.
    private static let patience = Duration.seconds(2)

    /// Connects to the node of a home, and says where there is none.
    package init(_ home: Home) throws(LocalFailure) {
        dialogue = NodeDialogue(home)
        do throws(NetworkError) {
            connection = try UnixConnection(to: home.socket, deadline: .now + Self.patience)
        } catch {
            throw NodeDialogue.failure(error, connectingTo: home)
        }
    }

    /// What to ask the kernel about.
    package var descriptor: Int32 { connection.descriptor }

    /// What to ask about it: whether something came, and, while something waits to go out, whether it may.
    package var events: Int16 { Int16(outgoing.isEmpty ? POLLIN : POLLIN | POLLOUT) }

    /// How many requests are not answered yet.
    package var unanswered: Int { dialogue.unanswered }

    /// Makes a call; its number comes back with the answer.
    ///
    /// A caller that exceeds the number of unanswered calls has a bug, because the node does not read on.
    @discardableResult package mutating func send(_ call: some LocalCall) throws(LocalFailure) -> UInt64 {
        precondition(dialogue.unanswered < Self.most, "too many requests are unanswered")
        let (number, bytes) = try dialogue.ask(call)
        do throws(NetworkError) {
            outgoing += bytes
            try flush()
        } catch  where error.code == .reset {
            // A node that closes the connection at once says why first; that waits to be read.
        } catch {
            throw dialogue.failure(error)
        }
        return number
    }

    /// Returns the answers that have come, which may be none.
    ///
    /// Also writes what waits to be sent.
    package mutating func receive() throws(LocalFailure) -> [LocalAnswer] {
        do throws(NetworkError) {
            try flush()
        } catch  where error.code == .reset {
            // As above.
        } catch {
            throw dialogue.failure(error)
        }
        var answers: [LocalAnswer] = []
        while let bytes = try portion() {
            guard !bytes.isEmpty else {
                // The answers before the end are returned; the next call reports the end.
                if answers.isEmpty { throw dialogue.ended }
                break
            }
            dialogue.feed(bytes)
            while let answer = try dialogue.next() { answers.append(answer) }
        }
        return answers
    }

    /// Writes what the kernel takes of what waits.
    private mutating func flush() throws(NetworkError) {
        guard !outgoing.isEmpty else { return }
        outgoing = outgoing.dropFirst(try connection.sendNow(outgoing))
    }

    /// What has arrived; nothing if nothing has, and no bytes at the end.
    private func portion() throws(LocalFailure) -> [UInt8]? {
        do throws(NetworkError) {
            return try connection.receiveNow(upTo: NodeDialogue.portion)
        } catch {
            throw dialogue.failure(error)
        }
    }
}
