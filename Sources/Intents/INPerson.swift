public import Foundation

/// A person who takes part in an interaction.
open class INPerson: NSObject, INSpeakable, NSCopying, NSSecureCoding {
    /// The address, the number or the name by which the app identifies the person.
    public let personHandle: INPersonHandle?
    /// The parts of the name.
    public let nameComponents: PersonNameComponents?
    /// The name that people see.
    ///
    /// If the app has given no name, it is made from the parts of the name, or else it is the handle, or else an empty
    /// text.
    public let displayName: String
    /// A picture of the person.
    public let image: INImage?
    /// The identifier of the contact that describes the person.
    public let contactIdentifier: String?
    /// The app's identifier for the person.
    public let customIdentifier: String?
    /// The relationship of the person to the user of the app.
    public let relationship: INPersonRelationship?
    /// Other handles of the same person.
    public let aliases: [INPersonHandle]?
    /// The kind of address under which the person may be suggested.
    public let suggestionType: INPersonSuggestionType
    /// Whether the person is the user of the app.
    public let isMe: Bool
    /// Whether the person may be suggested as a contact.
    public let isContactSuggestion: Bool
    /// The contacts that the user may have meant; always nil on Linux.
    open var siriMatches: [INPerson]? { nil }

    private init(
        _ personHandle: INPersonHandle?, _ nameComponents: PersonNameComponents?, _ displayName: String?,
        _ image: INImage?, _ contactIdentifier: String?, _ customIdentifier: String?,
        relationship: INPersonRelationship? = nil, aliases: [INPersonHandle]? = nil,
        suggestionType: INPersonSuggestionType = .none, isMe: Bool = false, isContactSuggestion: Bool = false
    ) {
        (self.personHandle, self.nameComponents, self.image) = (personHandle, nameComponents, image)
        self.displayName =
            displayName ?? Self.text(of: nameComponents) ?? personHandle?.value ?? ""
        (self.contactIdentifier, self.customIdentifier) = (contactIdentifier, customIdentifier)
        (self.relationship, self.aliases, self.suggestionType) = (relationship, aliases, suggestionType)
        (self.isMe, self.isContactSuggestion) = (isMe, isContactSuggestion)
        super.init()
    }

    /// Returns the given name and the family name in one line; nil if there is neither.
    ///
    /// This method is needed because Foundation on Linux has no formatter for names.
    private static func text(of name: PersonNameComponents?) -> String? {
        let text = [name?.givenName, name?.familyName].compactMap(\.self).joined(separator: " ")
        return text.isEmpty ? nil : text
    }

    /// Returns the person itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares all properties that are stored in an archive.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INPerson else { return false }
        return personHandle == other.personHandle && nameComponents == other.nameComponents
            && displayName == other.displayName && image == other.image
            && contactIdentifier == other.contactIdentifier && customIdentifier == other.customIdentifier
            && relationship == other.relationship && aliases == other.aliases
            && suggestionType == other.suggestionType && isMe == other.isMe
            && isContactSuggestion == other.isContactSuggestion
    }

    /// A hash value, which is the same for equal people.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(personHandle)
        hasher.combine(displayName)
        hasher.combine(customIdentifier)
        return hasher.finalize()
    }

    // MARK: Names to be spoken

    /// The name of the person.
    open var spokenPhrase: String { displayName }
    /// The pronunciation of the name; always nil, because a person has none.
    open var pronunciationHint: String? { nil }
    /// The app's identifier for the person.
    open var vocabularyIdentifier: String? { customIdentifier }
    /// The app's identifier for the person.
    open var identifier: String? { customIdentifier }
    /// Other people that the user may have meant; always nil on Linux.
    open var alternativeSpeakableMatches: [any INSpeakable]? { nil }

    // MARK: Archives

    /// Whether people can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the person to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(detail: personHandle, forKey: Key.handle)
        coder.encode(detail: nameComponents.map { $0 as NSPersonNameComponents }, forKey: Key.name)
        coder.encode(text: displayName, forKey: Key.displayName)
        coder.encode(picture: image, forKey: Key.image)
        coder.encode(text: contactIdentifier, forKey: Key.contact)
        coder.encode(text: customIdentifier, forKey: Key.custom)
        coder.encode(text: relationship?.rawValue, forKey: Key.relationship)
        coder.encode(list: aliases, forKey: Key.aliases)
        if suggestionType != .none { coder.encode(kind: suggestionType, forKey: Key.suggestion) }
        if isMe { coder.encode(choice: true, forKey: Key.isMe) }
        if isContactSuggestion { coder.encode(choice: true, forKey: Key.isContact) }
    }

    /// Reads a person from an archive.
    public required init?(coder: NSCoder) {
        guard let name = coder.decodeText(forKey: Key.displayName) else { return nil }
        displayName = name
        personHandle = coder.decodeDetail(of: INPersonHandle.self, forKey: Key.handle)
        nameComponents = coder.decodeDetail(of: NSPersonNameComponents.self, forKey: Key.name)
            .map { $0 as PersonNameComponents }
        image = coder.decodePicture(forKey: Key.image)
        contactIdentifier = coder.decodeText(forKey: Key.contact)
        customIdentifier = coder.decodeText(forKey: Key.custom)
        relationship = coder.decodeText(forKey: Key.relationship).map { INPersonRelationship(rawValue: $0) }
        aliases = coder.decodeList(of: INPersonHandle.self, forKey: Key.aliases)
        suggestionType = coder.decodeKind(forKey: Key.suggestion) ?? .none
        isMe = coder.decodeChoice(forKey: Key.isMe) ?? false
        isContactSuggestion = coder.decodeChoice(forKey: Key.isContact) ?? false
        super.init()
    }

    /// The keys of the values in an archive.
    private enum Key {
        static let handle = "personHandle"
        static let name = "nameComponents"
        static let displayName = "displayName"
        static let image = "image"
        static let contact = "contactIdentifier"
        static let custom = "customIdentifier"
        static let relationship = "relationship"
        static let aliases = "aliases"
        static let suggestion = "suggestionType"
        static let isMe = "isMe"
        static let isContact = "isContactSuggestion"
    }
}

// MARK: The ways in which apps make people

extension INPerson {
    /// Creates a person.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?
    ) { self.init(personHandle, nameComponents, displayName, image, contactIdentifier, customIdentifier) }

    /// Creates a person with a relationship to the user of the app.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?,
        relationship: INPersonRelationship?
    ) {
        self.init(
            personHandle, nameComponents, displayName, image, contactIdentifier, customIdentifier,
            relationship: relationship)
    }

    /// Creates a person who may be the user of the app.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?, isMe: Bool
    ) {
        self.init(
            personHandle, nameComponents, displayName, image, contactIdentifier, customIdentifier, isMe: isMe)
    }

    /// Creates a person who may be the user of the app.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?, isMe: Bool,
        suggestionType: INPersonSuggestionType
    ) {
        self.init(
            personHandle, nameComponents, displayName, image, contactIdentifier, customIdentifier,
            suggestionType: suggestionType, isMe: isMe)
    }

    /// Creates a person who may be suggested as a contact.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?, isContactSuggestion: Bool,
        suggestionType: INPersonSuggestionType
    ) {
        self.init(
            personHandle, nameComponents, displayName, image, contactIdentifier, customIdentifier,
            suggestionType: suggestionType, isContactSuggestion: isContactSuggestion)
    }

    /// Creates a person who has other handles, too.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?, aliases: [INPersonHandle]?,
        suggestionType: INPersonSuggestionType
    ) {
        self.init(
            personHandle, nameComponents, displayName, image, contactIdentifier, customIdentifier,
            aliases: aliases, suggestionType: suggestionType)
    }
}
