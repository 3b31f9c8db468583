package import BatonCore

/// The pending requests to the apps of this device to index again.
///
/// A request is pending until its app has acknowledged it.
package struct ReindexRequests {
    /// The requests, by the names of their notes.
    ///
    /// The request to all apps has the empty name.
    private var requests: [[UInt8]: ReindexRequest] = [:]

    /// Reads the requests from the notes of the store.
    package init(_ notes: [LocalNote] = []) {
        for request in notes.map(ReindexRequest.init) { requests[request.noteName] = request }
    }

    /// Whether there are no requests.
    package var isEmpty: Bool { requests.isEmpty }

    /// Returns the request to an app about one of its indexes; nil if there is none.
    ///
    /// A request to all apps counts for every index, even for one that was created after the damage.
    package func request(for index: ClientStateName) -> ReindexRequest? {
        if let request = requests[index.key.name] { return request }
        guard case .all(let acknowledged)? = requests[[]]?.extent, !acknowledged.contains(index) else {
            return nil
        }
        return ReindexRequest(.all, of: index)
    }

    /// Whether the client state of an index is hidden.
    ///
    /// The client state is hidden if the app must index everything again, and has not begun anew.
    package func hidesState(of index: ClientStateName) -> Bool { request(for: index)?.hidesState ?? false }

    /// Records that the app of an index has begun anew, and has stored a new client state.
    ///
    /// Returns the note to store; nil if the client state is not hidden.
    package mutating func beginAnew(_ index: ClientStateName) -> LocalNote? {
        guard var request = request(for: index), request.hidesState else { return nil }
        request.isBegunAnew = true
        requests[request.noteName] = request
        return request.note
    }

    /// The requests about single indexes, sorted by the names of their notes.
    package var known: [ReindexRequest] {
        requests.values.filter { $0.index != nil }
            .sorted { $0.noteName.lexicographicallyPrecedes($1.noteName) }
    }

    /// Adds a request, and returns the note to store.
    ///
    /// If there is an earlier request about the same index, the two are joined.
    package mutating func add(_ request: ReindexRequest) -> LocalNote {
        var joined = requests[request.noteName] ?? request
        joined.join(request.extent)
        requests[request.noteName] = joined
        return joined.note
    }

    /// Removes the part of a request that an app has acknowledged.
    ///
    /// Returns the notes to store now.
    ///
    /// Items that were requested later remain requested.
    package mutating func acknowledge(_ done: ReindexRequest) -> [LocalNote] {
        guard let index = done.index, let request = request(for: index) else { return [] }
        var notes: [LocalNote] = []
        if requests[index.key.name] != nil {
            guard let rest = request.rest(after: done.extent) else {
                requests[index.key.name] = nil
                return [LocalNote(space: .reindex, name: index.key.name, value: nil)]
                    + acknowledgeEveryone(index, done.extent)
            }
            requests[index.key.name] = rest
            notes.append(rest.note)
        }
        return notes + acknowledgeEveryone(index, done.extent)
    }

    /// Adds an index to those that have acknowledged the request to all apps, if its app has indexed everything.
    private mutating func acknowledgeEveryone(
        _ index: ClientStateName, _ done: ReindexRequest.Extent
    ) -> [LocalNote] {
        guard case .all = done, case .all(var acknowledged)? = requests[[]]?.extent,
            acknowledged.insert(index).inserted
        else { return [] }
        let request = ReindexRequest(.all(except: acknowledged), of: nil)
        requests[[]] = request
        return [request.note]
    }
}

extension ReindexRequest {
    /// Returns the rest of the request after a part was done; nil if nothing is left.
    fileprivate func rest(after done: Extent) -> ReindexRequest? {
        switch (extent, done) {
        case (_, .all): return nil
        case (.all, .items): return self
        case (.items(let items), .items(let done)):
            let rest = items.subtracting(done)
            return rest.isEmpty ? nil : ReindexRequest(.items(rest), of: index)
        }
    }
}
