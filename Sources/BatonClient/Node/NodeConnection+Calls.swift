package import BatonCore

/// What takes several calls, one after the other.
extension NodeConnection {
    /// Lists activities of all devices, the one that changed last first.
    package mutating func activities(
        _ extent: ListActivities.Extent = .goingOn
    ) throws(LocalFailure) -> [ActivitySummary] {
        var activities: [ActivitySummary] = []
        while true {
            let part = try ask(ListActivities(extent, after: activities.last?.place))
            activities += part.activities
            if part.isLast || part.activities.isEmpty { return activities }
        }
    }

    /// Waits until an invitation was used, and returns the device that used it.
    ///
    /// The closure is told before who is joining, and says whether that device may join, if a person is asked.
    package mutating func awaitInvitation(
        _ code: String, within patience: Duration,
        joining: (PairingNotice) throws(LocalFailure) -> Bool
    ) throws(LocalFailure) -> DeviceReference {
        var reply = try ask(AwaitInvitation(code: code, isJoinerKnown: false), within: patience)
        while true {
            switch reply {
            case .joined(let device): return device
            case .joining(let notice):
                let letIn = try joining(notice)
                reply =
                    notice.asksPerson
                    ? try ask(AnswerJoiner(code: code, letIn: letIn), within: patience)
                    : try ask(AwaitInvitation(code: code, isJoinerKnown: true), within: patience)
            }
        }
    }

    /// Computes the digest of what nodes in step have in common; what has expired at that time counts as gone.
    ///
    /// The digest is not known while batches and clears have something left to be done. The closure is told now and then
    /// how much.
    package mutating func digest(
        at time: WallTime, waiting: (Unsettled) throws(LocalFailure) -> Void
    ) throws(LocalFailure) -> StateDigest {
        while true {
            switch try ask(GetDigest(at: time), within: Self.patienceWithDisks) {
            case .digest(let digest): return digest
            case .settling(let left): try waiting(left)
            }
        }
    }

    /// Has the node write a backup; the closure is told now and then how far it has come.
    package mutating func write(
        _ call: WriteBackup, progress: (Int, Int?) throws(LocalFailure) -> Void
    ) throws(LocalFailure) -> BackupReply {
        try awaitBackup(try ask(call), progress)
    }

    /// Has the node look at a backup or put it back; the closure is told now and then how far that has come.
    package mutating func restore(
        _ call: RestoreBackup, progress: (Int, Int?) throws(LocalFailure) -> Void
    ) throws(LocalFailure) -> BackupReply {
        try awaitBackup(try ask(call), progress)
    }

    private mutating func awaitBackup(
        _ first: BackupReply, _ progress: (Int, Int?) throws(LocalFailure) -> Void
    ) throws(LocalFailure) -> BackupReply {
        var reply = first
        while case .working(let bytes, let all) = reply {
            try progress(bytes, all)
            reply = try ask(AwaitBackup(), within: Self.patienceWithDisks)
        }
        return reply
    }
}

extension BackupReply {
    /// Returns the backup that was written or looked at.
    package func made() throws(LocalFailure) -> BackupDescription {
        guard case .backup(let backup) = self else { throw Self.mistaken }
        return backup
    }

    /// Returns the backup that was put back, and where the state before it is.
    package func restored() throws(LocalFailure) -> (backup: BackupDescription, aside: [String]) {
        guard case .restored(let backup, let aside) = self else { throw Self.mistaken }
        return (backup, aside)
    }

    private static var mistaken: LocalFailure {
        LocalFailure(.failed, "The node gave an answer of the wrong kind. Its log may say more.")
    }
}
