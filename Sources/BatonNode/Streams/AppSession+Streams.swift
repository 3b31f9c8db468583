import BatonCore

/// The stream that a connection comes to carry.
extension AppSession {
    /// Asks for a stream, which the connection carries once it is there.
    func openStream(
        _ selection: ActivitySelection, of account: AccountNode, _ answer: @escaping (LocalAnswer) -> Void
    ) throws(LocalFailure) {
        let connection = try carrier()
        account.readCurrent { [weak self] result in
            do throws(LocalFailure) {
                let found = try result.get().find(selection)
                self?.opening = try account.streams.open(found, on: connection, answer)
            } catch {
                answer(.failure(error))
            }
        }
    }

    /// The connection, if it has nothing else to do than to carry a stream.
    func carrier() throws(LocalFailure) -> LocalConnection {
        guard let connection, connection.mayCarry else {
            throw LocalFailure(
                .usage, "Streams need a connection of their own, on which nothing else is asked.")
        }
        return connection
    }
}

extension ActivityList {
    /// The activity to whose app a stream is meant; it must be going on.
    fileprivate func find(_ selection: ActivitySelection) throws(LocalFailure) -> ListedActivity {
        guard case .named(let text) = selection else { return try last() }
        if let found = try identified(text) ?? last(ofType: text) { return found }
        guard let titled = try titled(text) else { throw .unknownActivity(text) }
        return titled
    }
}
