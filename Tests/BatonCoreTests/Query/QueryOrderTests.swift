import BatonCore
import Support
import Testing

@Suite struct `The order of results by attributes` {
    private func keys(_ order: QueryOrder, _ value: PropertyValue?) -> [SortKey] {
        var attributes = AttributeSet()
        attributes[.title] = value.map { .plain($0) }
        let keys = order.keys(of: attributes)
        #expect(order.keys(of: attributes.fields) == keys)
        return keys
    }

    @Test func `puts items without a value last in both directions`() throws {
        for isDescending in [false, true] {
            let order = try #require(QueryOrder([QuerySort("title", isDescending: isDescending)]))
            #expect(order.precedes(keys(order, .string("a")), keys(order, nil)) == true)
            #expect(order.precedes(keys(order, nil), keys(order, .string("a"))) == false)
            #expect(order.precedes(keys(order, nil), keys(order, nil)) == nil)
        }
    }

    @Test func `compares numbers, dates, and texts without capitals and accents`() throws {
        let order = try #require(QueryOrder([QuerySort("title")]))
        let ascending: [PropertyValue] = [
            .integer(-1), .boolean(true), .real(1.5), .integer(2), .date(3), .string("Ada"), .string("émile"),
            .string("Zoë"),
        ]
        for (place, value) in ascending.enumerated() {
            for later in ascending.dropFirst(place + 1) {
                #expect(order.precedes(keys(order, value), keys(order, later)) == true, "\(value) \(later)")
                #expect(order.precedes(keys(order, later), keys(order, value)) == false, "\(later) \(value)")
            }
        }
        #expect(order.precedes(keys(order, .integer(1)), keys(order, .real(1))) == nil)
        #expect(order.precedes(keys(order, .array([.integer(1)])), keys(order, .integer(2))) == true)
        #expect(keys(order, .real(.nan)) == [.missing])
    }

    @Test func `uses later attributes where earlier ones are equal`() throws {
        let order = try #require(QueryOrder([QuerySort("title"), QuerySort("own_rank", isDescending: true)]))
        let rank = try #require(CustomAttribute(name: "own_rank"))
        func keys(_ number: Int64) -> [SortKey] {
            var attributes = AttributeSet()
            attributes[.title] = .plain(.string("same"))
            attributes[rank.field] = .plain(.integer(number))
            return order.keys(of: attributes.fields)
        }
        #expect(order.precedes(keys(5), keys(3)) == true)
    }

    @Test func `refuses names that are none, and too many`() {
        #expect(QueryOrder([QuerySort("a b")]) == nil)
        #expect(QueryOrder(Array(repeating: QuerySort("title"), count: QuerySort.most + 1)) == nil)
        #expect(QueryOrder([]) == .indexed)
    }
}
