/// A query in Core Spotlight's query language, such as `title == "par*"cd && pageCount > 3`.
///
/// `Queries.md` specifies the language. `matches(_:)` evaluates the query on one item. A store can analyse `expression`
/// instead and use its indexes.
package struct SearchQuery: Equatable, Sendable {
    package let expression: Expression
    /// The number of conditions and of the words and wildcards in their texts.
    ///
    /// It is an upper bound for the number of times that a value is searched.
    package let partCount: Int
    private let compared: ComparedAttributes

    /// Parses a query.
    ///
    /// A date such as `$time.today` in the query is relative to `present`.
    package init(_ text: String, at present: PresentTime) throws(QueryFailure) {
        var parser = QueryParser(text, at: present)
        expression = try parser.parse()
        (partCount, compared) = (parser.parts, ComparedAttributes(expression))
    }

    /// Creates a query that matches the items that match all of these queries; nil if there are no queries or if they
    /// have too many parts.
    package init?(all queries: [SearchQuery]) {
        partCount = queries.reduce(0) { $0 + $1.partCount }
        guard let first = queries.first, partCount <= Limits.queryParts else { return nil }
        expression = queries.count > 1 ? .and(queries.map(\.expression)) : first.expression
        compared = ComparedAttributes(expression)
    }

    /// Returns an item with only the attributes that the query compares, and the encoded size of these attributes in
    /// bytes.
    ///
    /// Returns nil if the scope is not that of an item in its index, or if the item is sealed. Values that can't be read are skipped.
    package func candidate(_ name: ItemName, _ content: Write.Content) -> (item: Item, byteCount: Int)? {
        var (item, byteCount) = (Item(), 0)
        if name.isProtected {
            if Item.isSealed(content.fields) { return nil }
            item.domain = Item.givenName(in: content.fields)?.domain
        } else {
            do throws(CBORError) { item.domain = try Item.domain(of: content.scope, name) } catch {
                return nil
            }
        }
        func take(_ name: FieldName, _ value: ArraySlice<UInt8>) {
            byteCount += value.count
            do throws(CBORError) {
                let value = try CBORReader.whole(value) { (reader) throws(CBORError) in
                    try AttributeValue(from: &reader)
                }
                item.attributes.append(name, value)
            } catch {
                // The value is skipped, because one mistake of an app must not hide the rest of its item.
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

    /// A condition that an item meets or does not meet.
    ///
    /// Conditions are nested at most `Limits.queryDepth` deep; `!=` adds one more level.
    package indirect enum Expression: Equatable, Sendable {
        /// The condition that every item meets.
        case all
        case comparison(Comparison)
        case range(Interval)
        /// All of these conditions; there are at least two.
        case and([Expression])
        /// At least one of these conditions; there are at least two.
        case or([Expression])
        case not(Expression)
    }

    /// A comparison of an attribute with an operand.
    package struct Comparison: Equatable, Sendable {
        package let subject: Subject
        package let relation: Relation
        package let operand: Operand
    }

    /// The condition that an attribute has a value between two numbers or dates.
    ///
    /// Both bounds belong to the range.
    package struct Interval: Equatable, Sendable {
        package let subject: Subject
        /// The smallest and the largest value; each is a number or a date.
        package let low, high: Operand
    }

    /// The values of an item that a condition compares.
    package enum Subject: Equatable, Sendable {
        case attribute(Attribute)
        case custom(CustomAttribute)
        /// All texts that a search by words looks at.
        case anyText
    }

    /// The relation of a comparison.
    ///
    /// `!=` is not among them, because it is parsed as the negation of `==`.
    package enum Relation: String, CaseIterable, Sendable {
        case equal = "=="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="

        /// Whether the relation holds for two numbers whose order is known.
        ///
        /// If the order is nil, because one of them is NaN, no relation holds.
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
        /// A number.
        ///
        /// If the attribute is a date, the number means seconds since 2001.
        case number(QueryNumber)
        /// A date, in seconds since 1970.
        case moment(Double)
        /// Any value; the condition is that the attribute has one.
        case anything
    }

    /// The start of the seconds that numbers count as dates: 1 January 2001 in universal time, in seconds since 1970.
    static let epoch = 978_307_200.0
}
