import BatonCore
import BatonNetwork

/// One connection of an app or a command on the local socket.
final class LocalClient {
    let connection: LocalConnection
    /// The state that belongs to the connection.
    let session = ClientSession()
    /// The account that its requests are about; nil before the first request.
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
            try local.start { [unowned self, unowned client, unowned local] request, answer in
                handle(request, of: client, named: local.account, answer)
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

    /// Closes the oldest spare connection if there is no room for another one: a short request takes only a moment, and
    /// a connection that merely holds a place stays only until others need it.
    private func makeSpareRoom() {
        guard spareClients.count >= limits.localSpareConnections, let oldest = spareClients.first else {
            return
        }
        spareClients.removeFirst()
        clients[oldest]?.connection.makeRoom()
    }

    /// Passes a request to the account that the client means; the node itself answers requests about all accounts.
    private func handle(
        _ request: LocalRequest, of client: LocalClient, named name: String?,
        _ answer: @escaping (LocalAnswer) -> Void
    ) {
        if case .accounts = request { return tellAccounts(answer) }
        do throws(LocalFailure) {
            let account: ServedAccount
            if let known = client.account {
                account = known
            } else {
                account = try self.account(named: name)
                client.account = account
                // The reason why it could not be opened may be gone.
                if account.failure != nil { account.open() }
            }
            account.handle(request, of: client.session, answer)
        } catch {
            answer(.failure(error))
        }
    }

    /// Answers with the status of all accounts, once it is known of each whether it can be served.
    private func tellAccounts(_ answer: @escaping (LocalAnswer) -> Void) {
        takeUpAccounts()
        let opening = accounts.filter(\.isOpening)
        guard !opening.isEmpty else { return answer(.accounts(accountStatus)) }
        var left = opening.count
        for account in opening {
            // The status is only asked to learn when the account is open or has failed.
            account.handle(.status, of: ClientSession()) { [unowned self] _ in
                left -= 1
                if left == 0 { answer(.accounts(accountStatus)) }
            }
        }
    }
}
