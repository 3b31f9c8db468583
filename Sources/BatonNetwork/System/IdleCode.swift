import Glibc

/// The code that an idle process has no use for.
///
/// The system maps many pages around code that runs once, for example while the process starts or a peer connects. A
/// process that becomes idle releases all of them, and then keeps only those that it runs while it is idle. Code that
/// runs again is usually still in the page cache, or else is read from the file.
package enum IdleCode {
    /// Releases the pages of code, and no others: code can be read from its file again, because nothing is written to
    /// it.
    package static func giveBack() {
        for range in mappedCode {
            guard let start = unsafe UnsafeMutableRawPointer(bitPattern: range.lowerBound) else { continue }
            // This is only advice: if the system ignores it, nothing is lost.
            _ = unsafe madvise(start, range.count, MADV_DONTNEED)
        }
    }

    /// The address ranges of files that are mapped to be run and can't be written.
    private static var mappedCode: [Range<UInt>] {
        // If the list of mappings can't be read, nothing is released.
        guard let bytes = try? FileDescriptor.contents(of: "/proc/self/maps", limit: 1 << 20) else {
            return []
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", maxSplits: 5)
            guard fields.count == 6, fields[1] == "r-xp" else { return nil }
            guard fields[5].drop(while: { $0 == " " }).hasPrefix("/") else { return nil }
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
        }
    }
}
