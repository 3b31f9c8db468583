import BatonCore
import BatonNetwork

/// A stream that another device has requested to an app here, until the app accepts it.
final class WantedStream: StreamHearer {
    let streams: LinkStreams
    let number: UInt64
    /// The app that is to accept it.
    private(set) weak var app: AppEvents?
    /// Set until the app has accepted or the stream was refused.
    private let timer: OwnedTimer
    private let over: () -> Void

    /// Waits for the app for a limited time; `over` is called if the stream ends before the app accepts it.
    init(
        _ number: UInt64, of streams: LinkStreams, to app: AppEvents, on loop: EventLoop,
        within time: Duration, over: @escaping () -> Void
    ) {
        (self.number, self.streams, self.app) = (number, streams, app)
        (timer, self.over) = (OwnedTimer(on: loop), over)
        streams.pass(number, to: self)
        timer.set(after: time) { [unowned self] in refuse(.notTaken) }
    }

    /// Accepts the stream for the app; returns false if the other side has given it up.
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
        // Before a stream is accepted, its end is the only event.
        guard case .broken = event else { return }
        timer.cancel()
        over()
    }
}
