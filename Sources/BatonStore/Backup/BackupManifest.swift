package import BatonCore

/// Says to which account and device a backup belongs, and when and by which program it was made.
package struct BackupManifest: Equatable, Sendable {
    package let account: AccountIdentifier
    package let device: DeviceIdentifier
    /// The name of the device.
    package var deviceName: String
    /// The time at which the backup was begun, by the clock of the device.
    package let made: WallTime
    /// The version of the program that made the backup.
    package let build: String
    /// The number of the schema of the databases that were backed up.
    package internal(set) var schema = 0

    package init(
        account: AccountIdentifier, device: DeviceIdentifier, deviceName: String, made: WallTime,
        build: String
    ) {
        (self.account, self.device, self.deviceName) = (account, device, deviceName)
        (self.made, self.build) = (made, build)
    }
}

/// The numbers of things and rows in a backup.
package struct BackupContents: Equatable, Sendable {
    /// The number of existing items, not counting tombstones.
    package var items = 0
    /// The number of existing current activities.
    package var activities = 0
    /// The number of all rows, by which a restoration notices missing rows.
    var rows = 0

    package init() {}
}

/// The description of a backup: its manifest, and the numbers of things in it.
package struct BackupSummary: Equatable, Sendable {
    package let manifest: BackupManifest
    package let contents: BackupContents
    /// The number of bytes in the file.
    package let bytes: Int
}
