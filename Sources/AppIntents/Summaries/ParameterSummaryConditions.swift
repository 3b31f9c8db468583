/// Compares a parameter with a value for being the same.
public enum ParameterSummaryEqualityOperator: Sendable {
    /// Holds if they are the same.
    case equalTo
    /// Holds if they differ.
    case notEqualTo
}

/// Looks whether a parameter has a value.
public enum ParameterSummaryPresenceOperator: Sendable {
    /// Holds if there is a value.
    case hasAnyValue
    /// Holds if there is none.
    case hasNoValue
}

/// Looks whether a parameter has one of several values.
public enum ParameterSummaryMembershipOperator: Sendable {
    /// Holds if it has one of them.
    case oneOf
}

/// Compares the order of a parameter and a value.
public enum ParameterSummaryOrderOperator: Sendable {
    /// Holds if the parameter is less.
    case lessThan
    /// Holds if the parameter is less or the same.
    case lessThanOrEqualTo
    /// Holds if the parameter is greater.
    case greaterThan
    /// Holds if the parameter is greater or the same.
    case greaterThanOrEqualTo
}

/// Compares the text of a parameter with a text.
public enum ParameterSummaryTextOperator: Sendable {
    /// Holds if the parameter contains the text.
    case contains
    /// Holds if the parameter does not contain the text.
    case doesNotContain
    /// Holds if the parameter begins with the text.
    case hasPrefix
    /// Holds if the parameter ends with the text.
    case hasSuffix
}

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

/// A summary for each of several values of a parameter.
public struct ParameterSummarySwitchCondition<Intent: AppIntent>: ParameterSummary {
    /// The summaries.
    public let _node: _SummaryNode

    /// Creates a summary that depends on the value of a parameter.
    public init<Value: _IntentValue>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        @ParameterSummaryCaseBuilder<Intent, Value.UnwrappedType> _ cases: () -> [_SummaryCase]
    ) {
        let all = cases()
        _node = .choice(
            parameter, all.compactMap { one in one.values.map { (values: $0, node: one.node) } },
            otherwise: all.first { $0.values == nil }?.node ?? .empty)
    }
}

/// A case of a summary: its values, or nil for all others.
public struct _SummaryCase {
    let values: [_IntentValueContent]?
    let node: _SummaryNode
}

/// The summary for some values of a parameter.
public struct ParameterSummaryCaseCondition<Intent: AppIntent, Value: _IntentValue> {
    let part: _SummaryCase

    /// Creates the summary for a value.
    public init<Content: ParameterSummary>(
        _ value: Value, @ParameterSummaryBuilder<Intent> _ content: () -> Content
    ) { part = _SummaryCase(values: [value._content], node: content()._node) }

    /// Creates the summary for several values.
    public init<Content: ParameterSummary>(
        _ values: [Value], @ParameterSummaryBuilder<Intent> _ content: () -> Content
    ) { part = _SummaryCase(values: values.map(\._content), node: content()._node) }
}

/// The summary for all values that no case has.
public struct ParameterSummaryDefaultCaseCondition<Intent: AppIntent, Value: _IntentValue> {
    let part: _SummaryCase

    /// Creates the summary.
    public init<Content: ParameterSummary>(@ParameterSummaryBuilder<Intent> _ content: () -> Content) {
        part = _SummaryCase(values: nil, node: content()._node)
    }
}

/// Collects the cases of a summary.
@resultBuilder public struct ParameterSummaryCaseBuilder<Intent: AppIntent, Value: _IntentValue> {
    /// Takes a case.
    public static func buildExpression(_ one: ParameterSummaryCaseCondition<Intent, Value>) -> _SummaryCase {
        one.part
    }
    /// Takes the case of all other values.
    public static func buildExpression(
        _ one: ParameterSummaryDefaultCaseCondition<Intent, Value>
    ) -> _SummaryCase { one.part }
    /// Joins cases.
    public static func buildBlock(_ cases: _SummaryCase...) -> [_SummaryCase] { cases }
}
