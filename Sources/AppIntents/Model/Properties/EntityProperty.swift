public import CoreSpotlight
public import LocalizedStrings
import Synchronization

/// A property of an entity that intents, queries and the index use.
///
/// The value is kept in one place that copies of the entity share, as on Apple's systems.
@propertyWrapper public final class EntityProperty<Value: _IntentValue>: Sendable {
    /// The name of the property for people; empty if the app gives none.
    public let title: LocalizedStringResource
    /// The name in the source of a computed property; nil for others, whose names are found by reflection.
    package let computedName: String?
    /// The index attribute for the value.
    ///
    /// Not checked by the compiler because key paths that literals make never change.
    nonisolated(unsafe) let indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>?
    /// The app's own attribute for the value; a key never changes.
    nonisolated(unsafe) let customIndexingKey: CSCustomAttributeKey?
    /// The value as it was set; nil before.
    ///
    /// A `Mutex` and no `Monitor`, because every property of every entity has one, and nobody waits for a value.
    private let stored = Mutex<Value?>(nil)
    /// Computes the value of a property that stores none.
    private let compute: (@Sendable () -> Value)?

    private init(
        _ title: LocalizedStringResource, _ key: PartialKeyPath<CSSearchableItemAttributeSet>? = nil,
        custom: CSCustomAttributeKey? = nil
    ) {
        (self.title, indexingKey, customIndexingKey) = (title, key, custom)
        (computedName, compute) = (nil, nil)
    }

    /// Creates a property that stores no value; without `compute`, it is deferred and has no value here.
    init(named name: String, _ title: LocalizedStringResource, compute: (@Sendable () -> Value)? = nil) {
        (self.title, indexingKey, customIndexingKey) = (title, nil, nil)
        (computedName, self.compute) = (name, compute)
    }

    /// Creates a property without a name of its own.
    public convenience init() { self.init("") }

    /// Creates a property.
    public convenience init(title: LocalizedStringResource) { self.init(title, nil) }

    /// Creates a property that is indexed as an attribute.
    public convenience init(indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>) {
        self.init("", indexingKey)
    }

    /// Creates a property that is indexed as an attribute.
    public convenience init(
        title: LocalizedStringResource, indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>
    ) { self.init(title, indexingKey) }

    /// Creates a property that is indexed as an attribute of the app's own.
    public convenience init(customIndexingKey: CSCustomAttributeKey) {
        self.init("", nil, custom: customIndexingKey)
    }

    /// Creates a property that is indexed as an attribute of the app's own.
    public convenience init(title: LocalizedStringResource, customIndexingKey: CSCustomAttributeKey) {
        self.init(title, nil, custom: customIndexingKey)
    }

    /// Whether the property may have no value.
    public var isOptional: Bool { Value._form.isOptional }

    /// The value.
    ///
    /// The program ends if a property that is not optional is read before it was set.
    public var wrappedValue: Value {
        get {
            guard let value = current else {
                preconditionFailure("a property of type \(Value.self) was read before it had a value")
            }
            return value
        }
        set { stored.withLock { $0 = newValue } }
    }

    /// The property itself, which queries name as `\Book.$title`.
    public var projectedValue: EntityProperty<Value> { self }

    /// The value; nil if none was set.
    private var current: Value? { compute?() ?? stored.withLock { $0 } ?? Value._absentValue }
}

extension EntityProperty: Codable where Value: Codable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }

    /// Reads a value; the new property has no name.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        wrappedValue = try decoder.singleValueContainer().decode(Value.self)
    }
}

extension EntityProperty: AnyEntityProperty {
    package var form: _IntentValueForm { Value._form }
    package var content: _IntentValueContent? { current?._content }
    package var attribute: PartialKeyPath<CSSearchableItemAttributeSet>? { indexingKey }
    package var customAttribute: CSCustomAttributeKey? { customIndexingKey }
}
