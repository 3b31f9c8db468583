/// The attributes whose values a query compares.
struct ComparedAttributes: Equatable, Sendable {
    private var names: Set<FieldName> = []
    /// The same names; so few are compared faster than they are hashed.
    private var few: [FieldName]?
    private static let fewMost = 8
    /// Whether each attribute that counts in a search by words is compared.
    private var hasAnyText = false

    init(_ expression: SearchQuery.Expression) {
        add(expression)
        if names.count <= Self.fewMost { few = names.sorted() }
    }

    private mutating func add(_ expression: SearchQuery.Expression) {
        switch expression {
        case .all: break
        case .comparison(let comparison): add(comparison.subject)
        case .range(let interval): add(interval.subject)
        case .and(let conditions), .or(let conditions):
            for condition in conditions { add(condition) }
        case .not(let condition): add(condition)
        }
    }

    private mutating func add(_ subject: SearchQuery.Subject) {
        switch subject {
        case .attribute(let attribute): names.insert(.number(attribute.number))
        case .custom(let attribute): names.insert(attribute.field)
        case .anyText: hasAnyText = true
        }
    }

    /// Whether the value of a field is compared.
    func contains(_ name: FieldName) -> Bool {
        if few?.contains(name) ?? names.contains(name) { return true }
        guard hasAnyText, case .number(let number) = name, let attribute = Attribute(number: number) else {
            return false
        }
        return attribute.weight > .none
    }
}
