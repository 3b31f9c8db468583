import BatonCore
import BatonSecurity
import Support
import Testing

/// Sealing content with the key of an account.
@Suite struct `A content key` {
    let key: ContentKey
    let context = Array("where it belongs".utf8)

    init() throws { key = try ContentKey(secret: SecretBytes(copying: Array(0..<32))) }

    @Test func `content of any size is the same after sealing and opening`() throws {
        var generator = SeededGenerator(seed: 1)
        for count in [0, 1, 59, 60, 61, 1000, 70_000] + (0..<50).map({ _ in generator.number(0...5000) }) {
            let content = generator.bytes(count...count)
            let sealed = try key.seal(content, for: context)
            #expect(sealed.key == key.identifier)
            #expect(try key.open(sealed, for: context) == content)
        }
    }

    @Test func `a changed byte anywhere, a missing byte, and another context are noticed`() throws {
        let sealed = try key.seal(Array("a secret".utf8), for: context)
        for place in sealed.box.indices {
            var box = sealed.box
            box[place] ^= 1
            #expect(throws: SecurityError(.damaged, ""), "byte \(place)") {
                try key.open(SealedValue(key: sealed.key, box: box), for: context)
            }
        }
        for count in 0..<sealed.box.count {
            #expect(throws: SecurityError(.damaged, "")) {
                try key.open(SealedValue(key: sealed.key, box: Array(sealed.box.prefix(count))), for: context)
            }
        }
        #expect(throws: SecurityError(.damaged, "")) { try key.open(sealed, for: context + [0]) }
    }

    @Test func `another key can't open the content, whatever name it bears`() throws {
        let sealed = try key.seal([1, 2, 3], for: context)
        let other = try ContentKey(secret: SecretBytes(copying: Array(1...32)))
        #expect(other.identifier != key.identifier)
        for name in [key.identifier, other.identifier] {
            #expect(throws: SecurityError(.damaged, "")) {
                try other.open(SealedValue(key: name, box: sealed.box), for: context)
            }
        }
    }

    @Test func `two copies of a machine that draw the same random bytes use different nonces`() throws {
        let random = try SecretBytes(copying: [UInt8](repeating: 7, count: 32))
        func salt(_ content: [UInt8], _ context: [UInt8]) throws -> ArraySlice<UInt8> {
            try key.seal(content, for: context, random: random).box[1...32]
        }
        var salts: Set<ArraySlice<UInt8>> = []
        for number in UInt8(0)..<100 {
            salts.insert(try salt([number], context))
            salts.insert(try salt([0], [number]))
        }
        #expect(salts.count == 200)
        // The same content gives the same bytes, which reveals nothing about another content.
        #expect(try salt([1], context) == salt([1], context))
    }

    @Test func `the same content is sealed differently each time`() throws {
        let boxes = try (0..<100).map { _ in try key.seal([1], for: context).box }
        #expect(Set(boxes).count == 100)
    }

    @Test func `the size of a box reveals only steps of the size of the content`() throws {
        let sizes = try (0...60).map {
            try key.seal([UInt8](repeating: 1, count: $0), for: context).box.count
        }
        #expect(Set(sizes) == [1 + 32 + 64 + 16])
        var steps: Set<Int> = []
        for count in 1...100_000 {
            let padded = ContentKey.paddedCount(count)
            #expect(padded >= count && padded <= count + max(63, count / 4))
            steps.insert(padded)
        }
        #expect(steps.count < 90)
    }

    @Test func `the form of a box stays as it is specified`() throws {
        let random = try SecretBytes(copying: [UInt8](repeating: 9, count: 32))
        let sealed = try key.seal(Array("content".utf8), for: Array("context".utf8), random: random)
        #expect(sealed.key.description == "yarth0r2ksh4x7x26h515entbr")
        let expected =
            "01f2cd1a702ead365467ca9ce0ed86ca91aeb3a2e278d277b9626a80ffb6746131487e0eb7914345"
            + "fdb850f57eae0e4893a7cba6bd01944b73f9dccc27fa4e5d39b34767767a2ba8e102f294117d1d94"
            + "5723a005afb4099dad2e7467347c4c0a05eb4b1d5d7f63b3171cc638d3be044905"
        #expect(sealed.box.hex == expected)
        #expect(key.name(of: [1, 2, 3], for: "activity").description == "5vdvrw7hhy1tsrjdrkhsqydq8m")
    }

    @Test func `the recovery code gives every owner of the account the same key`() throws {
        let account = try TestAccount()
        let again = try RootAuthority(recoveryCode: account.recoveryCode, now: TestAccount.now + 1)
        let recovered = try Credentials(root: again, deviceName: "new", now: TestAccount.now + 1)
        #expect(recovered.contentKey?.secret.copy() == account.owner.contentKey?.secret.copy())
        #expect(try TestAccount().owner.contentKey?.identifier != account.owner.contentKey?.identifier)
    }
}
