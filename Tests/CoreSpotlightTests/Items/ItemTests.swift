import BatonCore
import CoreSpotlight
import Testing

@Suite struct `A searchable item` {
    static func sample() -> CSSearchableItem {
        CSSearchableItem(
            uniqueIdentifier: "note-1", domainIdentifier: "work.reports",
            attributeSet: `An attribute set`.sample())
    }

    @Test func `has a UUID as its identifier if the app sets none`() {
        let item = CSSearchableItem(
            uniqueIdentifier: nil, domainIdentifier: nil, attributeSet: CSSearchableItemAttributeSet())
        #expect(UUID(uuidString: item.uniqueIdentifier) != nil)
        #expect(CSSearchableItem().uniqueIdentifier != item.uniqueIdentifier)
    }

    @Test func `expires a month after it is indexed, unless the app sets a date`() throws {
        let item = Self.sample()
        let month = 30 * 86_400.0
        #expect(abs(item.expirationDate.timeIntervalSinceNow - month) < 60)
        #expect(
            try item.replacement().expiration == WallTime(milliseconds: 1_700_000_000_000 + 30 * 86_400_000))
        item.expirationDate = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(item.expirationDate == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(try item.replacement().expiration == WallTime(milliseconds: 1_800_000_000_000))
        item.expirationDate = nil
        #expect(abs(item.expirationDate.timeIntervalSinceNow - month) < 60)
        item.expirationDate = .distantFuture
        #expect(try item.replacement().expiration == WallTime(milliseconds: 64_092_211_200_000))
    }

    @Test func `survives an archive and a copy`() throws {
        let item = Self.sample()
        item.expirationDate = Date(timeIntervalSince1970: 1_800_000_000)
        item.isUpdate = true
        item.updateListenerOptions = [.summarization, .priority]
        let data = try NSKeyedArchiver.archivedData(withRootObject: item, requiringSecureCoding: true)
        let back = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CSSearchableItem.self, from: data))
        let copy = try #require(item.copy() as? CSSearchableItem)
        for other in [back, copy] {
            #expect(other == item && other !== item)
            #expect(other.hash == item.hash)
            #expect(other.isUpdate && other.updateListenerOptions.rawValue == 6)
            #expect(other.expirationDate == item.expirationDate)
        }
        copy.attributeSet.title = "Other"
        #expect(item.attributeSet.title == "Report")
        #expect(copy != item)
    }

    @Test func `that is an update removes the same attributes after archiving`() throws {
        let item = CSSearchableItem(
            uniqueIdentifier: "a", domainIdentifier: nil, attributeSet: CSSearchableItemAttributeSet())
        item.isUpdate = true
        item.attributeSet.title = nil
        let data = try NSKeyedArchiver.archivedData(withRootObject: item, requiringSecureCoding: true)
        let back = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CSSearchableItem.self, from: data))
        let index = CSSearchableItem.index
        #expect(
            try back.change(of: index, at: CSSearchableItem.moment)
                == item.change(of: index, at: CSSearchableItem.moment))
    }

    @Test func `is equal after it was stored in the index and read back`() throws {
        let item = Self.sample()
        item.expirationDate = Date(timeIntervalSince1970: 1_800_000_000)
        item.attributeSet.contentTypeTree = ["com.adobe.pdf"]
        let name = ItemName(app: "org.example.notes", index: "notes", identifier: "note-1")
        let content = try item.replacement().content(name)
        let back = CSSearchableItem(name, try Item(name, content))
        #expect(back == item)
        #expect(back.domainIdentifier == "work.reports")
    }

    @Test func `that is an update changes and removes single attributes`() throws {
        let item = CSSearchableItem(
            uniqueIdentifier: "note-1", domainIdentifier: nil, attributeSet: CSSearchableItemAttributeSet())
        item.isUpdate = true
        item.attributeSet.title = "New"
        item.attributeSet.comment = nil
        item.attributeSet.rating = 3
        item.attributeSet.rating = nil
        item.attributeSet.subject = nil
        item.attributeSet.subject = "Set again"
        var update = Item.Update()
        update.attributes[.title] = .plain(.string("New"))
        update.attributes[.subject] = .plain(.string("Set again"))
        update.removed = [.number(Attribute.comment.number), .number(Attribute.rating.number)]
        let change = try item.change(of: CSSearchableItem.index, at: CSSearchableItem.moment)
        #expect(change == .update("note-1", domain: nil, update.fields))

        item.domainIdentifier = "home"
        item.expirationDate = Date(timeIntervalSince1970: 1_800_000_000)
        update.expiration = WallTime(milliseconds: 1_800_000_000_000)
        let other = try item.change(of: CSSearchableItem.index, at: CSSearchableItem.moment)
        #expect(other == .update("note-1", domain: "home", update.fields))
    }

    @Test func `can be formatted with %@`() {
        let item = Self.sample()
        let person = CSPerson(displayName: "Ann", handles: ["a"], handleIdentifier: "b")
        let text = String(format: "%@, %d, %@, %@", item, 5, item.attributeSet, person)
        #expect(text == "\(item), 5, \(item.attributeSet), \(person)")
        // Far more than are kept.
        for number in 0..<200 { #expect(String(format: "%@ %d", person, number) == "\(person) \(number)") }
    }

    @Test func `that no search has returned compares as equal by rank`() {
        let item = CSSearchableItem()
        #expect(item.compare(byRank: CSSearchableItem()) == .orderedSame)
    }

    // MARK: Limits

    @Test func `is indexed without a thumbnail that is too large`() throws {
        let set = CSSearchableItemAttributeSet()
        set.title = "Photo"
        set.thumbnailData = Data(count: 128 << 10)
        #expect(try set.written()[.number(Attribute.thumbnailData.number)] != nil)
        set.thumbnailData = Data(count: (128 << 10) + 1)
        #expect(try set.written() == [.number(Attribute.title.number): .string("Photo")])
        // The app's own set keeps it.
        #expect(set.thumbnailData?.count == (128 << 10) + 1)
    }

    @Test func `loses its thumbnail if its text leaves no room`() throws {
        let set = CSSearchableItemAttributeSet()
        set.textContent = String(repeating: "a", count: 450 << 10)
        set.thumbnailData = Data(count: 100 << 10)
        #expect(try Set(set.written().keys) == [.number(Attribute.textContent.number)])
    }

    @Test(arguments: [500 << 10, 511 << 10, 512 << 10, 5 << 20, 40 << 20])
    func `is indexed with the beginning of a text that is too long, within the node's limits`(
        size: Int
    ) throws {
        let set = CSSearchableItemAttributeSet()
        set.title = "Book"
        // All bytes of a scalar are indexed, or none.
        set.textContent = "a" + String(repeating: "é€😀", count: size / 9)
        set.thumbnailData = Data(count: 100 << 10)
        let item = CSSearchableItem(
            uniqueIdentifier: "a", domainIdentifier: String(repeating: "d", count: 900), attributeSet: set)
        var indexed = try item.replacement()
        indexed.indexed = WallTime(milliseconds: .max)
        let name = ItemName(app: "org.example.notes", index: "notes", identifier: "a")
        #expect(indexed.content(name).fields.canBeWritten)
        let text = try #require(indexed.attributes.value(.textContent)?.string)
        let whole = try #require(set.textContent)
        #expect(whole.utf8.starts(with: text.utf8) && (text == whole || text.utf8.count > 500 << 10))
        #expect(text.unicodeScalars.last.map { "é€😀".unicodeScalars.contains($0) } == true)
        #expect(indexed.attributes.value(.title)?.string == "Book")
        #expect(whole.utf8.count > size - 9, "the app's own set keeps all")
    }

    @Test func `with several long texts first loses the HTML, which is only for searching`() throws {
        let set = CSSearchableItemAttributeSet()
        set.textContent = String(repeating: "a", count: 400 << 10)
        set.contentDescription = String(repeating: "b", count: 300 << 10)
        set.htmlContentData = Data(repeating: 0x63, count: 600 << 10)
        var written = try set.written()
        #expect(written[.number(Attribute.htmlContentData.number)] == nil)
        #expect(
            written[.number(Attribute.contentDescription.number)]?.string == set.contentDescription)
        let text = written[.number(Attribute.textContent.number)]?.string?.utf8.count ?? 0
        #expect(text > 200 << 10 && text < 212 << 10)
        set.contentDescription = nil
        written = try set.written()
        #expect(written[.number(Attribute.textContent.number)]?.string == set.textContent)
        guard case .data(let html)? = written[.number(Attribute.htmlContentData.number)] else {
            Issue.record("no HTML is left")
            return
        }
        #expect(html.count > 100 << 10 && html.count < 112 << 10)
    }

    @Test func `with any other attribute that is too large is refused by its identifier`() throws {
        let set = CSSearchableItemAttributeSet()
        set.comment = String(repeating: "a", count: 513 << 10)
        let error = #expect(throws: CSIndexError.self) { try set.written() }
        #expect(error?.code == .invalidItemError)
        #expect(error?.localizedDescription.contains("The item “id” can't be indexed") == true)
        #expect(error?.localizedDescription.contains("comment") == true)
        #expect(error?.localizedDescription.contains("the limit is 524288") == true)
        // Two attributes that are too large together.
        set.comment = String(repeating: "a", count: 300 << 10)
        (set.copyright, set.textContent) = (set.comment, "short")
        let other = #expect(throws: CSIndexError.self) { try set.written() }
        #expect(other?.localizedDescription.contains("524288 bytes") == true)
        #expect(other?.localizedDescription.contains("The item “id” can't be indexed") == true)
    }

    @Test func `sets only the beginning of a text that is too long, as an update`() throws {
        let item = CSSearchableItem(
            uniqueIdentifier: "a", domainIdentifier: nil, attributeSet: CSSearchableItemAttributeSet())
        item.isUpdate = true
        item.attributeSet.textContent = String(repeating: "a", count: 2 << 20)
        item.attributeSet.title = nil
        let change = try item.change(of: CSSearchableItem.index, at: CSSearchableItem.moment)
        guard case .update("a", nil, let fields) = change else {
            Issue.record("\(change) is no update")
            return
        }
        #expect(fields.encodedCount > 500 << 10 && fields.encodedCount < 512 << 10)
    }

    @Test func `is refused if its identifier is too long`() throws {
        let item = CSSearchableItem(
            uniqueIdentifier: String(repeating: "a", count: 5000), domainIdentifier: nil,
            attributeSet: CSSearchableItemAttributeSet())
        let error = #expect(throws: CSIndexError.self) { try item.replacement() }
        #expect(error?.code == .invalidItemError)
    }

    @Test func `with values nested too deeply is refused`() throws {
        var value: Any = "deep"
        for _ in 0..<40 { value = [value] }
        let set = CSSearchableItemAttributeSet()
        set.emailHeaders = ["X": [value]]
        let error = #expect(throws: CSIndexError.self) { try set.written() }
        #expect(error?.code == .invalidItemError)
        #expect(error?.localizedDescription.contains("emailHeaders") == true)
    }

    @Test func `with an expiration that is not a date is refused`() throws {
        let item = Self.sample()
        item.expirationDate = Date(timeIntervalSince1970: .nan)
        #expect(throws: CSIndexError.self) { try item.replacement() }
    }
}

@Suite struct `A suggestion` {
    static var suggestion: CSSuggestion {
        CSSuggestion(SearchSuggestion("big report", .title, typed: [0..<1, 4..<7]), rank: 2)
    }

    @Test func `marks its typed part`() {
        let text = Self.suggestion.localizedAttributedSuggestion
        #expect(String(text.characters) == "big report")
        let runs = text.runs[AttributeScopes.CoreSpotlightAttributes.SuggestionHighlightAttribute.self]
        let typed = runs.filter { $0.0 == true }.map { String(text.characters[$0.1]) }
        #expect(typed == ["b", "rep"])
        #expect(Self.suggestion.suggestionKind == .default)
    }

    @Test func `survives an archive`() throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: Self.suggestion, requiringSecureCoding: true)
        let back = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CSSuggestion.self, from: data))
        #expect(back == Self.suggestion)
        #expect(back.hash == Self.suggestion.hash)
        #expect(back.compare(byRank: Self.suggestion) == .orderedSame)
    }

    @Test func `compares by rank and by text`() {
        let other = CSSuggestion(SearchSuggestion("alpha", .word, typed: []), rank: 3)
        #expect(Self.suggestion.compare(byRank: other) == .orderedAscending)
        #expect(Self.suggestion.compare(other) == .orderedDescending)
    }
}

@Suite struct `A description of an index` {
    @Test(arguments: [nil, FileProtectionType.complete]) func `survives an archive`(
        protection: FileProtectionType?
    ) throws {
        let description = CSSearchableIndexDescription(protectionClass: protection)
        let data = try NSKeyedArchiver.archivedData(withRootObject: description, requiringSecureCoding: true)
        let back = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CSSearchableIndexDescription.self, from: data))
        #expect(back == description)
        #expect(back.protectionClass?.rawValue == protection?.rawValue)
    }
}
