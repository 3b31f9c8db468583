extension RosterKeeper {
    /// The purpose of a transaction of the roster keeper, or of another request to the store.
    package enum Subject: Hashable, Sendable {
        /// The statement that this device was admitted, made from its present certificate.
        case ownAdmission
        /// The record of this device, which must be correct.
        ///
        /// The record must exist, name the owner key of this device, and not say that the device has left. If other
        /// devices declared this device gone, the record must be newer than the record that they knew then.
        case ownRecord
        /// The statements that peers were admitted.
        case admissions
        /// The revocations of devices or owners that the store lacks.
        case revocations
        /// A request to note which statements the next process does not read when it begins.
        case skip
        /// A request to read the skipped statements about devices.
        case sought

        /// Names the attempt in a log line about its failure, such as `save that a device was admitted`.
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
