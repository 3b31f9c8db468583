import BatonCore
import Support
import Testing

@Suite struct `Identifiers` {
    @Test(arguments: Seeds.first(5))
    func `survive conversion to bytes and to text of either case`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let name = generator.identifier(DeviceIdentifier.self)
            #expect(DeviceIdentifier(bytes: name.bytes) == name)
            #expect(DeviceIdentifier(text: name.description) == name)
            #expect(name.description == Base32.encode(name.bytes))
            #expect(DeviceIdentifier(text: name.description.uppercased()) == name)
            #expect(name.description.hasPrefix(name.short) && name.short.count == 7)
        }
    }

    @Test(arguments: Seeds.first(5))
    func `have the same order as their bytes`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let names = (0..<30).map { _ in
            generator.chance(50) ? generator.identifier(Life.self) : generator.identifier(of: 4)
        }
        for left in names {
            for right in names {
                #expect((left < right) == left.bytes.lexicographicallyPrecedes(right.bytes))
            }
        }
    }

    @Test(arguments: [0, 1, 15, 17, 32])
    func `must have exactly sixteen bytes`(_ count: Int) {
        let bytes = [UInt8](repeating: 7, count: count)
        #expect(Life(bytes: bytes) == nil)
        #expect(Life(text: Base32.encode(bytes)) == nil)
    }

    @Test func `drawn at random are different`() {
        var generator = SeededGenerator(seed: 1)
        let names = (0..<100).map { _ in Life.random(using: &generator) }
        #expect(Set(names).count == names.count)
    }
}
