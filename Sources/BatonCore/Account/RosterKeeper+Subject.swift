extension RosterKeeper {
    /// The subject of one transaction, or of one question to the store.
    package enum Subject: Hashable, Sendable {
        /// This device was admitted, by the certificate that it has now.
        case ownAdmission
        /// Its record is there, names its owner's key, does not say that it left, and is newer than what others took
        /// for its last one when they declared it gone.
        case ownRecord
        /// Peers were admitted.
        case admissions
        /// Devices or owners were revoked, and the store has lost that.
        case revocations
        /// It is noted which statements the next process skips.
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
            case .skip: "note which statements of the roster count for nothing"
            case .sought: "read whether a device was revoked"
            }
        }
    }
}
