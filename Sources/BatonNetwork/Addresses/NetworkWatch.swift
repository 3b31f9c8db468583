import CLinux
import Glibc

/// Reports when this machine's addresses change, or when it gets a new route to other machines.
///
/// The kernel sends notices, so nothing is polled. Changes in quick succession are reported together, but the first one
/// without delay. The loop keeps the watch alive until `close()`.
package final class NetworkWatch {
    /// A change since the last report.
    package struct Change: Equatable, Sendable {
        /// The addresses that this machine has lost: connections from them are dead.
        package var gone: Set<SocketAddress.Host> = []
        /// True if further machines may be reachable now.
        package var mayReachMore = false

        package init(gone: Set<SocketAddress.Host> = [], mayReachMore: Bool = false) {
            (self.gone, self.mayReachMore) = (gone, mayReachMore)
        }

        var isEmpty: Bool { gone.isEmpty && !mayReachMore }
    }

    /// The shortest time between two reads of the addresses, so that an unsteady network costs little.
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
    /// The notices since the addresses were last read.
    private var noticed = RouteMessages.Summary()
    /// When the addresses were last read.
    private var looked: MonotonicTime?
    /// Set while the next read of the addresses is delayed.
    private let timer: OwnedTimer

    /// Calls back for each change from now on.
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

    /// Reads the kernel's notices, and reads the addresses at once or after a pause.
    private func readChanges() {
        guard let summary = messages?.readSummary() else { return }
        noticed.hasAddress = noticed.hasAddress || summary.hasAddress
        noticed.hasRoute = noticed.hasRoute || summary.hasRoute
        guard !noticed.isEmpty, !timer.isSet else { return }
        guard let looked, loop.now < looked + Self.pause else { return look() }
        lookAgain(at: looked + Self.pause)
    }

    /// Plans the next read of the addresses.
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
                // A link-local address does not count: every interface has one, even without a network.
                let new = present.subtracting(addresses)
                change.mayReachMore = change.mayReachMore || new.contains(where: \.isRoutable)
                addresses = present
            } catch {
                // The kernel is out of memory; the next read shows which addresses are gone.
                noticed.hasAddress = true
                lookAgain(at: loop.now + Self.pause)
            }
        }
        if !change.isEmpty { changed?(change) }
    }
}
