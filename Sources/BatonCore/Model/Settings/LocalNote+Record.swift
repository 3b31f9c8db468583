extension LocalNote {
    /// Creates a note that is named by a record.
    init(space: NoteSpace, about identity: RecordIdentity, value: [UInt8]?) {
        var name = CBORWriter()
        identity.encode(to: &name)
        self.init(space: space, name: name.bytes, value: value)
    }

    /// The record that names the note; nil if the name can't be read.
    var record: RecordIdentity? {
        do throws(CBORError) {
            return try CBORReader.whole(name[...]) { (reader) throws(CBORError) in
                try RecordIdentity(from: &reader)
            }
        } catch {
            return nil
        }
    }
}
