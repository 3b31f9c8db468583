package import BatonCore

/// The pending requests to the apps of this device to index again, until each app has acknowledged its own.
package struct ReindexRequests {
    /// The requests by the names of their notes.
    private var requests: [[UInt8]: ReindexRequest] = [:]

    /// Reads the requests from the notes of the store.
    package init(_ notes: [LocalNote] = []) {
        for request in notes.map(ReindexRequest.init) { requests[request.noteName] = request }
    }

    /// Whether there are no requests.
    package var isEmpty: Bool { requests.isEmpty }

    /// Returns the request to an app about one of its indexes, even one that the app began after the damage; nil if
    /// there is none.
    package func request(for index: ClientStateName) -> ReindexRequest? {
        if let request = requests[index.key.name] { return request }
        guard case .all(let acknowledged)? = requests[[]]?.extent, !acknowledged.contains(index) else {
            return nil
        }
        return ReindexRequest(.all, of: index)
    }

    /// Whether an index shows no client state, because its app is asked for everything and has not begun anew.
    package func hidesState(of index: ClientStateName) -> Bool { request(for: index)?.hidesState ?? false }

    /// Notes that the app of an index has begun anew, and stored a client state that says how far it has come; returns
    /// the note to store, or nil if no state is hidden.
    package mutating func beginAnew(_ index: ClientStateName) -> LocalNote? {
        guard var request = request(for: index), request.hidesState else { return nil }
        request.isBegunAnew = true
        requests[request.noteName] = request
        return request.note
    }

    /// The indexes that are known to have a request, in order.
    package var known: [ReindexRequest] {
        requests.values.filter { $0.index != nil }
            .sorted { $0.noteName.lexicographicallyPrecedes($1.noteName) }
    }

    /// Adds a request about one index; returns the note to store.
    package mutating func add(_ request: ReindexRequest) -> LocalNote {
        var joined = requests[request.noteName] ?? request
        joined.join(request.extent)
        requests[request.noteName] = joined
        return joined.note
    }

    /// Notes that an app has done what it was asked for; returns the notes to store now.
    ///
    /// Requests that were made since then stay.
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

    /// Notes that the app of an index has acknowledged the request to all apps, if it has indexed everything.
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
    /// Returns the part of the request that is left after this extent was done.
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
