package import BatonCore
import BatonNetwork

/// The messages to a person when the connection to a node fails.
extension NodeDialogue {
    /// The failure if the node closes the connection before it has answered.
    var ended: LocalFailure {
        LocalFailure(
            .failed,
            "The node closed the connection before it answered.\n"
                + "Check whether it is still running with `baton status\(home.option)`.")
    }

    /// Returns the failure for a message from the node that is invalid, or that gives the node's reason to close the
    /// connection.
    static func failure(_ reason: CloseReason) -> LocalFailure {
        switch reason.code {
        case .version:
            LocalFailure(.versionMismatch, "The connection to the node was closed: \(reason).")
        case .busy: LocalFailure(.failed, reason.text)
        default: LocalFailure(.failed, "The connection to the node was closed: \(reason).")
        }
    }

    /// Returns the failure for a broken connection.
    func failure(_ error: NetworkError, patience: Duration = NodeConnection.patience) -> LocalFailure {
        switch error.code {
        case .timedOut:
            LocalFailure(
                .failed,
                "The node did not answer within \(HumanTime.span(patience)). Its log may say why.")
        case .reset: ended
        default: LocalFailure(.failed, "The connection to the node broke: \(error)")
        }
    }

    /// Returns the failure if the client can't connect to the node's socket.
    static func failure(_ error: NetworkError, connectingTo home: Home) -> LocalFailure {
        switch error.code {
        case .notFound, .refused:
            guard home.accounts(namesIn: { FolderContents.names(in: $0) }).isEmpty else {
                return noNode(home)
            }
            return notInitialised(home)
        case .foreign: return LocalFailure(.notAllowed, "\(error)")
        case .permission:
            return LocalFailure(
                .notAllowed,
                "The node's socket \(home.socket) belongs to another user.\n"
                    + "Type the command as that user, with `sudo -u USER`, or name a home of your own with `--home DIR`."
            )
        default: return LocalFailure(.failed, "The node can't be reached: \(error)")
        }
    }

    /// The failure if no node is running; it also says so if no node can start because the disk can't be written.
    private static func noNode(_ home: Home) -> LocalFailure {
        if let folder = ReadOnlyDisk.folder(of: home.runtime) {
            return LocalFailure(
                .noNode,
                "No node is running here, and none can start: the disk of \(folder) can't be written.\n"
                    + home.advice(readOnly: folder))
        }
        return LocalFailure(
            .noNode,
            "No node is running here.\nStart one with `baton node\(home.option)`, or run it in the background with "
                + "`baton service install\(home.option)`.")
    }

    /// The failure if the home has no account yet.
    private static func notInitialised(_ home: Home) -> LocalFailure {
        LocalFailure(
            .notInitialised,
            "There is no account here yet.\nType `baton init\(home.option)` to create one, or `baton join CODE\(home.option)`"
                + " with the code that `baton invite` shows on a machine of your account. If no machine is left to invite this one,"
                + " `baton recover\(home.option)` gets the account back with its recovery code."
        )
    }
}

extension LocalAnswer {
    /// Reads the answer to a call: the node's reply, or the failure that the node answered with.
    ///
    /// Throws if the answer is of the wrong kind for this call.
    package func result<Call: LocalCall>(of _: Call.Type) throws(LocalFailure) -> Result<
        Call.Reply, LocalFailure
    > {
        do throws(CloseReason) {
            return try result(Call.Reply.self)
        } catch {
            throw NodeDialogue.failure(error)
        }
    }

    /// Reads the reply to a call; throws if the node answered with a failure.
    package func reply<Call: LocalCall>(to _: Call.Type) throws(LocalFailure) -> Call.Reply {
        try result(of: Call.self).get()
    }
}
