import BatonCommand
import BatonCore
import ClientSupport
import Testing

@Suite struct `A condition on properties` {
    private static let properties = [
        PropertyQuery.Property("rating", attribute: "rating"),
        PropertyQuery.Property("genre", attribute: "book_genre"),
        PropertyQuery.Property("isRead", attribute: "book_read"),
        PropertyQuery.Property("added", attribute: "contentCreationDate", isDate: true),
        PropertyQuery.Property("note", attribute: nil),
    ]

    private func query(_ condition: String) throws -> PropertyQuery {
        try PropertyQuery(condition, of: "Book", with: Self.properties)
    }

    /// The text without the spaces between words.
    private func text(_ condition: String) throws -> String {
        try query(condition).text.split(separator: " ").joined(separator: " ")
    }

    @Test func `names the attributes of the index`() throws {
        #expect(try text(#"rating > 3 && genre == "jazz""#) == #"rating > 3 && book_genre == "jazz""#)
        #expect(try text("!(rating<=-2.5)||rating>=1e3") == "!(rating <= -2.5)||rating >= 1e3")
        #expect(try text("InRange(rating, 1, 5)") == "InRange(rating, 1, 5)")
        #expect(try text(#"** == "x"cd"#) == #"** == "x"cd"#)
    }

    @Test func `leaves words inside of texts alone`() throws {
        #expect(try text(#"genre == "rating && nil"cd"#) == #"book_genre == "rating && nil"cd"#)
        #expect(try text(#"genre == 'a\'rating'"#) == #"book_genre == 'a\'rating'"#)
    }

    @Test func `has truth values, and nil for no value`() throws {
        #expect(try text("isRead == true && isRead != false") == "book_read == 1 && book_read != 0")
        #expect(try text("genre == nil") == "book_genre != *" && text("genre != nil") == "book_genre == *")
    }

    @Test func `takes a text beside a date as a date`() throws {
        #expect(try text(#"added > "2026-11-20""#) == "contentCreationDate > $time.iso(2026-11-20)")
        #expect(try text("added > $time.today(-7)") == "contentCreationDate > $time.today(-7)")
        #expect(
            try text(#"added > "2026-11-20" && genre == "2026-11-20""#)
                == #"contentCreationDate > $time.iso(2026-11-20) && book_genre == "2026-11-20""#)
    }

    @Test(arguments: ["rating > 3", #"genre == "jazz"cd"#, "isRead == true", "genre == nil", "!(rating < 1)"])
    func `is a query that the index understands`(condition: String) throws {
        try query(condition).check(condition, at: Example.present)
        let all = PropertyQuery.query(ofType: "Book", where: try query(condition))
        _ = try SearchQuery(all, at: Example.present)
    }

    @Test func `with an unknown property names the nearest one, and shows the place`() throws {
        let error = #expect(throws: LocalFailure.self) { try query(#"rating > 3 && gnre == "x""#) }
        #expect(error?.code == .usage)
        let lines = error?.text.split(separator: "\n") ?? []
        #expect(lines.first == "Book has no property “gnre”. Did you mean genre?")
        #expect(lines.last == "              ^")
    }

    @Test func `with a property outside of the index says so`() throws {
        let error = #expect(throws: LocalFailure.self) { try query(#"note == "x""#) }
        #expect(error?.text.hasPrefix("The property “note” is not in the index") == true)
    }

    @Test func `that is malformed is shown as it was typed`() throws {
        let condition = #"genre == "jazz" && rating >"#
        let malformed = try query(condition)
        let error = #expect(throws: LocalFailure.self) { try malformed.check(condition, at: Example.present) }
        let lines = error?.text.split(separator: "\n", omittingEmptySubsequences: false) ?? []
        #expect(lines.count == 3 && lines[1] == condition && lines[2].hasSuffix("^"))
    }

    @Test func `quotes the names of types`() throws {
        let query = PropertyQuery.query(ofType: "Shop.Book", where: nil)
        #expect(query == #"org_baton_entity_type == "Shop.Book""#)
    }
}
