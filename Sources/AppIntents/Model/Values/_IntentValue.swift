/// A type that parameters and properties can have.
///
/// Apps get it by conforming to `AppEntity` or `AppEnum`; the module conforms the types of the standard library and of
/// Foundation.
public protocol _IntentValue: Sendable {
    /// The type without optionals and arrays: `Int` for `[Int]?`.
    associatedtype ValueType: _IntentValue = Self
    /// The type without its optional: `[Int]` for `[Int]?`.
    associatedtype UnwrappedType: _IntentValue = Self
    /// The way in which a parameter of the type finds its value.
    associatedtype Specification: ResolverSpecification = EmptyResolverSpecification<Self>

    /// The way in which a parameter of the type finds its value.
    static var defaultResolverSpecification: Specification { get }

    /// The kind of value, which decides how a terminal asks for one.
    static var _form: _IntentValueForm { get }
    /// The value of a parameter that has none: `.some(nil)` for optionals, else nil.
    static var _absentValue: Self? { get }
    /// The value in the form in which it leaves the process.
    var _content: _IntentValueContent { get }
    /// Returns the value with this content; throws an `IntentValueError` if there is none.
    static func _value(of content: _IntentValueContent) async throws -> Self
}

extension _IntentValue {
    /// Nil: a type that is not optional has no such value.
    public static var _absentValue: Self? { nil }
}

extension _IntentValue {
    /// Returns the value with this content; nil if the content does not fit the type.
    ///
    /// An error of the app, such as one of a query, is thrown. `@UnionValue` and resolvers try one type after the other.
    public static func _valueIfFits(_ content: _IntentValueContent) async throws -> Self? {
        do { return try await _value(of: content) } catch {
            if IntentValueError.isMismatch(error) { return nil }
            throw error
        }
    }
}

extension _IntentValue where Specification == EmptyResolverSpecification<Self> {
    /// No resolvers.
    public static var defaultResolverSpecification: EmptyResolverSpecification<Self> {
        EmptyResolverSpecification()
    }
}
