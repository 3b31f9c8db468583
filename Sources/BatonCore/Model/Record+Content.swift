extension Record {
    /// Where the record belongs, and its fields as they are now, if a full write began it and it is there.
    package var content: Write.Content? {
        guard case .full(_, let written) = opening, let fields else { return nil }
        return Write.Content(scope: written.scope, fields: fields)
    }
}
