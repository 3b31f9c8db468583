public import LocalizedStrings

extension IntentParameter where Value.ValueType: _MeasurementIntentValue {
    /// Creates a parameter for a measurement.
    public convenience init(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, defaultUnit: Value.ValueType.UnitType? = nil,
        defaultUnitAdjustForLocale: Bool = false, supportsNegativeNumbers: Bool = true,
        requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.allowsNegative = supportsNegativeNumbers
        details.unit = defaultUnit?.symbol
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a measurement, with a provider of options.
    public convenience init<Provider: DynamicOptionsProvider & Sendable>(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, defaultUnit: Value.ValueType.UnitType? = nil,
        defaultUnitAdjustForLocale: Bool = false, supportsNegativeNumbers: Bool = true,
        requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default, optionsProvider: Provider
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.allowsNegative = supportsNegativeNumbers
        details.unit = defaultUnit?.symbol
        details.options = optionsProvider
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a measurement, with resolvers for other kinds of values.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, defaultUnit: Value.ValueType.UnitType? = nil,
        defaultUnitAdjustForLocale: Bool = false, supportsNegativeNumbers: Bool = true,
        requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        @ResolverSpecificationBuilder resolvers: () -> Specification
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.allowsNegative = supportsNegativeNumbers
        details.unit = defaultUnit?.symbol
        details.resolvers = resolvers()._resolvers
        self.init(details, default: defaultValue)
    }
}
