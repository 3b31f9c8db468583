import BatonCore
import Support
import Testing

@Suite struct `The edit distance of two words` {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("kernel", "kernel", 0), ("kernle", "kernel", 1), ("kernl", "kernel", 1),
        ("kitten", "sitting", 3), ("ab", "ba", 1), ("abc", "cab", 2), ("é", "e", 1),
    ])
    func `is the least number of letters to add, remove, replace or swap`(
        _ left: String, _ right: String, _ count: Int
    ) {
        let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
        #expect(EditDistance.between(left, right) == count)
        #expect(EditDistance.between(right, left) == count)
    }

    @Test func `with a limit is exact up to the limit, and reported as larger beyond it`() {
        var generator = SeededGenerator(seed: 6)
        let word = { (generator: inout SeededGenerator) in
            (0..<generator.number(0...7)).map { _ in generator.pick(Array("abc".unicodeScalars)) }
        }
        for _ in 0..<2000 {
            let (left, right) = (word(&generator), word(&generator))
            let distance = EditDistance.between(left, right)
            for most in 0...4 {
                let limited = EditDistance.between(left, right, most: most)
                #expect(distance <= most ? limited == distance : limited > most)
            }
        }
    }
}
