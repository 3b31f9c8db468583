import BatonCore
import Support
import Testing

@Suite struct `The distance of two words` {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("kernel", "kernel", 0), ("kernle", "kernel", 1), ("kernl", "kernel", 1),
        ("kitten", "sitting", 3), ("ab", "ba", 1), ("abc", "cab", 2), ("é", "e", 1),
    ])
    func `is the number of letters to add, drop, change or swap`(
        _ left: String, _ right: String, _ count: Int
    ) {
        #expect(EditDistance.between(Array(left), Array(right)) == count)
        #expect(EditDistance.between(Array(right), Array(left)) == count)
    }
}
