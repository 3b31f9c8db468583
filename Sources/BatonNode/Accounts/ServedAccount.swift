import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore

/// One account in the home, with everything that belongs to it alone: its keys, its store and the store's threads, its
/// peers, its searches and backups.
///
/// Accounts share the loop, the ports and the local socket, which are the node's, and nothing else. A failure of one
/// account, for example to open, does not affect the others. The object belongs to the loop's thread.
final class ServedAccount {
    let name: AccountName
    /// The home, with this account selected.
    let home: Home
    /// The parts of the node that its accounts share.
    let surroundings: Surroundings
    let log: Log
    private(set) unowned var node: Node
    var state = State.closed
    /// The identity of this device in the account; nil until it was read.
    var credentials: Credentials?
    var store: StoreThreads?
    var search: SearchThread?
    /// The running account, which talks to the other devices; nil while the account is not served.
    var account: AccountNode?
    var backups: Backups?
    /// Counts the stores that were opened, so that late reports of an earlier store are ignored.
    var opening = 0
    /// Whether a store that could not be opened is tried again after a while, because the disk may allow it then.
    var triesAgain = false
    /// Set until the next attempt, if the disk could not be written.
    let diskTimer: OwnedTimer
    /// The failure that was logged last, so that each attempt does not log it again.
    var loggedFailure: String?
    /// How many stores are being closed.
    var closing = 0
    /// The rescues that happened before the account was read.
    var rescues: [LaneRescue] = []
    /// The files that were replaced by a restored backup; nil if none was restored.
    var replaced: [String]?
    /// Earlier states that are still closing their connections.
    var parting: [(account: AccountNode, search: SearchThread?)] = []

    /// The parts of the node that exist only once.
    struct Surroundings {
        let loop: EventLoop
        let resolver: Resolver
        let limits: Limits
        /// The addresses at which the node listens.
        let addresses: [SocketAddress]

        /// Returns whether an address belongs to this machine.
        let isOwn: (SocketAddress.Host) -> Bool

        /// The addresses that a person can type on another machine to reach this node, the best first.
        func reachable(_ log: Log) -> [SocketAddress] {
            do throws(NetworkError) {
                let hosts = addresses.contains(where: \.isAny) ? try LocalAddresses.reachable() : []
                return addresses.flatMap { address in
                    guard address.isAny else { return [address] }
                    return hosts.filter { $0.isVersion4 || !address.host.isVersion4 }
                        .map { SocketAddress(host: $0, port: address.port) }
                }
            } catch {
                log.warn("\(error)")
                return addresses.filter { !$0.isAny }
            }
        }

        /// The addresses at which the node listens, for people.
        var listening: String { addresses.map(\.description).joined(separator: ", ") }
    }

    /// A call that waits until the account is open: it gets the object that answers calls then, or the failure.
    typealias Waiting = (Result<Requests, LocalFailure>) -> Void

    /// The state of the account.
    enum State {
        /// Its store is being opened.
        case opening(waiting: [Waiting])
        /// The account is served.
        case open(Requests)
        /// Another state replaces the one that was served.
        case replacing(Replacement)
        /// The account can't be served, for this reason.
        case failed(LocalFailure)
        /// The account is not open yet, is being closed, or is closed for good.
        case closed

        /// The apps and activities to carry over from the earlier state while a backup is being restored.
        var carried: CarriedApps? {
            if case .replacing(let replacement) = self { replacement.carried } else { nil }
        }
    }

    init(
        _ home: Home, _ name: AccountName, _ surroundings: Surroundings, log: Log,
        of node: Node
    ) {
        (self.name, self.home, self.surroundings, self.node) = (name, home.of(name), surroundings, node)
        // Most people have one account, which need not be named in every line.
        self.log = name == .usual ? log : log.prefixed("\(name): ")
        diskTimer = OwnedTimer(on: surroundings.loop)
    }

    var loop: EventLoop { surroundings.loop }
    var limits: Limits { surroundings.limits }

    // MARK: Requests

    /// Passes the object that answers calls to a call, at once or when the account is open.
    func serve(_ call: @escaping Waiting) {
        switch state {
        case .open(let requests): call(.success(requests))
        case .opening(let waiting): state = .opening(waiting: waiting + [call])
        case .replacing(var replacement):
            replacement.waiting.append(call)
            state = .replacing(replacement)
        case .failed(let failure): call(.failure(failure))
        case .closed:
            call(
                .failure(
                    LocalFailure(.unknownAccount, "The account “\(name)” is not on this machine any more.")))
        }
    }

    /// Shows another certificate to the account's devices from now on; open connections go on.
    func credentialsChanged() {
        if let account { credentials = account.credentials }
        node.contextsChanged()
    }

    // MARK: Queries

    /// Whether it is not decided yet if the account can be opened, or if its state can be replaced.
    var isOpening: Bool {
        switch state {
        case .opening, .replacing: true
        case .open, .failed, .closed: false
        }
    }

    /// Whether the account is served, or may be soon.
    var isServedOrOpening: Bool {
        switch state {
        case .opening, .open, .replacing: true
        case .failed, .closed: false
        }
    }

    /// The reason why the account is not served; nil if it is, or may be soon.
    var failure: LocalFailure? { if case .failed(let failure) = state { failure } else { nil } }

    /// Whether all connections have ended.
    var isQuiet: Bool {
        (account?.peers.isQuiet ?? true) && parting.allSatisfy(\.account.peers.isQuiet)
    }
}
