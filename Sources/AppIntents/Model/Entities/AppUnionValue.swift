/// A value of one of several types, which `@UnionValue` makes from an enumeration.
public protocol AppUnionValue: _IntentValue, Sendable where ValueType == Self {
    /// The kinds of the cases, in order.
    static var _memberForms: [_IntentValueForm] { get }
}

extension AppUnionValue {
    /// A value of one of the kinds.
    public static var _form: _IntentValueForm { .union(_memberForms) }
}
