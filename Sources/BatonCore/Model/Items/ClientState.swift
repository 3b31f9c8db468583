/// Names the state of the job that indexes for one index of an app.
package struct ClientStateName: RecordName {
    /// The app, by its bundle identifier.
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

/// What an indexing job stored at the end of a batch, to know where to go on.
package struct ClientState: Equatable, Sendable {
    /// What it stored; it means something to the job alone.
    package let state: [UInt8]
    /// What its writer had of the index when the batch ended: a device may go on from here once it has as much.
    package private(set) var covers: VersionVector
    /// When the batch ended.
    package var changed: WallTime
    /// Fields of newer versions, kept as they are.
    package var unknown = Fields()

    /// The most bytes of a state, as on Apple's systems.
    package static let bytesMost = 250

    /// That a state has too many bytes.
    package struct TooLong: Error, Equatable, Sendable {
        /// How many it has.
        package let count: Int

        package init(count: Int) { self.count = count }
    }

    /// The state at the end of a batch; of what is covered, only the index counts.
    package init(_ state: [UInt8], covers: VersionVector, changed: WallTime) throws(TooLong) {
        guard state.count <= Self.bytesMost else { throw TooLong(count: state.count) }
        (self.state, self.covers, self.changed) = (state, covers.restricted(to: .index), changed)
    }

    /// The same state, with that covered.
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

    /// What the record of that name holds; deleting all of the index deletes it, too.
    package func content(_ name: ClientStateName) -> Write.Content {
        Write.Content(scope: .items(app: name.app, index: name.index), fields: fields)
    }

    /// The state that these fields spell; it needs all of its known ones.
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
