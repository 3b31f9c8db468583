/// A summary if a condition on a parameter holds, else another one.
public struct ParameterSummaryWhenCondition<Intent: AppIntent>: ParameterSummary {
    /// The two summaries.
    public let _node: _SummaryNode

    private init(
        _ parameter: AnyKeyPath, _ when: some ParameterSummary, _ otherwise: some ParameterSummary,
        test: @escaping @Sendable (_IntentValueContent?) -> Bool
    ) {
        _node = .when(
            _SummaryNode.Condition(parameter: parameter, test: test), when._node, otherwise: otherwise._node)
    }

    /// Creates a summary that depends on whether a parameter has a value.
    public init<Value, First: ParameterSummary, Second: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>, _ test: ParameterSummaryPresenceOperator,
        @ParameterSummaryBuilder<Intent> _ when: () -> First,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Second
    ) {
        self.init(parameter, when(), otherwise()) { content in
            let isThere = content.map { !$0.isNone } ?? false
            return test == .hasAnyValue ? isThere : !isThere
        }
    }

    /// Creates a summary that depends on whether a parameter has a value; without one there is no summary.
    public init<Value, First: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>, _ test: ParameterSummaryPresenceOperator,
        @ParameterSummaryBuilder<Intent> _ when: () -> First
    ) {
        self.init(parameter, test, when, otherwise: { EmptyParameterSummary<Intent>() })
    }

    /// Creates a summary that depends on whether a parameter has a certain value.
    public init<Value, First: ParameterSummary, Second: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>, _ test: ParameterSummaryEqualityOperator,
        _ value: Value.UnwrappedType, @ParameterSummaryBuilder<Intent> _ when: () -> First,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Second
    ) {
        let expected = value._content
        self.init(parameter, when(), otherwise()) { ($0 == expected) == (test == .equalTo) }
    }

    /// Creates a summary that depends on whether a parameter has a certain value; without it there is no summary.
    public init<Value, First: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>, _ test: ParameterSummaryEqualityOperator,
        _ value: Value.UnwrappedType, @ParameterSummaryBuilder<Intent> _ when: () -> First
    ) {
        self.init(parameter, test, value, when, otherwise: { EmptyParameterSummary<Intent>() })
    }

    /// Creates a summary that depends on whether a parameter has one of several values.
    public init<Value, First: ParameterSummary, Second: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>, _ test: ParameterSummaryMembershipOperator,
        _ values: [Value.UnwrappedType], @ParameterSummaryBuilder<Intent> _ when: () -> First,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Second
    ) {
        let expected = values.map(\._content)
        self.init(parameter, when(), otherwise()) { content in
            content.map { expected.contains($0) } ?? false
        }
    }

    /// Creates a summary that depends on the order of a parameter and a value.
    public init<Value, First: ParameterSummary, Second: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>, _ test: ParameterSummaryOrderOperator,
        _ value: Value.UnwrappedType, @ParameterSummaryBuilder<Intent> _ when: () -> First,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Second
    ) where Value.UnwrappedType: Comparable {
        let expected = value._content
        let kind: EntityQueryComparisonKind =
            switch test {
            case .lessThan: .lessThan
            case .lessThanOrEqualTo: .lessThanOrEqualTo
            case .greaterThan: .greaterThan
            case .greaterThanOrEqualTo: .greaterThanOrEqualTo
            }
        self.init(parameter, when(), otherwise()) { content in
            content.map { kind.fits($0, [expected]) } ?? false
        }
    }

    /// Creates a summary that depends on the text of a parameter.
    public init<Value, First: ParameterSummary, Second: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>, _ test: ParameterSummaryTextOperator,
        _ text: String, @ParameterSummaryBuilder<Intent> _ when: () -> First,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Second
    ) where Value.UnwrappedType == String {
        self.init(parameter, when(), otherwise()) { content in
            guard case .text(let value) = content else { return test == .doesNotContain }
            return switch test {
            case .contains: value.contains(text)
            case .doesNotContain: !value.contains(text)
            case .hasPrefix: value.hasPrefix(text)
            case .hasSuffix: value.hasSuffix(text)
            }
        }
    }
}
