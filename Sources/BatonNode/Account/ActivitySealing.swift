import BatonCore
import BatonSecurity

/// Seals protected activities before anything else of the node sees them, and opens them for the answers to apps and
/// commands.
///
/// The store, the notes on the disk, the backups, the log and the other devices only get what is sealed.
struct ActivitySealing: Sendable {
    /// The key; nil while it is locked.
    private let key: ContentKey?
    /// The options of the command that unlocks the account.
    private let options: String

    init(with key: ContentKey?, options: String) { (self.key, self.options) = (key, options) }

    /// Returns the key; throws `.locked` if it is locked, naming what was asked for.
    func demandKey(for subject: String) throws(LocalFailure) -> ContentKey {
        guard let key else { throw .locked(subject, options: options) }
        return key
    }

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
        let key = try demandKey(for: "The protected content of this machine")
        let content = activity.contentToSeal
        if let before, let protection = before.kept.protection, protection.content != nil,
            before.opened.contentToSeal == content
        {
            return activity.sealed(as: protection)
        }
        do {
            let protection = Activity.Protection(
                subject: Self.subject(activity.subjectToHash(of: app), by: key),
                content: try key.seal(content, for: activity.sealingContext(of: app)))
            return activity.sealed(as: protection)
        } catch {
            throw LocalFailure(.failed, "The activity can't be sealed, so nothing was kept. \(error.message)")
        }
    }

    /// Returns an activity as a person sees it: with its content, if it is sealed and this device can open it.
    ///
    /// A value that was changed on its way or on the disk can't be opened. In that case, the title says so.
    /// While the key is locked, the title says that, and the sealed content stays in the activity.
    func shown(_ activity: Activity, of app: String) -> Activity {
        guard activity.protection?.content != nil else { return activity }
        var shown = activity
        guard let key else {
            shown.title = "something of \(app) (locked)"
            return shown
        }
        do {
            return try opened(activity, of: app, with: key)
        } catch {
            shown.protection?.content = nil
            shown.title = "something of \(app) that can't be opened"
            return shown
        }
    }

    /// Returns an activity with its content; throws if it is sealed and can't be opened.
    func demandOpen(_ activity: Activity, of app: String) throws(LocalFailure) -> Activity {
        guard activity.protection?.content != nil else { return activity }
        let key = try demandKey(for: "The protected activity of \(app)")
        do {
            return try opened(activity, of: app, with: key)
        } catch {
            throw LocalFailure(
                .failed,
                "The protected activity of \(app) can't be opened, because it was damaged or sealed with another key.\nStart it anew on its machine."
            )
        }
    }

    private func opened(_ activity: Activity, of app: String, with key: ContentKey) throws -> Activity {
        guard let content = activity.protection?.content else { return activity }
        return try activity.opened(by: try key.open(content, for: activity.sealingContext(of: app)))
    }

    /// Returns the name under which a protected activity with a persistent identifier is saved.
    func savedName(of identifier: String, by app: String) throws(LocalFailure) -> SavedActivityName {
        let key = try demandKey(for: "The protected content of this machine")
        let subject = Self.subject(Activity.subjectToHash(of: app, identifier: identifier), by: key)
        return SavedActivityName(app: app, subject: subject)
    }

    private static func subject(_ bytes: [UInt8], by key: ContentKey) -> KeyHash {
        key.name(of: bytes, for: "activity")
    }
}
