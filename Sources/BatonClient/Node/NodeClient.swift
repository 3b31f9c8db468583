package import BatonCore
import BatonNetwork

/// A connection of a program to its node that any thread may use.
///
/// A thread of its own listens to the node; it starts with the first use. The client reconnects when the node has
/// restarted, and then repeats the calls that the node can't know (`RepeatedCalls`). Closures are called on that
/// thread, so they must be short and must not wait for an answer of the same client. While that thread waits, a caller
/// sends its call itself.
package final class NodeClient: Sendable {
    private let core: NodeClientCore

    /// Creates a client for the node of a home, without connecting yet.
    package init(_ home: Home) { core = NodeClientCore(home) }

    deinit { core.post(.end) }

    /// The most calls that wait for the node; further ones fail.
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
        /// No node was reached, or it stopped before it answered; then the effect of the call is unknown.
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
        /// A node is connected, and all calls that are to be repeated were already sent to it.
        case connected
        /// The connection to the node is lost, or could not be made.
        case lost(LocalFailure)
        /// The node tells the app something about an activity, or asks it to continue or open something.
        case app(AppEvent)
        /// The app should index something again, and acknowledge it.
        case reindexing(ClientStateName, ReindexRequest.Extent)
    }

    /// Calls the closure with each event from now on.
    ///
    /// With `isLasting`, the client stays connected for the closure, and asks the node for the app's events.
    package func listen(isLasting: Bool = false, _ listener: @escaping @Sendable (Event) -> Void) {
        core.post(.listen(isLasting: isLasting, listener))
    }

    /// Stays connected, and asks the node which parts of this index the app should index again; `acknowledge` has to
    /// follow each request before the next one comes.
    package func watchReindexing(of index: ClientStateName) { core.post(.watch(index)) }

    /// Reports that the app has reindexed something; the closure is called with the outcome.
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
    /// If the system gives the client no thread, a closure without a pause is called on this thread, and its calls
    /// fail.
    package func run(after pause: Duration = .zero, _ body: @escaping @Sendable () -> Void) {
        core.post(.run(after: pause, body))
    }
}

/// A call with the closure for its answer.
struct NodeQuestion: Sendable {
    let call: any LocalCall
    /// Takes the answer; throws if it makes no sense for this call.
    let take: @Sendable (Result<LocalAnswer, LocalFailure>) throws(LocalFailure) -> Void

    init(
        _ call: some LocalCall,
        _ take: @escaping @Sendable (Result<LocalAnswer, LocalFailure>) throws(LocalFailure) -> Void
    ) {
        (self.call, self.take) = (call, take)
    }

    /// Answers with a failure, which makes sense for every call.
    func fail(_ failure: LocalFailure) {
        do throws(LocalFailure) {
            try take(.failure(failure))
        } catch {
            preconditionFailure("a failure was not taken as one: \(error)")
        }
    }
}
