import BatonCore
import Support
import Testing

@Suite struct `Sealed values` {
    private let name = ItemName(app: "a", index: "i", identifier: "1")
    private let sealed = SealedValue(key: SealKeyIdentifier(high: 1, low: 2), box: [7, 8, 9])

    private func item(_ value: AttributeValue) -> Item {
        var item = Item()
        item.attributes[.title] = value
        return item
    }

    @Test func `are encoded with their own tag`() throws {
        let bytes = try #require(item(.sealed(sealed)).fields[.number(32)])
        #expect(bytes.hex == "da62617401" + "82" + "50" + "00000000000000010000000000000002" + "43070809")
    }

    @Test(arguments: Seeds.first(5))
    func `survive encoding unchanged`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<30 {
            let item = item(.sealed(generator.sealedValue()))
            #expect(try Item(name, item.content(name)) == item)
        }
    }

    @Test(arguments: [
        "da62617401" + "80", "da62617401" + "f6", "da62617401" + "8243010203" + "40",
        "da62617401" + "82" + "5000000000000000010000000000000002" + "6161", "81" + "da62617401" + "f6",
        "da62617401" + "83" + "5000000000000000010000000000000002" + "40" + "00",
        "81" + "da62617401" + "82" + "5000000000000000010000000000000002" + "40",
    ])
    func `that are malformed or nested in another value are refused`(_ hex: String) {
        var fields = Fields()
        fields[.number(32)] = [UInt8](hex: hex)
        let content = Write.Content(scope: .items(app: "a", index: "i"), fields: fields)
        #expect(throws: CBORError.self) { try Item(name, content) }
    }

    @Test func `are refused as values of a property list`() {
        let bytes = item(.sealed(sealed)).fields[.number(32)] ?? []
        #expect(throws: CBORError(.unexpectedType, at: 0)) {
            try CBORReader.whole(bytes[...]) { (reader) throws(CBORError) in try PropertyValue(from: &reader)
            }
        }
    }

    @Test(arguments: Seeds.first(10))
    func `merge like plain values, without being opened`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let boxes = (0..<3).map { _ in AttributeValue.sealed(generator.sealedValue()) }
        let content = item(boxes[0]).content(name)
        let writes: [Write] = [
            .told(name.key, at: 1, .full(content)),
            .told(name.key, at: 2, .partial(of: .told(1), item(boxes[1]).fields)),
            .told(name.key, at: 3, by: 2, .partial(of: .told(1), item(boxes[2]).fields)),
            .told(name.key, at: 0, by: 9, .deletion),
        ]
        writes.forEachPermutation { order in
            let record = Record(merging: order)
            #expect(record.fields?[.number(32)] == item(boxes[2]).fields[.number(32)])
        }
    }

    @Test func `count in the digest by their encoded bytes`() {
        let digests = [[1], [2], [2]].map { (box: [UInt8]) in
            let item = item(.sealed(SealedValue(key: sealed.key, box: box)))
            return Record(.told(name.key, at: 1, .full(item.content(name)))).digest
        }
        #expect(digests[0] != digests[1] && digests[1] == digests[2])
    }
}
