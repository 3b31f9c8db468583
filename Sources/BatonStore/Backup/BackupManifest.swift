package import BatonCore

/// The owner of the state in a backup, and its date.
package struct BackupManifest: Equatable, Sendable {
    package let account: AccountIdentifier
    package let device: DeviceIdentifier
    /// The name of the device.
    package var deviceName: String
    /// When the backup was begun, by the clock of that device.
    package let made: WallTime
    /// The version of the program that made the backup.
    package let build: String
    /// The schema of the databases from which the rows come.
    package internal(set) var schema = 0

    package init(
        account: AccountIdentifier, device: DeviceIdentifier, deviceName: String, made: WallTime,
        build: String
    ) {
        (self.account, self.device, self.deviceName) = (account, device, deviceName)
        (self.made, self.build) = (made, build)
    }
}

/// The contents of a backup, in numbers.
package struct BackupContents: Equatable, Sendable {
    /// Items that exist, without tombstones.
    package var items = 0
    /// Current activities that exist.
    package var activities = 0
    /// All rows, so that missing rows are noticed.
    var rows = 0

    package init() {}
}

/// The description of a backup: its manifest and its contents in numbers.
package struct BackupSummary: Equatable, Sendable {
    package let manifest: BackupManifest
    package let contents: BackupContents
    /// How many bytes the file has.
    package let bytes: Int
}
