import BatonCore

/// The part of a query that the tables of the index can answer.
///
/// It says which items may meet the query.
///
/// A plan never excludes an item that meets the query, but may include other items. So each item is compared with the
/// whole query afterwards.
struct QueryPlan {
    /// The condition on words that each item that meets the query fulfils; nil if there is none.
    let words: QueryWords?
    /// The conditions on facts that each item that meets the query fulfils.
    ///
    /// For each condition, the item has a fact in at least one of the ranges.
    let facts: [[FactRange]]
    /// Whether the query compares domains.
    ///
    /// Then no item in certain scopes can meet the query.
    let comparesDomains: Bool
    /// The parts of each domain that an item that meets the query may have.
    ///
    /// This is nil if the query does not determine the domains, or if there are too many.
    let domains: [[String]]?
    /// The scope of all items that the query may find: those of one app, or of all apps.
    let outermost: Scope
    private let expression: SearchQuery.Expression

    /// The largest number of conditions on facts.
    ///
    /// Further conditions would hardly exclude any items.
    private static let factsMost = 8
    /// The largest number of domains.
    ///
    /// Looking up more domains in each index would take longer than reading all domains of the index.
    private static let domainsMost = 16

    /// Makes the plan of a query for the items of one app, or of all apps if `app` is nil.
    init(_ query: SearchQuery, app: String?) {
        expression = query.expression
        outermost = app.map { Scope([$0, "items"]) } ?? .none
        words = query.expression.words(depth: 0)
        facts = Array(query.expression.factConditions().prefix(Self.factsMost))
        comparesDomains = query.expression.comparesDomains
        let domains = query.expression.domains.flatMap { $0.allParts }
        self.domains = domains.flatMap { $0.count <= Self.domainsMost ? $0 : nil }
    }

    /// Whether the app or the domains exclude some scopes.
    var narrowsScopes: Bool { comparesDomains || !outermost.isEmpty }

    /// Whether an item in this scope may meet the query.
    func admits(_ scope: Scope) -> Bool {
        guard scope.isWithin(outermost) else { return false }
        // The parts are the app, `items`, the index, and the parts of the domain.
        let parts = scope.parts
        // If the scope has no domain, the item may still have a domain in an attribute. The scopes of protected indexes
        // have hashes instead of domains.
        if parts.count <= 3 || IndexProtection(ofIndex: parts[2]) != nil { return true }
        return expression.admits(Item(domain: parts.dropFirst(3).joined(separator: ".")))
    }
}

extension SearchQuery.Expression {
    /// Returns a condition on words; every item that meets this expression also meets that condition.
    ///
    /// It is nil if there is no such condition.
    ///
    /// `and` uses the conditions of those parts that have one. `or` has a condition only if each part has one. `not`
    /// has none, because items without the words meet it.
    ///
    /// FTS5 parses an expression with a stack of 100 symbols. So parts that are nested too deeply are treated as if
    /// they had no condition.
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

    /// Whether each item that meets the expression must pass a comparison of domains.
    fileprivate var comparesDomains: Bool {
        switch self {
        case .comparison(let comparison): comparison.subject == .attribute(.domainIdentifier)
        case .and(let conditions): conditions.contains(where: \.comparesDomains)
        case .or(let conditions): conditions.allSatisfy(\.comparesDomains)
        case .not(.comparison(let comparison)): comparison.subject == .attribute(.domainIdentifier)
        case .all, .range, .not: false
        }
    }

    /// The domains that an item that meets the expression may have, if it has a domain.
    ///
    /// This is nil if the expression does not determine the domains.
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

    /// Whether an item may meet the expression if only its domain is known.
    ///
    /// `domain` is an item that has only the domain.
    ///
    /// The domain decides each comparison of domains. Any other comparison may be true.
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
    /// The condition on words that each item that meets the comparison fulfils.
    ///
    /// The item has certain words, or a word that contains certain letters. This is nil if there is no such condition,
    /// or if the full-text table lacks the attribute.
    ///
    /// The FTS5 expression has only quoted strings of letters, digits and marks.
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

    /// The domain that an item that meets the comparison has, if it has a domain.
    ///
    /// This is nil if the comparison does not determine the domain.
    fileprivate var domain: String? {
        guard subject == .attribute(.domainIdentifier), relation == .equal, case .text(let pattern) = operand,
            !pattern.hasWildcard, pattern.modifiers.isEmpty, let domain = pattern.pieces.first,
            domain.utf8.allSatisfy({ $0 < 0x80 && !Self.haveTwins.contains($0) })
        else { return nil }
        return domain
    }

    /// The ASCII characters that are canonically equivalent to another scalar.
    ///
    /// These scalars are the kelvin sign, the Greek question mark and the Greek varia.
    private static let haveTwins = Array("K;`".utf8)
}

extension Set<String> {
    /// The largest number of dots in a domain that is looked up.
    private static var dotsMost: Int { 3 }

    /// All lists of parts that the scopes of these domains may have; nil if there are too many.
    ///
    /// In scopes that this program makes, every dot separates two parts. In scopes from another device, a part may
    /// contain dots.
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
