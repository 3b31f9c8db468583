import BatonCore
import BatonNetwork
import BatonSecurity

/// A call to the node at an address that a person typed: all addresses that it resolves to are tried in parallel, and
/// the first that answers is used.
///
/// The owner speaks with the node. The object belongs to the loop's thread, and makes one call.
final class OutgoingCall {
    private let endpoint: Endpoint
    private let resolver: Resolver
    private let loop: EventLoop
    private let limits: Limits
    /// The TLS context with which this machine identifies itself.
    private let context: TLSContext
    private weak var owner: (any ChannelOwner)?
    /// Makes the failure to report if nobody answers there, from the reason.
    private let unreachable: (String) -> LocalFailure
    /// Called if the call has failed.
    private let failed: (LocalFailure) -> Void

    /// The number of addresses that may still answer.
    private var open = 0
    /// The channel to the address that answered first; the others are closed.
    private(set) var channel: Channel?

    init(
        _ endpoint: Endpoint, as context: TLSContext, by resolver: Resolver, on loop: EventLoop,
        limits: Limits, owner: any ChannelOwner, unreachable: @escaping (String) -> LocalFailure,
        failed: @escaping (LocalFailure) -> Void
    ) {
        (self.endpoint, self.context, self.resolver, self.loop) = (endpoint, context, resolver, loop)
        (self.limits, self.owner, self.unreachable, self.failed) = (limits, owner, unreachable, failed)
    }

    /// Begins to call.
    func begin() {
        resolver.resolve(endpoint, deadline: loop.now + limits.connectingTime) { [self] answer in
            switch answer {
            case .success(let addresses):
                open = addresses.count
                for address in addresses { connect(to: address) }
            case .failure(let error): failed(unreachable("\(error)"))
            }
        }
    }

    private func connect(to address: SocketAddress) {
        do {
            let deadline = loop.now + limits.connectingTime
            try StreamConnection.connect(to: address, on: loop, deadline: deadline) { [self] outcome in
                switch outcome {
                case .success(let connection): begin(on: connection)
                case .failure(let error): settle("\(error)")
                }
            }
        } catch {
            settle("\(error)")
        }
    }

    private func begin(on connection: StreamConnection) {
        guard channel == nil, let owner else { return connection.close() }
        do {
            let channel = try Channel(connection, context: context, role: .client, on: loop, limits: limits)
            self.channel = channel
            try channel.start(owner)
        } catch {
            connection.close()
            failed(LocalFailure(.failed, "The connection can't be secured: \(error)"))
        }
    }

    /// Notes that one address has failed.
    private func settle(_ text: String) {
        open -= 1
        if open == 0, channel == nil { failed(unreachable(text)) }
    }
}
