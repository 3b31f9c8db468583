import BatonCore
import BatonNetwork

/// A stream that an app on this device has requested, before the other device has answered.
final class OpeningStream: StreamHearer {
    private let summary: ActivitySummary
    private let streams: LinkStreams
    private let limits: Limits
    private weak var connection: LocalConnection?
    private var answer: Answer<StreamReply>?
    private var number: UInt64?
    /// The timer for the end of the time in which the other device must answer.
    private let timer: OwnedTimer

    init(
        to summary: ActivitySummary, over streams: LinkStreams, on connection: LocalConnection,
        loop: EventLoop, limits: Limits, _ answer: @escaping Answer<StreamReply>
    ) {
        (self.summary, self.streams, self.connection) = (summary, streams, connection)
        (timer, self.limits, self.answer) = (OwnedTimer(on: loop), limits, answer)
    }

    /// Requests the stream.
    ///
    /// `identity` tells the other device which activity is meant.
    func begin(_ identity: RecordIdentity) {
        timer.set(after: limits.streamOpeningTime) { [unowned self] in expire() }
        number = streams.open(identity, for: self)
        guard number == nil else { return }
        fail(
            .failed,
            "There are already \(Limits.linkStreams) streams with “\(device)”. Try again when one has ended.")
    }

    private func expire() {
        giveUp()
        fail(.unreachable, "“\(device)” did not answer within \(limits.streamOpeningTime). Try again.")
    }

    /// Cancels the request, because the app no longer waits for the answer.
    func cancel() {
        guard answer != nil else { return }
        giveUp()
        end()
    }

    func hear(_ event: StreamEvent) {
        switch event {
        case .opened(let number):
            guard let connection, let answer = end() else { return streams.abort(number, .appGone) }
            answer(.success(StreamReply(ContinuedActivity(summary: summary, source: .node))))
            connection.carry(JoinedStream(number, of: streams, on: connection, limits: limits))
        case .refused(_, let refusal): fail(refusal)
        case .broken(_, .withheldHere):
            fail(.notAllowed, "This machine was made private in the meantime, so nothing leaves it.")
        case .broken: fail(.unreachable, "The connection to “\(device)” broke. Try again.")
        case .requested, .data, .ended, .taken, .roomMade: break
        }
    }

    private var device: String { summary.device.name }

    private var title: String { summary.activity.title ?? summary.activity.type }

    private func fail(_ refusal: StreamRefusal) {
        switch refusal {
        case .gone: fail(.notFound, "“\(title)” has ended on “\(device)”.")
        case .notOffered: fail(.failed, Self.notOffered(title, on: device))
        case .busy:
            fail(.failed, "“\(device)” has reached its limit of streams. Try again when one has ended.")
        case .notTaken:
            fail(
                .failed,
                "The program that offered the streams on “\(device)” does not accept them: it is busy, or has ended."
            )
        default:
            fail(.failed, "“\(device)” refused the streams, for a reason that only a newer version knows.")
        }
    }

    static func notOffered(_ title: String, on device: String) -> String {
        "“\(title)” on “\(device)” offers no streams, or no longer does. `baton start TYPE --stream` offers them."
    }

    private func fail(_ code: LocalFailure.Code, _ text: String) {
        end()?(.failure(LocalFailure(code, text)))
    }

    private func giveUp() {
        if let number { streams.abort(number, .cancelled) }
    }

    @discardableResult private func end() -> Answer<StreamReply>? {
        timer.cancel()
        return answer.take()
    }
}
