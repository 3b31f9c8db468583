import CSQLite

extension DatabasePage {
    /// Overwrites the unused bytes of a B-tree page with zeros.
    ///
    /// `PRAGMA secure_delete` overwrites a deleted row only where it is at that time. But SQLite also moves rows
    /// between pages, and leaves the old copies. Without this function, such a copy would remain after the row was
    /// deleted.
    ///
    /// If the parts of the page overlap, the page is damaged and is not changed, so that the damage is not made worse.
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
        // The page has a list of the rows' offsets, then a gap, and then the rows. Between the rows, there may be free
        // blocks.
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

    /// Reads a big-endian number of two bytes.
    private static func short(_ page: UnsafeMutableRawPointer, _ place: Int) -> Int {
        unsafe Int(UInt16(bigEndian: page.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
    }

    private static func erase(_ page: UnsafeMutableRawPointer, _ range: Range<Int>) {
        unsafe (page + range.lowerBound).initializeMemory(as: UInt8.self, repeating: 0, count: range.count)
    }
}
