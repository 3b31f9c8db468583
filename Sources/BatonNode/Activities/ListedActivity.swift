import BatonCore

/// A current or ended activity in the form that lists and continuations use.
struct ListedActivity: ActivityRow {
    let key: RecordKey
    let identity: RecordIdentity
    /// The device on which the activity is current, or was current before it ended.
    let device: DeviceIdentifier
    let app: String
    /// The name of a current activity; nil if the activity has ended.
    let name: ActivityName?
    var activity: Activity
    /// Whether the activity has ended, and only this device keeps it.
    private(set) var isKept = false
    /// Whether this is an action that an app has donated.
    private(set) var isDonated = false

    /// Creates the entry of a current activity.
    init(_ name: ActivityName, _ activity: Activity) {
        key = name.key
        identity = name.identity
        device = name.device
        app = name.app
        (self.name, self.activity) = (name, activity)
    }

    /// Creates the entry of a current or ended activity from its record.
    ///
    /// Returns nil if the record has no activity, or if the activity can't be read.
    init?(_ record: Record) {
        if let (name, activity) = record.activity {
            self.init(name, activity)
        } else {
            self.init(saved: record)
        }
    }

    /// Creates the entry of an ended activity from its record.
    ///
    /// Returns nil if the record does not say on which device the activity was current.
    init?(saved record: Record) {
        guard let key = record.key, let activity = record.savedActivity, let origin = activity.origin else {
            return nil
        }
        do throws(CBORError) {
            app = try SavedActivityName(key).app
        } catch {
            return nil
        }
        (self.key, identity, device) = (key, record.identity, origin.device)
        (self.activity, name) = (activity, nil)
    }

    /// Creates the entry of an ended activity that only this device keeps.
    init(kept name: SavedActivityName, _ activity: Activity, on device: DeviceIdentifier) {
        (key, app) = (name.key, name.app)
        identity = key.identity
        (self.device, self.activity, self.name) = (device, activity, nil)
        isKept = true
    }

    /// Creates the entry of an action that an app of this device has donated.
    init(donated name: SavedActivityName, _ activity: Activity, on device: DeviceIdentifier) {
        self.init(kept: name, activity, on: device)
        isDonated = true
    }

    /// The app instance of a current activity; nil if the activity has ended.
    var instance: String? { name?.instance }

    var rowDevice: DeviceIdentifier { device }
    var rowInstance: String { instance ?? "" }

    /// The name under which an ended activity is saved; nil while the activity is current.
    var savedName: SavedActivityName? {
        guard key.kind == .savedActivity else { return nil }
        do throws(CBORError) { return try SavedActivityName(key) } catch { return nil }
    }

    /// The identifier of the activity in commands.
    var identifier: String { identity.hash.description }

    /// The activity's name for a person: its title, or its type if it has no title.
    var title: String { activity.title ?? activity.type }

    /// The position in a list.
    var place: ListPlace { ListPlace(changed: activity.changed, identifier: identifier) }

    /// Returns the activity with the times that this device uses for it.
    ///
    /// If the time of the last change is in the future by this device's clock, the time of its arrival is used instead.
    func dated(by arrivals: ArrivalTimes, at now: WallTime) -> ListedActivity {
        let time = arrivals.time(of: identity, changed: activity.changed, at: now)
        guard time != activity.changed else { return self }
        var dated = self
        dated.activity.changed = time
        if let finished = activity.finished { dated.activity.finished = min(finished, time) }
        return dated
    }

    /// Whether the activity has ended, and the identifier that it had before it ended begins with a prefix.
    func wasCalled(_ prefix: String) -> Bool {
        name == nil && activity.origin?.identity.hash.description.hasPrefix(prefix) ?? false
    }

    /// Whether the person sent the activity to a device, and this device has not continued it since.
    func isSent(to device: DeviceIdentifier) -> Bool {
        guard name != nil, let sent = activity.sent, sent.device == device else { return false }
        guard let continuation = activity.continuation, continuation.device == device else { return true }
        return continuation.time < sent.time
    }
}
