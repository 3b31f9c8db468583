import BatonCore
import CoreSpotlight
import Testing

@Suite struct `An attribute set` {
    /// A set with a value of each type.
    static func sample() -> CSSearchableItemAttributeSet {
        let set = CSSearchableItemAttributeSet(contentType: .pdf)
        set.title = "Report"
        set.keywords = ["work", "Größe", ""]
        set.rating = 4.5
        set.allDay = true
        set.pageCount = 12
        set.dueDate = Date(timeIntervalSince1970: 1_600_000_000.25)
        set.importantDates = [.distantPast, Date(timeIntervalSince1970: 0)]
        set.thumbnailData = Data([0, 1, 255])
        set.url = URL(string: "https://example.org/a%20b?c=d#e")
        set.sharedItemContentType = .jpeg
        let author = CSPerson(
            displayName: "Ann", handles: ["ann@example.org"], handleIdentifier: "emailAddresses")
        author.contactIdentifier = "42"
        set.authors = [author, CSPerson(displayName: nil, handles: [], handleIdentifier: "phoneNumbers")]
        set.emailHeaders = ["Received": ["a", 5, Date(timeIntervalSince1970: 1)], "X-Empty": []]
        if let key = CSCustomAttributeKey(keyName: "org_example_colour") {
            set.setValue(["red", "blue"] as NSArray, forCustomKey: key)
        }
        return set
    }

    @Test func `is empty at first`() throws {
        let set = CSSearchableItemAttributeSet()
        #expect(set.title == nil && set.keywords == nil && set.rating == nil && set.dueDate == nil)
        #expect(set.url == nil && set.authors == nil && set.emailHeaders == nil && set.thumbnailData == nil)
        #expect(set.likelyJunk == 0)
        #expect(set.actionIdentifiers == [])
        #expect(try set.written().isEmpty)
    }

    @Test func `returns the values that were set`() throws {
        let set = Self.sample()
        #expect(set.contentType == "com.adobe.pdf")
        #expect(set.title == "Report")
        #expect(set.keywords == ["work", "Größe", ""])
        #expect(set.rating == 4.5)
        #expect(set.dueDate == Date(timeIntervalSince1970: 1_600_000_000.25))
        #expect(set.importantDates == [.distantPast, Date(timeIntervalSince1970: 0)])
        #expect(set.thumbnailData == Data([0, 1, 255]))
        #expect(set.url?.absoluteString == "https://example.org/a%20b?c=d#e")
        #expect(set.sharedItemContentType == .jpeg)
        let authors = try #require(set.authors)
        #expect(authors.map(\.displayName) == ["Ann", nil])
        #expect(authors[0].handles == ["ann@example.org"] && authors[0].contactIdentifier == "42")
        let received = try #require(set.emailHeaders?["Received"])
        #expect(received[0] as? String == "a")
        #expect(received[1] as? NSNumber == 5)
        #expect(received[2] as? Date == Date(timeIntervalSince1970: 1))
        #expect(set.emailHeaders?["X-Empty"]?.isEmpty == true)
    }

    @Test func `writes every value under its attribute's number`() throws {
        let written = try Self.sample().written()
        #expect(written[.number(Attribute.title.number)] == .string("Report"))
        #expect(
            written[.number(Attribute.keywords.number)]
                == .array([.string("work"), .string("Größe"), .string("")]))
        #expect(written[.number(Attribute.allDay.number)] == .boolean(true))
        #expect(written[.number(Attribute.pageCount.number)] == .integer(12))
        #expect(written[.number(Attribute.dueDate.number)] == .date(1_600_000_000.25))
        #expect(written[.number(Attribute.thumbnailData.number)] == .data([0, 1, 255]))
        #expect(written[.number(Attribute.url.number)] == .url("https://example.org/a%20b?c=d#e"))
        #expect(written[.number(Attribute.sharedItemContentType.number)] == .string("public.jpeg"))
        #expect(
            written[.custom(Array("org_example_colour".utf8))] == .array([.string("red"), .string("blue")]))
        for (name, value) in written {
            guard case .number(let number) = name, let attribute = Attribute(number: number) else { continue }
            #expect(attribute.accepts(value), "\(attribute)")
        }
    }

    @Test func `adds the tree of a declared content type`() throws {
        let tree = try Self.sample().written()[.number(Attribute.contentTypeTree.number)]
        #expect(
            tree
                == .array(
                    [
                        "com.adobe.pdf", "public.composite-content", "public.content", "public.data",
                        "public.item",
                    ].map {
                        .string($0)
                    }))
        let own = CSSearchableItemAttributeSet(contentType: .pdf)
        own.contentTypeTree = ["com.adobe.pdf"]
        #expect(
            try own.written()[.number(Attribute.contentTypeTree.number)] == .array([.string("com.adobe.pdf")])
        )
    }

    @Test func `loses an attribute that is set to nil`() throws {
        let set = Self.sample()
        set.title = nil
        set.keywords = nil
        set.rating = nil
        #expect(set.title == nil && set.keywords == nil && set.rating == nil)
        #expect(try set.written()[.number(Attribute.title.number)] == nil)
    }

    @Test func `survives archiving`() throws {
        let set = Self.sample()
        let data = try NSKeyedArchiver.archivedData(withRootObject: set, requiringSecureCoding: true)
        let back = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CSSearchableItemAttributeSet.self, from: data))
        #expect(back == set)
        #expect(back.hash == set.hash)
        #expect(try back.written() == set.written())
    }

    @Test func `can't be read from a damaged archive`() throws {
        var data = try NSKeyedArchiver.archivedData(
            withRootObject: Self.sample(), requiringSecureCoding: true)
        let title = try #require(data.range(of: Data("Report".utf8)))
        // The length before the text.
        data[title.lowerBound - 1] = 0x7f
        #expect(throws: (any Error).self) {
            let back = try NSKeyedUnarchiver.unarchivedObject(
                ofClass: CSSearchableItemAttributeSet.self, from: data)
            _ = try #require(back)
        }
    }

    /// Dates that lose a part of a microsecond when they are counted from 1970.
    @Test(
        arguments: (0..<100).map {
            Date(timeIntervalSinceReferenceDate: 785_000_000.123_456_7 + Double($0) / 7)
        })
    func `returns dates exactly as they were set`(date: Date) {
        let set = CSSearchableItemAttributeSet()
        set.dueDate = date
        set.importantDates = [date, .distantFuture]
        #expect(set.dueDate == date && set.importantDates == [date, .distantFuture])
        #expect((set.copy() as? CSSearchableItemAttributeSet)?.dueDate == date)
        set.dueDate = .distantPast
        #expect(set.dueDate == .distantPast)
        set.importantDates = nil
        #expect(set.importantDates == nil)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e18])
    func `can be described although its dates are out of range`(
        seconds: Double
    ) {
        let set = CSSearchableItemAttributeSet()
        set.dueDate = Date(timeIntervalSince1970: seconds)
        set.emailHeaders = ["Date": [Date(timeIntervalSince1970: seconds)]]
        #expect(set.description.contains("dueDate = "))
        let read = CSSearchableItemAttributeSet(set.attributes)
        #expect(read.dueDate?.description.isEmpty == false)
        #expect("\(read.emailHeaders ?? [:])".isEmpty == false)
    }

    @Test func `copies without sharing changes`() throws {
        let set = Self.sample()
        let copy = try #require(set.copy() as? CSSearchableItemAttributeSet)
        #expect(copy == set)
        copy.title = "Other"
        #expect(set.title == "Report")
        #expect(copy != set)
    }

    @Test func `is described by the names and values of its attributes`() {
        let set = CSSearchableItemAttributeSet()
        set.title = "Report"
        set.thumbnailData = Data(count: 1000)
        #expect(
            set.description == "<CSSearchableItemAttributeSet: title = Report; thumbnailData = 1000 bytes>")
    }

    @Test func `with a custom value of an unsupported type is refused`() throws {
        let set = CSSearchableItemAttributeSet()
        let key = try #require(CSCustomAttributeKey(keyName: "org_example_site"))
        set.setValue(NSURL(string: "https://example.org"), forCustomKey: key)
        let error = #expect(throws: CSIndexError.self) { try set.written() }
        #expect(error?.code == .invalidItemError)
        #expect(error?.localizedDescription.contains("org_example_site") == true)
        set.setValue("https://example.org" as NSString, forCustomKey: key)
        #expect(
            try set.written() == [.custom(Array("org_example_site".utf8)): .string("https://example.org")])
    }

    @Test func `with an email header of an unsupported type is refused`() throws {
        let set = CSSearchableItemAttributeSet()
        set.emailHeaders = ["From": [NSObject()]]
        let error = #expect(throws: CSIndexError.self) { try set.written() }
        #expect(error?.code == .invalidItemError)
        #expect(error?.localizedDescription.contains("From") == true)
    }

    /// Values of custom attributes, all of which must come back.
    static var customValues: [any NSSecureCoding & NSObject] {
        [
            "text" as NSString, NSNumber(value: 5), NSNumber(value: true), NSNumber(value: 2.5), NSNull(),
            NSData(data: Data([1, 2])), NSDate(timeIntervalSince1970: 5),
            CSPerson(displayName: "Ann", handles: ["a"], handleIdentifier: "b"), ["a", "b"] as NSArray,
            [NSNumber(value: 1), NSNumber(value: false)] as NSArray,
        ]
    }

    @Test(arguments: customValues.indices) func `returns custom values as objects`(index: Int) throws {
        let (set, value) = (CSSearchableItemAttributeSet(), Self.customValues[index])
        let key = try #require(CSCustomAttributeKey(keyName: "org_example_value"))
        set.setValue(value, forCustomKey: key)
        let back = try #require(set.value(forCustomKey: key) as? NSObject)
        #expect(back == value)
        set.setValue(nil, forCustomKey: key)
        #expect(set.value(forCustomKey: key) == nil)
    }

    @Test func `accepts the API spellings of older documentation`() {
        let texts: any OlderTexts = Self.HistoricTexts()
        let set = texts.set()
        #expect(set.contentType == "public.text")
        #expect(set.authorNames == ["Ann"])
        #expect(set.recipientNames == ["Bob"])
    }

    /// Uses deprecated names; the compiler warns where it is called directly.
    private struct HistoricTexts: OlderTexts {
        @available(*, deprecated) func set() -> CSSearchableItemAttributeSet {
            let set = CSSearchableItemAttributes(itemContentType: "public.text")
            set.author = "Ann"
            set.recipients = ["Bob"]
            return set
        }
    }
}

/// Makes a set with names that texts have.
private protocol OlderTexts {
    func set() -> CSSearchableItemAttributeSet
}
