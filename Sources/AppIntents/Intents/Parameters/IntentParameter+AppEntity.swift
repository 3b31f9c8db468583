public import LocalizedStrings

extension IntentParameter where Value.ValueType: AppEntity {
    /// Creates a parameter for an entity.
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

    /// Creates a parameter for an entity, with a provider of options.
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

    /// Creates a parameter for an entity, with resolvers for other kinds of values.
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

    /// Creates a parameter for an entity that another query than the type's own gives.
    public convenience init<Query: EntityQuery>(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default, query: Query
    )
    where Query.Entity == Value.ValueType {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.options = query
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for an entity, with a fixed size if it is a list.
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
