import BatonCore
import BatonSecurity

/// Seals protected activities before anything else of the node sees them, and opens them for the answers to apps and
/// commands.
///
/// The store, the notes on the disk, the backups, the log and the other devices only get what is sealed.
struct ActivitySealing: Sendable {
    private let key: ContentKey

    init(with key: ContentKey) { self.key = key }

    /// Returns an activity of an app as it is kept: sealed if it is protected.
    ///
    /// `before` is the activity that this one replaces, as it is kept and with its content. If its content is the same,
    /// its sealed form is kept. So an update that changes nothing writes nothing.
    func seal(
        _ activity: Activity, of app: String, isProtected: Bool,
        replacing before: (kept: Activity, opened: Activity)? = nil
    ) throws(LocalFailure) -> Activity {
        var activity = activity
        guard isProtected else {
            activity.protection = nil
            return activity
        }
        let content = activity.contentToSeal
        if let before, let protection = before.kept.protection, protection.content != nil,
            before.opened.contentToSeal == content
        {
            return activity.sealed(as: protection)
        }
        do {
            let protection = Activity.Protection(
                subject: subject(activity.subjectToHash(of: app)),
                content: try key.seal(content, for: activity.sealingContext(of: app)))
            return activity.sealed(as: protection)
        } catch {
            throw LocalFailure(.failed, "The activity can't be sealed, so nothing was kept. \(error.message)")
        }
    }

    /// Returns an activity as a person sees it: with its content, if it is sealed and this device can open it.
    ///
    /// A value that was changed on its way or on the disk can't be opened. In that case, the title says so.
    func shown(_ activity: Activity, of app: String) -> Activity {
        do {
            return try opened(activity, of: app)
        } catch {
            var shown = activity
            shown.title = "something of \(app) that can't be opened"
            return shown
        }
    }

    /// Returns an activity with its content; throws if it is sealed and can't be opened.
    func demandOpen(_ activity: Activity, of app: String) throws(LocalFailure) -> Activity {
        do {
            return try opened(activity, of: app)
        } catch {
            throw LocalFailure(
                .failed,
                "The protected activity of \(app) can't be opened, because it was damaged or sealed with another key.\nStart it anew on its machine."
            )
        }
    }

    private func opened(_ activity: Activity, of app: String) throws -> Activity {
        guard let content = activity.protection?.content else { return activity }
        return try activity.opened(by: try key.open(content, for: activity.sealingContext(of: app)))
    }

    /// Returns the name under which a protected activity with a persistent identifier is saved.
    func savedName(of identifier: String, by app: String) -> SavedActivityName {
        SavedActivityName(app: app, subject: subject(Activity.subjectToHash(of: app, identifier: identifier)))
    }

    private func subject(_ bytes: [UInt8]) -> KeyHash { key.name(of: bytes, for: "activity") }
}
