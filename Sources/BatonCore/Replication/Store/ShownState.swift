/// A client state as the full write that brought it has it.
///
/// What updates change of a client state counts for nothing: they would mix what one device stored with what
/// another one covers.
package struct ShownState: Equatable, Sendable {
    package let name: ClientStateName
    package let dot: Dot
    package let stamp: Stamp
    package let state: ClientState

    package init(_ name: ClientStateName, dot: Dot, stamp: Stamp, state: ClientState) {
        (self.name, self.dot, self.stamp, self.state) = (name, dot, stamp, state)
    }

    /// The state that stands in a record, the newest that is known; nothing if none does that can be read here.
    package init?(newestOf record: Record) {
        guard case .full(let dot, let content) = record.opening, let key = record.key else { return nil }
        do throws(CBORError) {
            self.init(
                try ClientStateName(key), dot: dot, stamp: record.incarnation,
                state: try ClientState(content.fields))
        } catch {
            // A name or a form that a newer version gave a meaning to; it is kept, and not shown here.
            return nil
        }
    }
}
