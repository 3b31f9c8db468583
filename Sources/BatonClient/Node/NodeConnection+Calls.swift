package import BatonCore

/// Methods that make several calls, one after the other.
extension NodeConnection {
    /// Lists the activities of all devices, latest change first.
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
    /// The closure is called once another machine begins to join. If the invitation asks a person, it returns whether
    /// to admit that machine.
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

    /// Returns the digest of the state, which is equal on all nodes in step; it leaves out records that have expired by
    /// that time.
    ///
    /// The digest can't be computed while batches are still being applied. Until then, the closure is called now and
    /// then with the amount of work that is left. Clears may still have places to look at, which `toClear` counts; the
    /// digest already leaves out what they will remove.
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

    /// Has the node write a backup; the closure is called now and then with the progress.
    package mutating func write(
        _ call: WriteBackup, progress: (Int, Int?) throws(LocalFailure) -> Void
    ) throws(LocalFailure) -> BackupReply {
        try awaitBackup(try ask(call), progress)
    }

    /// Has the node read or restore a backup; the closure is called now and then with the progress.
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
