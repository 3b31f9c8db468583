import Foundation

extension EntityQueryComparisonKind {
    /// Whether the value of a property fits the values of a person; a property without a value fits only `notEqualTo`, and
    /// `equalTo` nothing.
    ///
    /// The answers of the index are held against this in tests. Texts are compared as `==` and `contains` of the standard
    /// library do.
    package func fits(_ value: _IntentValueContent, _ inputs: [_IntentValueContent]) -> Bool {
        guard inputs.count == inputCount, let input = inputs.first else { return false }
        switch self {
        case .equalTo: return value.order(to: input) == .orderedSame || value == input
        case .notEqualTo: return !EntityQueryComparisonKind.equalTo.fits(value, inputs)
        case .lessThan: return value.order(to: input) == .orderedAscending
        case .lessThanOrEqualTo: return [.orderedAscending, .orderedSame].contains(value.order(to: input))
        case .greaterThan: return value.order(to: input) == .orderedDescending
        case .greaterThanOrEqualTo:
            return [.orderedDescending, .orderedSame].contains(value.order(to: input))
        case .isBetween:
            return EntityQueryComparisonKind.greaterThanOrEqualTo.fits(value, [inputs[0]])
                && EntityQueryComparisonKind.lessThanOrEqualTo.fits(value, [inputs[1]])
        case .contains:
            if case .list(let elements) = value { return elements.contains(input) }
            guard case .text(let text) = value, case .text(let part) = input else { return false }
            return part.isEmpty || text.contains(part)
        case .hasPrefix:
            guard case .text(let text) = value, case .text(let part) = input else { return false }
            return text.hasPrefix(part)
        case .hasSuffix:
            guard case .text(let text) = value, case .text(let part) = input else { return false }
            return text.hasSuffix(part)
        }
    }
}

extension _IntentValueContent {
    /// Returns the order of two values of one kind; nil if they can't be compared.
    package func order(to other: _IntentValueContent) -> ComparisonResult? {
        func order<Value: Comparable>(_ one: Value, _ other: Value) -> ComparisonResult {
            one < other ? .orderedAscending : one == other ? .orderedSame : .orderedDescending
        }
        return switch (self, other) {
        case (.text(let one), .text(let other)): order(one, other)
        case (.integer(let one), .integer(let other)): order(one, other)
        case (.real(let one), .real(let other)): order(one, other)
        case (.integer(let one), .real(let other)): order(Double(one), other)
        case (.real(let one), .integer(let other)): order(one, Double(other))
        case (.date(let one), .date(let other)): order(one, other)
        case (.flag(let one), .flag(let other)): order(one ? 1 : 0, other ? 1 : 0)
        case (.url(let one), .url(let other)): order(one.absoluteString, other.absoluteString)
        case (.measurement(let one, let unit), .measurement(let other, let otherUnit)) where unit == otherUnit:
            order(one, other)
        case (.money(let one, let currency), .money(let other, let otherCurrency)) where currency == otherCurrency:
            order(one, other)
        default: nil
        }
    }
}

/// A condition on a property, as a terminal reads it from `rating > 3`.
package struct EntityQueryCondition: Hashable, Sendable {
    /// The name of the property in the source.
    package let property: String
    /// The kind of comparison.
    package let kind: EntityQueryComparisonKind
    /// The values of the person.
    package let inputs: [_IntentValueContent]

    package init(property: String, kind: EntityQueryComparisonKind, inputs: [_IntentValueContent]) {
        (self.property, self.kind, self.inputs) = (property, kind, inputs)
    }
}

extension EntityPropertyQuery {
    /// Runs the app's query for conditions of a person.
    ///
    /// An entity of the type is needed to find properties by their names; `sample` is one.
    package func entities(
        fitting conditions: [EntityQueryCondition], mode: EntityQueryComparatorMode,
        sortedBy sorting: [(property: String, order: EntityQuerySort<Entity>.Ordering)], limit: Int?,
        sample: Entity
    ) async throws -> Result {
        var comparators: [ComparatorMappingType] = []
        for condition in conditions {
            let declaration = Self.properties.properties.first {
                EntityReflection.name(of: $0.property(sample), in: sample) == condition.property
            }
            guard let declaration else {
                throw EntityQueryError.unknownProperty(condition.property, type: Entity.persistentIdentifier)
            }
            guard let comparison = declaration.comparisons.first(where: { $0.kind == condition.kind }) else {
                throw EntityQueryError.unsupportedComparison(
                    condition.kind.rawValue, property: condition.property)
            }
            comparators.append(try await comparison.map(condition.inputs))
        }
        var sorts: [EntityQuerySort<Entity>] = []
        for (property, order) in sorting {
            let option = Self.sortingOptions.content.first {
                EntityReflection.name(of: $0.property(sample), in: sample) == property
            }
            guard let option else { throw EntityQueryError.notSortable(property) }
            sorts.append(EntityQuerySort(by: option.keyPath, order: order))
        }
        return try await entities(matching: comparators, mode: mode, sortedBy: sorts, limit: limit)
    }
}

/// A query of a person that an entity's type can't answer.
package enum EntityQueryError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownProperty(String, type: String)
    case unsupportedComparison(String, property: String)
    case notSortable(String)

    package var description: String {
        switch self {
        case .unknownProperty(let name, let type): "\(type) has no property “\(name)” that can be searched."
        case .unsupportedComparison(let kind, let property): "“\(property)” can't be compared with \(kind)."
        case .notSortable(let property): "Results can't be sorted by “\(property)”."
        }
    }
}

extension EntityReflection {
    /// Returns the name of a property of an entity; nil if it is none of its stored properties.
    package static func name(of property: any AnyEntityProperty, in entity: any AppEntity) -> String? {
        var mirror: Mirror? = Mirror(reflecting: entity)
        while let current = mirror {
            for child in current.children {
                guard let stored = child.value as? any AnyEntityProperty,
                    stored === property
                else { continue }
                return child.label.map { String($0.dropFirst()) }
            }
            mirror = current.superclassMirror
        }
        return nil
    }
}
