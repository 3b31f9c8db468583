/// A client state as the full write that brought it has it.
///
/// Updates of a client state count for nothing: they would mix what one device stored with what another one covers.
package struct ShownState: Equatable, Sendable {
    package let name: ClientStateName
    package let dot: Dot
    package let stamp: Stamp
    package let state: ClientState

    package init(_ name: ClientStateName, dot: Dot, stamp: Stamp, state: ClientState) {
        self.name = name
        self.dot = dot
        self.stamp = stamp
        self.state = state
    }

    /// The newest state that is known in a record; nil if there is none that can be read here.
    package init?(newestOf record: Record) {
        guard case .full(let dot, let content) = record.opening, let key = record.key else { return nil }
        do throws(CBORError) {
            self.init(
                try ClientStateName(key), dot: dot, stamp: record.incarnation,
                state: try ClientState(content.fields))
        } catch {
            // A newer version gave a meaning to this name or form; the state is kept, and not shown here.
            return nil
        }
    }
}
