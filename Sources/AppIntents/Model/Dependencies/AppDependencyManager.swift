import BatonNetwork

/// The objects that an app provides to its intents and queries.
public final class AppDependencyManager: Sendable {
    /// The objects of this process.
    public static let shared = AppDependencyManager()

    /// Unchecked because a key of the app may be any hashable value; it is only compared.
    private struct Name: Hashable, @unchecked Sendable {
        let type: ObjectIdentifier
        let key: AnyHashable?
    }

    private enum Provider: Sendable {
        case immediate(@Sendable () -> any Sendable)
        case made(any Sendable)
        case pending(@Sendable () async throws -> any Sendable)
    }

    private let providers = Monitor<[Name: Provider]>([:])

    /// Creates a manager without objects.
    public init() {}

    /// Adds an object, which is made when it is first used.
    public func add<Dependency: Sendable>(
        key: AnyHashable? = nil, dependency: @autoclosure @escaping @Sendable () -> Dependency
    ) { set(Dependency.self, key, .immediate(dependency)) }

    /// Adds an object that takes a while to make; it is made before an intent is performed.
    public func add<Dependency: Sendable>(
        key: AnyHashable? = nil, dependency: @escaping @Sendable () async throws -> Dependency
    ) { set(Dependency.self, key, .pending(dependency)) }

    private func set<Dependency>(_ type: Dependency.Type, _ key: AnyHashable?, _ provider: Provider) {
        LibraryUse.note(.call)
        let name = Name(type: ObjectIdentifier(type), key: key)
        providers.change { $0[name] = provider }
    }

    /// Returns the object of a type; nil if none was added, or if it is not made yet.
    func dependency<Dependency: Sendable>(of type: Dependency.Type, key: AnyHashable?) -> Dependency? {
        let name = Name(type: ObjectIdentifier(type), key: key)
        switch providers.change({ $0[name] }) {
        case .made(let value): return value as? Dependency
        case .immediate(let make):
            // Made outside of the monitor, because it may ask for other objects.
            let value = make()
            let kept = providers.change { providers -> any Sendable in
                if case .made(let first) = providers[name] { return first }
                providers[name] = .made(value)
                return value
            }
            return kept as? Dependency
        case .pending, nil: return nil
        }
    }

    /// Makes the objects that take a while.
    package func awaitPending() async throws {
        for (name, provider) in providers.change({ $0 }) {
            guard case .pending(let make) = provider else { continue }
            let value = try await make()
            providers.change { $0[name] = .made(value) }
        }
    }
}
