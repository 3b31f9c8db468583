extension Record {
    /// The record's scope and its current fields; nil unless a full write began it and it exists.
    package var content: Write.Content? {
        guard case .full(_, let written) = opening, let fields else { return nil }
        return Write.Content(scope: written.scope, fields: fields)
    }
}
