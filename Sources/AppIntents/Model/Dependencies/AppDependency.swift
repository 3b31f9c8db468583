/// An object in an intent or a query, which the app provides through `AppDependencyManager`.
///
/// Unchecked because the key and the object are only passed on; the object is Sendable.
@propertyWrapper public final class AppDependency<Value: Sendable>: @unchecked Sendable {
    private let key: AnyHashable?
    private let manager: AppDependencyManager
    private let standard: (() -> Value)?

    /// Finds the object of the type.
    public init(key: AnyHashable? = nil, manager: AppDependencyManager = .shared) {
        (self.key, self.manager, standard) = (key, manager, nil)
    }

    /// Finds the object of the type.
    public convenience init() { self.init(key: nil, manager: .shared) }

    /// Finds the object of the type, else uses the default.
    public init(
        key: AnyHashable? = nil, manager: AppDependencyManager = .shared,
        default standard: @autoclosure @escaping () -> Value
    ) { (self.key, self.manager, self.standard) = (key, manager, standard) }

    /// The object; the program ends if the app has added none.
    public var wrappedValue: Value {
        if let value = manager.dependency(of: Value.self, key: key) ?? standard?() { return value }
        preconditionFailure(
            "no dependency of type \(Value.self) was added; call AppDependencyManager.shared.add(dependency:) when the app starts"
        )
    }
}
