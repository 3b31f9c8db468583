/// A query in Core Spotlight's query language, such as `title == "par*"cd && pageCount > 3`.
///
/// `Queries.md` specifies the language. A query is evaluated over one item by `matches(_:)`; a store can take
/// `expression` apart instead and use its indexes.
package struct SearchQuery: Equatable, Sendable {
    package let expression: Expression
    /// The number of conditions, with the words and pieces of their texts, an upper bound of the passes over values.
    package let partCount: Int
    private let compared: ComparedAttributes

    /// Parses a query; `$time` in it is relative to `present`.
    package init(_ text: String, at present: PresentTime) throws(QueryFailure) {
        var parser = QueryParser(text, at: present)
        expression = try parser.parse()
        (partCount, compared) = (parser.parts, ComparedAttributes(expression))
    }

    /// Creates the conjunction of queries; nil if there are no queries, or if they have too many parts together.
    package init?(all queries: [SearchQuery]) {
        partCount = queries.reduce(0) { $0 + $1.partCount }
        guard let first = queries.first, partCount <= Limits.queryParts else { return nil }
        expression = queries.count > 1 ? .and(queries.map(\.expression)) : first.expression
        compared = ComparedAttributes(expression)
    }

    /// Returns an item with only those attributes that the query compares, and how many bytes these have.
    ///
    /// Returns nil if the item's scope is not one of its index. Values that can't be read are skipped.
    package func candidate(_ name: ItemName, _ content: Write.Content) -> (item: Item, byteCount: Int)? {
        var (item, byteCount) = (Item(), 0)
        do throws(CBORError) { item.domain = try Item.domain(of: content.scope, name) } catch { return nil }
        func take(_ name: FieldName, _ value: ArraySlice<UInt8>) {
            byteCount += value.count
            do throws(CBORError) {
                let value = try CBORReader.whole(value) { (reader) throws(CBORError) in
                    try AttributeValue(from: &reader)
                }
                item.attributes.append(name, value)
            } catch {
                // One mistake of an app must not hide the rest of its item.
            }
        }
        guard !compared.hasNames else {
            item.indexed = FoundItem.indexed(in: content.fields)
            for field in content.fields where compared.contains(field.name) { take(field.name, field.value) }
            return (item, byteCount)
        }
        content.fields.visit(where: { $0 == Item.indexedNumber || compared.contains($0) }) { number, value in
            if number == Item.indexedNumber {
                // An unreadable time counts as no time.
                item.indexed = FoundItem.time(value)
            } else {
                take(.number(number), value)
            }
        }
        return (item, byteCount)
    }

    /// A condition that an item meets or does not meet, nested at most `Limits.queryDepth` deep, and one level deeper
    /// with `!=`.
    package indirect enum Expression: Equatable, Sendable {
        /// Every item.
        case all
        case comparison(Comparison)
        case range(Interval)
        /// All of at least two conditions.
        case and([Expression])
        /// At least one of two or more conditions.
        case or([Expression])
        case not(Expression)
    }

    /// A comparison of an attribute with an operand.
    package struct Comparison: Equatable, Sendable {
        package let subject: Subject
        package let relation: Relation
        package let operand: Operand
    }

    /// The condition that an attribute has a value from one number or date through another.
    package struct Interval: Equatable, Sendable {
        package let subject: Subject
        /// The smallest and the largest value: a number or a moment each.
        package let low, high: Operand
    }

    /// The values of an item that are compared.
    package enum Subject: Equatable, Sendable {
        case attribute(Attribute)
        case custom(CustomAttribute)
        /// Each text of an attribute that counts in a search by words.
        case anyText
    }

    /// The relation of a comparison; `!=` is the negation of `==`.
    package enum Relation: String, CaseIterable, Sendable {
        case equal = "=="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="

        /// Whether the relation holds for two numbers in that order; none holds for numbers without an order.
        func holds(for order: QueryNumber.Order?) -> Bool {
            switch self {
            case .equal: order == .equal
            case .less: order == .less
            case .lessOrEqual: order == .less || order == .equal
            case .greater: order == .greater
            case .greaterOrEqual: order == .greater || order == .equal
            }
        }
    }

    package enum Operand: Equatable, Sendable {
        case text(TextPattern)
        /// A number, which means seconds since 2001 for an attribute with a date.
        case number(QueryNumber)
        /// A date, in seconds since 1970.
        case moment(Double)
        /// Any value at all.
        case anything
    }

    /// The date from which numbers count as dates: 1 January 2001 in universal time, in seconds since 1970.
    static let epoch = 978_307_200.0
}
