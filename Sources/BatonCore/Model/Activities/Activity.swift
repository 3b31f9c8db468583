/// Something that a person does in an app, or did and may return to, with the data needed to continue it elsewhere.
///
/// Current and saved activities have the same fields. Their records have different names and scopes.
package struct Activity: Equatable, Sendable {
    /// The values, which are stored behind one reference.
    ///
    /// An activity is copied at each step of its processing, and most of the copies are never changed.
    @Boxed private var spelled: Spelled

    /// The kind of activity, in reverse DNS notation.
    ///
    /// The type decides which apps can continue the activity.
    package var type: String {
        get { values.type }
        set { values.type = newValue }
    }
    package var title: String? {
        get { values.title }
        set { values.title = newValue }
    }
    /// The payload: the data needed to continue.
    package var info: [PropertyValue: PropertyValue] {
        get { values.info }
        _modify { yield &values.info }
    }
    /// The keys of the payload that are needed to return to the activity after it ended; nil means all keys.
    package var requiredKeys: Set<String>? {
        get { values.requiredKeys }
        set { values.requiredKeys = newValue }
    }
    /// The web page on which the person can continue if there is no app for the activity.
    package var webpage: String? {
        get { values.webpage }
        set { values.webpage = newValue }
    }
    /// The web page that linked to `webpage`.
    package var referrer: String? {
        get { values.referrer }
        set { values.referrer = newValue }
    }
    package var keywords: Set<String> {
        get { values.keywords }
        set { values.keywords = newValue }
    }
    /// Identifies the window or document that already shows the activity's subject.
    package var targetContentIdentifier: String? {
        get { values.targetContentIdentifier }
        set { values.targetContentIdentifier = newValue }
    }
    /// The app's identifier for the activity once it is saved.
    package var persistentIdentifier: String? {
        get { values.persistentIdentifier }
        set { values.persistentIdentifier = newValue }
    }
    package var eligibility: Eligibility {
        get { values.eligibility }
        set { values.eligibility = newValue }
    }
    /// Whether a device that continues the activity may request a pair of streams to its app.
    package var supportsStreams: Bool {
        get { values.supportsStreams }
        set { values.supportsStreams = newValue }
    }
    /// The app's entity that the activity is about.
    package var entity: Entity? {
        get { values.entity }
        set { values.entity = newValue }
    }
    /// The time when the activity stops being offered.
    package var expiration: WallTime? {
        get { values.expiration }
        set { values.expiration = newValue }
    }
    package var started: WallTime {
        get { values.started }
        set { values.started = newValue }
    }
    /// The time when the person or the app last changed the activity.
    package var changed: WallTime {
        get { values.changed }
        set { values.changed = newValue }
    }
    /// The device that last continued the activity, and when; nil if it was never continued.
    package var continuation: Continuation? {
        get { values.continuation }
        set { values.continuation = newValue }
    }
    /// The time when the activity ended; nil while it is current.
    package var finished: WallTime? {
        get { values.finished }
        set { values.finished = newValue }
    }
    /// The device to which the person sent the activity, and when; nil if they did not.
    package var sent: Continuation? {
        get { values.sent }
        set { values.sent = newValue }
    }
    /// The record that the activity had while it was current; nil if the activity has not ended.
    package var origin: Origin? {
        get { values.origin }
        set { values.origin = newValue }
    }
    /// Whether the device that last continued the activity also took it over.
    ///
    /// Taking it over ended the activity where it was current.
    package var isTaken: Bool {
        get { values.isTaken }
        set { values.isTaken = newValue }
    }
    /// The sealed content of a protected activity; nil if the activity is not protected.
    package var protection: Protection? {
        get { values.protection }
        set { values.protection = newValue }
    }
    /// The activity's searchable attributes.
    package var attributes: AttributeSet {
        get { values.attributes }
        _modify { yield &values.attributes }
    }
    /// The fields that only newer versions know, kept unchanged.
    package var unknown: Fields {
        get { values.unknown }
        set { values.unknown = newValue }
    }

    /// The properties of an activity, and their encoding if it is known.
    private struct Spelled {
        var values: Values
        var fields: Fields?
    }

    private var values: Values {
        _read { yield spelled.values }
        _modify {
            spelled.fields = nil
            yield &spelled.values
        }
    }

    /// The stored properties of an activity.
    struct Values: Equatable, Sendable {
        var type: String
        var title: String?
        var info: [PropertyValue: PropertyValue] = [:]
        var requiredKeys: Set<String>?
        var webpage: String?
        var referrer: String?
        var keywords: Set<String> = []
        var targetContentIdentifier: String?
        var persistentIdentifier: String?
        var eligibility = Eligibility.unspoken
        var supportsStreams = false
        var entity: Entity?
        var expiration: WallTime?
        var started: WallTime
        var changed: WallTime
        var continuation: Continuation?
        var finished: WallTime?
        var sent: Continuation?
        var origin: Origin?
        var isTaken = false
        var protection: Protection?
        var attributes = AttributeSet()
        var unknown = Fields()

        init(type: String, started: WallTime) {
            (self.type, self.started, changed) = (type, started, started)
        }
    }

    /// A handover of an activity to another device: it was continued there, or sent there.
    package struct Continuation: Equatable, Sendable {
        package var device: DeviceIdentifier
        package var time: WallTime

        package init(device: DeviceIdentifier, time: WallTime) { (self.device, self.time) = (device, time) }
    }

    /// The device and the record that an ended activity had while it was current.
    package struct Origin: Equatable, Sendable {
        package var device: DeviceIdentifier
        /// The record of the current activity; the record no longer exists.
        package var identity: RecordIdentity

        package init(device: DeviceIdentifier, identity: RecordIdentity) {
            (self.device, self.identity) = (device, identity)
        }
    }

    /// Names an entity of an app, by a type and an identifier that the app chooses.
    package struct Entity: Hashable, Sendable {
        package var type: String
        package var identifier: String

        package init(type: String, identifier: String) { (self.type, self.identifier) = (type, identifier) }
    }

    package init(type: String, started: WallTime) { self.init(Values(type: type, started: started)) }

    package static func == (left: Self, right: Self) -> Bool {
        if left._spelled.isSame(as: right._spelled) { return true }
        // The times are compared first, because two states of one activity usually differ in the time.
        return left.values.changed == right.values.changed && left.values == right.values
    }

    /// Creates an activity.
    ///
    /// `fields` are the fields from which the values were read, or nil if they need not be kept.
    init(_ values: Values, spelledBy fields: Fields? = nil) {
        spelled = Spelled(values: values, fields: fields)
    }

    /// The fields of a record of this activity.
    package var fields: Fields { spelled.fields ?? values.fields }

    /// Encodes the fields and keeps the encoding.
    ///
    /// All later copies share the encoding until they change.
    package mutating func spell() { if spelled.fields == nil { spelled.fields = values.fields } }

    /// Whether these fields are the activity's stored encoding, apart from the mark; false if no encoding is stored.
    package func isSpelled(by fields: Fields) -> Bool {
        spelled.fields?.equals(fields, besides: ActivityMark.number) ?? false
    }

    /// A copy of the activity that has only the type, the times and the handovers.
    ///
    /// The caller sets the other properties anew.
    package var begun: Activity {
        var begun = Activity(type: type, started: started)
        (begun.changed, begun.continuation, begun.sent) = (changed, continuation, sent)
        return begun
    }

    /// The type of an activity that contains what a person has copied to the clipboard.
    package static let clipboardType = "org.baton.clipboard"

    /// Whether the activity contains what the person has copied to the clipboard.
    ///
    /// Such an activity is continued only if the request names it, and is not saved when it ends.
    package var isClipboard: Bool { type == Self.clipboardType }

    /// Whether the activity has expired at the time `now`.
    package func isExpired(at now: WallTime) -> Bool { values.expiration.map { $0 <= now } ?? false }

    /// Returns the scope that the activity has if an app saves it.
    ///
    /// A clear of the domain in its attributes deletes it.
    package func scope(savedBy app: String) -> Scope {
        .activities(app: app, domain: attributes.value(.domainIdentifier)?.string)
    }

    /// The content of a current activity's record.
    ///
    /// It has no scope, so no clear deletes it.
    package var content: Write.Content { Write.Content(fields: fields) }

    /// Returns the content that the record has if an app saves the activity.
    package func content(savedBy app: String) -> Write.Content {
        Write.Content(scope: scope(savedBy: app), fields: fields)
    }
}

extension Activity {
    /// The way in which a saved activity ended.
    ///
    /// If an activity has several ends, the largest one is used. If two ends have the same time, an end by a device
    /// that took the activity over is larger. So all devices choose the same end.
    package struct End: Equatable, Comparable, Sendable {
        package let time: WallTime
        /// The device that took the activity over; nil if it ended otherwise.
        package let taker: DeviceIdentifier?

        package static func < (left: Self, right: Self) -> Bool {
            guard left.time == right.time else { return left.time < right.time }
            guard let taker = right.taker else { return false }
            return left.taker.map { $0 < taker } ?? true
        }
    }

    package var end: End { End(time: finished ?? changed, taker: isTaken ? continuation?.device : nil) }
}

/// The saved form of an activity, which is kept after the activity ends so that a person may return to it.
extension Activity {
    /// Returns the name under which the activity is kept after it ends.
    ///
    /// If the person does the same task again on any device, it gets the same name.
    ///
    /// The name contains the app's persistent identifier, or else a hash of the subject. A persistent identifier that
    /// is too long for a key is ignored. The name of a protected activity contains a hash that only holders of the
    /// content key can compute.
    package func savedName(by app: String) -> SavedActivityName {
        if let protection { return SavedActivityName(app: app, subject: protection.subject) }
        if let persistentIdentifier {
            let name = SavedActivityName(app: app, identifier: persistentIdentifier)
            if name.hasRoom { return name }
        }
        return SavedActivityName(app: app, subject: subject)
    }

    /// Whether this activity may be suggested after its app has replaced it with another activity.
    ///
    /// It must have a persistent identifier, and the other activity must have none or a different one.
    func isLeft(for other: Activity) -> Bool {
        guard eligibility.contains(.prediction) else { return false }
        if let protection { return protection.subject != other.protection?.subject }
        return persistentIdentifier != nil && persistentIdentifier != other.persistentIdentifier
    }

    /// A hash of the activity's subject: its type, title, web page and target content, and the info required to return
    /// to it.
    ///
    /// The title is included because two drafts with different titles are different things to a person, even if nothing
    /// else distinguishes them.
    private var subject: KeyHash { KeyHash(digest: SHA256.digest(encodedSubject)) }

    /// The encoding of the activity's subject.
    var encodedSubject: [UInt8] {
        var writer = CBORWriter()
        writer.array(count: 5)
        writer.text(type)
        for text in [title, webpage, targetContentIdentifier] {
            if let text { writer.text(text) } else { writer.null() }
        }
        PropertyValue.dictionary(infoToComeBack).encode(to: &writer)
        return writer.bytes
    }

    /// The payload's entries that are required to return to the activity later.
    private var infoToComeBack: [PropertyValue: PropertyValue] {
        guard let requiredKeys else { return info }
        return info.filter { entry in
            if case .string(let key) = entry.key { requiredKeys.contains(key) } else { false }
        }
    }

    /// Returns the saved form of an activity that ended at `finished`.
    ///
    /// It expires after the time `keeping`, or at its own expiration if that is earlier.
    package func saved(from origin: Origin, finished: WallTime, keeping: Duration) -> Activity {
        var saved = self
        saved.info = infoToComeBack
        (saved.finished, saved.origin) = (finished, origin)
        let last = finished.advanced(by: keeping)
        saved.expiration = min(expiration ?? last, last)
        // No app can open streams for the activity now, and it is no longer offered before other activities.
        (saved.supportsStreams, saved.sent) = (false, nil)
        return saved
    }
}
