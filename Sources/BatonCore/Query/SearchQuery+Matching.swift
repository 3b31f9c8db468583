extension SearchQuery {
    /// Whether an item meets the query.
    package func matches(_ item: Item) -> Bool { expression.matches(item) }
}

extension SearchQuery.Expression {
    /// Whether an item meets the condition.
    package func matches(_ item: Item) -> Bool {
        switch self {
        case .all: true
        case .comparison(let comparison): item.hasValue(of: comparison.subject, comparison.holds)
        case .range(let interval): item.hasValue(of: interval.subject, interval.contains)
        case .and(let conditions): conditions.allSatisfy { $0.matches(item) }
        case .or(let conditions): conditions.contains { $0.matches(item) }
        case .not(let condition): !condition.matches(item)
        }
    }
}

extension SearchQuery.Comparison {
    /// Whether a single value meets the condition.
    ///
    /// A value of another type than the operand does not.
    fileprivate func holds(for value: PropertyValue) -> Bool {
        switch operand {
        case .anything: true
        case .text(let pattern): value.comparedText.map { pattern.matches($0) } ?? false
        case .number, .moment: operand.relates(relation, to: value)
        }
    }
}

extension SearchQuery.Interval {
    /// Whether a single value is in the range.
    fileprivate func contains(_ value: PropertyValue) -> Bool {
        low.relates(.greaterOrEqual, to: value) && high.relates(.lessOrEqual, to: value)
    }
}

extension SearchQuery.Operand {
    /// Whether the relation holds between a value and this number or date.
    ///
    /// For `<`, it is whether the value is less than the operand.
    fileprivate func relates(_ relation: SearchQuery.Relation, to value: PropertyValue) -> Bool {
        if case .date(let date) = value {
            guard let seconds else { return false }
            return relation.holds(for: QueryNumber.order(date, seconds))
        }
        guard let number, let value = QueryNumber(value) else { return false }
        return relation.holds(for: value.order(beside: number))
    }

    /// The operand as a date, in seconds since 1970; nil if it is neither a number nor a date.
    ///
    /// A number counts as seconds since 2001.
    package var seconds: Double? {
        switch self {
        case .number(let number): number.real + SearchQuery.epoch
        case .moment(let seconds): seconds
        case .text, .anything: nil
        }
    }

    /// The operand as a number; nil if it is neither a number nor a date.
    ///
    /// A date counts as its number of seconds since 2001.
    package var number: QueryNumber? {
        switch self {
        case .number(let number): number
        case .moment(let seconds): .real(seconds - SearchQuery.epoch)
        case .text, .anything: nil
        }
    }
}

extension Item {
    /// Whether at least one single value of the compared attribute meets a condition.
    fileprivate func hasValue(of subject: SearchQuery.Subject, _ condition: (PropertyValue) -> Bool) -> Bool {
        switch subject {
        case .attribute(.domainIdentifier):
            if let domain { return condition(.string(domain)) }
            return attributes.value(.domainIdentifier)?.hasSingle(condition) ?? false
        case .attribute(let attribute): return attributes.value(attribute)?.hasSingle(condition) ?? false
        case .custom(let custom):
            guard case .plain(let value) = attributes[custom.field] else { return false }
            return value.hasSingle(condition)
        case .anyText:
            return attributes.entries.contains { entry in
                guard case .number(let number) = entry.name, let attribute = Attribute(number: number),
                    attribute.weight > .none, case .plain(let value) = entry.value, attribute.accepts(value)
                else { return false }
                return value.hasSingle { $0.comparedText != nil && condition($0) }
            }
        }
    }
}
