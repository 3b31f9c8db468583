/// A code by which a device recognises the records that it wrote for its own current activities.
///
/// The mark is a field of the record. It covers the key, the stamp and all other fields. Only the device itself can
/// make or check the mark; other devices pass it on unchanged. Another member can overwrite the record, but the device
/// notices that. If the device loses its store and a peer sends the record back, the mark proves that the device wrote
/// it.
package enum ActivityMark {
    /// The number of the field.
    package static let number: UInt64 = 20
    package static let byteCount = 16

    /// Returns the bytes that the mark authenticates for a record with this key and stamp.
    ///
    /// The bytes are an array. Its first element occurs in no other authenticated data.
    ///
    /// If the fields already have a mark, the bytes leave it out.
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
    /// Adds the mark for the stamp to the fields of a current activity of this device.
    func mark(_ fields: Fields, of key: RecordKey, at stamp: Stamp) -> Fields {
        let mark = activityMark(ActivityMark.markedBytes(of: key, at: stamp, fields))
        var fields = fields
        fields.set(ActivityMark.number) { $0.data(mark) }
        return fields
    }

    /// Whether this device wrote a record exactly as it is now.
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
