import BatonNetwork
public import Foundation
public import LocalizedStrings

/// A value that can be a part of an address.
public protocol CustomURLRepresentationParameterConvertible {
    /// The value in an address.
    var urlRepresentationParameter: String { get }
}

/// A text with places for values of a type.
public struct _URLTemplate<Root>: Sendable {
    enum Part: Sendable {
        case words(String)
        case value(@Sendable (Root) -> String)
    }

    var parts: [Part] = []

    /// Returns the address for a value; nil if it is no address.
    func url(for root: Root) -> URL? {
        let text = parts.map { part in
            switch part {
            case .words(let words): words
            case .value(let value):
                value(root).addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
            }
        }
        return URL(string: text.joined())
    }
}

/// An entity that has an address.
public protocol URLRepresentableEntity: AppEntity, CustomURLRepresentationParameterConvertible {
    /// The address with places for properties.
    static var urlRepresentation: EntityURLRepresentation<Self> { get }
}

extension URLRepresentableEntity {
    /// The address of the entity; nil if its values make none.
    public var urlRepresentation: URL? { get async { Self.urlRepresentation.template.url(for: self) } }
    /// The identifier.
    public var urlRepresentationParameter: String { id.entityIdentifierString }
}

/// The address of an entity, such as `"https://example.com/books/\(.id)"`.
public struct EntityURLRepresentation<Entity: AppEntity>: ExpressibleByStringInterpolation, Sendable {
    let template: _URLTemplate<Entity>

    /// Creates an address without places.
    public init(stringLiteral value: String) { template = _URLTemplate(parts: [.words(value)]) }

    /// Creates an address with places.
    public init(stringInterpolation: StringInterpolation) { template = stringInterpolation.template }

    /// A place that is not a property.
    public struct Token: Sendable {
        /// The identifier of the entity.
        public static var id: Token { Token() }
    }

    /// Collects the parts of an address.
    public struct StringInterpolation: StringInterpolationProtocol {
        var template = _URLTemplate<Entity>()

        /// Creates an empty address.
        public init(literalCapacity: Int, interpolationCount: Int) {}
        /// Appends words.
        public mutating func appendLiteral(_ literal: String) { template.parts.append(.words(literal)) }
        /// Appends a place for the identifier.
        public mutating func appendInterpolation(_ token: Token) {
            template.parts.append(.value { $0.id.entityIdentifierString })
        }
        /// Appends a place for a property.
        public mutating func appendInterpolation<Value>(_ property: KeyPath<Entity, EntityProperty<Value>>) {
            // Key paths that literals make never change.
            nonisolated(unsafe) let property = property
            template.parts.append(.value { $0[keyPath: property].wrappedValue._content.summary })
        }
    }
}

/// An intent that has an address.
public protocol URLRepresentableIntent: AppIntent {
    /// The address with places for parameters.
    static var urlRepresentation: IntentURLRepresentation<Self> { get }
}

extension URLRepresentableIntent {
    /// The address of the intent with its values; nil if they make none.
    public var urlRepresentation: URL? { get async { Self.urlRepresentation.template.url(for: self) } }
}

extension OpenIntent where Self: URLRepresentableIntent, Value: URLRepresentableEntity {
    /// The address of the target.
    public static var urlRepresentation: IntentURLRepresentation<Self> {
        IntentURLRepresentation { Value.urlRepresentation.template.url(for: $0.target)?.absoluteString ?? "" }
    }
}

/// The address of an intent.
public struct IntentURLRepresentation<Intent: AppIntent>: ExpressibleByStringInterpolation, Sendable {
    let template: _URLTemplate<Intent>

    init(_ whole: @escaping @Sendable (Intent) -> String) { template = _URLTemplate(parts: [.value(whole)]) }

    /// Creates an address without places.
    public init(stringLiteral value: String) { template = _URLTemplate(parts: [.words(value)]) }

    /// Creates an address with places.
    public init(stringInterpolation: StringInterpolation) { template = stringInterpolation.template }

    /// Collects the parts of an address.
    public struct StringInterpolation: StringInterpolationProtocol {
        var template = _URLTemplate<Intent>()

        /// Creates an empty address.
        public init(literalCapacity: Int, interpolationCount: Int) {}
        /// Appends words.
        public mutating func appendLiteral(_ literal: String) { template.parts.append(.words(literal)) }
        /// Appends a place for a parameter.
        public mutating func appendInterpolation<Value>(
            _ parameter: KeyPath<Intent, IntentParameter<Value>>
        ) {
            // Key paths that literals make never change.
            nonisolated(unsafe) let parameter = parameter
            template.parts.append(.value { $0[keyPath: parameter].content?.summary ?? "" })
        }
    }
}

/// An enumeration whose cases have addresses.
public protocol URLRepresentableEnum: AppEnum, CustomURLRepresentationParameterConvertible {
    /// The addresses of the cases.
    static var urlRepresentation: EnumURLRepresentation<Self> { get }
}

extension URLRepresentableEnum {
    /// The address of the case; nil if it has none.
    public var urlRepresentation: URL? { Self.urlRepresentation.url(for: self) }
    /// The raw value.
    public var urlRepresentationParameter: String { rawValue.description }
}

/// The addresses of the cases of an enumeration: one with a place for the case, or one for each.
public struct EnumURLRepresentation<Enum: AppEnum>: Sendable {
    private let template: _URLTemplate<Enum>?
    private let addresses: [Enum: String]

    /// Returns the address of a case; nil if it has none.
    func url(for value: Enum) -> URL? {
        addresses[value].flatMap { URL(string: $0) } ?? template?.url(for: value)
    }
}

extension EnumURLRepresentation: ExpressibleByStringInterpolation, ExpressibleByDictionaryLiteral {
    /// Creates one address for all cases.
    public init(stringLiteral value: String) {
        (template, addresses) = (_URLTemplate(parts: [.words(value)]), [:])
    }

    /// Creates an address with a place for the case.
    public init(stringInterpolation: StringInterpolation) {
        (template, addresses) = (stringInterpolation.template, [:])
    }

    /// Creates an address for each case.
    public init(dictionaryLiteral elements: (Enum, String)...) {
        (template, addresses) = (nil, Dictionary(elements) { first, _ in first })
    }

    /// A place in the address.
    public struct Token: Sendable {
        /// The raw value of the case.
        public static var caseValue: Token { Token() }
        /// The raw value of the case.
        public static var rawValue: Token { Token() }
    }

    /// Collects the parts of an address.
    public struct StringInterpolation: StringInterpolationProtocol {
        var template = _URLTemplate<Enum>()

        /// Creates an empty address.
        public init(literalCapacity: Int, interpolationCount: Int) {}
        /// Appends words.
        public mutating func appendLiteral(_ literal: String) { template.parts.append(.words(literal)) }
        /// Appends a place for the case.
        public mutating func appendInterpolation(_ token: Token) {
            template.parts.append(.value { $0.rawValue.description })
        }
    }
}

/// Opens an address, in the app that it belongs to or in a browser.
public struct OpenURLIntent: SystemIntent {
    /// The name of the intent.
    public static var title: LocalizedStringResource { "Open URL" }
    /// False: other intents return it.
    public static var isDiscoverable: Bool { false }

    /// The address.
    @Parameter(title: "URL") public var url: URL

    /// Creates an intent without an address.
    public init() {}

    /// Creates an intent that opens an address.
    public init(_ url: URL) { self.url = url }

    /// Creates an intent that opens the address of an entity; throws if it has none.
    public init<Entity: URLRepresentableEntity>(urlRepresentable entity: Entity) async throws {
        guard let url = await entity.urlRepresentation else { throw AppIntentError.Unrecoverable.entityNotFound }
        self.init(url)
    }

    /// Creates an intent that opens the address of a case; throws if it has none.
    public init<Enum: URLRepresentableEnum>(urlRepresentable value: Enum) throws {
        guard let url = value.urlRepresentation else { throw AppIntentError.Unrecoverable.entityNotFound }
        self.init(url)
    }

    /// Opens the address; where nothing can open it, says it.
    public func perform() async throws -> IntentResultContainer<Never, Never, Never, IntentDialog> {
        try await AddressOpener.shared.open(url)
        return .result(dialog: "\(url.absoluteString)")
    }
}

/// Opens addresses for intents; a terminal or a test sets how.
package final class AddressOpener: Sendable {
    /// The opener of this process.
    package static let shared = AddressOpener()

    private let opening = Monitor<(@Sendable (URL) async throws -> Void)?>(nil)

    private init() {}

    /// Sets how addresses are opened; nil opens none.
    package func set(_ opening: (@Sendable (URL) async throws -> Void)?) { self.opening.change { $0 = opening } }

    func open(_ url: URL) async throws { try await opening.change { $0 }?(url) }
}
