import CLinux
import Glibc

/// Tells when this machine's addresses change, or it gets a new way to other machines.
///
/// The kernel says so at once, and wakes nobody before. Several changes within a short time are told together, the first
/// one without delay. The loop keeps it alive until `close()`.
package final class NetworkWatch {
    /// The differences.
    package struct Change: Equatable, Sendable {
        /// Addresses that this machine does not have any more: connections from them are dead.
        package var gone: Set<SocketAddress.Host> = []
        /// True if there may be a way now to who could not be reached before.
        package var mayReachMore = false

        package init(gone: Set<SocketAddress.Host> = [], mayReachMore: Bool = false) {
            (self.gone, self.mayReachMore) = (gone, mayReachMore)
        }

        /// True if nothing is.
        var isEmpty: Bool { gone.isEmpty && !mayReachMore }
    }

    /// How long after one look at the addresses the next one is taken, so that a restless network costs little.
    private static let pause = Duration.milliseconds(250)

    /// The loop on which it lives.
    private let loop: EventLoop
    /// Where the kernel tells; nothing once it is closed.
    private var messages: RouteMessages?
    /// The registration with the loop.
    private var watch: EventLoop.WatchToken?
    /// Called for each change; released by `close()`.
    private var changed: ((Change) -> Void)?
    /// The addresses that this machine has, those of loopback among them.
    package private(set) var addresses: Set<SocketAddress.Host>
    /// The notices since the last look.
    private var noticed = RouteMessages.Summary()
    /// When the last look was taken.
    private var looked: MonotonicTime?
    /// Set until the next look.
    private let timer: OwnedTimer

    /// Begins to listen, and calls back for each change from now on.
    package init(on loop: EventLoop, changed: @escaping (Change) -> Void) throws(NetworkError) {
        let messages = try RouteMessages()
        // Read after the socket is open, so that no change falls in between.
        addresses = try LocalAddresses.present()
        (self.loop, self.changed, timer) = (loop, changed, OwnedTimer(on: loop))
        watch = try loop.watch(messages.socket, for: .readable, abandoned: close) { _ in self.take() }
        self.messages = consume messages
    }

    /// Ends it, on the thread on which it was made.
    package func close() {
        guard let watch, let messages = messages.take() else { return }
        loop.unwatch(watch, of: messages.socket)
        timer.cancel()
        (self.watch, changed) = (nil, nil)
    }

    /// Reads what the kernel says, and looks at the addresses at once or after a pause.
    private func take() {
        guard let summary = messages?.take() else { return }
        noticed.hasAddress = noticed.hasAddress || summary.hasAddress
        noticed.hasRoute = noticed.hasRoute || summary.hasRoute
        guard noticed != RouteMessages.Summary(), !timer.isSet else { return }
        guard let looked, loop.now < looked + Self.pause else { return look() }
        lookAgain(at: looked + Self.pause)
    }

    private func lookAgain(at moment: MonotonicTime) {
        timer.set(at: moment) { [unowned self] in look() }
    }

    /// Compares the addresses with those before.
    private func look() {
        looked = loop.now
        let told = noticed
        noticed = RouteMessages.Summary()
        var change = Change(mayReachMore: told.hasRoute)
        if told.hasAddress {
            do throws(NetworkError) {
                let present = try LocalAddresses.present()
                change.gone = addresses.subtracting(present)
                // Every interface has a link-local address, also one that leads nowhere.
                let new = present.subtracting(addresses)
                change.mayReachMore = change.mayReachMore || new.contains(where: \.isRoutable)
                addresses = present
            } catch {
                // The kernel is out of memory; which addresses went is seen at the next look.
                noticed.hasAddress = true
                lookAgain(at: loop.now + Self.pause)
            }
        }
        if !change.isEmpty { changed?(change) }
    }
}
