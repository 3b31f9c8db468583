/// Names the client state that indexing jobs keep for one index of an app.
package struct ClientStateName: RecordName {
    /// The bundle identifier of the app.
    package let app: String
    package let index: String

    package static let kind = RecordKind.clientState
    package static let partCount = 2

    package init(app: String, index: String) { (self.app, self.index) = (app, index) }

    package func encode(to writer: inout CBORWriter) {
        writer.text(app)
        writer.text(index)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        self.init(app: try reader.text(), index: try reader.text())
    }
}

/// The state that an indexing job stored at the end of a batch.
///
/// From this state, the job knows where to continue.
package struct ClientState: Equatable, Sendable {
    /// The stored bytes; only the job can interpret them.
    package let state: [UInt8]
    /// The transactions of the index lane that the writer had when the batch ended.
    ///
    /// A device that has all of them may continue from this state.
    package private(set) var covers: VersionVector
    /// The time when the batch ended.
    package var changed: WallTime
    /// The fields that only newer versions know, kept unchanged.
    package var unknown = Fields()

    /// The maximum length of a state in bytes.
    ///
    /// It is the same as on Apple's systems.
    package static let bytesMost = 250

    /// An error for a state with too many bytes.
    package struct TooLong: Error, Equatable, Sendable {
        /// The number of bytes of the state.
        package let count: Int

        package init(count: Int) { self.count = count }
    }

    /// Creates the state at the end of a batch.
    ///
    /// Only the covered transactions of the index lane are kept.
    package init(_ state: [UInt8], covers: VersionVector, changed: WallTime) throws(TooLong) {
        guard state.count <= Self.bytesMost else { throw TooLong(count: state.count) }
        (self.state, self.covers, self.changed) = (state, covers.restricted(to: .index), changed)
    }

    /// Returns a copy of the state that covers other transactions.
    func covering(_ covers: VersionVector) -> ClientState {
        var state = self
        state.covers = covers
        return state
    }

    /// The numbers of a client state's fields.
    private enum Number {
        static let state: UInt64 = 1
        static let covers: UInt64 = 2
        static let changed: UInt64 = 3
    }

    /// The fields of a record of this state.
    package var fields: Fields {
        Fields { fields in
            fields.field(Number.state) { $0.data(state) }
            fields.field(Number.covers) { covers.encode(to: &$0) }
            fields.field(Number.changed) { changed.encode(to: &$0) }
        }.completed(by: unknown)
    }

    /// Returns the content of the record with this name.
    ///
    /// A deletion of the whole index also deletes the record.
    package func content(_ name: ClientStateName) -> Write.Content {
        Write.Content(scope: .items(app: name.app, index: name.index), fields: fields)
    }

    /// Reads a state from its fields.
    ///
    /// All fields that this version knows are required.
    package init(_ fields: Fields) throws(CBORError) {
        var state: [UInt8]?, covers: VersionVector?, changed: WallTime?
        unknown = try fields.read { (name, reader) throws(CBORError) in
            switch name {
            case .number(Number.state): state = try reader.data(upTo: Self.bytesMost)
            case .number(Number.covers):
                let vector = try VersionVector(from: &reader)
                guard vector.restricted(to: .activities).isEmpty else { throw CBORError(.outOfRange, at: 0) }
                covers = vector
            case .number(Number.changed): changed = try WallTime(from: &reader)
            default: break
            }
        }
        self.state = try state.required(Number.state)
        self.covers = try covers.required(Number.covers)
        self.changed = try changed.required(Number.changed)
    }
}
