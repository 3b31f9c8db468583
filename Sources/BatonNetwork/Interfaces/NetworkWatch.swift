import CLinux
import Glibc

/// Reports when this machine's addresses change, or when the machine gets a new route to other machines.
///
/// The kernel sends notices, so nothing is polled. The first change is reported at once. Changes that follow quickly
/// are reported together. The loop keeps the watch alive until `close()`.
package final class NetworkWatch {
    /// A change since the last report.
    package struct Change: Equatable, Sendable {
        /// The addresses that this machine no longer has; connections from these addresses are dead.
        package var gone: Set<SocketAddress.Host> = []
        /// True if further machines may be reachable now.
        package var mayReachMore = false

        package init(gone: Set<SocketAddress.Host> = [], mayReachMore: Bool = false) {
            (self.gone, self.mayReachMore) = (gone, mayReachMore)
        }

        var isEmpty: Bool { gone.isEmpty && !mayReachMore }
    }

    /// The minimum time between two reads of the addresses; it limits the work when a network is unsteady.
    private static let pause = Duration.milliseconds(250)

    private let loop: EventLoop
    /// The kernel's notices; nil once the watch is closed.
    private var messages: RouteMessages?
    /// The registration with the loop; nil once the watch is closed.
    private var watch: EventLoop.WatchToken?
    /// Called for each change; released by `close()`.
    private var changed: ((Change) -> Void)?
    /// The addresses of this machine, including those of the loopback interface.
    package private(set) var addresses: Set<SocketAddress.Host>
    /// A summary of the notices that came after the last read of the addresses.
    private var noticed = RouteMessages.Summary()
    /// When the addresses were last read.
    private var looked: MonotonicTime?
    /// The timer for the next read of the addresses; set while that read is delayed.
    private let timer: OwnedTimer

    /// Creates a watch that calls the closure for each later change.
    package init(on loop: EventLoop, changed: @escaping (Change) -> Void) throws(NetworkError) {
        let messages = try RouteMessages(of: [.addresses, .routes])
        // The addresses are read after the socket is open, so that no change is missed.
        addresses = try LocalAddresses.present()
        (self.loop, self.changed, timer) = (loop, changed, OwnedTimer(on: loop))
        watch = try loop.watch(messages.socket, for: .readable, abandoned: close) { _ in self.readChanges() }
        self.messages = consume messages
    }

    /// Ends the watch; call it on the loop's thread.
    package func close() {
        guard let watch, let messages = messages.take() else { return }
        loop.unwatch(watch, of: messages.socket)
        timer.cancel()
        (self.watch, changed) = (nil, nil)
    }

    /// Reads the kernel's notices; then reads the addresses at once, or after a pause if the last read was recent.
    private func readChanges() {
        guard let summary = messages?.readSummary() else { return }
        noticed.hasAddress = noticed.hasAddress || summary.hasAddress
        noticed.hasRoute = noticed.hasRoute || summary.hasRoute
        guard !noticed.isEmpty, !timer.isSet else { return }
        guard let looked, loop.now < looked + Self.pause else { return look() }
        lookAgain(at: looked + Self.pause)
    }

    /// Sets the timer for the next read of the addresses.
    private func lookAgain(at moment: MonotonicTime) {
        timer.set(at: moment) { [unowned self] in look() }
    }

    /// Compares the addresses with those of the last read, and reports the change.
    private func look() {
        looked = loop.now
        let told = noticed
        noticed = RouteMessages.Summary()
        var change = Change(mayReachMore: told.hasRoute)
        if told.hasAddress {
            do throws(NetworkError) {
                let present = try LocalAddresses.present()
                change.gone = addresses.subtracting(present)
                // A new link-local address is no new way to other machines: every interface has one, even without a
                // network.
                let new = present.subtracting(addresses)
                change.mayReachMore = change.mayReachMore || new.contains(where: \.isRoutable)
                addresses = present
            } catch {
                // The kernel is out of memory. The next read will show which addresses are gone.
                noticed.hasAddress = true
                lookAgain(at: loop.now + Self.pause)
            }
        }
        if !change.isEmpty { changed?(change) }
    }
}
