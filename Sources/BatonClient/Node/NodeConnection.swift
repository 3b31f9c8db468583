package import BatonCore
import BatonNetwork

/// A connection to the node that runs on a home: one call at a time, each answered before the next.
///
/// It is closed when its owner releases it. After a failure that is no answer, it can't be used any more.
package struct NodeConnection: ~Copyable {
    let connection: UnixConnection
    private(set) var dialogue: NodeDialogue
    /// Is told each second how long the answer has been awaited.
    package var waited: ((Duration) -> Void)?

    /// How long a node may take to answer what it can answer at once.
    package static let patience = Duration.seconds(10)
    /// How long a node may take to close one store and open another on a slow disk, while it can't answer anything.
    package static let patienceWithDisks = Duration.seconds(120)

    /// Connects to the node of a home, and says where there is none.
    package init(_ home: Home, within patience: Duration = Self.patience) throws(LocalFailure) {
        dialogue = NodeDialogue(home)
        do throws(NetworkError) {
            connection = try UnixConnection(to: home.socket, deadline: .now + patience)
        } catch {
            throw NodeDialogue.failure(error, connectingTo: home)
        }
    }

    /// The node's opening message, once it has come.
    package var node: LocalHello? { dialogue.node }

    /// Makes a call, and returns the node's reply; throws the failure that the node answers in its place.
    package mutating func ask<Call: LocalCall>(
        _ call: Call, within patience: Duration = Self.patience
    ) throws(LocalFailure) -> Call.Reply {
        let (bytes, deadline) = (try dialogue.ask(call).bytes, MonotonicTime.now + patience)
        return try answer(to: bytes, by: deadline, patience).reply(to: Call.self)
    }

    /// Sends a request, and waits for its answer.
    private mutating func answer(
        to bytes: [UInt8], by deadline: MonotonicTime, _ patience: Duration
    ) throws(LocalFailure) -> LocalAnswer {
        do throws(NetworkError) {
            try connection.send(bytes, deadline: deadline)
        } catch  where error.code == .reset {
            // A node that closes the connection at once says why first; that waits to be read.
        } catch {
            throw dialogue.failure(error, patience: patience)
        }
        while true {
            if let answer = try dialogue.next() { return answer }
            let bytes: [UInt8]
            do throws(NetworkError) {
                bytes = try receive(deadline: deadline)
            } catch {
                throw dialogue.failure(error, patience: patience)
            }
            guard !bytes.isEmpty else { throw dialogue.ended }
            dialogue.feed(bytes)
        }
    }

    /// Returns what arrives next, and meanwhile tells `waited` that nothing has.
    private func receive(deadline: MonotonicTime) throws(NetworkError) -> [UInt8] {
        let began = MonotonicTime.now
        while true {
            let next = waited == nil ? deadline : min(deadline, .now + ProgressLine.silence)
            do throws(NetworkError) {
                return try connection.receive(upTo: NodeDialogue.portion, deadline: next)
            } catch  where error.code == .timedOut && next < deadline {
                waited?(.now - began)
            }
        }
    }
}
