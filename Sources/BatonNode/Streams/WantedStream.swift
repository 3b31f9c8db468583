import BatonCore
import BatonNetwork

/// A stream to an app on this device that another device has requested, before the app has accepted it.
final class WantedStream: StreamHearer {
    let streams: LinkStreams
    let number: UInt64
    /// The app that should accept the stream.
    private(set) weak var app: AppEvents?
    /// The timer for the end of the time in which the app must accept the stream.
    private let timer: OwnedTimer
    private let over: () -> Void

    /// Waits for a limited time until the app accepts the stream.
    ///
    /// `over` is called if the stream ends before that.
    init(
        _ number: UInt64, of streams: LinkStreams, to app: AppEvents, on loop: EventLoop,
        within time: Duration, over: @escaping () -> Void
    ) {
        (self.number, self.streams, self.app) = (number, streams, app)
        (timer, self.over) = (OwnedTimer(on: loop), over)
        streams.pass(number, to: self)
        timer.set(after: time) { [unowned self] in refuse(.notTaken) }
    }

    /// Accepts the stream for the app.
    ///
    /// Returns false if the other device no longer wants the stream.
    func accept() -> Bool {
        timer.cancel()
        return streams.accept(number)
    }

    func refuse(_ refusal: StreamRefusal) {
        timer.cancel()
        streams.refuse(number, refusal)
        over()
    }

    func hear(_ event: StreamEvent) {
        // Before a stream is accepted, its only possible event is its end.
        guard case .broken = event else { return }
        timer.cancel()
        over()
    }
}
