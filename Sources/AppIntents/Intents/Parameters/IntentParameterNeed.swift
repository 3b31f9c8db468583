/// The error by which `perform()` asks for a value of a parameter; `perform()` begins again once there is one.
public struct IntentParameterNeed: Error, Sendable {
    /// Asks the person, and stores the value.
    package let satisfy: @Sendable () async throws -> Void

    init(_ satisfy: @escaping @Sendable () async throws -> Void) { self.satisfy = satisfy }
}
