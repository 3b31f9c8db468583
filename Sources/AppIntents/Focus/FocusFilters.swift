import BatonCore
import BatonNetwork
import CoreSpotlight
import Dispatch
import Foundation

/// Performs the app's focus filters when the focus of the person changes.
///
/// A filter is performed with the person's values when a focus with settings for this filter is switched on, and when
/// these settings change. A filter is performed with its default values when such a focus ends. An app that starts
/// while no focus has settings for its filters performs nothing.
package final class FocusFilters: Sendable {
    /// The filters of this process.
    package static let shared = FocusFilters()

    private let state = Monitor(State())

    private struct State {
        /// The types of the filters by name.
        var types: [String: any SetFocusFilterIntent.Type] = [:]
        /// The task for the last change of the focus; the task for the next change waits for it.
        var last: Task<Void, Never>?
        /// The values with which each filter was performed last; a filter that is off has none.
        var performed: [String: [String: [String]]] = [:]
        var isFollowing = false
        /// Whether the app has used the library.
        var isUsed = false
    }

    /// The values of a filter, none for the default values.
    private struct Change {
        let name: String
        let type: any SetFocusFilterIntent.Type
        let values: [String: [String]]
    }

    private init() {}

    // MARK: Following the focus

    /// The pause before an app asks for the focus, in which the app sets its identifier.
    private static let pause = DispatchTimeInterval.seconds(2)

    /// Called when the app uses the library; the first call has the focus followed on behalf of the program's filters.
    package func noteUse() {
        let isFirst = state.change { state in
            defer { state.isUsed = true }
            return !state.isUsed
        }
        // A process that runs one intent as a command leaves filters to the app.
        guard isFirst, CommandLine.arguments.dropFirst().first != "intents" else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.pause) { [self] in
            let report: @Sendable (String) -> Void = { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
            let filters = ProgramTypes.shared.intents.compactMap { $0 as? any SetFocusFilterIntent.Type }
            guard !filters.isEmpty else { return }
            do throws(LocalFailure) {
                // Without Baton's folder there is no node that could tell of a focus.
                let home = try BatonApplication.shared.findHome()
                guard FileManager.default.fileExists(atPath: home.data) else { return }
            } catch {
                // An app that uses the library for its filters only works without them.
                return report("The app's focus filters are not performed: \(error.text)")
            }
            start(filters, report: report)
        }
    }

    /// Follows the focus on behalf of these types, and of the types of earlier calls.
    ///
    /// `report` gets the errors of filters.
    package func start(
        _ types: [any SetFocusFilterIntent.Type], report: @escaping @Sendable (String) -> Void
    ) {
        let begins = state.change { state in
            for type in types { state.types[type.persistentIdentifier] = type }
            defer { state.isFollowing = state.isFollowing || !state.types.isEmpty }
            return !state.isFollowing && !state.types.isEmpty
        }
        if begins { FocusWatch.follow { [self] in handle($0, report) } }
    }

    /// Performs the filters that have changed, after those of earlier changes.
    private func handle(_ focus: FocusState, _ report: @escaping @Sendable (String) -> Void) {
        state.change { state in
            let earlier = state.last
            state.last = Task { [self] in
                await earlier?.value
                for change in changes(to: focus) {
                    do {
                        try await Self.perform(change.type, change.values)
                    } catch {
                        report("The focus filter “\(change.name)” was not performed: \(error)")
                    }
                }
            }
        }
    }

    /// Returns the filters whose values differ from those they were performed with last, in the order of their names.
    ///
    /// The filters count as performed from now on.
    private func changes(to focus: FocusState) -> [Change] {
        state.change { state in
            var changes: [Change] = []
            for (name, type) in state.types.sorted(by: { $0.key < $1.key }) {
                let (before, now) = (state.performed[name], focus.filters[name])
                guard before != now else { continue }
                state.performed[name] = now
                changes.append(Change(name: name, type: type, values: now ?? [:]))
            }
            return changes
        }
    }

    private static func perform<Filter: SetFocusFilterIntent>(
        _ type: Filter.Type, _ values: [String: [String]]
    ) async throws {
        let filter = Filter()
        _ = try await IntentPerformer().perform(filter, values: try contents(of: values, for: filter))
    }

    // MARK: Values

    /// Returns the values of a filter's parameters; values for parameters that the app no longer has are left out.
    ///
    /// A person has typed the texts, so they are read as those of `APP intents run` are. A parameter without texts has
    /// no value, even if it has a default value.
    static func contents(
        of values: [String: [String]], for filter: any AppIntent
    ) throws -> [String: _IntentValueContent] {
        var contents: [String: _IntentValueContent] = [:]
        for named in IntentReflection.parameters(of: filter) {
            guard let texts = values[named.name] else { continue }
            let form = named.parameter.form
            let reader = ValueText(form: form.element, currencies: named.parameter.details.currencies)
            let nothing: _IntentValueContent = form.isList ? .list([]) : .none
            contents[named.name] =
                texts.isEmpty ? nothing : try reader.content(of: texts, isList: form.isList)
        }
        return contents
    }

    /// Returns a filter with the values that the present focus has for it; throws if the focus has none.
    static func current<Filter: SetFocusFilterIntent>(_ type: Filter.Type) async throws -> Filter {
        LibraryUse.note(.call)
        guard let values = try await FocusWatch.present().filters[type.persistentIdentifier] else {
            throw AppIntentError.Unrecoverable.entityNotFound
        }
        let filter = Filter()
        let contents = try contents(of: values, for: filter)
        for named in IntentReflection.parameters(of: filter) {
            if let content = contents[named.name] { try await named.parameter.set(content) }
        }
        return filter
    }
}
