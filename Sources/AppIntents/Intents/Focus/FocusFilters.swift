import BatonNetwork

/// The filters of the focus that is on, as the node tells them.
package final class FocusFilters: Sendable {
    /// The filters of this process.
    package static let shared = FocusFilters()

    private struct State: Sendable {
        var values: [String: [String: _IntentValueContent]] = [:]
        var invalidated: @Sendable (String) -> Void = { _ in }
    }

    private let state = Monitor(State())

    private init() {}

    /// Sets the values of the filters by the names of their types; empty while no focus is on.
    package func set(_ values: [String: [String: _IntentValueContent]]) {
        state.change { $0.values = values }
    }

    /// Sets what is called when the context of a filter changed.
    package func onInvalidation(_ perform: @escaping @Sendable (_ type: String) -> Void) {
        state.change { $0.invalidated = perform }
    }

    func values(of type: any AppIntent.Type) -> [String: _IntentValueContent]? {
        state.change { $0.values[type.persistentIdentifier] }
    }

    func invalidate(_ type: any AppIntent.Type) {
        state.change { $0.invalidated }(type.persistentIdentifier)
    }
}
