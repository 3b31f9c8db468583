public import LocalizedStrings

extension IntentParameter where Value.ValueType == IntentCurrencyAmount {
    /// Creates a parameter for an amount of money.
    public convenience init(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, currencyCodes: [String] = [],
        supportsNegativeNumbers: Bool = true, requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.allowsNegative = supportsNegativeNumbers
        details.currencies = currencyCodes
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for an amount of money, with a provider of options.
    public convenience init<Provider: DynamicOptionsProvider & Sendable>(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, currencyCodes: [String] = [],
        supportsNegativeNumbers: Bool = true, requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default, optionsProvider: Provider
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.allowsNegative = supportsNegativeNumbers
        details.currencies = currencyCodes
        details.options = optionsProvider
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for an amount of money, with resolvers for other kinds of values.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, currencyCodes: [String] = [],
        supportsNegativeNumbers: Bool = true, requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        @ResolverSpecificationBuilder resolvers: () -> Specification
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.allowsNegative = supportsNegativeNumbers
        details.currencies = currencyCodes
        details.resolvers = resolvers()._resolvers
        self.init(details, default: defaultValue)
    }
}
