public import LocalizedStrings

/// Something that a person can have an app do: from a terminal, by a phrase, or from a suggestion.
@_alwaysEmitConformanceMetadata
public protocol AppIntent: PersistentlyIdentifiable, _SupportsAppDependencies, Sendable {
    /// The type of the result of `perform()`.
    associatedtype PerformResult: IntentResult
    /// The summary of the parameters.
    associatedtype SummaryContent: ParameterSummary = EmptyParameterSummary<Self>
    /// The type of the description, which may be optional.
    associatedtype _Description: _OptionalIntentDescription = IntentDescription?

    /// Creates an intent whose parameters have their default values.
    init()
    /// The name of the intent for people.
    static var title: LocalizedStringResource { get }
    /// The description of the intent for people.
    static var description: _Description { get }
    /// Whether the app opens before the intent is performed.
    static var openAppWhenRun: Bool { get }
    /// The ways in which the intent may be performed.
    static var supportedModes: IntentModes { get }
    /// The authentication of the person that the intent requires.
    static var authenticationPolicy: IntentAuthenticationPolicy { get }
    /// Whether lists of intents show the intent.
    static var isDiscoverable: Bool { get }
    /// The parameters in a sentence.
    @ParameterSummaryBuilder<Self> static var parameterSummary: SummaryContent { get }
    /// Does what the intent is for.
    func perform() async throws -> PerformResult
}

extension AppIntent {
    /// An answer among which a person chooses.
    public typealias Option = IntentChoiceOption
    /// The wrapper of a parameter.
    public typealias Parameter = IntentParameter
    /// The sentence of a summary.
    public typealias Summary = IntentParameterSummary<Self>
    /// A summary that depends on a value.
    public typealias When = ParameterSummaryWhenCondition<Self>
    /// A summary that depends on several values.
    public typealias Switch = ParameterSummarySwitchCondition<Self>
    /// The summary for some values.
    public typealias Case<Value: _IntentValue> = ParameterSummaryCaseCondition<Self, Value>
    /// The summary for all other values.
    public typealias DefaultCase<Value: _IntentValue> =
        ParameterSummaryDefaultCaseCondition<Self, Value>

    /// False: the intent is performed without the app's window.
    public static var openAppWhenRun: Bool { false }
    /// Background, or foreground if `openAppWhenRun` is true.
    public static var supportedModes: IntentModes { openAppWhenRun ? .foreground : .background }
    /// Always allowed.
    public static var authenticationPolicy: IntentAuthenticationPolicy { .alwaysAllowed }
    /// True: lists show the intent.
    public static var isDiscoverable: Bool { true }
    /// The circumstances in which the intent is performed.
    public var systemContext: IntentSystemContext {
        IntentSystemContext(
            currentMode: IntentRun.current?.mode ?? .background, preciseTimestamp: IntentRun.current?.date)
    }
}

extension AppIntent where _Description == IntentDescription? {
    /// Nil: the app says nothing.
    public static var description: IntentDescription? { nil }
}

extension AppIntent where SummaryContent == EmptyParameterSummary<Self> {
    /// A summary without words: the parameters are listed.
    public static var parameterSummary: EmptyParameterSummary<Self> { EmptyParameterSummary() }
}

extension AppIntent {
    /// Performs the intent as a part of the app; it is donated unless that is declined.
    @discardableResult
    public func callAsFunction(donate: Bool = true) async throws -> PerformResult {
        let result = try await perform()
        if donate { IntentDonationManager.shared.note(self) }
        return result
    }
}
