public import LocalizedStrings

extension IntentParameter where Value.ValueType == Double {
    /// Creates a parameter for a number.
    public convenience init(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, controlStyle: DoubleControlStyle = .field,
        inclusiveRange: (lowerBound: Double, upperBound: Double)? = nil,
        requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.range = inclusiveRange.flatMap { $0 <= $1 ? $0...$1 : nil }
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a number, with a provider of options.
    public convenience init<Provider: DynamicOptionsProvider & Sendable>(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, controlStyle: DoubleControlStyle = .field,
        inclusiveRange: (lowerBound: Double, upperBound: Double)? = nil,
        requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default, optionsProvider: Provider
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.range = inclusiveRange.flatMap { $0 <= $1 ? $0...$1 : nil }
        details.options = optionsProvider
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a number, with resolvers for other kinds of values.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, controlStyle: DoubleControlStyle = .field,
        inclusiveRange: (lowerBound: Double, upperBound: Double)? = nil,
        requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        @ResolverSpecificationBuilder resolvers: () -> Specification
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.range = inclusiveRange.flatMap { $0 <= $1 ? $0...$1 : nil }
        details.resolvers = resolvers()._resolvers
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a number, with a fixed size if it is a list.
    @available(*, deprecated, message: "Lists of a fixed size are for widgets.")
    public convenience init(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, controlStyle: DoubleControlStyle = .field,
        inclusiveRange: (lowerBound: Double, upperBound: Double)? = nil, size: IntentCollectionSize,
        requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.range = inclusiveRange.flatMap { $0 <= $1 ? $0...$1 : nil }
        self.init(details, default: defaultValue)
    }
}
