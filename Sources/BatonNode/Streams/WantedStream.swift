import BatonCore
import BatonNetwork

/// A stream that another device wants to an app here, until the app has come for it.
final class WantedStream: StreamHearer {
    let streams: LinkStreams
    let number: UInt64
    /// The app that is to come.
    private(set) weak var app: AppEvents?
    /// Set until the app has come.
    private let timer: OwnedTimer
    private let over: () -> Void

    /// Waits for the app so long; the closure hears that nobody is to come any more.
    init(
        _ number: UInt64, of streams: LinkStreams, to app: AppEvents, on loop: EventLoop,
        within time: Duration, over: @escaping () -> Void
    ) {
        (self.number, self.streams, self.app) = (number, streams, app)
        (timer, self.over) = (OwnedTimer(on: loop), over)
        streams.pass(number, to: self)
        timer.set(after: time) { [unowned self] in refuse(.notTaken) }
    }

    /// The app has come; false if the other side does not want it any more.
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
        // Before it is accepted, nothing happens to it but its end.
        guard case .broken = event else { return }
        timer.cancel()
        over()
    }
}
