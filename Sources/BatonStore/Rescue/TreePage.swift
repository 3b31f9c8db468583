/// A page of a B-tree, as SQLite's file format defines it.
///
/// Its bytes may be anything; all places are checked.
struct TreePage {
    /// The kinds of pages, by their first byte.
    enum Kind: UInt8 {
        case indexBranch = 2
        case tableBranch = 5
        case indexLeaf = 10
        case tableLeaf = 13
    }

    let kind: Kind
    let bytes: [UInt8]
    /// Where the cells begin.
    let cells: [Int]

    /// Reads a page; nil if it belongs to no B-tree, or its parts can't be told apart.
    init?(_ bytes: [UInt8], number: Int) {
        // The first page begins with the header of the database.
        let head = number == 1 ? 100 : 0
        guard let kind = Kind(rawValue: bytes[head]) else { return nil }
        let start = head + (kind == .indexBranch || kind == .tableBranch ? 12 : 8)
        let count = bytes.twoBytes(at: head + 3)
        guard start + 2 * count <= PageFile.usableBytes else { return nil }
        var cells: [Int] = []
        cells.reserveCapacity(count)
        for place in 0..<count {
            let cell = bytes.twoBytes(at: start + 2 * place)
            guard cell >= start + 2 * count, cell + 4 <= PageFile.usableBytes else { return nil }
            cells.append(cell)
        }
        (self.kind, self.bytes, self.cells) = (kind, bytes, cells)
        last = kind == .indexBranch || kind == .tableBranch ? bytes.fourBytes(at: head + 8) : nil
    }

    /// The last child, which comes after the children of all cells; nil on a leaf.
    private let last: Int?

    /// The pages to which this one leads, in order.
    var children: [Int] {
        guard let last else { return [] }
        return cells.map { bytes.fourBytes(at: $0) } + [last]
    }

    /// Reads a number of variable length; returns the number and the place after it.
    ///
    /// Nil if the page ends first.
    func number(at place: Int) -> (value: UInt64, end: Int)? {
        Self.number(in: bytes, at: place, before: PageFile.usableBytes)
    }

    /// Reads a number of variable length, as SQLite encodes it; nil if it does not end before `end`.
    static func number(in bytes: [UInt8], at place: Int, before end: Int) -> (value: UInt64, end: Int)? {
        var value: UInt64 = 0
        for step in 0..<9 {
            guard place + step < end else { return nil }
            let byte = bytes[place + step]
            if step == 8 { return (value << 8 | UInt64(byte), place + 9) }
            value = value << 7 | UInt64(byte & 0x7f)
            if byte & 0x80 == 0 { return (value, place + step + 1) }
        }
        return nil
    }
}
