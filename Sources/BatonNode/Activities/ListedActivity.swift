import BatonCore

/// An activity that is going on somewhere, or did, as lists and those who continue it see it.
struct ListedActivity {
    let key: RecordKey
    let identity: RecordIdentity
    /// Where it is going on, or did.
    let device: DeviceIdentifier
    let app: String
    /// What it is called while it is going on; nothing if it has ended.
    let name: ActivityName?
    var activity: Activity { didSet { fields = activity.fields } }
    /// The fields that spell the activity.
    private(set) var fields: Fields

    /// One that is going on.
    init(_ name: ActivityName, _ activity: Activity, spelledBy fields: Fields? = nil) {
        (key, identity, device, app) = (name.key, name.identity, name.device, name.app)
        (self.name, self.activity, self.fields) = (name, activity, fields ?? activity.fields)
    }

    /// The activity of a record, whether it goes on or has ended; nil if it is not there or can't be read.
    init?(_ record: Record) {
        if let (name, activity) = record.activity {
            self.init(name, activity, spelledBy: record.fields)
        } else {
            self.init(saved: record)
        }
    }

    /// One that has ended; nothing if it does not say where it was going on.
    init?(saved record: Record) {
        guard let key = record.key, let activity = record.savedActivity, let fields = record.fields,
            let origin = activity.origin
        else { return nil }
        do throws(CBORError) {
            app = try SavedActivityName(key).app
        } catch {
            return nil
        }
        (self.key, identity, device) = (key, record.identity, origin.device)
        (self.activity, self.fields, name) = (activity, fields, nil)
    }

    /// The app instance; nothing if it has ended.
    var instance: String? { name?.instance }

    /// Stands for the activity in commands.
    var identifier: String { identity.hash.description }

    /// What a person calls it.
    var title: String { activity.title ?? activity.type }

    /// Where it stands in a list.
    var place: ListPlace { ListPlace(changed: activity.changed, identifier: identifier) }

    /// Whether its identifier begins so, or did while it was going on.
    func isCalled(_ prefix: String) -> Bool {
        identifier.hasPrefix(prefix) || wasCalled(prefix)
    }

    /// Whether it has ended, and its identifier began so before.
    func wasCalled(_ prefix: String) -> Bool {
        name == nil && activity.origin?.identity.hash.description.hasPrefix(prefix) ?? false
    }

    /// Whether the person sent it to that device, and it was not continued there since.
    func isSent(to device: DeviceIdentifier) -> Bool {
        guard name != nil, let sent = activity.sent, sent.device == device else { return false }
        guard let continuation = activity.continuation, continuation.device == device else { return true }
        return continuation.time < sent.time
    }
}
