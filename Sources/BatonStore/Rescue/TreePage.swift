/// A page of a B-tree, as SQLite's file format defines it.
///
/// The page may contain any bytes, so all offsets are checked.
struct TreePage {
    /// The kinds of pages.
    ///
    /// The raw value is the first byte of such a page.
    enum Kind: UInt8 {
        case indexBranch = 2
        case tableBranch = 5
        case indexLeaf = 10
        case tableLeaf = 13
    }

    let kind: Kind
    let bytes: [UInt8]
    /// The offsets of the cells on the page.
    let cells: [Int]

    /// Reads a page; returns nil if the page does not belong to a B-tree, or if its parts overlap.
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

    /// The numbers of the pages to which this page leads, in order.
    var children: [Int] {
        guard let last else { return [] }
        return cells.map { bytes.fourBytes(at: $0) } + [last]
    }

    /// Reads a number of variable length, and returns the number and the offset after it.
    ///
    /// Returns nil if the page ends before the number does.
    func number(at place: Int) -> (value: UInt64, end: Int)? {
        Self.number(in: bytes, at: place, before: PageFile.usableBytes)
    }

    /// Reads a number of variable length, as SQLite encodes it; returns nil if the number does not end before `end`.
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
