public import Foundation

/// An action that a person asked an app to do, or did in the app.
///
/// Apps define subclasses with properties for the details.
open class INIntent: NSObject, NSCopying, NSSecureCoding {
    /// An identifier that the system gives; nil on Linux.
    open var identifier: String? { nil }
    /// A description in words; nil unless a subclass gives one.
    open var intentDescription: String? { nil }
    /// The words that a person may say to ask for this.
    open var suggestedInvocationPhrase: String?
    /// The occasions on which the action may be suggested.
    open var shortcutAvailability: INShortcutAvailabilityOptions = []
    /// The pictures of details, keyed by the properties that hold the details.
    var images: [AnyKeyPath: INImage] = [:]
    /// The properties whose pictures are stored in an archive, keyed by the names that the archive uses.
    class var parameters: [String: AnyKeyPath] { [:] }

    /// Creates an intent without details.
    public override init() { super.init() }

    /// Returns an intent with the same properties.
    ///
    /// For a subclass, this returns the same object. Only the subclass can copy its own properties, by overriding this
    /// method.
    open func copy(with zone: NSZone? = nil) -> Any {
        guard type(of: self) == INIntent.self else { return self }
        return INIntent().taking(self)
    }

    /// Copies the properties that all intents have from another intent; returns this intent.
    func taking(_ other: INIntent) -> Self {
        suggestedInvocationPhrase = other.suggestedInvocationPhrase
        (shortcutAvailability, images) = (other.shortcutAvailability, other.images)
        return self
    }

    /// Whether intents can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the intent to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(suggestedInvocationPhrase.map { $0 as NSString }, forKey: Key.phrase)
        coder.encode(Int64(bitPattern: UInt64(shortcutAvailability.rawValue)), forKey: Key.availability)
        for (name, property) in type(of: self).parameters {
            coder.encode(picture: images[property], forKey: Key.image(name))
        }
    }

    /// Reads an intent from an archive.
    public required init?(coder: NSCoder) {
        suggestedInvocationPhrase = coder.decodeObject(of: NSString.self, forKey: Key.phrase).map {
            $0 as String
        }
        let availability = coder.decodeInt64(forKey: Key.availability)
        shortcutAvailability = INShortcutAvailabilityOptions(rawValue: UInt(truncatingIfNeeded: availability))
        super.init()
        for (name, property) in type(of: self).parameters {
            images[property] = coder.decodePicture(forKey: Key.image(name))
        }
    }

    /// The keys of the values in an archive.
    private enum Key {
        static let phrase = "suggestedInvocationPhrase"
        static let availability = "shortcutAvailability"

        static func image(_ parameter: String) -> String { "image.\(parameter)" }
    }
}

/// The type of intents whose details can have pictures.
public protocol _INIntentSetImageKeyPath {}

extension INIntent: _INIntentSetImageKeyPath {}

extension _INIntentSetImageKeyPath {
    /// Sets the picture of a detail; nil removes the picture.
    ///
    /// An archive contains the pictures of this library's intent classes, but not those of an app's own intent classes.
    /// The same is true of donations.
    public func setImage<Value>(_ image: INImage?, forParameterNamed parameterName: KeyPath<Self, Value>) {
        (self as? INIntent)?.images[parameterName] = image
    }

    /// Returns the picture of a detail; nil if the detail has no picture.
    public func image<Value>(forParameterNamed parameterName: KeyPath<Self, Value>) -> INImage? {
        (self as? INIntent)?.images[parameterName]
    }
}

/// The result of an intent.
open class INIntentResponse: NSObject, NSCopying, NSSecureCoding {
    /// The activity in which the app continues the intent; it is not stored in archives.
    open var userActivity: NSUserActivity?

    /// Creates a response without an activity.
    public override init() { super.init() }

    /// Returns a response with the same activity.
    ///
    /// For a subclass, this returns the same object. Only the subclass can copy its own properties, by overriding this
    /// method.
    open func copy(with zone: NSZone? = nil) -> Any {
        guard type(of: self) == INIntentResponse.self else { return self }
        let copy = INIntentResponse()
        copy.userActivity = userActivity
        return copy
    }

    /// Whether responses can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing, because an activity can't be archived.
    open func encode(with coder: NSCoder) {}

    /// Creates a response without an activity, because archives contain none.
    public required init?(coder: NSCoder) { super.init() }
}

/// The occasions on which an action may be suggested.
public struct INShortcutAvailabilityOptions: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Creates a set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Mindfulness before sleep.
    public static let sleepMindfulness = INShortcutAvailabilityOptions(rawValue: 1 << 0)
    /// Writing a journal before sleep.
    public static let sleepJournaling = INShortcutAvailabilityOptions(rawValue: 1 << 1)
    /// Music before sleep.
    public static let sleepMusic = INShortcutAvailabilityOptions(rawValue: 1 << 2)
    /// Podcasts before sleep.
    public static let sleepPodcasts = INShortcutAvailabilityOptions(rawValue: 1 << 3)
    /// Reading before sleep.
    public static let sleepReading = INShortcutAvailabilityOptions(rawValue: 1 << 4)
    /// Looking back at the day before sleep.
    public static let sleepWrapUpYourDay = INShortcutAvailabilityOptions(rawValue: 1 << 5)
    /// Yoga and stretching before sleep.
    public static let sleepYogaAndStretching = INShortcutAvailabilityOptions(rawValue: 1 << 6)
}
