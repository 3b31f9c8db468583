public import Foundation
public import LocalizedStrings

extension IntentParameter where Value.ValueType: _PlainIntentValue {
    /// Creates a parameter for a plain value.
    public convenience init(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        let details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a plain value, with a provider of options.
    public convenience init<Provider: DynamicOptionsProvider & Sendable>(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default, optionsProvider: Provider
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.options = optionsProvider
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a plain value, with resolvers for other kinds of values.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        @ResolverSpecificationBuilder resolvers: () -> Specification
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.resolvers = resolvers()._resolvers
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a plain value, with a fixed size if it is a list.
    @available(*, deprecated, message: "Lists of a fixed size are for widgets.")
    public convenience init(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, size: IntentCollectionSize,
        requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        let details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        self.init(details, default: defaultValue)
    }
}

// `@UnionValue` adds the conformance to the types that it makes.

extension URL: _PlainIntentValue {}

extension AttributedString: _PlainIntentValue {}

extension EntityIdentifier: _PlainIntentValue {}

extension IntentPerson: _PlainIntentValue {}

extension IntentPaymentMethod: _PlainIntentValue {}
