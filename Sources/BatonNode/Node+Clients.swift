import BatonCore
import BatonNetwork

/// A connection of an app or a command on the local socket.
final class LocalClient {
    let connection: LocalConnection
    /// The state that belongs to the connection.
    let session = ClientSession()
    /// The account that its calls are about, once it has made one.
    fileprivate(set) var account: ServedAccount?

    init(_ connection: LocalConnection) { self.connection = connection }
}

/// Connections of apps and commands.
extension Node {
    func acceptLocal(_ connection: StreamConnection) {
        guard connection.unixPeer?.userID == UnixPeer.ownUserID, !isStopping,
            clients.count < 2 * limits.localConnections
        else { return connection.close() }
        let isSpare = clients.count - spareClients.count >= limits.localConnections
        let local = LocalConnection(
            connection, on: loop, memory: localMemory, isSpare: isSpare, limits: limits, log: log)
        let client = LocalClient(local)
        if isSpare { makeSpareRoom() }
        client.session.connection = local
        let identifier = ObjectIdentifier(client)
        clients[identifier] = client
        if isSpare { spareClients.append(identifier) }
        do {
            try local.start {
                [unowned self, unowned client] (request, call, send) throws(CloseReason) in
                try CallDispatch(request: request, node: self, client: client, send: send).run(call)
            } ended: { [unowned self] in
                clients[identifier] = nil
                spareClients.removeAll { $0 == identifier }
                client.session.close()
            }
        } catch {
            clients[identifier] = nil
            spareClients.removeAll { $0 == identifier }
            log.warn("a local connection could not be taken: \(error)")
        }
    }

    /// Closes the oldest spare connection if there is no room for another one: a short question takes a moment, so a
    /// client that only holds a place stays only until others need it.
    private func makeSpareRoom() {
        guard spareClients.count >= limits.localSpareConnections, let oldest = spareClients.first else {
            return
        }
        spareClients.removeFirst()
        clients[oldest]?.connection.makeRoom()
    }

    /// Passes the object that answers calls about the client's account to a call, now or once the account is open.
    func serve(_ client: LocalClient, _ call: @escaping ServedAccount.Waiting) {
        do throws(LocalFailure) {
            let account: ServedAccount
            if let known = client.account {
                account = known
            } else {
                account = try self.account(named: client.connection.account)
                client.account = account
                // The reason why it could not be opened may be gone.
                if account.failure != nil { account.open() }
            }
            account.serve(call)
        } catch {
            call(.failure(error))
        }
    }

    /// Lists all accounts, once it is known of each whether it can be served.
    func handle(_: ListAccounts, _ answer: @escaping Answer<AccountsReply>) {
        takeUpAccounts()
        let opening = accounts.filter(\.isOpening)
        guard !opening.isEmpty else { return answer(.success(AccountsReply(accountStatus))) }
        var left = opening.count
        for account in opening {
            account.serve { [unowned self] _ in
                left -= 1
                if left == 0 { answer(.success(AccountsReply(accountStatus))) }
            }
        }
    }
}
