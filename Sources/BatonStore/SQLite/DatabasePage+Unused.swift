import CSQLite

extension DatabasePage {
    /// Overwrites with zeros the bytes of a B-tree page that belong to no row.
    ///
    /// `PRAGMA secure_delete` overwrites a deleted row in its present place. But SQLite also moves rows between pages,
    /// and leaves the old copies. Such a copy would outlive its row.
    ///
    /// The page stays as it is if its parts overlap, so that damage is not made worse.
    static func eraseUnused(_ page: UnsafeMutableRawPointer, number: UInt64) {
        // The first page begins with the header of the database.
        let head = number == 0 ? 100 : 0
        let end = byteCount - checksumBytes
        let headBytes: Int
        switch unsafe page.load(fromByteOffset: head, as: UInt8.self) {
        case 2, 5: headBytes = 12
        case 10, 13: headBytes = 8
        default: return
        }
        // The page has the list of the rows' places, then a gap, and then the rows with free blocks between them.
        let places = head + headBytes + 2 * (unsafe short(page, head + 3))
        let rows = unsafe short(page, head + 5)
        guard places <= rows, rows <= end else { return }
        unsafe erase(page, places..<rows)
        var (block, before) = (unsafe short(page, head + 1), rows - 1)
        while block > before, block + 4 <= end {
            let next = unsafe short(page, block)
            let size = unsafe short(page, block + 2)
            guard size >= 4, block + size <= end else { return }
            unsafe erase(page, block + 4..<block + size)
            (before, block) = (block, next)
        }
    }

    /// Reads a number of two bytes.
    private static func short(_ page: UnsafeMutableRawPointer, _ place: Int) -> Int {
        unsafe Int(UInt16(bigEndian: page.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
    }

    private static func erase(_ page: UnsafeMutableRawPointer, _ range: Range<Int>) {
        unsafe (page + range.lowerBound).initializeMemory(as: UInt8.self, repeating: 0, count: range.count)
    }
}
