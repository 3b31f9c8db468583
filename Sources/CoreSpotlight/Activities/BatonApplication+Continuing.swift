import BatonClient
import BatonCore
import Dispatch
import Foundation

/// Passes what a person continues and opens to the app.
extension BatonApplication {
    /// Passes an activity that the node has handed over.
    func takeOver(_ summary: ActivitySummary) {
        let activity = summary.activity
        let content =
            summary.donation == nil ? ActivityContent(activity) : DonatedAction.content(of: activity)
        pass(ActivityCore(type: activity.type, content: content, continued: summary))
    }

    /// Passes an item that a person opens, or a search that goes on here.
    func open(_ opening: AppOpening) {
        var content = ActivityContent()
        content.info = opening.info
        pass(ActivityCore(type: opening.type, content: content))
    }

    private func pass(_ core: ActivityCore) {
        callbacks.call { [self] in
            let (activity, delegate) = (NSUserActivity(core), delegate)
            _ = delegate?.application(self, willContinueUserActivityWithType: core.type)
            let isTaken = delegate?.application(self, continue: activity) { objects in
                for object in objects ?? [] { object.restoreUserActivityState(activity) }
            }
            if isTaken ?? false { return }
            let handlers = handlers(for: core.type)
            for handler in handlers { handler(activity) }
            guard handlers.isEmpty else { return }
            delegate?.application(
                self, didFailToContinueUserActivityWithType: core.type,
                error: CocoaError(.userActivityHandoffFailed))
        }
    }

    /// Tells the app that the node refused the state of an activity.
    func tell(_ failure: LocalFailure, about core: ActivityCore) {
        log.fault("An activity of type \(core.type) is not offered in its present state. \(failure)")
        callbacks.call { [self] in
            guard let activity = core.activity else { return }
            delegate?.application(self, didFailToOffer: activity, error: failure.activityError)
        }
    }

    // MARK: Continuing at the start

    /// Takes over what the program was started for in a terminal, once: `baton` says it by a variable.
    func takeOverAtStart() {
        if let identifier = Self.take("BATON_OPEN_ITEM") {
            open(.item(ItemName(app: fixedIdentifier, index: "default", identifier: identifier)))
        }
        if let words = Self.take("BATON_OPEN_SEARCH") { open(.search(app: fixedIdentifier, words: words)) }
        guard let identifier = Self.take("BATON_CONTINUE") else { return }
        let (type, takes) = (Self.take("BATON_CONTINUE_TYPE"), Self.take("BATON_TAKE") != nil)
        client.ask(ContinueActivity(.named(identifier), takes: takes, type: type)) { [self] result in
            switch result {
            case .success(let continued): takeOver(continued.summary)
            case .failure(let failure):
                log.fault("The activity \(identifier) is not continued. \(failure)")
                callbacks.call { [self] in
                    delegate?.application(
                        self, didFailToContinueUserActivityWithType: declaredTypes.first ?? "",
                        error: failure.activityError)
                }
            }
        }
    }

    /// Returns the value of a variable, and removes it, so that no program that this one starts gets it.
    private static func take(_ variable: String) -> String? {
        defer { unsetenv(variable) }
        return Environment.variable(variable).flatMap { $0.isEmpty ? nil : $0 }
    }
}
