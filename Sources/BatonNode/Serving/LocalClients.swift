import BatonCore
import BatonNetwork

/// A connection of an app or a command on the local socket.
final class LocalClient {
    let connection: LocalConnection
    /// The state that belongs to this connection.
    let session = ClientSession()
    /// The account that the client's calls concern; nil before the first call.
    fileprivate(set) var account: ServedAccount?

    init(_ connection: LocalConnection) { self.connection = connection }
}

/// The connections of apps and commands on the local socket.
final class LocalClients {
    private unowned let node: Node
    private var clients: [ObjectIdentifier: LocalClient] = [:]
    /// The connections beyond the limit.
    ///
    /// Each was accepted for one short request. The oldest connection comes first.
    private var spare: [ObjectIdentifier] = []
    /// The memory that all connections share.
    private lazy var memory = LocalMemory(on: node.loop, limits: node.limits) { [unowned self] in
        clients.values.map(\.connection)
    }

    init(of node: Node) { self.node = node }

    var isEmpty: Bool { clients.isEmpty }

    func accept(_ connection: StreamConnection) {
        guard connection.unixPeer?.userID == UnixPeer.ownUserID, !node.isStopping,
            clients.count < 2 * node.limits.localConnections
        else { return connection.close() }
        let isSpare = clients.count - spare.count >= node.limits.localConnections
        let local = LocalConnection(
            connection, on: node.loop, memory: memory, isSpare: isSpare, limits: node.limits, log: node.log)
        let client = LocalClient(local)
        if isSpare { makeSpareRoom() }
        client.session.connection = local
        let identifier = ObjectIdentifier(client)
        clients[identifier] = client
        if isSpare { spare.append(identifier) }
        do {
            try local.start {
                [unowned node, unowned client] (request, call, send) throws(CloseReason) in
                try CallDispatch(request: request, node: node, client: client, send: send).run(call)
            } ended: { [unowned self] in
                clients[identifier] = nil
                spare.removeAll { $0 == identifier }
                client.session.close()
            }
        } catch {
            clients[identifier] = nil
            spare.removeAll { $0 == identifier }
            node.log.warn("could not accept a local connection: \(error)")
        }
    }

    /// Closes the oldest spare connection, if there is no room for another one.
    ///
    /// A short question takes only a moment. Therefore, a connection that stays longer may be closed.
    private func makeSpareRoom() {
        guard spare.count >= node.limits.localSpareConnections, let oldest = spare.first else {
            return
        }
        spare.removeFirst()
        clients[oldest]?.connection.makeRoom()
    }

    /// Makes a call about the account of a client.
    ///
    /// If the account is not open yet, the call waits until it is.
    func serve(_ client: LocalClient, _ call: @escaping Requests.Waiting) {
        do throws(LocalFailure) {
            let account: ServedAccount
            if let known = client.account {
                account = known
            } else {
                account = try node.account(named: client.connection.account)
                client.account = account
                // Opening the account failed earlier. It may succeed now, if the reason of the failure is gone.
                if account.failure != nil { account.open() }
            }
            account.serve(call)
        } catch {
            call(.failure(error))
        }
    }

    /// Returns the sessions of the connected clients that use an account.
    func sessions(of account: ServedAccount) -> [ClientSession] {
        clients.values.filter { $0.account === account }.map(\.session)
    }

    /// Closes each connection once its requests are answered, because the node stops.
    func closeOnceAnswered() {
        for client in clients.values { client.connection.closeOnceAnswered() }
    }
}
