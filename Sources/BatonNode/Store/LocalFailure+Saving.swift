import BatonCore

extension LocalFailure {
    /// The failure of a change that could not be stored, with what holds now.
    ///
    /// If the disk is the reason, it is said in plain words and with what to do; what SQLite says is in the log.
    init(saving thing: String, _ failure: StoreFailure, _ outcome: String) {
        let advice =
            switch failure.code {
            case .full: "\nFree up space, and try again; `baton doctor` says where."
            case .readOnly: "\n`baton doctor` says which disk it is, and what to do."
            default: ""
            }
        self.init(.storage, "Could not save \(thing): \(failure.reason). \(outcome)\(advice)")
    }
}

extension StoreFailure {
    /// The reason for a person: in plain words if it is the disk, else as the store says it.
    var reason: String {
        switch code {
        case .full: "the disk is full"
        case .readOnly: "the disk can't be written"
        default: description
        }
    }
}
