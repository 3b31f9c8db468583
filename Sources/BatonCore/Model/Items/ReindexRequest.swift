/// A request to an app to index items again, because a damaged disk lost them.
///
/// It is possible that no other device has these items.
///
/// The request is kept as a note of the index lane until the app has acknowledged it. A request for everything also
/// hides the client state of the index until the app has started over. Otherwise, the client state would tell the app
/// that nothing is missing.
package struct ReindexRequest: Equatable, Sendable {
    /// The index that the request is about.
    ///
    /// If it is nil, the request is about every index that has no request of its own.
    package let index: ClientStateName?
    package var extent: Extent
    /// Whether the app has started over: it was told that there is no client state, and has stored a new one since.
    package var isBegunAnew = false

    /// Whether this request hides the client state of the index from the app.
    package var hidesState: Bool {
        if case .all = extent { !isBegunAnew } else { false }
    }

    /// The items that the app must index again.
    package enum Extent: Equatable, Sendable {
        /// All items, except those of the indexes that have already acknowledged the request.
        case all(except: Set<ClientStateName>)
        /// The items with these identifiers.
        case items(Set<String>)

        /// All items of all indexes.
        package static let all = Extent.all(except: [])
    }

    /// The largest number of items that a request lists.
    ///
    /// If there are more, the request is for everything.
    package static let itemsMost = 1000

    package init(_ extent: Extent, of index: ClientStateName?) {
        (self.extent, self.index) = (extent, index)
        if case .items(let items) = extent, items.count > Self.itemsMost { self.extent = .all }
    }

    /// Adds the items of another request.
    ///
    /// If the other request is for everything, the app must start over, and its current client states are hidden.
    package mutating func join(_ other: Extent) {
        switch (extent, other) {
        case (.items(let items), .items(let others)):
            self = Self(.items(items.union(others)), of: index)
        case (_, .all): (extent, isBegunAnew) = (other, false)
        case (.all, .items): return
        }
    }
}

// MARK: Notes

extension ReindexRequest {
    /// The name of the note that stores the request.
    ///
    /// It is empty if the request is about every index.
    package var noteName: [UInt8] { index?.key.name ?? [] }

    /// The note that stores the request.
    package var note: LocalNote {
        var writer = CBORWriter()
        writer.array(count: 2)
        extent.encode(to: &writer)
        writer.boolean(isBegunAnew)
        return LocalNote(space: .reindex, name: noteName, value: writer.bytes)
    }

    /// Reads a request from its note.
    ///
    /// If the note can't be read, the result is a request for everything.
    package init(_ note: LocalNote) {
        do throws(CBORError) {
            let name = RecordKey(kind: ClientStateName.kind, name: note.name)
            let index = note.name.isEmpty ? nil : try ClientStateName(name)
            let value = try CBORReader.whole((note.value ?? [])[...]) { (reader) throws(CBORError) in
                try reader.array(count: 2)
                return (extent: try Extent(from: &reader), isBegunAnew: try reader.boolean())
            }
            self.init(value.extent, of: index)
            isBegunAnew = value.isBegunAnew
        } catch {
            self.init(.all, of: nil)
        }
    }
}

extension ReindexRequest.Extent {
    /// Writes the extent in the form in which nodes send it to apps: a list of items, or null for everything.
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
