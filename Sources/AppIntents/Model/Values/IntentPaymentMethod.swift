import Foundation

/// A way to pay.
public struct IntentPaymentMethod: Hashable, Sendable {
    /// The name.
    public var name: String
    /// A hint by which a person knows it, such as the last digits.
    public var identificationHint: String?

    /// Creates a way to pay.
    public init(name: String, identificationHint: String? = nil) {
        (self.name, self.identificationHint) = (name, identificationHint)
    }
}

extension IntentPaymentMethod: _IntentValue {
    /// A way to pay.
    public static var _form: _IntentValueForm { .paymentMethod }
    /// The name.
    public var _content: _IntentValueContent { .text(name) }
    /// Returns a way to pay with that name.
    public static func _value(of content: _IntentValueContent) async throws -> IntentPaymentMethod {
        IntentPaymentMethod(name: content.summary)
    }
}
