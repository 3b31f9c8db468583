package import BatonCore
import BatonNetwork

/// A blocking connection to the node of a home, for one call at a time.
///
/// The connection closes when its owner releases it. After a failure of the connection itself, it can no longer be
/// used.
package struct NodeConnection: ~Copyable {
    let connection: UnixConnection
    private(set) var dialogue: NodeDialogue
    /// Called each second while a caller waits for an answer, with the time that the caller has waited so far.
    package var waited: ((Duration) -> Void)?

    /// The time limit for calls that a node can answer immediately.
    package static let patience = Duration.seconds(10)
    /// The time limit for calls during which a node may close one store and open another on a slow disk.
    package static let patienceWithDisks = Duration.seconds(120)
    /// The time between two calls of `waited`.
    private static let waitingStep = Duration.seconds(1)

    /// Connects to the node of a home; throws a failure with advice if no node is running.
    package init(_ home: Home, within patience: Duration = Self.patience) throws(LocalFailure) {
        dialogue = NodeDialogue(home)
        do throws(NetworkError) {
            connection = try .toNode(of: home, deadline: .now + patience)
        } catch {
            throw NodeDialogue.failure(error, connectingTo: home)
        }
    }

    /// The node's first message, once it has arrived.
    package var node: LocalHello? { dialogue.node }

    /// Makes a call and returns the node's reply; throws if the node answers with a failure.
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
            // A node sends its reason before it closes the connection. So the reason can still be read.
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

    /// Returns the next bytes; calls `waited` each second until they arrive.
    private func receive(deadline: MonotonicTime) throws(NetworkError) -> [UInt8] {
        let began = MonotonicTime.now
        while true {
            let next = waited == nil ? deadline : min(deadline, .now + Self.waitingStep)
            do throws(NetworkError) {
                return try connection.receive(upTo: NodeDialogue.portion, deadline: next)
            } catch  where error.code == .timedOut && next < deadline {
                waited?(.now - began)
            }
        }
    }
}
