/// Decompresses data in the zlib format (RFC 1950 and 1951), up to a size that the caller gives.
struct Inflater {
    private let input: [UInt8]
    private var position: Int
    /// Bits that were read from the input and are not used yet.
    ///
    /// The next bit is the lowest one.
    private var held: UInt = 0
    private var heldCount = 0
    private var output: [UInt8] = []
    private let most: Int

    /// Returns the decompressed bytes, or nil if the input is damaged or the output would be larger than `most` bytes.
    static func inflate(_ input: [UInt8], from start: Int = 0, most: Int) -> [UInt8]? {
        var inflater = Inflater(input: input, position: start + 2, most: most)
        guard start >= 0, start + 2 <= input.count, input[start] & 0x0f == 8, input[start + 1] & 0x20 == 0,
            (Int(input[start]) << 8 + Int(input[start + 1])) % 31 == 0, inflater.inflate()
        else { return nil }
        return inflater.output
    }

    private init(input: [UInt8], position: Int, most: Int) {
        (self.input, self.position, self.most) = (input, position, most)
    }

    private mutating func inflate() -> Bool {
        while true {
            guard let isLast = bits(1), let kind = bits(2) else { return false }
            let isWhole =
                switch kind {
                case 0: copyStored()
                case 1: copyCoded(Self.fixedLiterals, Self.fixedDistances)
                case 2: copyDynamic()
                default: false
                }
            guard isWhole else { return false }
            if isLast == 1 { return true }
        }
    }

    private mutating func bits(_ count: Int) -> Int? {
        while heldCount < count {
            guard position < input.count else { return nil }
            held |= UInt(input[position]) << heldCount
            (position, heldCount) = (position + 1, heldCount + 8)
        }
        defer { (held, heldCount) = (held >> UInt(count), heldCount - count) }
        return Int(held & (1 << UInt(count) - 1))
    }

    /// Copies a block that is not compressed.
    private mutating func copyStored() -> Bool {
        (held, heldCount) = (0, 0)
        guard position + 4 <= input.count else { return false }
        let count = Int(input[position]) | Int(input[position + 1]) << 8
        let inverse = Int(input[position + 2]) | Int(input[position + 3]) << 8
        position += 4
        guard count == ~inverse & 0xffff, position + count <= input.count, output.count + count <= most
        else { return false }
        output += input[position..<(position + count)]
        position += count
        return true
    }

    // MARK: Codes

    /// A Huffman code: the number of codes of each length, and the symbols in the order of their codes.
    private struct Code {
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int] = []

        init(lengths: ArraySlice<Int>) {
            for length in lengths { counts[length] += 1 }
            counts[0] = 0
            for length in 1...15 {
                for (symbol, own) in lengths.enumerated() where own == length { symbols.append(symbol) }
            }
        }
    }

    private static let fixedLiterals = Code(
        lengths: ([Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112)
            + [Int](repeating: 7, count: 24) + [Int](repeating: 8, count: 8))[...])
    private static let fixedDistances = Code(lengths: [Int](repeating: 5, count: 30)[...])

    private mutating func symbol(_ code: Code) -> Int? {
        var (value, first, index) = (0, 0, 0)
        for length in 1...15 {
            guard let bit = bits(1) else { return nil }
            value |= bit
            let count = code.counts[length]
            if value - first < count { return code.symbols[index + value - first] }
            (index, first) = (index + count, (first + count) << 1)
            value <<= 1
        }
        return nil
    }

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163,
        195, 227,
        258,
    ]
    private static let lengthExtras = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
        4097,
        6145, 8193, 12289, 16385, 24577,
    ]
    /// The order in which a block stores the lengths of the codes for code lengths (RFC 1951, section 3.2.7).
    private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private mutating func copyCoded(_ literals: Code, _ distances: Code) -> Bool {
        while let symbol = symbol(literals) {
            guard symbol >= 256 else {
                guard output.count < most else { return false }
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return true }
            let place = symbol - 257
            guard place < Self.lengthBases.count, let more = bits(Self.lengthExtras[place]),
                let far = self.symbol(distances), far < Self.distanceBases.count,
                let further = bits(far < 2 ? 0 : far / 2 - 1)
            else { return false }
            let (length, distance) = (Self.lengthBases[place] + more, Self.distanceBases[far] + further)
            guard distance <= output.count, output.count + length <= most else { return false }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
        return false
    }

    /// Copies a compressed block that begins with the codes that it uses.
    private mutating func copyDynamic() -> Bool {
        guard let literals = bits(5), let distances = bits(5), let ordered = bits(4) else { return false }
        let (literalCount, distanceCount) = (literals + 257, distances + 1)
        guard literalCount <= 286, distanceCount <= 30 else { return false }
        var codeLengths = [Int](repeating: 0, count: 19)
        for place in 0..<(ordered + 4) {
            guard let length = bits(3) else { return false }
            codeLengths[Self.lengthOrder[place]] = length
        }
        let code = Code(lengths: codeLengths[...])
        var lengths: [Int] = []
        while lengths.count < literalCount + distanceCount {
            guard let symbol = symbol(code) else { return false }
            switch symbol {
            case 0..<16: lengths.append(symbol)
            case 16:
                guard let last = lengths.last, let count = bits(2) else { return false }
                lengths += [Int](repeating: last, count: count + 3)
            case 17:
                guard let count = bits(3) else { return false }
                lengths += [Int](repeating: 0, count: count + 3)
            default:
                guard let count = bits(7) else { return false }
                lengths += [Int](repeating: 0, count: count + 11)
            }
        }
        guard lengths.count == literalCount + distanceCount else { return false }
        return copyCoded(Code(lengths: lengths[..<literalCount]), Code(lengths: lengths[literalCount...]))
    }
}
