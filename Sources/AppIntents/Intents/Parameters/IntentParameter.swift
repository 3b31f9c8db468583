import BatonNetwork
public import LocalizedStrings

/// A parameter of an intent.
///
/// A value comes from the person, from a default, or from the code of the app. Copies of the intent share it.
@propertyWrapper public final class IntentParameter<Value: _IntentValue>: Sendable {
    /// The details that the app gives about the parameter.
    package let details: ParameterDetails
    /// The value; nil if none was given.
    private let stored: Monitor<Value?>

    init(_ details: ParameterDetails, default value: Value.UnwrappedType? = nil) {
        self.details = details
        stored = Monitor(value.flatMap { Self.value(of: $0) })
    }

    /// Creates a parameter without a title of its own, as in intents of a schema.
    public convenience init() { self.init(ParameterDetails()) }

    /// Creates a parameter without a title, with a default value.
    public convenience init(default defaultValue: Value.UnwrappedType) {
        self.init(ParameterDetails(), default: defaultValue)
    }

    /// Creates a parameter without a title, with a description.
    public convenience init(
        description: LocalizedStringResource, default defaultValue: Value.UnwrappedType? = nil,
        requestValueDialog: IntentDialog? = nil
    ) {
        self.init(
            ParameterDetails(description: description, request: requestValueDialog), default: defaultValue)
    }

    /// Creates a parameter without a title, with the question that asks for its value.
    public convenience init(requestValueDialog: IntentDialog) {
        self.init(ParameterDetails(request: requestValueDialog))
    }

    /// Returns a default value as a value of the parameter, which may be optional.
    private static func value(of unwrapped: Value.UnwrappedType) -> Value? {
        if let value = unwrapped as? Value { return value }
        return nil
    }

    // MARK: The value

    /// The value.
    ///
    /// The program ends if a parameter that is not optional is read before it has a value; `perform()` is called once
    /// all have one.
    public var wrappedValue: Value {
        get {
            guard let value = current else {
                preconditionFailure(
                    "the parameter “\(details.titleText)” of type \(Value.self) was read before it had a value"
                )
            }
            return value
        }
        set { stored.change { $0 = newValue } }
    }

    /// The parameter itself, which summaries name as `\.$text`; its methods ask for values.
    public var projectedValue: IntentParameter<Value> { self }

    /// The title; empty if the app gives none.
    public var title: LocalizedStringResource { details.title ?? "" }

    /// The value; nil if there is none.
    private var current: Value? { stored.change { $0 } ?? Value._absentValue }

    /// The value; nil if there is none, or if an optional parameter has nil.
    var currentValue: Value? { current.flatMap { $0._content.isNone ? nil : $0 } }

    // MARK: Asking

    /// Asks the person for a value, and keeps it.
    @discardableResult
    public func requestValue(_ dialog: IntentDialog? = nil) async throws -> Value {
        try await IntentRun.ask(self, dialog: dialog?.text)
        return wrappedValue
    }

    /// Returns an error that asks the person for a value, and then begins `perform()` again.
    public func needsValueError(_ dialog: IntentDialog? = nil) -> IntentParameterNeed {
        IntentParameterNeed { _ = try await self.requestValue(dialog) }
    }

    /// Asks the person which of several values they mean, and returns it.
    public func requestDisambiguation(
        among values: [Value.UnwrappedType], dialog: IntentDialog? = nil
    ) async throws -> Value.UnwrappedType {
        guard !values.isEmpty else { throw IntentPromptError.nothingToChoose }
        let choices = values.map { PromptChoice(_IntentChoice($0)) }
        let request = ChoiceRequest(
            dialog: (dialog ?? details.disambiguation)?.text, parameter: details.titleText, choices: choices)
        return values[try await IntentRun.choose(request)]
    }

    /// Returns an error that asks the person which of several values they mean, and then begins `perform()` again.
    public func needsDisambiguationError(
        among values: [Value.UnwrappedType], dialog: IntentDialog? = nil
    ) -> IntentParameterNeed {
        IntentParameterNeed {
            let chosen = try await self.requestDisambiguation(among: values, dialog: dialog)
            if let value = Self.value(of: chosen) { self.wrappedValue = value }
        }
    }

    /// Asks the person whether a value is right.
    public func requestConfirmation(
        for value: Value.UnwrappedType, dialog: IntentDialog? = nil
    ) async throws -> Bool {
        try await IntentRun.confirms(
            ConfirmationRequest(
                dialog: dialog?.text ?? "\(details.titleText): \(_IntentChoice(value).title)?",
                action: .continue))
    }
}

extension IntentParameter: AnyIntentParameter {
    package var form: _IntentValueForm { Value._form }

    package var content: _IntentValueContent? { current.map(\._content) }

    package func set(_ content: _IntentValueContent) async throws {
        let value = try await resolved(details.completed(content))
        try details.check(value._content)
        wrappedValue = value
    }

    /// Returns the value for a content: directly, or by the first resolver that knows one.
    ///
    /// It throws an error of the app, such as one of a query, without asking the resolvers.
    private func resolved(_ content: _IntentValueContent) async throws -> Value {
        do {
            return try await Value._value(of: content)
        } catch {
            guard IntentValueError.isMismatch(error) else { throw error }
            let resolvers = details.resolvers + Value.defaultResolverSpecification._resolvers
            for resolver in resolvers {
                if let found = try await resolver.resolved(content),
                    let value = found as? Value
                        ?? (found as? Value.UnwrappedType).flatMap({ Self.value(of: $0) })
                {
                    return value
                }
            }
            throw error
        }
    }

    package func choices(for text: String?) async throws -> PromptChoices? {
        if let provider = details.options { return try await provider.choices(for: text) }
        if let truth = details.truth { return truth.choices }
        let choices = try await Value._form.choices(for: text)
        return details.allowed.map { choices?.limited(to: $0) } ?? choices
    }
}

extension Resolver {
    /// Returns the value for a content, where the types are not known; nil if this resolver knows none.
    fileprivate func resolved(_ content: _IntentValueContent) async throws -> Output? {
        guard let input = try await Input._valueIfFits(content) else { return nil }
        return try await resolve(
            from: input, context: IntentParameterContext(originalText: content.summary))
    }
}
