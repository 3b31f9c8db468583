import BatonCore

extension LocalFailure {
    /// The failure of a change that could not be stored, with what holds now.
    ///
    /// If the disk is the reason, it is said in plain words and with what to do; what SQLite says is in the log.
    init(saving thing: String, _ failure: StoreFailure, _ outcome: String) {
        let (reason, advice) =
            switch failure.code {
            case .full:
                ("the disk is full", "\nFree up space, and try again; `baton doctor` says where.")
            case .readOnly:
                ("the disk can't be written", "\n`baton doctor` says which disk it is, and what to do.")
            default: (failure.description, "")
            }
        self.init(.storage, "Could not save \(thing): \(reason). \(outcome)\(advice)")
    }
}
