public import Foundation

/// An intent that was carried out, and its result.
///
/// An app donates an interaction, so that the action is suggested when a person will probably want it. If an app
/// defines its own intent class, that class must archive its properties with `encode(with:)` and `init(coder:)`. The
/// class should not be nested in another type, because on Linux a nested class can't be decoded from an archive.
open class INInteraction: NSObject, NSCopying, NSSecureCoding {
    /// The intent that was carried out.
    public let intent: INIntent
    /// The result of the intent.
    public let intentResponse: INIntentResponse?
    /// The state of the intent; it is unspecified, because only the system can set it.
    open var intentHandlingStatus: INIntentHandlingStatus { .unspecified }
    /// Whether the person or somebody else started the interaction.
    open var direction: INInteractionDirection = .unspecified
    /// The time of the interaction; the default is the time when this object was created.
    open var dateInterval: DateInterval? = DateInterval(start: Date(), duration: 0)
    /// The identifier of the interaction, with which the app can delete the donation.
    open var identifier = UUID().uuidString
    /// The identifier of the group of donations that this interaction belongs to.
    open var groupIdentifier: String?

    /// Creates an interaction.
    public init(intent: INIntent, response: INIntentResponse?) {
        (self.intent, intentResponse) = (intent, response)
        super.init()
    }

    // MARK: Donations

    /// Donates the interaction, so that `baton suggest` suggests it; the handler is called once the node has stored it.
    ///
    /// The node stores the donation on this machine, and sends it to no other machine. When a person chooses it, the
    /// app gets an activity with this interaction. The type of the activity is the type of the response's
    /// `userActivity`, or else the name of the intent's class. If there is no node, the error is
    /// `INIntentError.donatingInteraction`, and nothing is stored.
    @preconcurrency
    open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        action.donate { Self.finish($0, .donatingInteraction, completion) }
    }

    /// Donates the interaction, so that `baton suggest` suggests it.
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

    /// Deletes the donations with these identifiers.
    @preconcurrency
    open class func delete(
        with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) { DonatedAction.delete(identifiers) { finish($0, .deletingInteractionWithIdentifiers, completion) } }

    /// Deletes the donations with these identifiers.
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

    /// Calls a handler with the result, on the queue for handlers.
    private static func finish(
        _ failure: String?, _ code: INIntentError.Code, _ completion: (@Sendable ((any Error)?) -> Void)?
    ) {
        guard let completion else { return }
        Callbacks.call { completion(failure.map { INIntentError(code, $0) }) }
    }

    /// Waits for the result of a call; throws if the call failed.
    nonisolated(nonsending) private static func wait(
        _ code: INIntentError.Code, for call: (@escaping @Sendable (String?) -> Void) -> Void
    ) async throws {
        let failure = await withCheckedContinuation { continuation in
            call { continuation.resume(returning: $0) }
        }
        if let failure { throw INIntentError(code, failure) }
    }

    /// The action that is sent to the node.
    private var action: DonatedAction {
        DonatedAction(
            identifier, in: groupIdentifier, at: dateInterval?.end,
            ofType: String(describing: type(of: intent)),
            title: intent.suggestedInvocationPhrase ?? intent.intentDescription, archive: archive,
            activity: intentResponse?.userActivity)
    }

    /// An archive of the intent, the response and the direction; nil if the intent's class can't be decoded from an
    /// archive.
    ///
    /// If the archive would be too large, the pictures are left out.
    ///
    /// Equal intents have equal archives, so that the node recognizes an action that is donated again. If an intent
    /// encodes a dictionary or a set, the order of its elements may change. Such an intent then counts as another
    /// action.
    private var archive: Data? {
        guard Self.hasName(intent) else { return nil }
        let bare = INInteraction(
            intent: intent, response: intentResponse.flatMap { Self.hasName($0) ? $0 : nil })
        (bare.identifier, bare.dateInterval, bare.direction) = ("", nil, direction)
        let archive = bare.encoded
        if archive.count <= DonatedAction.archiveBytes { return archive }
        return Pictures.$areLeftOut.withValue(true) { bare.encoded }
    }

    /// An archive of the whole interaction.
    private var encoded: Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        // Only this format writes the keys of a dictionary in a fixed order.
        archiver.outputFormat = .xml
        archiver.encode(self, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        return archiver.encodedData
    }

    /// Whether an archive can store the name of an object's class; on Linux, it can't for a class that is nested in a
    /// type.
    private static func hasName(_ object: NSObject) -> Bool {
        String(reflecting: type(of: object)).split(separator: ".").count == 2
    }

    /// Creates the interaction again from a donation that a person has chosen.
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

    /// Returns a copy of the interaction, with copies of the intent and the response.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = INInteraction(
            intent: intent.copy() as? INIntent ?? intent,
            response: intentResponse?.copy() as? INIntentResponse)
        (copy.direction, copy.dateInterval) = (direction, dateInterval)
        (copy.identifier, copy.groupIdentifier) = (identifier, groupIdentifier)
        return copy
    }

    /// Whether interactions can be decoded securely from an archive.
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
            // On Linux, Foundation treats an archive as damaged if a missing value is decoded.
            dateInterval = nil
        }
        self.identifier = identifier as String
        groupIdentifier = coder.decodeObject(of: NSString.self, forKey: Key.groupIdentifier).map {
            $0 as String
        }
        super.init()
    }

    /// The keys of the values in an archive.
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

/// The side that started an interaction.
public enum INInteractionDirection: Int, Sendable {
    /// It is not specified who started the interaction.
    case unspecified = 0
    /// The person started the interaction.
    case outgoing = 1
    /// Somebody else started the interaction.
    case incoming = 2
}

/// The state of an intent.
public enum INIntentHandlingStatus: Int, Sendable {
    /// The state is not specified.
    case unspecified = 0
    /// The app is ready to begin.
    case ready = 1
    /// The app is handling the intent.
    case inProgress = 2
    /// The app has carried out the intent.
    case success = 3
    /// The app could not carry out the intent.
    case failure = 4
    /// The app must be opened to carry out the intent.
    case deferredToApplication = 5
    /// The person must confirm the intent.
    case userConfirmationRequired = 6
}
