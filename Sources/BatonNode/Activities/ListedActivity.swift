import BatonCore

/// An activity, current or ended, in the form that lists and continuations use.
struct ListedActivity: ActivityRow {
    let key: RecordKey
    let identity: RecordIdentity
    /// The device where it is going on or went on.
    let device: DeviceIdentifier
    let app: String
    /// The name of a current activity; nil if it has ended.
    let name: ActivityName?
    var activity: Activity
    /// Whether it has ended, and this device keeps it for itself.
    private(set) var isKept = false
    /// Whether it is an action that its app has donated.
    private(set) var isDonated = false

    /// A current activity.
    init(_ name: ActivityName, _ activity: Activity) {
        key = name.key
        identity = name.identity
        device = name.device
        app = name.app
        (self.name, self.activity) = (name, activity)
    }

    /// The activity of a record, current or ended; nil if there is none or it can't be read.
    init?(_ record: Record) {
        if let (name, activity) = record.activity {
            self.init(name, activity)
        } else {
            self.init(saved: record)
        }
    }

    /// An ended activity; nil if the record does not say where it was going on.
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

    /// An ended activity that this device keeps for itself.
    init(kept name: SavedActivityName, _ activity: Activity, on device: DeviceIdentifier) {
        (key, app) = (name.key, name.app)
        identity = key.identity
        (self.device, self.activity, self.name) = (device, activity, nil)
        isKept = true
    }

    /// An action that an app of this device has donated.
    init(donated name: SavedActivityName, _ activity: Activity, on device: DeviceIdentifier) {
        self.init(kept: name, activity, on: device)
        isDonated = true
    }

    /// The app instance; nil if the activity has ended.
    var instance: String? { name?.instance }

    var rowDevice: DeviceIdentifier { device }
    var rowInstance: String { instance ?? "" }

    /// The name under which it is kept after its end; nil while it goes on.
    var savedName: SavedActivityName? {
        guard key.kind == .savedActivity else { return nil }
        do throws(CBORError) { return try SavedActivityName(key) } catch { return nil }
    }

    /// The identifier of the activity in commands.
    var identifier: String { identity.hash.description }

    /// The activity's name for a person: its title, or else its type.
    var title: String { activity.title ?? activity.type }

    /// The position in a list.
    var place: ListPlace { ListPlace(changed: activity.changed, identifier: identifier) }

    /// Returns the activity with its change and end as dated on this device: a time in the future counts as the time of
    /// arrival.
    func dated(by arrivals: ArrivalTimes, at now: WallTime) -> ListedActivity {
        let time = arrivals.time(of: identity, changed: activity.changed, at: now)
        guard time != activity.changed else { return self }
        var dated = self
        dated.activity.changed = time
        if let finished = activity.finished { dated.activity.finished = min(finished, time) }
        return dated
    }

    /// Whether the activity has ended, and its earlier identifier begins with a prefix.
    func wasCalled(_ prefix: String) -> Bool {
        name == nil && activity.origin?.identity.hash.description.hasPrefix(prefix) ?? false
    }

    /// Whether the person sent the activity to a device that has not continued it since.
    func isSent(to device: DeviceIdentifier) -> Bool {
        guard name != nil, let sent = activity.sent, sent.device == device else { return false }
        guard let continuation = activity.continuation, continuation.device == device else { return true }
        return continuation.time < sent.time
    }
}
