import BatonCore

/// What apps are asked to index anew, which stands among the notes of the index lane.
extension LaneDatabase {
    /// Asks for something, together with what was asked for before.
    func ask(_ extent: ReindexRequest.Extent, of index: ClientStateName?) throws(StoreFailure) {
        var request = ReindexRequest(extent, of: index)
        if let standing = try notes(in: .reindex).first(where: { $0.name == request.noteName }) {
            request = ReindexRequest(standing)
            request.join(extent)
        }
        try keep(request.note)
    }
}
