public import LocalizedStrings
public import UniformTypeIdentifiers

extension IntentParameter where Value.ValueType == IntentFile {
    /// Creates a parameter for a file.
    public convenience init(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, supportedContentTypes: [UTType] = [],
        requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.contentTypes = supportedContentTypes
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a file, with a provider of options.
    public convenience init<Provider: DynamicOptionsProvider & Sendable>(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, supportedContentTypes: [UTType] = [],
        requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default, optionsProvider: Provider
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.contentTypes = supportedContentTypes
        details.options = optionsProvider
        self.init(details, default: defaultValue)
    }

    /// Creates a parameter for a file, with resolvers for other kinds of values.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource, description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil, supportedContentTypes: [UTType] = [],
        requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        @ResolverSpecificationBuilder resolvers: () -> Specification
    ) {
        var details = ParameterDetails(
            title, description: description, request: requestValueDialog,
            disambiguation: requestDisambiguationDialog)
        details.contentTypes = supportedContentTypes
        details.resolvers = resolvers()._resolvers
        self.init(details, default: defaultValue)
    }
}
