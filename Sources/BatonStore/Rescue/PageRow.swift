import BatonCore

/// A row that was read from a page of a B-tree.
struct PageRow {
    /// The number of the row (rowid).
    ///
    /// This is nil for a row of an index or of a table without rowids.
    let number: Int64?
    /// The values of the columns.
    ///
    /// SQLite stores NULL in a column that is an alias of the rowid.
    let values: [SQLiteValue]
}

extension PageFile {
    /// The largest number of bytes of a row.
    ///
    /// No row that this program writes is larger.
    private static var rowBytesMost: Int { 64 << 20 }

    /// Visits the rows on a page of a B-tree; returns false if some rows can't be read.
    func visitRows(
        on page: TreePage, _ body: (PageRow) throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> Bool {
        guard page.kind != .tableBranch else { return true }
        var isWhole = true
        for cell in page.cells {
            if let row = try row(at: cell, on: page) { try body(row) } else { isWhole = false }
        }
        return isWhole
    }

    /// Reads the row in a cell; returns nil if the row can't be read.
    private func row(at cell: Int, on page: TreePage) throws(StoreFailure) -> PageRow? {
        let start = page.kind == .indexBranch ? cell + 4 : cell
        guard let (size, afterSize) = page.number(at: start), size <= UInt64(Self.rowBytesMost) else {
            return nil
        }
        guard page.kind == .tableLeaf else {
            guard let content = try content(Int(size), at: afterSize, on: page) else { return nil }
            return Self.values(content).map { PageRow(number: nil, values: $0) }
        }
        guard let (number, end) = page.number(at: afterSize),
            let content = try content(Int(size), at: end, on: page)
        else { return nil }
        return Self.values(content).map { PageRow(number: Int64(bitPattern: number), values: $0) }
    }

    /// Reads the content of a row, which may continue on overflow pages.
    ///
    /// Returns nil if a part of the content can't be read.
    private func content(_ size: Int, at place: Int, on page: TreePage) throws(StoreFailure) -> [UInt8]? {
        // https://sqlite.org/fileformat2.html#b_tree_pages says how much of the content is on the page itself.
        let usable = Self.usableBytes
        let most = page.kind == .tableLeaf ? usable - 35 : (usable - 12) * 64 / 255 - 23
        guard size > most else {
            guard place + size <= usable else { return nil }
            return Array(page.bytes[place..<place + size])
        }
        let least = (usable - 12) * 32 / 255 - 23
        let local = least + (size - least) % (usable - 4)
        let here = local <= most ? local : least
        guard place + here + 4 <= usable else { return nil }
        var content = Array(page.bytes[place..<place + here])
        var next = page.bytes.fourBytes(at: place + here)
        while content.count < size {
            guard let bytes = try self.page(next) else { return nil }
            let rest = min(size - content.count, usable - 4)
            content += bytes[4..<4 + rest]
            next = bytes.fourBytes(at: 0)
        }
        return next == 0 ? content : nil
    }

    /// Reads the columns of a row from its content; returns nil if the content is not that of a row.
    private static func values(_ content: [UInt8]) -> [SQLiteValue]? {
        guard let (head, first) = TreePage.number(in: content, at: 0, before: content.count),
            head <= UInt64(content.count)
        else { return nil }
        var (place, body, values) = (first, Int(head), [SQLiteValue]())
        while place < Int(head) {
            guard let (type, next) = TreePage.number(in: content, at: place, before: Int(head)),
                let (value, end) = value(of: type, in: content, at: body)
            else { return nil }
            values.append(value)
            (place, body) = (next, end)
        }
        return body == content.count ? values : nil
    }

    /// Reads the value of one column.
    ///
    /// `type` is SQLite's number for the type and the size of the value.
    private static func value(
        of type: UInt64, in content: [UInt8], at place: Int
    ) -> (SQLiteValue, end: Int)? {
        switch type {
        case 0: return (.null, place)
        case 8: return (.integer(Int64(0)), place)
        case 9: return (.integer(Int64(1)), place)
        case 1...7:
            let size = [1, 2, 3, 4, 6, 8, 8][Int(type) - 1]
            guard place + size <= content.count else { return nil }
            let bits = content[place..<place + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            if type == 7 { return (.real(Double(bitPattern: bits)), place + size) }
            // The first bit is the sign.
            let shift = 64 - 8 * size
            return (.integer(Int64(bitPattern: bits << shift) >> shift), place + size)
        case 12...:
            let size = (type - 12) / 2
            guard size <= UInt64(content.count - place) else { return nil }
            let (bytes, end) = (content[place..<place + Int(size)], place + Int(size))
            return type % 2 == 0
                ? (.blob(Array(bytes)), end) : (.text(String(decoding: bytes, as: UTF8.self)), end)
        default: return nil
        }
    }
}
