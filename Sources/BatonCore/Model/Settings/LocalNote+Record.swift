extension LocalNote {
    /// Creates a note whose name is the identity of a record.
    init(space: NoteSpace, about identity: RecordIdentity, value: [UInt8]?) {
        var name = CBORWriter()
        identity.encode(to: &name)
        self.init(space: space, name: name.bytes, value: value)
    }

    /// The record whose identity is the name of the note; nil if the name can't be read.
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
