package import BatonCore

/// Makes a backup of a store while the store is in use.
///
/// A backup reads the databases on its own connections. Each connection sees the state of one moment, so no writer
/// waits for the backup. While the backup reads, SQLite's logs can't be truncated and grow with each write
/// (`SQLiteLane.truncateLog()`).
///
/// The backup has the rows of the databases instead of their pages. Rows are smaller, they can't contain SQL that
/// SQLite would run, and a later version can convert them to its schema.
package enum StoreBackup {
    /// Writes a backup of the open store in a folder, and returns the summary of the backup.
    package static func write(
        _ manifest: BackupManifest, of folder: String, to sink: some BackupSink, watch: BackupWatch,
        fileSystem: String? = nil
    ) throws(StoreFailure) -> BackupSummary {
        let index = try LaneReader(folder + "/index.sqlite", lane: .index, fileSystem: fileSystem)
        let activities = try LaneReader(
            folder + "/activities.sqlite", lane: .activities, fileSystem: fileSystem)
        // A group is committed to the activities lane first. So the index must be read as it was at an earlier moment.
        // Otherwise, the index in the backup could refer to activities that were not committed when their lane was
        // read. A power loss might also leave the two lanes in such a state.
        try index.beginMoment()
        try activities.beginMoment()
        return try write(manifest, activities, index, to: sink, watch: watch)
    }

    private static func write(
        _ manifest: BackupManifest, _ activities: LaneReader, _ index: LaneReader, to sink: some BackupSink,
        watch: BackupWatch
    ) throws(StoreFailure) -> BackupSummary {
        var manifest = manifest
        manifest.schema = try Schema.version(of: index.connection)
        for database in [activities, index] {
            let (account, schema) = (try database.account(), try Schema.version(of: database.connection))
            guard account == manifest.account, schema == manifest.schema else {
                throw StoreFailure(
                    .failed, "\(database.path) belongs to another account, or has another schema")
            }
        }
        if let name = activities.name(of: manifest.device) { manifest.deviceName = name }
        var writer = try BackupWriter(sink, watch: watch)
        try writer.write(.manifest(manifest))
        var contents = BackupContents()
        contents.items = try index.tables.records.count(of: .item, at: manifest.made)
        contents.activities = try activities.tables.records.count(
            of: .currentActivity, at: manifest.made)
        for database in [activities, index] { contents.rows += try database.backUp(to: &writer) }
        try writer.write(.end(contents))
        try writer.end()
        return BackupSummary(manifest: manifest, contents: contents, bytes: writer.bytes)
    }
}
