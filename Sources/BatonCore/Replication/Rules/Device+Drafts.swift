extension Device {
    /// Returns the change to a device's record by which it has left at that time, or has not left after all.
    package static func draft(left: WallTime?, in record: Record) -> Journal.Draft? {
        draft(update(left: left), in: record)
    }

    /// Returns the change to a device's record by which it has that owner's key.
    package static func draft(owner: OwnerIdentifier, in record: Record) -> Journal.Draft? {
        draft(update(owner: owner), in: record)
    }

    /// Returns the change to a device's record by which it has another name; nil if there is no such record.
    package static func draft(name: String, in record: Record) -> Journal.Draft? {
        draft(update(name: name), in: record)
    }

    /// Returns the change to a device's record by which it is gone since that time, or is not gone any more.
    ///
    /// Nil if there is no such record: then nobody waits for the device because of it.
    package static func draft(removed: WallTime?, in record: Record) -> Journal.Draft? {
        draft(update(removed: removed), in: record)
    }

    private static func draft(_ update: Fields, in record: Record) -> Journal.Draft? {
        guard record.identity.kind == .device, record.isThere, let key = record.key,
            record.survivingWrites.contains(where: \.isFull)
        else { return nil }
        return Journal.Draft(.partial(of: record.incarnation, update), key)
    }
}
