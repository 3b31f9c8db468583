import BatonCore

/// Handles the calls after which a connection carries a stream.
extension ClientSession {
    /// Requests a stream.
    ///
    /// Once the stream is open, the connection carries it.
    func openStream(
        _ call: OpenStream, by requests: Requests, _ answer: @escaping Answer<StreamReply>
    ) throws(LocalFailure) {
        let (connection, account) = (try carrier(), requests.account)
        account.allActivities.read { (reader) throws(StoreFailure) in
            try reader.find(call.selection)
        } then: { [weak self] result in
            do throws(LocalFailure) {
                self?.opening = try account.streams.open(try result.get(), on: connection, answer)
            } catch {
                answer(.failure(error))
            }
        }
    }

    func acceptStream(
        _ call: AcceptStream, by requests: Requests, _ answer: @escaping Answer<Done>
    ) throws(LocalFailure) {
        try requests.account.streams.accept(call.event, on: try carrier(), answer)
    }

    /// Returns the connection if it can carry a stream.
    ///
    /// Throws if the connection has other requests.
    private func carrier() throws(LocalFailure) -> LocalConnection {
        guard let connection, connection.mayCarry else {
            throw LocalFailure(
                .usage, "Streams need a connection of their own, without other requests.")
        }
        return connection
    }
}

extension ActivityReader {
    /// Finds the current activity whose app should get a stream.
    fileprivate func find(
        _ selection: ActivitySelection
    ) throws(StoreFailure) -> Result<ListedActivity, LocalFailure> {
        guard case .named(let text) = selection else { return try last() }
        var found = try current(text)
        if case .success(nil) = found { found = try titled(text) }
        return found.required(.unknownActivity(text))
    }
}
