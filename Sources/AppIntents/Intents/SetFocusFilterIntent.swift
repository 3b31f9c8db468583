import BatonNetwork
public import Foundation

/// Changes what an app shows while a focus of the person is on.
public protocol SetFocusFilterIntent: SystemIntent, InstanceDisplayRepresentable {
    /// What the focus changes outside of the app's window.
    var appContext: FocusFilterAppContext { get async throws }
    /// Returns the filters that are offered for a new focus.
    static func suggestedFocusFilters(for context: FocusFilterSuggestionContext) async -> [Self]
}

extension SetFocusFilterIntent {
    /// Nothing changes outside of the app's window.
    public var appContext: FocusFilterAppContext { get async throws { FocusFilterAppContext() } }

    /// Returns no filters.
    public static func suggestedFocusFilters(for context: FocusFilterSuggestionContext) async -> [Self] { [] }

    /// The filter of the focus that is on; throws if none is on or it has no filter of this app.
    public static var current: Self {
        get async throws {
            guard let values = FocusFilters.shared.values(of: Self.self) else {
                throw AppIntentError.Unrecoverable.entityNotFound
            }
            let filter = Self()
            for named in IntentReflection.parameters(of: filter) {
                if let value = values[named.name] { try await named.parameter.set(value) }
            }
            return filter
        }
    }

    /// Tells the system that `appContext` changed.
    public func invalidateFocusFilterAppContext() { FocusFilters.shared.invalidate(Self.self) }
}

/// What a focus changes outside of an app's window.
public struct FocusFilterAppContext: @unchecked Sendable {
    /// The notifications that are shown; nil for all. A predicate never changes.
    public let notificationFilterPredicate: NSPredicate?
    /// The beginning of the identifiers of content that is shown; nil for all.
    public let targetContentIdentifierPrefix: String?

    /// Creates a context.
    public init(
        notificationFilterPredicate: NSPredicate? = nil, targetContentIdentifierPrefix: String? = nil
    ) {
        self.notificationFilterPredicate = notificationFilterPredicate
        self.targetContentIdentifierPrefix = targetContentIdentifierPrefix
    }
}

/// The focus for which filters are suggested.
public struct FocusFilterSuggestionContext: Hashable, Sendable {
    /// Whether the focus has no filter yet.
    public let isNewFocus: Bool

    package init(isNewFocus: Bool = true) { self.isNewFocus = isNewFocus }
}

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
    package func set(_ values: [String: [String: _IntentValueContent]]) { state.change { $0.values = values } }

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
