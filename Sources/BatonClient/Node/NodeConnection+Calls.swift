package import BatonCore

/// Methods that make several calls, one after the other.
extension NodeConnection {
    /// Lists the activities of all devices, beginning with the one that changed last.
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

    /// Waits until a machine has joined by an invitation, and returns that device.
    ///
    /// The closure is called once another machine begins to join. If the invitation asks a person, the closure returns
    /// whether to admit that machine.
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

    /// Returns the digest of the state at a time, without the records that have expired by that time.
    ///
    /// All nodes in step have the same digest. The digest can't be computed while batches are still being applied.
    /// Until then, the closure is called from time to time with the amount of work that is left. Clears may still have
    /// to look at some records, which `toClear` counts. The digest already leaves out the records that the clears will
    /// remove.
    package mutating func digest(
        at time: WallTime, waiting: (Unsettled) throws(LocalFailure) -> Void
    ) throws(LocalFailure) -> (digest: StateDigest, toClear: Int) {
        while true {
            switch try ask(GetDigest(at: time), within: Self.patienceWithDisks) {
            case .digest(let digest, let toClear): return (digest, toClear)
            case .settling(let left): try waiting(left)
            }
        }
    }

    /// Tells the node to write a backup; the closure is called from time to time with the progress.
    package mutating func write(
        _ call: WriteBackup, progress: (Int, Int?) throws(LocalFailure) -> Void
    ) throws(LocalFailure) -> BackupReply {
        try awaitBackup(try ask(call), progress)
    }

    /// Tells the node to read or restore a backup; the closure is called from time to time with the progress.
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
    /// Returns the backup that was written or read.
    package func made() throws(LocalFailure) -> BackupDescription {
        guard case .backup(let backup) = self else { throw Self.mistaken }
        return backup
    }

    /// Returns the backup that was restored, and the paths of the previous files.
    package func restored() throws(LocalFailure) -> (backup: BackupDescription, previousFiles: [String]) {
        guard case .restored(let backup, let previousFiles) = self else { throw Self.mistaken }
        return (backup, previousFiles)
    }

    private static var mistaken: LocalFailure {
        LocalFailure(.failed, "The node sent an answer of the wrong kind. See its log.")
    }
}
