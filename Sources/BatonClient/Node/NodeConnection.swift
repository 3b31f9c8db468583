package import BatonCore
import BatonNetwork

/// A connection to the node that runs on a home: one request at a time, each answered before the next.
///
/// It ends when its owner lets go of it. After a failure other than an answered one it is of no more use.
package struct NodeConnection: ~Copyable {
    let connection: UnixConnection
    private(set) var dialogue: NodeDialogue
    /// Hears each second for how long an answer has been awaited.
    package var waited: ((Duration) -> Void)?

    /// How long a node may take to answer what it can answer at once.
    package static let patience = Duration.seconds(10)

    /// Connects to the node of a home, and says where there is none.
    package init(_ home: Home, within patience: Duration = Self.patience) throws(LocalFailure) {
        dialogue = NodeDialogue(home)
        do throws(NetworkError) {
            connection = try UnixConnection(to: home.socket, deadline: .now + patience)
        } catch {
            throw NodeDialogue.failure(error, connectingTo: home)
        }
    }

    /// What the node said of itself, once it did.
    package var node: LocalHello? { dialogue.node }

    /// Asks the node, and throws its answer if that is a failure.
    package mutating func request(
        _ request: LocalRequest, within patience: Duration = Self.patience
    ) throws(LocalFailure) -> LocalAnswer {
        let deadline = MonotonicTime.now + patience
        let bytes = try dialogue.ask(request).bytes
        do throws(NetworkError) {
            try connection.send(bytes, deadline: deadline)
        } catch  where error.code == .reset {
            // A node that parts at once says why before it does; that waits to be read.
        } catch {
            throw dialogue.failure(error, patience: patience)
        }
        while true {
            if let (_, answer) = try dialogue.next() {
                if case .failure(let failure) = answer { throw failure }
                return answer
            }
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

    /// What arrives next; who wants to know hears meanwhile that nothing did.
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
