import BatonCore
import BatonNetwork

/// A stream that another device wants to an app here, until the app has come for it.
final class WantedStream: StreamHearer {
    let streams: LinkStreams
    let number: UInt64
    /// The app that is to come.
    private(set) weak var app: AppEvents?
    private let loop: EventLoop
    private var timer: TimerToken?
    private let over: () -> Void

    /// Waits for the app so long; the closure hears that nobody is to come any more.
    init(
        _ number: UInt64, of streams: LinkStreams, to app: AppEvents, on loop: EventLoop,
        within time: Duration, over: @escaping () -> Void
    ) {
        (self.number, self.streams, self.app) = (number, streams, app)
        (self.loop, self.over) = (loop, over)
        streams.pass(number, to: self)
        timer = loop.schedule(after: time) { [self] in
            timer = nil
            refuse(.notTaken)
        }
    }

    /// The app has come; false if the other side does not want it any more.
    func accept() -> Bool {
        cancelTimer()
        return streams.accept(number)
    }

    func refuse(_ refusal: StreamRefusal) {
        cancelTimer()
        streams.refuse(number, refusal)
        over()
    }

    func hear(_ event: StreamEvent) {
        // Before it is accepted, nothing happens to it but its end.
        guard case .broken = event else { return }
        cancelTimer()
        over()
    }

    private func cancelTimer() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }
}
