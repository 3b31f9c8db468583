import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore

/// One account that stands in the home, and all that is of it alone: its keys, its store and the threads of that, its
/// peers, its searches and backups.
///
/// Accounts share the loop, the ports and the local socket, which are the node's, and nothing else. A failure of one
/// account, for example to open, does not concern the others. It belongs to the loop's thread.
final class ServedAccount {
    let name: AccountName
    /// The home, in which this account is meant.
    let home: Home
    /// What all accounts of the node have in common.
    let surroundings: Surroundings
    let log: Log
    private(set) unowned var node: Node
    var state = State.closed
    /// Who this device is in the account, once that was read.
    var credentials: Credentials?
    var store: StoreThreads?
    var search: SearchThread?
    /// What speaks with the other devices; there while the account is served.
    var account: AccountNode?
    var backups: Backups?
    /// Counts the stores that were opened: what an earlier one still tells concerns nobody.
    var opening = 0
    /// Whether a store that could not be opened is opened again after a while, because the disk may let it be then.
    var triesAgain = false
    /// Set until the disk is tried again, which could not be written.
    let diskTimer: OwnedTimer
    /// The failure that was logged last, so that each attempt does not log it again.
    var loggedFailure: String?
    /// How many stores are being closed.
    var closing = 0
    /// What was rescued before the account was read.
    var rescues: [LaneRescue] = []
    /// What was set aside because a backup has taken its place.
    var replaced: [String]?
    /// Earlier states that still say goodbye.
    var parting: [(account: AccountNode, search: SearchThread?)] = []

    /// What a node has only once.
    struct Surroundings {
        let loop: EventLoop
        let resolver: Resolver
        let limits: Limits
        /// Where it takes connections.
        let addresses: [SocketAddress]

        /// Whether this machine itself has an address.
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

        /// Where the node takes connections, for people.
        var listening: String { addresses.map(\.description).joined(separator: ", ") }
    }

    /// A call that waits until the account is open: it gets what answers calls then, or the reason why there is nothing.
    typealias Waiting = (Result<Requests, LocalFailure>) -> Void

    /// How it stands with the account.
    enum State {
        /// Its store is being opened.
        case opening(waiting: [Waiting])
        /// It is served.
        case open(Requests)
        /// Another state takes the place of the one that was served.
        case replacing(Replacement)
        /// It can't be served, and why.
        case failed(LocalFailure)
        /// It is not open yet, is being closed, or is closed for good.
        case closed

        /// The state that connected apps take with them when a backup is put back.
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

    /// Gives a call what answers calls, at once or when there is a state to ask.
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

    /// This device shows itself to the account by another certificate from now on; connections that exist go on.
    func credentialsChanged() {
        if let account { credentials = account.credentials }
        node.contextsChanged()
    }

    // MARK: Queries

    /// Whether it is not known yet what comes of opening it, or of putting another state in its place.
    var isOpening: Bool {
        switch state {
        case .opening, .replacing: true
        case .open, .failed, .closed: false
        }
    }

    /// Whether it is served, or may be soon.
    var isServedOrOpening: Bool {
        switch state {
        case .opening, .open, .replacing: true
        case .failed, .closed: false
        }
    }

    /// Why it is not served, if it is known that it is not.
    var failure: LocalFailure? { if case .failed(let failure) = state { failure } else { nil } }

    /// Whether everyone has heard the goodbye.
    var isQuiet: Bool {
        (account?.peers.isQuiet ?? true) && parting.allSatisfy(\.account.peers.isQuiet)
    }
}
