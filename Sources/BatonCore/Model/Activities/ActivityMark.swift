/// The mark by which a device recognises the records of its own current activities.
///
/// It is a field of the record, and covers the key, the stamp and all other fields. Only the device itself can make or
/// check it; other devices pass it on. So a member can overwrite such a record, but the device notices that. A state of
/// its own that comes back after a loss still has its mark.
package enum ActivityMark {
    /// The number of the field.
    package static let number: UInt64 = 20
    package static let byteCount = 16

    /// Returns the bytes that the mark authenticates for a record with this key and stamp: an array whose first element
    /// occurs in no other authenticated data.
    ///
    /// A mark among the fields is left out.
    package static func markedBytes(of key: RecordKey, at stamp: Stamp, _ fields: Fields) -> [UInt8] {
        let parts = fields.divided(at: number)
        var writer = CBORWriter(reserving: key.name.count + fields.encodedCount + 64)
        writer.array(count: 5)
        writer.text("baton-activity/1")
        writer.data(key.name)
        stamp.encode(to: &writer)
        writer.map(count: parts.value == nil ? fields.count : fields.count - 1)
        writer.encoded(parts.before)
        writer.encoded(parts.after)
        return writer.bytes
    }
}

extension DeviceSigner {
    /// Returns the fields of a current activity of this device with the mark for the stamp; nil if no mark can be made.
    func mark(_ fields: Fields, of key: RecordKey, at stamp: Stamp) -> Fields? {
        let bytes = ActivityMark.markedBytes(of: key, at: stamp, fields)
        guard let mark = activityMark(bytes) else { return nil }
        var fields = fields
        fields.set(ActivityMark.number) { $0.data(mark) }
        return fields
    }

    /// Whether a record is as this device wrote it.
    package func hasMarked(_ record: Record) -> Bool {
        guard let key = record.key, let fields = record.fields else { return false }
        do throws(CBORError) {
            let mark = try fields.read(ActivityMark.number) { (reader) throws(CBORError) in
                try reader.data(count: ActivityMark.byteCount)
            }
            guard let mark else { return false }
            return mark == activityMark(ActivityMark.markedBytes(of: key, at: record.incarnation, fields))
        } catch {
            return false
        }
    }
}
