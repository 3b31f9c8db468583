public import Foundation

/// An intent that was carried out, with its outcome, for a system that suggests actions.
///
/// No system on Linux suggests actions. A donation is accepted and has no effect.
open class INInteraction: NSObject, NSCopying, NSSecureCoding {
    /// The intent that was carried out.
    public let intent: INIntent
    /// The outcome.
    public let intentResponse: INIntentResponse?
    /// The state of the intent; unspecified, because the system sets it.
    open var intentHandlingStatus: INIntentHandlingStatus { .unspecified }
    /// Whether the person or somebody else began the interaction.
    open var direction: INInteractionDirection = .unspecified
    /// The time of the interaction: the moment in which this was made, until the app sets it.
    open var dateInterval: DateInterval? = DateInterval(start: Date(), duration: 0)
    /// The identifier, by which the app can delete the donation.
    open var identifier = UUID().uuidString
    /// The identifier of a group of donations.
    open var groupIdentifier: String?

    /// Creates an interaction.
    public init(intent: INIntent, response: INIntentResponse?) {
        (self.intent, intentResponse) = (intent, response)
        super.init()
    }

    // MARK: Donations

    /// Donates the interaction; the handler is called once that is done.
    @preconcurrency
    open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) { Self.finish(completion) }

    /// Donates the interaction.
    nonisolated(nonsending) open func donate() async throws {}

    /// Deletes all donations of the app.
    @preconcurrency
    open class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) { finish(completion) }

    /// Deletes all donations of the app.
    nonisolated(nonsending) open class func deleteAll() async throws {}

    /// Deletes donations by their identifiers.
    @preconcurrency
    open class func delete(
        with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) { finish(completion) }

    /// Deletes donations by their identifiers.
    nonisolated(nonsending) open class func delete(with identifiers: [String]) async throws {}

    /// Deletes the donations of a group.
    @preconcurrency
    open class func delete(
        with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) { finish(completion) }

    /// Deletes the donations of a group.
    nonisolated(nonsending) open class func delete(with groupIdentifier: String) async throws {}

    /// Calls a handler on the queue of all handlers.
    private static func finish(_ completion: (@Sendable ((any Error)?) -> Void)?) {
        if let completion { Callbacks.call { completion(nil) } }
    }

    // MARK: Copies and archives

    /// Returns a copy with a copy of the intent.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = INInteraction(
            intent: intent.copy() as? INIntent ?? intent,
            response: intentResponse?.copy() as? INIntentResponse)
        (copy.direction, copy.dateInterval) = (direction, dateInterval)
        (copy.identifier, copy.groupIdentifier) = (identifier, groupIdentifier)
        return copy
    }

    /// Whether interactions can be read securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the interaction to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(intent, forKey: Key.intent)
        coder.encode(intentResponse, forKey: Key.response)
        coder.encode(Int64(direction.rawValue), forKey: Key.direction)
        if let dateInterval {
            coder.encode(dateInterval.start as NSDate, forKey: Key.start)
            coder.encode(dateInterval.duration as Double, forKey: Key.duration)
        }
        coder.encode(identifier as NSString, forKey: Key.identifier)
        coder.encode(groupIdentifier.map { $0 as NSString }, forKey: Key.groupIdentifier)
    }

    /// Reads an interaction from an archive.
    public required init?(coder: NSCoder) {
        guard let intent = coder.decodeObject(of: INIntent.self, forKey: Key.intent),
            let identifier = coder.decodeObject(of: NSString.self, forKey: Key.identifier)
        else { return nil }
        self.intent = intent
        intentResponse = coder.decodeObject(of: INIntentResponse.self, forKey: Key.response)
        direction =
            INInteractionDirection(rawValue: Int(coder.decodeInt64(forKey: Key.direction))) ?? .unspecified
        let (start, duration) = (
            coder.decodeObject(of: NSDate.self, forKey: Key.start), coder.decodeDouble(forKey: Key.duration)
        )
        dateInterval = start.flatMap {
            duration >= 0 ? DateInterval(start: $0 as Date, duration: duration) : nil
        }
        self.identifier = identifier as String
        groupIdentifier = coder.decodeObject(of: NSString.self, forKey: Key.groupIdentifier).map {
            $0 as String
        }
        super.init()
    }

    /// The names in an archive.
    private enum Key {
        static let intent = "intent"
        static let response = "intentResponse"
        static let direction = "direction"
        static let start = "start"
        static let duration = "duration"
        static let identifier = "identifier"
        static let groupIdentifier = "groupIdentifier"
    }
}

/// The side that began an interaction.
public enum INInteractionDirection: Int, Sendable {
    /// Not said.
    case unspecified = 0
    /// The person.
    case outgoing = 1
    /// Somebody else.
    case incoming = 2
}

/// The state of an intent.
public enum INIntentHandlingStatus: Int, Sendable {
    /// Not said.
    case unspecified = 0
    /// The app can begin.
    case ready = 1
    /// The app is at it.
    case inProgress = 2
    /// The app has done it.
    case success = 3
    /// The app could not do it.
    case failure = 4
    /// The app has to be opened for it.
    case deferredToApplication = 5
    /// The person has to confirm it.
    case userConfirmationRequired = 6
}
