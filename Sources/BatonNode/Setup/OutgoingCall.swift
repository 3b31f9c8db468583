import BatonCore
import BatonNetwork
import BatonSecurity

/// A call to a node, at an address that a person typed or at addresses that were found on a local network.
///
/// The addresses are tried one shortly after the other, and the first that answers is used.
///
/// The owner exchanges messages with the node. The object belongs to the loop's thread, and makes only one call.
final class OutgoingCall {
    private let resolver: HostResolver
    private let loop: EventLoop
    private let limits: Limits
    /// The TLS context with which this machine identifies itself.
    private let context: TLSContext
    private weak var owner: (any ChannelOwner)?
    /// Returns the failure to report if no address answers.
    ///
    /// The argument is the reason.
    private let unreachable: (String) -> LocalFailure
    /// Called when the call has failed.
    private let failed: (LocalFailure) -> Void

    /// The order of the addresses to try.
    private var order = DialOrder()
    /// The timer for the next attempt.
    private let timer: OwnedTimer
    private var attempts: [ConnectAttempt] = []
    /// The number of addresses that may still answer.
    private var open = 0
    /// Whether the call was cancelled.
    private var isCancelled = false
    /// The channel to the address that answered first; nil if none has answered.
    ///
    /// Connections to other addresses are closed.
    private(set) var channel: Channel?

    init(
        as context: TLSContext, by resolver: HostResolver, on loop: EventLoop,
        limits: Limits, owner: any ChannelOwner, unreachable: @escaping (String) -> LocalFailure,
        failed: @escaping (LocalFailure) -> Void
    ) {
        self.context = context
        self.resolver = resolver
        self.loop = loop
        timer = OwnedTimer(on: loop)
        self.limits = limits
        self.owner = owner
        self.unreachable = unreachable
        self.failed = failed
    }

    /// Begins to call an address that a person typed.
    func begin(_ endpoint: Endpoint) {
        resolver.resolve(endpoint, deadline: loop.now + limits.connectingTime) { [self] answer in
            switch answer {
            case .success(let addresses): begin(addresses)
            case .failure(let error): if !isCancelled { failed(unreachable("\(error)")) }
            }
        }
    }

    /// Begins to call one of these addresses.
    func begin(_ addresses: [SocketAddress]) {
        open = order.add(addresses, of: "")
        guard open > 0 else { return failed(unreachable("It has no address.")) }
        advance()
    }

    /// Cancels the call.
    ///
    /// If the call has a channel already, the owner is told when the channel ends.
    func cancel() {
        isCancelled = true
        timer.cancel()
        for attempt in attempts { attempt.cancel() }
        attempts = []
        channel?.close()
    }

    /// Tries the next address.
    private func advance() {
        guard channel == nil, !isCancelled, let entry = order.next() else { return }
        timer.set(after: limits.attemptPause) { [unowned self] in advance() }
        connect(to: entry.address)
    }

    private func connect(to address: SocketAddress) {
        do {
            let deadline = loop.now + limits.connectingTime
            attempts.append(
                try StreamConnection.connect(to: address, on: loop, deadline: deadline) { [self] outcome in
                    switch outcome {
                    case .success(let connection): begin(on: connection)
                    case .failure(let error): settle("\(error)")
                    }
                })
        } catch {
            loop.afterTurn { [self] in settle("\(error)") }
        }
    }

    private func begin(on connection: StreamConnection) {
        guard channel == nil, !isCancelled, let owner else { return connection.close() }
        timer.cancel()
        do {
            let channel = try Channel(connection, context: context, role: .client, on: loop, limits: limits)
            self.channel = channel
            try channel.start(owner)
        } catch {
            connection.close()
            failed(LocalFailure(.failed, "The connection can't be secured: \(error)"))
        }
    }

    /// Handles the failure of one address, and tries the next.
    private func settle(_ text: String) {
        open -= 1
        guard !isCancelled, channel == nil else { return }
        if open == 0 { return failed(unreachable(text)) }
        timer.cancel()
        advance()
    }
}
