package import BatonCore
import BatonNetwork

/// What a person is told when the connection to a node fails.
extension NodeDialogue {
    /// The node ended the connection before it answered.
    var ended: LocalFailure {
        LocalFailure(
            .failed,
            "The node ended the connection before it answered.\n"
                + "See whether it still runs with `baton status\(home.option)`.")
    }

    /// The node sent what can't be understood, or said that it did not understand.
    static func failure(_ reason: CloseReason) -> LocalFailure {
        switch reason.code {
        case .version: LocalFailure(.versionMismatch, "The node and the command parted: \(reason).")
        case .busy: LocalFailure(.failed, reason.text)
        default: LocalFailure(.failed, "The node and the command parted: \(reason).")
        }
    }

    /// Returns what a person is told about a broken connection.
    func failure(_ error: NetworkError, patience: Duration = NodeConnection.patience) -> LocalFailure {
        switch error.code {
        case .timedOut:
            LocalFailure(
                .failed,
                "The node did not answer within \(HumanTime.span(patience)). Its log may say what keeps it.")
        case .reset: ended
        default: LocalFailure(.failed, "The connection to the node broke: \(error)")
        }
    }

    /// Returns what a person is told when the node's socket can't be reached.
    static func failure(_ error: NetworkError, connectingTo home: Home) -> LocalFailure {
        switch error.code {
        case .notFound, .refused:
            guard home.accounts(namesIn: { FolderContents.names(in: $0) }).isEmpty else {
                return LocalFailure(
                    .noNode,
                    "No node is running here.\nStart one with `baton node\(home.option)`, or have one run in the background with "
                        + "`baton service install\(home.option)`.")
            }
            return notInitialised(home)
        case .foreign: return LocalFailure(.notAllowed, "\(error)")
        case .permission:
            return LocalFailure(.notAllowed, "The node's socket \(home.socket) belongs to another person.")
        default: return LocalFailure(.failed, "The node can't be reached: \(error)")
        }
    }

    /// There is no account on this home yet.
    private static func notInitialised(_ home: Home) -> LocalFailure {
        LocalFailure(
            .notInitialised,
            "There is no account here yet.\nType `baton init\(home.option)` for the first machine of an account, or"
                + " `baton join CODE --at HOST:PORT\(home.option)` with the code that `baton invite` shows on another. If no other"
                + " machine can invite any more, `baton recover\(home.option)` asks for the recovery code."
        )
    }
}

extension LocalAnswer {
    /// Reads the answer to a call: the node's reply, or the failure that it answered in its place.
    ///
    /// Throws if the node gave an answer that makes no sense for this call.
    package func result<Call: LocalCall>(of _: Call.Type) throws(LocalFailure) -> Result<
        Call.Reply, LocalFailure
    > {
        do throws(CloseReason) {
            return try result(Call.Reply.self)
        } catch {
            throw NodeDialogue.failure(error)
        }
    }

    /// Reads the reply to a call; throws the failure that the node answered in its place.
    package func reply<Call: LocalCall>(to _: Call.Type) throws(LocalFailure) -> Call.Reply {
        try result(of: Call.self).get()
    }
}
