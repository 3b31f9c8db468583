import BatonCore
import Testing

@Suite struct `Vectors of meanings` {
    @Test func `numbers are scaled to integers with the largest one at 127`() throws {
        let numbers = [0.51, -1, 0.26, 0, 0, 0, 0, 0.001]
        let vector = try #require(Embedding(numbers))
        #expect(vector.bytes.map { Int8(bitPattern: $0) } == [65, -127, 33, 0, 0, 0, 0, 0])
        #expect(
            Embedding(numbers.map { $0 * 1e-200 }) == vector
                && Embedding(numbers.map { $0 * 1e200 }) == vector)
        #expect(Embedding(bytes: vector.bytes) == vector)
    }

    @Test func `a vector of a wrong size, or with infinite or only zero numbers, is refused`() {
        let fine = [Double](repeating: 1, count: 7)
        #expect(Embedding(fine + [1]) != nil)
        #expect(Embedding([Double](repeating: 1, count: 1024)) != nil)
        let wrong: [[Double]] = [
            [], fine, [Double](repeating: 1, count: 1025), [Double](repeating: 0, count: 8),
            fine + [Double.nan], fine + [Double.infinity],
            [Double](repeating: .leastNonzeroMagnitude, count: 8),
        ]
        for numbers in wrong { #expect(Embedding(numbers) == nil, "\(numbers.prefix(9))") }
        let wrongBytes: [[UInt8]] = [
            [], [UInt8](repeating: 127, count: 7), [UInt8](repeating: 0, count: 8),
            [UInt8](repeating: 126, count: 8), [127, 128, 0, 0, 0, 0, 0, 0],
        ]
        for bytes in wrongBytes { #expect(Embedding(bytes: bytes) == nil, "\(bytes)") }
    }

    @Test func `the cosine of two vectors is that of their angle, and vectors of different sizes have none`()
        throws
    {
        let east = try #require(Embedding([1, 0, 0, 0, 0, 0, 0, 0]))
        let north = try #require(Embedding([0, 3, 0, 0, 0, 0, 0, 0]))
        let between = try #require(Embedding([1, 1, 0, 0, 0, 0, 0, 0]))
        #expect(east.cosine(east.bytes) == 1 && east.cosine(north.bytes) == 0)
        #expect(abs(try #require(east.cosine(between.bytes)) - 0.7071) < 0.001)
        #expect(east.cosine([UInt8](repeating: 127, count: 9)) == nil && east.cosine([]) == nil)
        #expect(Embedding.score(cosine: 0.2) == 0 && Embedding.score(cosine: -1) == 0)
        #expect(Embedding.score(cosine: 1) > Embedding.score(cosine: 0.5))
    }
}
