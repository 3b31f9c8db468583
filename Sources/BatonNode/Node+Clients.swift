import BatonCore
import BatonNetwork

/// One connection of an app or a command on the local socket.
final class LocalClient {
    let connection: LocalConnection
    /// What it has begun.
    let session = ClientSession()
    /// The account that it speaks of, once it has asked something.
    fileprivate(set) var account: ServedAccount?

    init(_ connection: LocalConnection) { self.connection = connection }
}

/// Apps and commands.
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

    /// Ends the oldest spare connection where there is no room for another one: a short question takes a moment, and who
    /// only holds a place stays no longer than others need it.
    private func makeSpareRoom() {
        guard spareClients.count >= limits.localSpareConnections, let oldest = spareClients.first else {
            return
        }
        spareClients.removeFirst()
        clients[oldest]?.connection.makeRoom()
    }

    /// Has the account answer that the client means; of all accounts the node itself is asked.
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
                // What kept it from being opened may be over.
                if account.failure != nil { account.open() }
            }
            account.handle(request, of: client.session, answer)
        } catch {
            answer(.failure(error))
        }
    }

    /// Tells of all accounts, once it is known of each whether it can be served.
    private func tellAccounts(_ answer: @escaping (LocalAnswer) -> Void) {
        takeUpAccounts()
        let opening = accounts.filter(\.isOpening)
        guard !opening.isEmpty else { return answer(.accounts(accountStatus)) }
        var left = opening.count
        for account in opening {
            // Whatever it says of itself, it does so once it is open, or has failed.
            account.handle(.status, of: ClientSession()) { [unowned self] _ in
                left -= 1
                if left == 0 { answer(.accounts(accountStatus)) }
            }
        }
    }
}
