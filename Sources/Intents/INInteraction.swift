public import Foundation

/// An intent that was carried out, and its outcome; an app donates it, so that the action is suggested when a person is
/// likely to want it.
///
/// An intent class of the app's own archives its details by `encode(with:)` and `init(coder:)`, and should not be nested in
/// another type: on Linux, nested classes can't be read from an archive.
open class INInteraction: NSObject, NSCopying, NSSecureCoding {
    /// The intent that was carried out.
    public let intent: INIntent
    /// The outcome.
    public let intentResponse: INIntentResponse?
    /// The state of the intent; unspecified, because the system sets it.
    open var intentHandlingStatus: INIntentHandlingStatus { .unspecified }
    /// Whether the person or somebody else began the interaction.
    open var direction: INInteractionDirection = .unspecified
    /// The time of the interaction; by default the moment at which this object was created.
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

    /// Donates the interaction, so that `baton suggest` offers it; the handler is called once the node has it.
    ///
    /// The node keeps it for this machine, and sends it to no other. When a person chooses it, the app gets an activity
    /// of the type of the response's `userActivity`, or else of the intent's class, with this interaction. Without a
    /// node the error is `INIntentError.donatingInteraction`, and nothing is kept.
    @preconcurrency
    open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        action.donate { Self.finish($0, .donatingInteraction, completion) }
    }

    /// Donates the interaction, so that `baton suggest` offers it.
    nonisolated(nonsending) open func donate() async throws {
        let action = action
        try await Self.wait(.donatingInteraction) { action.donate(then: $0) }
    }

    /// Deletes all donations of the app.
    @preconcurrency
    open class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        DonatedAction.deleteAll { finish($0, .deletingAllInteractions, completion) }
    }

    /// Deletes all donations of the app.
    nonisolated(nonsending) open class func deleteAll() async throws {
        try await wait(.deletingAllInteractions) { DonatedAction.deleteAll(then: $0) }
    }

    /// Deletes donations by their identifiers.
    @preconcurrency
    open class func delete(
        with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) { DonatedAction.delete(identifiers) { finish($0, .deletingInteractionWithIdentifiers, completion) } }

    /// Deletes donations by their identifiers.
    nonisolated(nonsending) open class func delete(with identifiers: [String]) async throws {
        try await wait(.deletingInteractionWithIdentifiers) { DonatedAction.delete(identifiers, then: $0) }
    }

    /// Deletes the donations of a group.
    @preconcurrency
    open class func delete(
        with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        DonatedAction.delete(group: groupIdentifier) {
            finish($0, .deletingInteractionWithGroupIdentifier, completion)
        }
    }

    /// Deletes the donations of a group.
    nonisolated(nonsending) open class func delete(with groupIdentifier: String) async throws {
        try await wait(.deletingInteractionWithGroupIdentifier) {
            DonatedAction.delete(group: groupIdentifier, then: $0)
        }
    }

    /// Calls a handler with the outcome, on the queue of all handlers.
    private static func finish(
        _ failure: String?, _ code: INIntentError.Code, _ completion: (@Sendable ((any Error)?) -> Void)?
    ) {
        guard let completion else { return }
        Callbacks.call { completion(failure.map { INIntentError(code, $0) }) }
    }

    /// Waits for the outcome of a call, and throws the reason if it failed.
    nonisolated(nonsending) private static func wait(
        _ code: INIntentError.Code, for call: (@escaping @Sendable (String?) -> Void) -> Void
    ) async throws {
        let failure = await withCheckedContinuation { continuation in
            call { continuation.resume(returning: $0) }
        }
        if let failure { throw INIntentError(code, failure) }
    }

    /// The interaction as the node gets it.
    private var action: DonatedAction {
        DonatedAction(
            identifier, in: groupIdentifier, at: dateInterval?.end,
            ofType: String(describing: type(of: intent)),
            title: intent.suggestedInvocationPhrase ?? intent.intentDescription, archive: archive,
            activity: intentResponse?.userActivity)
    }

    /// The intent, the response and the direction in an archive; nil if the intent's class can't be read from one.
    ///
    /// It has no pictures if it would be too large with them.
    ///
    /// Equal intents have equal archives, by which the node recognizes an action that is donated again. An intent that
    /// writes a dictionary or a set may write it in another order, and then counts as another action.
    private var archive: Data? {
        guard Self.hasName(intent) else { return nil }
        let bare = INInteraction(
            intent: intent, response: intentResponse.flatMap { Self.hasName($0) ? $0 : nil })
        (bare.identifier, bare.dateInterval, bare.direction) = ("", nil, direction)
        let archive = bare.encoded
        if archive.count <= DonatedAction.archiveBytes { return archive }
        return Pictures.$areLeftOut.withValue(true) { bare.encoded }
    }

    /// The whole interaction in an archive.
    private var encoded: Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        // The keys of dictionaries have an order only in this form.
        archiver.outputFormat = .xml
        archiver.encode(self, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        return archiver.encodedData
    }

    /// Whether archives can name the class of an object: on Linux a class inside of another type has no such name.
    private static func hasName(_ object: NSObject) -> Bool {
        String(reflecting: type(of: object)).split(separator: ".").count == 2
    }

    /// Recreates the interaction that a person has chosen.
    convenience init(_ chosen: DonatedAction.Chosen, title: String?) {
        let archived = chosen.archive.flatMap {
            try? NSKeyedUnarchiver.unarchivedObject(ofClass: INInteraction.self, from: $0)
        }
        let intent = archived?.intent ?? INIntent()
        if archived == nil { intent.suggestedInvocationPhrase = title }
        self.init(intent: intent, response: archived?.intentResponse)
        direction = archived?.direction ?? .unspecified
        (identifier, groupIdentifier) = (chosen.identifier, chosen.group)
        dateInterval = DateInterval(start: chosen.date, duration: 0)
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
        if coder.containsValue(forKey: Key.start) {
            let start = coder.decodeObject(of: NSDate.self, forKey: Key.start)
            let duration = coder.decodeDouble(forKey: Key.duration)
            dateInterval = start.flatMap {
                duration >= 0 ? DateInterval(start: $0 as Date, duration: duration) : nil
            }
        } else {
            // On Linux, Foundation would take the archive for damaged if a missing value were read.
            dateInterval = nil
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
    /// Not specified.
    case unspecified = 0
    /// The person.
    case outgoing = 1
    /// Somebody else.
    case incoming = 2
}

/// The state of an intent.
public enum INIntentHandlingStatus: Int, Sendable {
    /// Not specified.
    case unspecified = 0
    /// The app can begin.
    case ready = 1
    /// The app is working on it.
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
