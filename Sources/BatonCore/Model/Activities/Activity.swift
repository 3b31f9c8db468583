/// What someone is doing, or did and may go back to, with what it takes to go on elsewhere.
///
/// A current activity and a saved one say the same of themselves; they differ in name and scope.
package struct Activity: Equatable, Sendable {
    /// What kind of thing is done, in reverse DNS; decides who can continue it.
    package var type: String
    package var title: String?
    /// The payload: what it takes to go on.
    package var info: [PropertyValue: PropertyValue] = [:]
    /// Which keys of the payload it takes to come back later; nothing means all of them.
    package var requiredKeys: Set<String>?
    /// Where to go on if no app is there that could.
    package var webpage: String?
    /// The page that linked to that one.
    package var referrer: String?
    package var keywords: Set<String> = []
    /// Tells a window or document that already shows what this is about.
    package var targetContentIdentifier: String?
    /// What its app calls it, once it is saved.
    package var persistentIdentifier: String?
    package var eligibility = Eligibility.unspoken
    /// Whether who continues it may ask for a pair of streams to its app.
    package var supportsStreams = false
    /// The thing of its app that it is about.
    package var entity: Entity?
    /// When the activity stops being offered.
    package var expiration: WallTime?
    package var started: WallTime
    /// When the person or the app last changed it.
    package var changed: WallTime
    /// Where it was continued last, if it was.
    package var continuation: Continuation?
    /// When it ended; nothing while it is going on.
    package var finished: WallTime?
    /// To which device the person sent it, if they did.
    package var sent: Continuation?
    /// Where it was going on before it ended; nothing while it is going on.
    package var origin: Origin?
    /// Whether the device that continued it last took it over, so that it ended where it was going on.
    package var isTaken = false
    /// What it says of itself to those who search.
    package var attributes = AttributeSet()
    /// Fields of newer versions, kept as they are.
    package var unknown = Fields()

    /// That something was done with an activity that concerns another device: it was continued there, or sent there.
    package struct Continuation: Equatable, Sendable {
        package var device: DeviceIdentifier
        package var time: WallTime

        package init(device: DeviceIdentifier, time: WallTime) { (self.device, self.time) = (device, time) }
    }

    /// Which current activity a finished one was.
    package struct Origin: Equatable, Sendable {
        package var device: DeviceIdentifier
        /// The record of the current activity, which is gone.
        package var identity: RecordIdentity

        package init(device: DeviceIdentifier, identity: RecordIdentity) {
            (self.device, self.identity) = (device, identity)
        }
    }

    /// Names a thing of an app by the type that the app gives it, and an identifier.
    package struct Entity: Hashable, Sendable {
        package var type: String
        package var identifier: String

        package init(type: String, identifier: String) { (self.type, self.identifier) = (type, identifier) }
    }

    package init(type: String, started: WallTime) {
        (self.type, self.started, changed) = (type, started, started)
    }

    /// The same as it was when it had just begun, with nothing but its type said of it.
    package var begun: Activity {
        var begun = Activity(type: type, started: started)
        (begun.changed, begun.continuation, begun.sent) = (changed, continuation, sent)
        return begun
    }

    /// Whether the activity is past its expiration at that time.
    package func isExpired(at now: WallTime) -> Bool { expiration.map { $0 <= now } ?? false }

    /// Where it belongs if that app saves it: clears of the domain that its attributes name delete it.
    package func scope(savedBy app: String) -> Scope {
        .activities(app: app, domain: attributes.value(.domainIdentifier)?.string)
    }

    /// What the record of a current activity holds; nothing clears it.
    package var content: Write.Content { Write.Content(fields: fields) }

    /// What the record holds if that app saves the activity.
    package func content(savedBy app: String) -> Write.Content {
        Write.Content(scope: scope(savedBy: app), fields: fields)
    }
}

extension Activity {
    /// How an activity that is kept ended.
    ///
    /// The largest of several ends of one activity is the last. In one moment, an end by which it was taken over is
    /// larger than another, so that all devices mean the same end.
    package struct End: Equatable, Comparable, Sendable {
        package let time: WallTime
        /// Who took it over, if it ended so.
        package let taker: DeviceIdentifier?

        package static func < (left: Self, right: Self) -> Bool {
            guard left.time == right.time else { return left.time < right.time }
            guard let taker = right.taker else { return false }
            return left.taker.map { $0 < taker } ?? true
        }
    }

    package var end: End { End(time: finished ?? changed, taker: isTaken ? continuation?.device : nil) }
}
