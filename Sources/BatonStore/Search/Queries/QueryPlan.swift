import BatonCore

/// The part of a query that the tables can answer: which items may meet it.
///
/// A plan never leaves out an item that meets the query, and may let others through; each item is compared with the
/// whole query afterwards.
struct QueryPlan {
    /// The words of each item that meets the query; nil if none are certain.
    let words: QueryWords?
    /// Conditions that each item that meets the query fulfils; for each, the item has a fact in one of the ranges.
    let facts: [[FactRange]]
    /// Whether the query compares domains, so that some scopes can have no item that meets it.
    let comparesDomains: Bool
    /// The domains of all items that may meet the query and have a domain, as the parts of their scopes; nil if the
    /// domains are not certain, or too many.
    let domains: [[String]]?
    /// The scope around the items of the app, or around those of all apps.
    let outermost: Scope
    private let expression: SearchQuery.Expression

    /// The most conditions on facts; further conditions would hardly narrow a query.
    private static let factsMost = 8
    /// The most domains; looking up more in each index would take longer than looking through its own domains.
    private static let domainsMost = 16

    /// Makes the plan of a query, for the items of one app or of all.
    init(_ query: SearchQuery, app: String?) {
        expression = query.expression
        outermost = app.map { Scope([$0, "items"]) } ?? .none
        words = query.expression.words(depth: 0)
        facts = Array(query.expression.factConditions().prefix(Self.factsMost))
        comparesDomains = query.expression.comparesDomains
        let domains = query.expression.domains.flatMap { $0.allParts }
        self.domains = domains.flatMap { $0.count <= Self.domainsMost ? $0 : nil }
    }

    /// Whether the app or the domains rule out some scopes.
    var narrowsScopes: Bool { comparesDomains || !outermost.isEmpty }

    /// Whether an item of this scope may meet the query.
    func admits(_ scope: Scope) -> Bool {
        guard scope.isWithin(outermost) else { return false }
        // The parts are the app, `items`, the index, and the parts of the domain.
        let domain = scope.parts.dropFirst(3).joined(separator: ".")
        // An item in a scope without a domain may have its domain in an attribute.
        return scope.count <= 3 || expression.admits(Item(domain: domain))
    }
}

extension SearchQuery.Expression {
    /// Returns a condition on the words of each item that meets this condition; nil if there is none.
    ///
    /// A conjunction uses the conditions of the parts that have one. A disjunction has one only if each part has one. A
    /// negation has none, because items without the words meet it.
    ///
    /// FTS5 parses with a stack of 100 symbols, so deeper parts count as if they had no condition.
    fileprivate func words(depth: Int) -> QueryWords? {
        guard depth < 16 else { return nil }
        switch self {
        case .comparison(let comparison): return comparison.words
        case .and(let conditions):
            let words = conditions.compactMap { $0.words(depth: depth + 1) }
            return words.isEmpty ? nil : .all(words)
        case .or(let conditions):
            let words = conditions.compactMap { $0.words(depth: depth + 1) }
            return words.count < conditions.count ? nil : .any(words)
        case .all, .range, .not: return nil
        }
    }

    /// Whether a conjunct of the condition compares domains.
    fileprivate var comparesDomains: Bool {
        switch self {
        case .comparison(let comparison): comparison.subject == .attribute(.domainIdentifier)
        case .and(let conditions): conditions.contains(where: \.comparesDomains)
        case .or(let conditions): conditions.allSatisfy(\.comparesDomains)
        case .not(.comparison(let comparison)): comparison.subject == .attribute(.domainIdentifier)
        case .all, .range, .not: false
        }
    }

    /// The domains of all items that meet the condition and have a domain; nil if the domains are not certain.
    fileprivate var domains: Set<String>? {
        switch self {
        case .comparison(let comparison): comparison.domain.map { [$0] }
        case .and(let conditions): conditions.lazy.compactMap(\.domains).first
        case .or(let conditions):
            conditions.reduce(Set<String>?.some([])) { all, condition in
                condition.domains.flatMap { all?.union($0) }
            }
        case .all, .range, .not: nil
        }
    }

    /// Whether an item that is in the domain of this item, and of which nothing else is known, may meet the condition.
    ///
    /// The domain of an item decides each comparison of domains; any other comparison may hold.
    fileprivate func admits(_ domain: Item) -> Bool {
        switch self {
        case .comparison(let comparison), .not(.comparison(let comparison)):
            comparison.subject != .attribute(.domainIdentifier) || matches(domain)
        case .and(let conditions): conditions.allSatisfy { $0.admits(domain) }
        case .or(let conditions): conditions.contains { $0.admits(domain) }
        case .all, .range, .not: true
        }
    }
}

extension SearchQuery.Comparison {
    /// The words of each item that meets the comparison, or letters that one of its words contains; nil if neither is
    /// certain, or if the index lacks the attribute.
    ///
    /// An expression has only quoted strings of letters, digits and marks.
    fileprivate var words: QueryWords? {
        let column: String?
        switch subject {
        case .attribute(let attribute) where attribute.weight > .none:
            column = SearchText.columns.firstIndex(of: attribute.weight).map { SearchTable.columns[$0] }
        case .anyText: column = nil
        case .attribute, .custom: return nil
        }
        guard relation == .equal, case .text(let pattern) = operand else { return nil }
        let words = pattern.indexWords.map(\.expression)
        guard words.isEmpty else { return .expression(words.joined(separator: " AND ")) }
        return pattern.indexLetters.map { .containing($0, column: column) }
    }

    /// The domain of all items that meet the comparison and have a domain; nil if it is not certain.
    fileprivate var domain: String? {
        guard subject == .attribute(.domainIdentifier), relation == .equal, case .text(let pattern) = operand,
            !pattern.hasWildcard, pattern.modifiers.isEmpty, let domain = pattern.pieces.first,
            domain.utf8.allSatisfy({ $0 < 0x80 && !Self.haveTwins.contains($0) })
        else { return nil }
        return domain
    }

    /// The letters of ASCII that another scalar stands for in an equivalent text: the kelvin sign, the Greek question
    /// mark and the Greek varia.
    private static let haveTwins = Array("K;`".utf8)
}

extension Set<String> {
    /// The most dots of a domain that is looked up.
    private static var dotsMost: Int { 3 }

    /// All parts that scopes of these domains may have; nil if these are too many.
    ///
    /// In scopes that this program makes, every dot separates parts; in those of another device, a part may have dots.
    fileprivate var allParts: [[String]]? {
        var all: [[String]] = []
        for domain in sorted() {
            let pieces = domain.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard pieces.count <= Self.dotsMost + 1 else { return nil }
            var divided = [[pieces[0]]]
            for piece in pieces.dropFirst() {
                divided += divided.map { $0.dropLast() + [$0[$0.count - 1] + "." + piece] }
                for place in 0..<divided.count / 2 { divided[place].append(piece) }
            }
            all += divided
        }
        return all
    }
}
