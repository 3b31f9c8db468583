package import BatonCore

/// Copies a store while it is being written.
///
/// It reads on connections of its own, each of which sees the state of one moment while it reads, so that nobody waits
/// for it. While it reads, SQLite's logs can't be truncated, and grow by what is written (`SQLiteLane.truncateLog()`).
/// The file has rows and not the pages of the databases, because rows are smaller, can't contain SQL for SQLite to run,
/// and can be brought to any later schema.
package enum StoreBackup {
    /// Writes a backup of the open store in a folder; returns what was written.
    package static func write(
        _ manifest: BackupManifest, of folder: String, to sink: some BackupSink, watch: BackupWatch,
        fileSystem: String? = nil
    ) throws(StoreFailure) -> BackupSummary {
        let index = try LaneReader(folder + "/index.sqlite", lane: .index, fileSystem: fileSystem)
        let activities = try LaneReader(
            folder + "/activities.sqlite", lane: .activities, fileSystem: fileSystem)
        // A group is committed to the activities lane first. So the index is read at an earlier moment: otherwise it
        // could refer to activities that were not committed yet when their lane was read. The two lanes are in a state
        // that a power loss might also have left.
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
