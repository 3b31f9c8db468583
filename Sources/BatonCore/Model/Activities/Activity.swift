/// A task that a person is doing, or did and may go back to, with the data needed to continue it elsewhere.
///
/// Current and saved activities have the same fields; they differ in name and scope.
package struct Activity: Equatable, Sendable {
    /// The kind of activity, in reverse DNS; it decides which apps can continue it.
    package var type: String
    package var title: String?
    /// The payload: the data needed to continue.
    package var info: [PropertyValue: PropertyValue] = [:]
    /// The keys of the payload that are needed to come back later; nil means all of them.
    package var requiredKeys: Set<String>?
    /// The page on which to continue if no app is there that could.
    package var webpage: String?
    /// The page that linked to `webpage`.
    package var referrer: String?
    package var keywords: Set<String> = []
    /// Identifies the window or document that already shows the activity's subject.
    package var targetContentIdentifier: String?
    /// The app's identifier for the activity once it is saved.
    package var persistentIdentifier: String?
    package var eligibility = Eligibility.unspoken
    /// Whether a device that continues it may ask for a pair of streams to its app.
    package var supportsStreams = false
    /// The app's entity that the activity is about.
    package var entity: Entity?
    /// The time when the activity stops being offered.
    package var expiration: WallTime?
    package var started: WallTime
    /// The time when the person or the app last changed it.
    package var changed: WallTime
    /// The last time and device where it was continued; nil if it was not.
    package var continuation: Continuation?
    /// The time when it ended; nil while it is current.
    package var finished: WallTime?
    /// The device to which the person sent it, and when; nil if they did not.
    package var sent: Continuation?
    /// The current activity that it was before it ended; nil while it is current.
    package var origin: Origin?
    /// Whether the device that continued it last took it over, which ended it where it was current.
    package var isTaken = false
    /// The activity's searchable attributes.
    package var attributes = AttributeSet()
    /// Fields of newer versions, kept as they are.
    package var unknown = Fields()

    /// A handover of an activity to another device: it was continued there, or sent there.
    package struct Continuation: Equatable, Sendable {
        package var device: DeviceIdentifier
        package var time: WallTime

        package init(device: DeviceIdentifier, time: WallTime) { (self.device, self.time) = (device, time) }
    }

    /// The current activity that a finished activity was.
    package struct Origin: Equatable, Sendable {
        package var device: DeviceIdentifier
        /// The record of the current activity; the record no longer exists.
        package var identity: RecordIdentity

        package init(device: DeviceIdentifier, identity: RecordIdentity) {
            (self.device, self.identity) = (device, identity)
        }
    }

    /// Names an app's entity by the type that the app gives it, and an identifier.
    package struct Entity: Hashable, Sendable {
        package var type: String
        package var identifier: String

        package init(type: String, identifier: String) { (self.type, self.identifier) = (type, identifier) }
    }

    package init(type: String, started: WallTime) {
        (self.type, self.started, changed) = (type, started, started)
    }

    /// The activity as it was when it had just begun, with nothing but its type.
    package var begun: Activity {
        var begun = Activity(type: type, started: started)
        (begun.changed, begun.continuation, begun.sent) = (changed, continuation, sent)
        return begun
    }

    /// Whether the activity's expiration is not later than that time.
    package func isExpired(at now: WallTime) -> Bool { expiration.map { $0 <= now } ?? false }

    /// Returns the scope of the activity if that app saves it: clears of its attributes' domain delete it.
    package func scope(savedBy app: String) -> Scope {
        .activities(app: app, domain: attributes.value(.domainIdentifier)?.string)
    }

    /// The content of a current activity's record; no clear deletes it.
    package var content: Write.Content { Write.Content(fields: fields) }

    /// Returns the content of the record if that app saves the activity.
    package func content(savedBy app: String) -> Write.Content {
        Write.Content(scope: scope(savedBy: app), fields: fields)
    }
}

extension Activity {
    /// The end of a saved activity.
    ///
    /// The largest of several ends of one activity is the last. If two ends have the same time, one by which the
    /// activity was taken over is larger, so that all devices choose the same end.
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

/// The form in which an activity is kept after it ends, so that a person may go back to it.
extension Activity {
    /// Returns the name under which the activity is kept after it ends: the same task done again has the same name, on
    /// any device.
    ///
    /// The name is the app's persistent identifier, or else a hash of the subject. An identifier that does not fit a
    /// key is ignored.
    package func savedName(by app: String) -> SavedActivityName {
        if let persistentIdentifier {
            let name = SavedActivityName(app: app, identifier: persistentIdentifier)
            if name.hasRoom { return name }
        }
        return SavedActivityName(app: app, subject: subject)
    }

    /// A hash of the activity's subject: its type, title, page, target content, and the info required to come back.
    ///
    /// Two drafts with different titles are different things to a person, even when nothing else tells them apart.
    private var subject: KeyHash {
        var writer = CBORWriter()
        writer.array(count: 5)
        writer.text(type)
        for text in [title, webpage, targetContentIdentifier] {
            if let text { writer.text(text) } else { writer.null() }
        }
        PropertyValue.dictionary(infoToComeBack).encode(to: &writer)
        return KeyHash(digest: SHA256.digest(writer.bytes))
    }

    /// The payload's entries that are required to come back later.
    private var infoToComeBack: [PropertyValue: PropertyValue] {
        guard let requiredKeys else { return info }
        return info.filter { entry in
            if case .string(let key) = entry.key { requiredKeys.contains(key) } else { false }
        }
    }

    /// Returns the form in which the ended activity is kept, for this long.
    package func saved(from origin: Origin, finished: WallTime, keeping: Duration) -> Activity {
        var saved = self
        saved.info = infoToComeBack
        (saved.finished, saved.origin) = (finished, origin)
        let last = finished.advanced(by: keeping)
        saved.expiration = min(expiration ?? last, last)
        // No app is behind the activity any more, and nobody is asked to continue it before all others.
        (saved.supportsStreams, saved.sent) = (false, nil)
        return saved
    }
}
