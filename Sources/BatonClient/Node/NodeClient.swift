package import BatonCore
import BatonNetwork

/// A connection from a program to its node, which any thread of the program may use.
///
/// The client has a thread of its own, which listens to the node and starts with the first use. When the node has
/// restarted, the client connects again, and repeats the calls that the new node can't know (`RepeatedCalls`). Closures
/// are called on the client's thread, so they must be short, and must not wait for an answer of the same client. While
/// the client's thread waits, a caller sends its call itself.
package final class NodeClient: Sendable {
    private let core: NodeClientCore

    /// Creates a client for the node of a home, without connecting yet.
    package init(_ home: Home) { core = NodeClientCore(home) }

    deinit { core.post(.end) }

    /// The largest number of calls that wait for the node; further calls fail.
    package static let queuedMost = 16384

    // MARK: Calls

    /// Makes a call; the closure is called once with the reply or the failure.
    ///
    /// If no node is running, the call fails at once. If the node stops before it has answered, the call fails, too,
    /// and its effect is unknown.
    package func ask<Call: LocalCall>(
        _ call: Call, answer: @escaping @Sendable (Result<Call.Reply, LocalFailure>) -> Void
    ) {
        outcome(of: call) { answer($0.result) }
    }

    /// The outcome of a call.
    package enum Outcome<Reply: Sendable>: Sendable {
        case reply(Reply)
        /// The node refused the call.
        case refusal(LocalFailure)
        /// No node was reached, or the node stopped before it answered, so the effect of the call is unknown.
        case lost(LocalFailure)

        /// The reply, or the failure.
        package var result: Result<Reply, LocalFailure> {
            switch self {
            case .reply(let reply): .success(reply)
            case .refusal(let failure), .lost(let failure): .failure(failure)
            }
        }
    }

    /// Makes a call; the closure is called once with its outcome.
    package func outcome<Call: LocalCall>(
        of call: Call, answer: @escaping @Sendable (Outcome<Call.Reply>) -> Void
    ) {
        core.post(
            .ask(
                NodeQuestion(call) { (result) throws(LocalFailure) in
                    switch result {
                    case .failure(let failure): answer(.lost(failure))
                    case .success(let read):
                        do throws(LocalFailure) {
                            switch try read.result(of: Call.self) {
                            case .success(let reply): answer(.reply(reply))
                            case .failure(let failure): answer(.refusal(failure))
                            }
                        } catch {
                            answer(.lost(error))
                            throw error
                        }
                    }
                }))
    }

    /// Makes a call and waits for its reply.
    package func ask<Call: LocalCall>(_ call: Call) async throws(LocalFailure) -> Call.Reply {
        let result = await withCheckedContinuation { continuation in
            ask(call) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    // MARK: Events

    /// Something that the node, or the connection to it, tells the program.
    package enum Event: Sendable {
        /// The client has connected to a node, and has already sent the calls that must be repeated.
        case connected
        /// The connection to the node is lost, or no connection could be made.
        case lost(LocalFailure)
        /// The node tells the app something about an activity, or asks it to continue or open something.
        case app(AppEvent)
        /// The app should index these items again, and then acknowledge that.
        case reindexing(ClientStateName, ReindexRequest.Extent)
    }

    /// Calls the closure with each later event.
    ///
    /// With `isLasting`, the client stays connected so that the closure gets the app's events, which the client asks
    /// the node for.
    package func listen(isLasting: Bool = false, _ listener: @escaping @Sendable (Event) -> Void) {
        core.post(.listen(isLasting: isLasting, listener))
    }

    /// Stays connected, and asks the node which parts of this index the app should index again.
    ///
    /// The app has to call `acknowledge` for each request before it gets the next one.
    package func watchReindexing(of index: ClientStateName) { core.post(.watch(index)) }

    /// Tells the node that the app has reindexed something; the closure is called with the outcome.
    package func acknowledge(
        _ extent: ReindexRequest.Extent, of index: ClientStateName,
        answer: @escaping @Sendable (Result<IndexReply, LocalFailure>) -> Void = { _ in }
    ) {
        ask(AcknowledgeReindexing(index, extent)) { [weak core] in
            core?.post(.acknowledged(index))
            answer($0)
        }
    }

    /// Keeps trying to connect until a node answers, although no call is waiting.
    package func seekNode() { core.post(.seek) }

    /// Calls a closure on the client's thread, immediately or after a pause.
    ///
    /// If the system can't start the client's thread, a closure without a pause is called on the caller's thread, and
    /// the calls that the closure makes fail.
    package func run(after pause: Duration = .zero, _ body: @escaping @Sendable () -> Void) {
        core.post(.run(after: pause, body))
    }
}

/// A call and the closure that takes its answer.
struct NodeQuestion: Sendable {
    let call: any LocalCall
    /// Takes the answer; throws if the answer is not valid for this call.
    let take: @Sendable (Result<LocalAnswer, LocalFailure>) throws(LocalFailure) -> Void

    init(
        _ call: some LocalCall,
        _ take: @escaping @Sendable (Result<LocalAnswer, LocalFailure>) throws(LocalFailure) -> Void
    ) {
        (self.call, self.take) = (call, take)
    }

    /// Answers the call with a failure, which is a valid answer to every call.
    func fail(_ failure: LocalFailure) {
        do throws(LocalFailure) {
            try take(.failure(failure))
        } catch {
            preconditionFailure("a failure was not taken as one: \(error)")
        }
    }
}
