public import Foundation

/// A person whom an intent is about.
public struct IntentPerson: Hashable, Sendable {
    /// The name of a person.
    public enum Name: Hashable, Sendable {
        /// The name in one line.
        case displayName(String)
        /// The parts of the name.
        case components(PersonNameComponents)

        /// The name in one line.
        public var displayString: String {
            switch self {
            case .displayName(let name): name
            case .components(let name):
                [name.givenName, name.familyName].compactMap { $0 }.joined(separator: " ")
            }
        }
    }

    /// An address, number or name by which an app knows a person.
    public struct Handle: Hashable, Sendable {
        /// The kind of a handle.
        public enum Value: Hashable, Sendable {
            /// An address of electronic mail.
            case emailAddress(String)
            /// A number of a telephone.
            case phoneNumber(String)
            /// A name of the app's own.
            case applicationDefined(String)
        }

        /// The handle.
        public let value: Value

        /// Creates an address of electronic mail.
        public init(emailAddress: String) { value = .emailAddress(emailAddress) }
        /// Creates a number of a telephone.
        public init(phoneNumber: String) { value = .phoneNumber(phoneNumber) }
        /// Creates a name of the app's own.
        public init(applicationDefined: String) { value = .applicationDefined(applicationDefined) }

        /// The text of the handle.
        var text: String {
            switch value {
            case .emailAddress(let text), .phoneNumber(let text), .applicationDefined(let text): text
            }
        }
    }

    /// The identity of a person in an app.
    public enum Identifier: Hashable, Sendable {
        /// The app's identifier.
        case applicationDefined(String)
        /// The identifier among the person's contacts.
        case contactIdentifier(String)
    }

    /// The identity; nil if it is not known.
    public var identifier: Identifier?
    /// The name.
    public var name: Name
    /// The handle; nil if it is not known.
    public var handle: Handle?
    /// Other handles.
    public var aliases: [Handle]
    /// Whether this is the user of the app.
    public var isMe: Bool

    /// Creates a person.
    public init(
        identifier: Identifier? = nil, name: Name, handle: Handle? = nil, aliases: [Handle] = [],
        isMe: Bool = false
    ) {
        (self.identifier, self.name, self.handle) = (identifier, name, handle)
        (self.aliases, self.isMe) = (aliases, isMe)
    }
}

extension IntentPerson: DisplayRepresentable {
    /// The word for a person.
    public static var typeDisplayRepresentation: TypeDisplayRepresentation { "Person" }

    /// The name with the handle below it, or the handle of a person without a name.
    public var displayRepresentation: DisplayRepresentation {
        let hasName = !name.displayString.isEmpty
        return DisplayRepresentation(title: "\(title)", subtitle: hasName ? handle.map { "\($0.text)" } : nil)
    }

    /// The name, or the handle of a person without a name.
    private var title: String {
        let text = name.displayString
        return text.isEmpty ? handle?.text ?? "" : text
    }
}

extension IntentPerson: _IntentValue {
    /// A person.
    public static var _form: _IntentValueForm { .person }
    /// The name, or the handle of a person without a name.
    public var _content: _IntentValueContent { .text(title) }
    /// Returns a person with a name, or with an address if the text has an `@`.
    public static func _value(of content: _IntentValueContent) async throws -> IntentPerson {
        let text = content.summary
        guard !text.isEmpty else { throw IntentValueError.wrongKind(expected: _form.name, value: text) }
        return IntentPerson(
            name: .displayName(text), handle: text.contains("@") ? Handle(emailAddress: text) : nil)
    }
}
