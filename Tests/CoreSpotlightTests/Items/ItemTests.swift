import BatonCore
import CoreSpotlight
import Testing

@Suite struct `A searchable item` {
    static func sample() -> CSSearchableItem {
        CSSearchableItem(
            uniqueIdentifier: "note-1", domainIdentifier: "work.reports",
            attributeSet: `An attribute set`.sample())
    }

    @Test func `gets a UUID as its identifier if the app gives none`() {
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

    @Test func `keeps in an archive what an update removes`() throws {
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

    @Test func `is the same after the way through the index`() throws {
        let item = Self.sample()
        item.expirationDate = Date(timeIntervalSince1970: 1_800_000_000)
        item.attributeSet.contentTypeTree = ["com.adobe.pdf"]
        let name = ItemName(app: "org.example.notes", index: "notes", identifier: "note-1")
        let content = try item.replacement().content(name)
        let back = CSSearchableItem(name, try Item(name, content))
        #expect(back == item)
        #expect(back.domainIdentifier == "work.reports")
    }

    @Test func `changes and removes single attributes as an update`() throws {
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

    @Test func `can be formatted with its description`() {
        let item = Self.sample()
        let person = CSPerson(displayName: "Ann", handles: ["a"], handleIdentifier: "b")
        let text = String(format: "%@, %d, %@, %@", item, 5, item.attributeSet, person)
        #expect(text == "\(item), 5, \(item.attributeSet), \(person)")
        // Far more than are kept.
        for number in 0..<200 { #expect(String(format: "%@ %d", person, number) == "\(person) \(number)") }
    }

    @Test func `is compared by its place among results`() {
        let item = CSSearchableItem()
        #expect(item.compare(byRank: CSSearchableItem()) == .orderedSame)
    }

    // MARK: Limits

    @Test func `loses a picture that is too large, and is indexed`() throws {
        let set = CSSearchableItemAttributeSet()
        set.title = "Photo"
        set.thumbnailData = Data(count: 128 << 10)
        #expect(try set.written()[.number(Attribute.thumbnailData.number)] != nil)
        set.thumbnailData = Data(count: (128 << 10) + 1)
        #expect(try set.written() == [.number(Attribute.title.number): .string("Photo")])
        // The app's own set keeps it.
        #expect(set.thumbnailData?.count == (128 << 10) + 1)
    }

    @Test func `loses a picture that does not fit beside its text`() throws {
        let set = CSSearchableItemAttributeSet()
        set.textContent = String(repeating: "a", count: 450 << 10)
        set.thumbnailData = Data(count: 100 << 10)
        #expect(try Set(set.written().keys) == [.number(Attribute.textContent.number)])
    }

    @Test func `is refused with a text that is too long`() throws {
        let set = CSSearchableItemAttributeSet()
        set.textContent = String(repeating: "a", count: 512 << 10)
        let error = #expect(throws: CSIndexError.self) { try set.written() }
        #expect(error?.code == .invalidItemError)
        #expect(error?.localizedDescription.contains("textContent") == true)
        #expect(error?.localizedDescription.contains("the limit is 524288") == true)
        // Two attributes that are too large together.
        set.textContent = String(repeating: "a", count: 300 << 10)
        set.contentDescription = set.textContent
        let other = #expect(throws: CSIndexError.self) { try set.written() }
        #expect(other?.localizedDescription.contains("524288 bytes") == true)
    }

    @Test func `is refused with an identifier that is too long`() throws {
        let item = CSSearchableItem(
            uniqueIdentifier: String(repeating: "a", count: 5000), domainIdentifier: nil,
            attributeSet: CSSearchableItemAttributeSet())
        let error = #expect(throws: CSIndexError.self) { try item.replacement() }
        #expect(error?.code == .invalidItemError)
    }

    @Test func `is refused with values that are nested too deep`() throws {
        var value: Any = "deep"
        for _ in 0..<40 { value = [value] }
        let set = CSSearchableItemAttributeSet()
        set.emailHeaders = ["X": [value]]
        let error = #expect(throws: CSIndexError.self) { try set.written() }
        #expect(error?.code == .invalidItemError)
        #expect(error?.localizedDescription.contains("emailHeaders") == true)
    }

    @Test func `is refused with a date that is none`() throws {
        let item = Self.sample()
        item.expirationDate = Date(timeIntervalSince1970: .nan)
        #expect(throws: CSIndexError.self) { try item.replacement() }
    }

    @Test func `fits the node's limits with the largest text that is accepted`() throws {
        let set = CSSearchableItemAttributeSet()
        var (low, high) = (1, 600 << 10)
        while low < high {
            let middle = (low + high + 1) / 2
            set.textContent = String(repeating: "a", count: middle)
            do {
                _ = try set.written()
                low = middle
            } catch {
                high = middle - 1
            }
        }
        set.textContent = String(repeating: "a", count: low)
        // The longest identifier and domain beside it.
        let domain = String(repeating: "d", count: 900)
        let item = CSSearchableItem(uniqueIdentifier: "a", domainIdentifier: domain, attributeSet: set)
        var indexed = try item.replacement()
        indexed.indexed = WallTime(milliseconds: .max)
        let name = ItemName(app: "org.example.notes", index: "notes", identifier: "a")
        #expect(indexed.content(name).fields.canBeWritten)
        #expect(low > 500 << 10)
    }
}

@Suite struct `A suggestion` {
    static var suggestion: CSSuggestion {
        CSSuggestion(SearchSuggestion("big report", .title, typed: [0..<1, 4..<7]), rank: 2)
    }

    @Test func `marks what the person typed`() {
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

    @Test func `is compared by rank and by text`() {
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
