import BatonLogin
import BatonNetwork
import Glibc

/// Has a thread watch at logind whether the person leaves the machine, and passes that on to the loop.
///
/// The thread waits in the kernel; it needs no time while nothing happens. The object belongs to the loop's thread.
final class PersonWatch {
    /// A report of the thread.
    private enum Report: Sendable {
        case left(LoginWatch.Moment)
        /// The watch has ended, because logind does not answer or no longer does.
        case ended(BusError)
    }

    private let reports: Mailbox<Report>
    private let loop: EventLoop
    private let ending: Bell
    private var isClosed = false

    /// Begins to watch; `left` is called with each moment, and `ended` once if the watch ends by itself.
    init(
        at address: String, on loop: EventLoop, left: @escaping (LoginWatch.Moment) -> Void,
        ended: @escaping (BusError) -> Void
    ) throws(NetworkError) {
        self.loop = loop
        let ending = try Bell()
        let reports: Mailbox<Report> = try loop.mailbox { report in
            switch report {
            case .left(let moment): left(moment)
            case .ended(let error): ended(error)
            }
        }
        (self.ending, self.reports) = (ending, reports)
        try SystemThread(name: "baton-person") { Self.watch(at: address, until: ending, reports) }.detach()
    }

    private static func watch(at address: String, until ending: Bell, _ reports: Mailbox<Report>) {
        do throws(BusError) {
            var watch = try LoginWatch(address: address, user: getuid())
            while let moment = try watch.next(or: ending.descriptor) { reports.post(.left(moment)) }
        } catch {
            reports.post(.ended(error))
        }
    }

    /// Ends the watch, and lets the machine sleep without delay.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        ending.ring()
        loop.remove(reports)
    }
}
