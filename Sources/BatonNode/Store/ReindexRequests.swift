package import BatonCore

/// What the apps of this device are asked to index anew, until each has acknowledged it.
package struct ReindexRequests {
    /// By the names of their notes.
    private var requests: [[UInt8]: ReindexRequest] = [:]

    /// What the notes of the store tell.
    package init(_ notes: [LocalNote] = []) {
        for request in notes.map(ReindexRequest.init) { requests[request.noteName] = request }
    }

    /// Whether any app is asked for anything.
    package var isEmpty: Bool { requests.isEmpty }

    /// What an app is asked for in one of its indexes, if anything; it may have begun to index after the damage.
    package func request(for index: ClientStateName) -> ReindexRequest? {
        if let request = requests[index.key.name] { return request }
        guard case .all(let acknowledged)? = requests[[]]?.extent, !acknowledged.contains(index) else {
            return nil
        }
        return ReindexRequest(.all, of: index)
    }

    /// The indexes that are known to be asked for something, in order.
    package var known: [ReindexRequest] {
        requests.values.filter { $0.index != nil }
            .sorted { $0.noteName.lexicographicallyPrecedes($1.noteName) }
    }

    /// An app has done what it was asked for; answers with the notes that are to be kept now.
    ///
    /// What it was asked for since then stays.
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

    /// Of what everyone is asked for, this index has done its part if it did everything.
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
    /// What is still asked for once that was done.
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
