import BatonCore
import BatonNetwork
import Glibc

/// The part of a client that its thread shares with the callers.
///
/// The thread retains this part and not the client, so that the client can be released. While the thread waits, a
/// caller sends its call itself. To wake the thread for each call would take longer than to send the call.
final class NodeClientCore: Sendable {
    /// Wakes the thread; an error if the system had no descriptor left, which every call then reports.
    private let bell: Result<Bell, NetworkError>
    private let inbox: NodeClientInbox
    /// The work of the thread; other threads use it only while the client's thread waits.
    private let loop: Monitor<NodeClientLoop>

    init(_ home: Home) {
        inbox = NodeClientInbox()
        loop = Monitor(NodeClientLoop(home, inbox))
        do throws(NetworkError) {
            bell = .success(try Bell())
        } catch {
            bell = .failure(error)
        }
    }

    /// Gives the thread something to do; starts the thread with the first job.
    func post(_ job: NodeClientJob) {
        let bell: Bell
        switch self.bell {
        case .success(let made): bell = made
        case .failure(let error): return refuse(job, Self.failure(error))
        }
        switch inbox.add(job) {
        case .added: break
        case .addedFirst: start(bell)
        case .addedWhileWaiting:
            let isSent = loop.changeIfFree { $0.sendOnlyCall() } ?? false
            if !isSent { bell.ring() }
        case .full:
            refuse(
                job,
                LocalFailure(
                    .quota,
                    "\(NodeClient.queuedMost) requests wait for the node already. Wait for some of their answers first."
                ))
        }
    }

    // MARK: The thread

    private func start(_ bell: Bell) {
        do throws(NetworkError) {
            try SystemThread(name: "baton-client") { [self] in run(bell) }.detach()
        } catch {
            for job in inbox.reset() { refuse(job, Self.failure(error)) }
        }
    }

    /// Runs until the client is released.
    private func run(_ bell: Bell) {
        while let wait = loop.change({ $0.work() }) {
            let ready = Waiting.forOne(
                of: [(bell.descriptor, Int16(POLLIN)), (wait.descriptor, wait.events)], within: wait.time)
            if ready[0] { bell.clear() }
            loop.change { $0.handleWait(wait, isReady: ready[1]) }
        }
    }

    private func refuse(_ job: NodeClientJob, _ failure: LocalFailure) {
        switch job {
        case .ask(let question): question.fail(failure)
        case .listen(_, let listener): listener(.lost(failure))
        // Somebody waits for the closure, so it is called. The calls that the closure makes fail, too. A delayed
        // closure is dropped, because a later job does the same work.
        case .run(after: .zero, let body): body()
        case .watch, .acknowledged, .seek, .run, .end: break
        }
    }

    private static func failure(_ error: NetworkError) -> LocalFailure {
        LocalFailure(.failed, "The node can't be reached: \(error)")
    }
}
