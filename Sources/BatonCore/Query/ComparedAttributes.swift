/// The attributes whose values a query compares.
struct ComparedAttributes: Equatable, Sendable {
    /// The numbers of compared attributes, and the names of compared custom attributes.
    private var numbers: Set<UInt64> = []
    private var names: Set<FieldName> = []
    /// The numbers in ascending order if there are at most `fewMost`; otherwise nil.
    ///
    /// For few numbers, comparing them one by one is faster than hashing.
    private var few: [UInt64]?
    private static let fewMost = 8
    /// Whether all attributes that a search by words looks at are compared.
    private var hasAnyText = false

    init(_ expression: SearchQuery.Expression) {
        add(expression)
        if numbers.count <= Self.fewMost { few = numbers.sorted() }
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
        case .attribute(let attribute): numbers.insert(attribute.number)
        case .custom(let attribute): names.insert(attribute.field)
        case .anyText: hasAnyText = true
        }
    }

    /// Whether any custom attribute is compared.
    var hasNames: Bool { !names.isEmpty }

    /// Whether the query compares the value of the field with this name.
    func contains(_ name: FieldName) -> Bool {
        if case .number(let number) = name { contains(number) } else { names.contains(name) }
    }

    /// Whether the query compares the value of the field with this number.
    func contains(_ number: UInt64) -> Bool {
        if few?.contains(number) ?? numbers.contains(number) { return true }
        guard hasAnyText, let attribute = Attribute(number: number) else { return false }
        return attribute.weight > .none
    }
}
