import BatonCore
import CoreSpotlight
import Testing

@Suite struct `A person` {
    @Test func `survives an archive and a copy`() throws {
        let person = CSPerson(
            displayName: "Ann", handles: ["ann@example.org", "+1"], handleIdentifier: "emailAddresses")
        person.contactIdentifier = "42"
        let data = try NSKeyedArchiver.archivedData(withRootObject: person, requiringSecureCoding: true)
        let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CSPerson.self, from: data))
        let copy = try #require(person.copy() as? CSPerson)
        for other in [back, copy] {
            #expect(other == person && other !== person)
            #expect(other.hash == person.hash)
            #expect(other.displayName == "Ann" && other.contactIdentifier == "42")
            #expect(other.handles == ["ann@example.org", "+1"] && other.handleIdentifier == "emailAddresses")
        }
        copy.contactIdentifier = nil
        #expect(copy != person)
        #expect(person.description == "<CSPerson: Ann, ann@example.org, +1>")
    }

    @Test func `without a display name is stored without one`() {
        let person = CSPerson(displayName: nil, handles: [], handleIdentifier: "phoneNumbers")
        let value = PropertyValue.dictionary([
            .string("handles"): .array([]), .string("handleIdentifier"): .string("phoneNumbers"),
        ])
        #expect(PropertyValue(person) == value)
        #expect(value.isPerson)
    }
}

@Suite struct `A key of a custom attribute` {
    @Test(arguments: ["org_example_colour", "a", "A_1", String(repeating: "a", count: 255)])
    func `has a name of ASCII letters, digits and underscores`(name: String) throws {
        let key = try #require(CSCustomAttributeKey(keyName: name))
        #expect(key.keyName == name)
        #expect(key.isSearchable && !key.isSearchableByDefault && !key.isUnique && !key.isMultiValued)
    }

    @Test(arguments: [
        "", "org.example", "kMDItemTitle", "größe", "a b", "a-b", String(repeating: "a", count: 256),
    ])
    func `with other characters is refused`(name: String) {
        #expect(CSCustomAttributeKey(keyName: name) == nil)
    }

    @Test func `survives an archive`() throws {
        let key = try #require(
            CSCustomAttributeKey(
                keyName: "a_b", searchable: false, searchableByDefault: true, unique: true, multiValued: true)
        )
        let data = try NSKeyedArchiver.archivedData(withRootObject: key, requiringSecureCoding: true)
        let back = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CSCustomAttributeKey.self, from: data))
        #expect(back == key)
        #expect(back.hash == key.hash)
        #expect(!back.isSearchable && back.isSearchableByDefault && back.isUnique && back.isMultiValued)
        #expect(back != CSCustomAttributeKey(keyName: "a_b"))
        #expect(key.copy() as? CSCustomAttributeKey === key)
    }
}

@Suite struct `A text in several languages` {
    static var greeting: CSLocalizedString {
        CSLocalizedString(localizedStrings: ["en": "Hello", "de": "Hallo", "fr": "Salut"])
    }

    @Test func `is a string in one of its languages`() {
        let text = Self.greeting.localizedString()
        #expect(["Hello", "Hallo", "Salut"].contains(text))
        #expect(Self.greeting as String == text)
        #expect(Self.greeting.length == text.utf16.count)
        #expect(Self.greeting.isEqual(to: text))
    }

    /// Environments, and the greeting in each.
    static let environments: [([String: String], String)] = [
        ([:], "Hello"), (["LANG": "C.UTF-8"], "Hello"),
        (["LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"], "Hello"),
        (["LANG": "de_DE.UTF-8"], "Hallo"), (["LANG": "de"], "Hallo"),
        (["LC_MESSAGES": "fr_CA", "LANG": "de_DE"], "Salut"),
        (["LC_ALL": "fr_FR@euro", "LC_MESSAGES": "de"], "Salut"),
        (["LANGUAGE": "es:fr:de", "LANG": "en_US"], "Salut"),
        (["LANGUAGE": "de", "LANG": "C"], "Hello"), (["LC_ALL": "", "LANG": "de_AT"], "Hallo"),
        (["LANG": "pt_PT"], "Oi"),
        (["LANG": "xx"], "Hello"),
    ]

    @Test(arguments: environments.indices) func `is in the preferred language of the environment`(index: Int)
    {
        let (environment, greeting) = Self.environments[index]
        let texts = ["en": "Hello", "de": "Hallo", "fr": "Salut", "pt-BR": "Oi"]
        #expect(PreferredLanguages(environment).best(of: texts) == greeting)
    }

    @Test func `is in the alphabetically first language if no preferred one exists`() {
        #expect(PreferredLanguages([:]).best(of: ["xx": "b", "aa": "a"]) == "a")
        #expect(CSLocalizedString(localizedStrings: [:]).localizedString() == "")
    }

    @Test func `keeps all languages in an attribute`() throws {
        let set = CSSearchableItemAttributeSet()
        set.title = Self.greeting as String
        #expect(set.title == Self.greeting.localizedString())
        #expect(
            try set.written() == [
                .number(Attribute.title.number): .dictionary([
                    .string("en"): .string("Hello"), .string("de"): .string("Hallo"),
                    .string("fr"): .string("Salut"),
                ])
            ])
        // Another text is not mistaken for it.
        set.title = "Hello!"
        #expect(try set.written() == [.number(Attribute.title.number): .string("Hello!")])
    }

    @Test func `keeps all languages in a custom attribute`() throws {
        let (set, key) = (CSSearchableItemAttributeSet(), CSCustomAttributeKey(keyName: "a_b"))
        set.setValue(Self.greeting, forCustomKey: try #require(key))
        let back = set.value(forCustomKey: try #require(key)) as? CSLocalizedString
        #expect(back?.localizedString() == Self.greeting.localizedString())
        #expect(PropertyValue(try #require(back)) == PropertyValue(Self.greeting))
    }
}
