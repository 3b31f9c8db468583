import BatonCore
import Support
import Testing

@Suite struct `Changes of an index in a request` {
    private static let index = ClientStateName(app: "org.example", index: "notes")

    @Test(arguments: [0, 1, 3, 40, 400, 4000])
    func `survive encoding in any number`(_ count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let changes = (0..<count).map { IndexChange.item("\($0)", generator.item()) }
        let request = ChangeIndex(Self.index, changes)
        let read = try Self.read(request)
        #expect(read == request && read.count == count && read.changes == changes)
    }

    @Test
    func
        `with a malformed field are reported one by one, and with malformed bytes the whole request is refused`()
        throws
    {
        var item = Item()
        item.unknown = Fields { $0.field(0) { $0.text("tomorrow") } }
        let request = try Self.read(ChangeIndex(Self.index, [.item("1", item), .deletion("2")]))
        guard case .unreadable("1", let error)? = request.changes.first, request.changes.count == 2 else {
            Issue.record("\(request.changes)")
            return
        }
        #expect(error.reason == .unexpectedType)
        var writer = CBORWriter()
        ChangeIndex(Self.index, [.item("1", item)]).encode(to: &writer)
        var bytes = writer.bytes
        bytes[bytes.count - 1] = 0xff
        let refusal = CBORReader.refusal(of: bytes[...]) { (reader) throws(CBORError) in
            _ = try ChangeIndex(from: &reader)
        }
        #expect(refusal == CBORError(.invalidText, at: bytes.count - 9))
    }

    private static func read(_ request: ChangeIndex) throws(CBORError) -> ChangeIndex {
        var writer = CBORWriter()
        request.encode(to: &writer)
        return try CBORReader.whole(writer.bytes[...]) { (reader) throws(CBORError) in
            try ChangeIndex(from: &reader)
        }
    }
}
