import BatonClient
import BatonCore
import BatonNetwork

/// The filters for this app in the focus that is on, as the library AppIntents reads them from the node.
package struct FocusState: Equatable, Sendable {
    /// The values of parameters, by the names of intents; each intent is a filter of the app.
    package let filters: [String: [String: [String]]]

    init(_ notice: FocusNotice) {
        var filters: [String: [String: [String]]] = [:]
        for filter in notice.filters { filters[filter.intent] = filter.values }
        self.filters = filters
    }
}

/// Reads and follows the focus of the person.
package final class FocusWatch: Sendable {
    private let handle: @Sendable (FocusState) -> Void
    private let last = Monitor<FocusState?>(nil)

    /// The pause before the node is asked again after a failure.
    private static let pause = Duration.seconds(5)

    private init(_ handle: @escaping @Sendable (FocusState) -> Void) { self.handle = handle }

    /// Calls a closure with the present filters of the app, and whenever they have changed, for as long as the process
    /// runs.
    ///
    /// The closure is called on the thread that listens to the node, so it must be short.
    package static func follow(_ handle: @escaping @Sendable (FocusState) -> Void) {
        FocusWatch(handle).ask(after: nil)
    }

    /// Returns the present focus of the app; throws the node's failure as a text.
    package static func present() async throws -> FocusState {
        let application = BatonApplication.shared
        do throws(LocalFailure) {
            return FocusState(try await application.client.ask(AwaitFocus(of: application.fixedIdentifier)))
        } catch {
            throw NodeFailure(text: error.text)
        }
    }

    private func ask(after number: UInt64?) {
        let application = BatonApplication.shared
        let call = AwaitFocus(of: application.fixedIdentifier, after: number)
        application.client.ask(call) { [self] result in
            switch result {
            case .success(let notice):
                let state = FocusState(notice)
                let isNews = last.change { last in
                    defer { last = state }
                    return last != state
                }
                if isNews { handle(state) }
                ask(after: notice.number)
            case .failure:
                // No node is running, or it has restarted: the next answer comes at once, with the present focus.
                application.client.run(after: Self.pause) { [self] in ask(after: nil) }
            }
        }
    }
}
