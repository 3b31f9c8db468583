import BatonCore
import Foundation
import Testing

/// Compares folding with Foundation's on Linux, which others made from other tables.
@Suite struct `Folding compared with Foundation's` {
    @Test func `European letters fold as with Foundation's case-insensitive folding`() {
        compare(Self.europe, .letterCase, .caseInsensitive, except: [])
    }

    @Test func `European letters fold as with Foundation's diacritic-insensitive folding`() {
        compare(Self.europe, .diacritics, .diacriticInsensitive, except: Self.markExceptions)
    }

    @Test func `half-width and full-width letters fold as with Foundation`() {
        compare(0xff01...0xff9d, .letterCase, [.caseInsensitive, .widthInsensitive], except: [])
    }

    /// Latin, Greek and Cyrillic, and the further letters of both.
    private static let europe = [0x21...0x52f, 0x1e00...0x1fff].joined()
    /// The marks that Foundation keeps: letters with a stroke, ligatures, the dotless `ı`, and marks that are small
    /// letters.
    ///
    /// It also folds `й` to `и`.
    private static let markExceptions: Set<UInt32> = Set(
        [letters("ÆÐØæðøĐđĦħıŁłŒœǢǣǼǽǾǿỺỻ"), letters("йЙ"), [0x345], Array(0x363...0x36f)].joined())

    private static func letters(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    private func compare(
        _ values: some Sequence<Int>, _ folding: Folding, _ options: String.CompareOptions,
        except: Set<UInt32>
    ) {
        var different: Set<UInt32> = []
        for value in values {
            guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic else { continue }
            let text = String(scalar)
            // Swift compares texts by Unicode's equivalence, so decomposed and composed ones are equal.
            if folding.fold(text) != text.folding(options: options, locale: nil) {
                different.insert(scalar.value)
            }
        }
        let surprises = different.symmetricDifference(except).sorted().map { String($0, radix: 16) }
        #expect(surprises.isEmpty)
    }
}
