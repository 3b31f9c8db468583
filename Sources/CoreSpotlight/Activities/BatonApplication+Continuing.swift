import BatonClient
import BatonCore
import Dispatch
import Foundation

/// Passes to the app the activities that a person continues, and the items that a person opens.
extension BatonApplication {
    /// Passes to the app an activity that is continued here.
    func takeOver(_ summary: ActivitySummary) {
        let activity = summary.activity
        let content =
            summary.donation == nil ? ActivityContent(activity) : DonatedAction.content(of: activity)
        pass(ActivityCore(type: activity.type, content: content, continued: summary))
    }

    /// Passes to the app an item that a person opens, or a search that is continued here.
    func open(_ opening: AppOpening) {
        var content = ActivityContent()
        content.info = opening.info
        pass(ActivityCore(type: opening.type, content: content))
    }

    /// Calls the closure where the app gets continued activities: if the app has a delegate, on the main actor.
    func callWhereContinued(_ body: @escaping @Sendable () -> Void) {
        if delegate == nil { callbacks.call(body) } else { callbacks.callOnMain(body) }
    }

    /// Calls the closure where the delegate of an activity can be called.
    func call(delegateOf core: ActivityCore, _ body: @escaping @Sendable () -> Void) {
        if core.isDelegateOnMain { callbacks.callOnMain(body) } else { callbacks.call(body) }
    }

    private func pass(_ core: ActivityCore) {
        guard delegate != nil else {
            return callbacks.call { [self] in _ = passToHandlers(NSUserActivity(core)) }
        }
        callbacks.callOnMain { [self] in
            let (activity, delegate) = (NSUserActivity(core), delegate)
            _ = delegate?.application(self, willContinueUserActivityWithType: core.type)
            let isTaken = delegate?.application(self, continue: activity) { [self] objects in
                restore(objects ?? [], from: activity)
            }
            guard !(isTaken ?? false), !passToHandlers(activity) else { return }
            delegate?.application(
                self, didFailToContinueUserActivityWithType: core.type,
                error: CocoaError(.userActivityHandoffFailed))
        }
    }

    /// Passes an activity to the closures that are registered for its type; returns whether there are any.
    private func passToHandlers(_ activity: NSUserActivity) -> Bool {
        let handlers = handlers(for: activity.activityType)
        for handler in handlers { handler(activity) }
        return !handlers.isEmpty
    }

    /// Tells objects to restore their states from an activity; may be called on any thread.
    private func restore(_ objects: [any NSUserActivityRestoring], from activity: NSUserActivity) {
        // `Unchecked`, because the app's objects don't declare that only the main actor uses them.
        let (objects, activity) = (Unchecked(objects), Unchecked(activity))
        callbacks.callOnMain {
            for object in objects.value { object.restoreUserActivityState(activity.value) }
        }
    }

    /// Tells the app's delegate that an activity of the app was saved.
    func tellOfSave(of core: ActivityCore) {
        guard delegate != nil else { return }
        callbacks.callOnMain { [self] in
            guard let activity = core.activity else { return }
            delegate?.application(self, didUpdate: activity)
        }
    }

    /// Tells the app that the node has refused the present state of an activity.
    func tell(_ failure: LocalFailure, about core: ActivityCore) {
        log.fault("An activity of type \(core.type) is not offered in its present state. \(failure)")
        callbacks.callOnMain { [self] in
            guard let activity = core.activity else { return }
            delegate?.application(self, didFailToOffer: activity, error: failure.activityError)
        }
    }

    // MARK: Continuing at the start

    /// Continues or opens the thing for which `baton` has started this program in a terminal.
    ///
    /// Environment variables name the thing. It is done only once.
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
                callbacks.callOnMain { [self] in
                    delegate?.application(
                        self, didFailToContinueUserActivityWithType: declaredTypes.first ?? "",
                        error: failure.activityError)
                }
            }
        }
    }

    /// Returns the value of a variable, and removes the variable, so that programs that this program starts don't
    /// inherit it.
    private static func take(_ variable: String) -> String? {
        defer { unsetenv(variable) }
        return Environment.variable(variable).flatMap { $0.isEmpty ? nil : $0 }
    }
}
