/// A client state as it is in the full write that contains it.
///
/// Updates of a client state are ignored. They would combine the bytes of one device with the covered transactions of
/// another device.
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

    /// Reads the newest state in a record; nil if there is no readable state.
    package init?(newestOf record: Record) {
        guard case .full(let dot, let content) = record.opening, let key = record.key else { return nil }
        do throws(CBORError) {
            self.init(
                try ClientStateName(key), dot: dot, stamp: record.incarnation,
                state: try ClientState(content.fields))
        } catch {
            // A newer version wrote a name or a form that is unknown here. The state remains stored, but is not shown.
            return nil
        }
    }
}
