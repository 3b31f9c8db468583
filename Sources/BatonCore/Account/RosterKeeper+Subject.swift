extension RosterKeeper {
    /// The subject of one transaction, or of one other request to the store.
    package enum Subject: Hashable, Sendable {
        /// This device was admitted, by the certificate that it has now.
        case ownAdmission
        /// This device's record exists, names its owner key, does not say that the device left, and is newer than the
        /// record that others knew when they declared the device gone.
        case ownRecord
        /// Peers were admitted.
        case admissions
        /// Devices or owners were revoked, and the store lacks these revocations.
        case revocations
        /// The store notes which statements the next process skips.
        case skip
        /// Skipped statements about devices are read.
        case sought

        /// The attempt that can fail, for a line in the log: `save that a device was admitted`.
        var attempt: String {
            switch self {
            case .ownAdmission: "save that this device was admitted"
            case .ownRecord: "save the record of this device"
            case .admissions: "save that a device was admitted"
            case .revocations: "save that a device was revoked"
            case .skip: "note which statements of the roster have no effect"
            case .sought: "read whether a device was revoked"
            }
        }
    }
}
