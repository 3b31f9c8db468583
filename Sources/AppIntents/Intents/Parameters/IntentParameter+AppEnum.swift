public import LocalizedStrings

extension IntentParameter where Value.ValueType: AppEnum {
    /// Creates a parameter for a case of an enumeration.
    public convenience init(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, supportedValues: [Value.ValueType]? = nil,
        requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.allowed = supportedValues?.map(\._content)
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a case of an enumeration, with a provider of options.
    public convenience init<Provider: DynamicOptionsProvider & Sendable>(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, supportedValues: [Value.ValueType]? = nil,
        requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default, optionsProvider: Provider
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.allowed = supportedValues?.map(\._content)
        details.options = optionsProvider
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a case of an enumeration, with resolvers for other kinds of values.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, supportedValues: [Value.ValueType]? = nil,
        requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        @ResolverSpecificationBuilder resolvers: () -> Specification
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.allowed = supportedValues?.map(\._content)
        details.resolvers = resolvers()._resolvers
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a case of an enumeration, with a fixed size if it is a list.
    @available(*, deprecated, message: "Lists of a fixed size are for widgets.")
    public convenience init(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, supportedValues: [Value.ValueType]? = nil,
        size: IntentCollectionSize, requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.allowed = supportedValues?.map(\._content)
        self.init(details, default: defaultValue)
    }
}
