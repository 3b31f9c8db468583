import BatonCore

extension LocalFailure {
    /// Creates the failure for a change that could not be stored.
    ///
    /// `outcome` says what is true after the failure.
    ///
    /// A problem with the disk is described in plain words and with advice. The text of SQLite is only in the log.
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
    /// The reason in words for a person.
    ///
    /// A problem with the disk is described in plain words, and any other failure in the words of the store.
    var reason: String {
        switch code {
        case .full: "the disk is full"
        case .readOnly: "the disk can't be written"
        default: description
        }
    }
}
