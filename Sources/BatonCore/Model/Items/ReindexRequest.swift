/// What an app is asked to index anew, because a damaged disk took it and perhaps only the app has it.
///
/// It stands among the notes of the index lane until the app has acknowledged it.
package struct ReindexRequest: Equatable, Sendable {
    /// Whose index it is about; without it, every index of which no note of its own tells.
    package let index: ClientStateName?
    package var extent: Extent

    /// How much is to be indexed anew.
    package enum Extent: Equatable, Sendable {
        /// Everything, but for the indexes that have acknowledged it already.
        case all(except: Set<ClientStateName>)
        /// The items with those identifiers.
        case items(Set<String>)

        /// Everything.
        package static let all = Extent.all(except: [])
    }

    /// How many items are named one by one; of more, everything is asked for.
    package static let itemsMost = 1000

    package init(_ extent: Extent, of index: ClientStateName?) {
        (self.extent, self.index) = (extent, index)
        if case .items(let items) = extent, items.count > Self.itemsMost { self.extent = .all }
    }

    /// Asks for what the other one does as well.
    package mutating func join(_ other: Extent) {
        switch (extent, other) {
        case (.items(let items), .items(let others)):
            self = Self(.items(items.union(others)), of: index)
        case (_, .all): extent = other
        case (.all, .items): return
        }
    }
}

// MARK: Notes

extension ReindexRequest {
    /// The name of the note; that of no index is empty.
    package var noteName: [UInt8] { index?.key.name ?? [] }

    /// The note that keeps it.
    package var note: LocalNote {
        var writer = CBORWriter()
        extent.encode(to: &writer)
        return LocalNote(space: .reindex, name: noteName, value: writer.bytes)
    }

    /// The request that a note keeps; one that can't be read asks for everything.
    package init(_ note: LocalNote) {
        do throws(CBORError) {
            let name = RecordKey(kind: ClientStateName.kind, name: note.name)
            let index = note.name.isEmpty ? nil : try ClientStateName(name)
            let extent = try CBORReader.whole((note.value ?? [])[...]) { (reader) throws(CBORError) in
                try Extent(from: &reader)
            }
            self.init(extent, of: index)
        } catch {
            self.init(.all, of: nil)
        }
    }
}

extension ReindexRequest.Extent {
    /// Writes it as apps and nodes tell it to each other: the items, or null for everything.
    func encodeForApps(to writer: inout CBORWriter) {
        guard case .items(let items) = self else { return writer.null() }
        writer.array(count: items.count)
        for item in items.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) { writer.text(item) }
    }

    init(fromApps reader: inout CBORReader) throws(CBORError) {
        guard reader.nextIsNull else {
            self = .items(
                Set(
                    try reader.array(upTo: Limits.frameBytes) { (reader) throws(CBORError) in
                        try reader.text()
                    }))
            return
        }
        try reader.null()
        self = .all
    }
}

extension ReindexRequest.Extent {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        switch self {
        case .all(let names):
            writer.boolean(true)
            let names = names.map(\.key.name).sorted { $0.lexicographicallyPrecedes($1) }
            writer.array(count: names.count)
            for name in names { writer.data(name) }
        case .items(let items):
            writer.boolean(false)
            writer.array(count: items.count)
            for item in items.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) { writer.text(item) }
        }
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        guard try reader.boolean() else {
            self = .items(
                Set(try reader.array(upTo: .max) { (reader) throws(CBORError) in try reader.text() }))
            return
        }
        self = .all(
            except: Set(
                try reader.array(upTo: .max) { (reader) throws(CBORError) in
                    try ClientStateName(RecordKey(kind: ClientStateName.kind, name: try reader.data()))
                }))
    }
}
