import CSQLite

extension DatabasePage {
    /// Overwrites with zeros what lies in a page of a B-tree and belongs to no row any more.
    ///
    /// `PRAGMA secure_delete` overwrites a row that is deleted where it stands. But SQLite moves rows between pages, and
    /// leaves the copies from which it moved them. Such a copy would outlive its row.
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
        // The numbers of the rows' places are followed by a gap, and that by the rows, between which free blocks lie.
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
