public import LocalizedStrings

extension IntentParameter where Value.ValueType == Int {
    /// Creates a parameter for a whole number.
    public convenience init(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, controlStyle: IntControlStyle = .field,
        inclusiveRange: (lowerBound: Int, upperBound: Int)? = nil, requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.range = inclusiveRange.flatMap { $0 <= $1 ? Double($0)...Double($1) : nil }
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a whole number, with a provider of options.
    public convenience init<Provider: DynamicOptionsProvider & Sendable>(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, controlStyle: IntControlStyle = .field,
        inclusiveRange: (lowerBound: Int, upperBound: Int)? = nil, requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default, optionsProvider: Provider
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.range = inclusiveRange.flatMap { $0 <= $1 ? Double($0)...Double($1) : nil }
        details.options = optionsProvider
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a whole number, with resolvers for other kinds of values.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, controlStyle: IntControlStyle = .field,
        inclusiveRange: (lowerBound: Int, upperBound: Int)? = nil, requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        @ResolverSpecificationBuilder resolvers: () -> Specification
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.range = inclusiveRange.flatMap { $0 <= $1 ? Double($0)...Double($1) : nil }
        details.resolvers = resolvers()._resolvers
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a whole number, with a fixed size if it is a list.
    @available(*, deprecated, message: "Lists of a fixed size are for widgets.")
    public convenience init(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, controlStyle: IntControlStyle = .field,
        inclusiveRange: (lowerBound: Int, upperBound: Int)? = nil, size: IntentCollectionSize,
        requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.range = inclusiveRange.flatMap { $0 <= $1 ? Double($0)...Double($1) : nil }
        self.init(details, default: defaultValue)
    }
}
