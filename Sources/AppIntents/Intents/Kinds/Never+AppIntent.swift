public import LocalizedStrings

extension Never: AppIntent {
    /// Never called: there is no such intent.
    public init() { preconditionFailure("there is no intent of type Never") }
    /// An empty name.
    public static var title: LocalizedStringResource { "" }
    /// Never called: there is no such intent.
    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> { .result() }
}
