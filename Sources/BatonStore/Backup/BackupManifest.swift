package import BatonCore

/// Whose state a backup holds, and of when.
package struct BackupManifest: Equatable, Sendable {
    package let account: AccountIdentifier
    package let device: DeviceIdentifier
    /// What the device was called.
    package var deviceName: String
    /// When it was begun, by the clock of that device.
    package let made: WallTime
    /// The version of the program that made it.
    package let build: String
    /// The schema of the databases whose rows it holds.
    package internal(set) var schema = 0

    package init(
        account: AccountIdentifier, device: DeviceIdentifier, deviceName: String, made: WallTime,
        build: String
    ) {
        (self.account, self.device, self.deviceName) = (account, device, deviceName)
        (self.made, self.build) = (made, build)
    }
}

/// How much a backup holds.
package struct BackupContents: Equatable, Sendable {
    /// Items and activities that are there; what is left of deletions is not counted.
    package var items = 0
    package var activities = 0
    /// All rows, by which the end of a backup says that none is missing.
    var rows = 0

    package init() {}
}

/// A backup as a whole.
package struct BackupSummary: Equatable, Sendable {
    package let manifest: BackupManifest
    package let contents: BackupContents
    /// How many bytes the file has.
    package let bytes: Int
}
