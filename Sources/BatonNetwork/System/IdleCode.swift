import Glibc

/// Releases memory pages of code that an idle process does not need.
///
/// The system also maps many pages around code that runs only once, for example when the process starts or a peer
/// connects. A process that becomes idle releases all pages of code. Afterwards, it keeps only the pages of code that
/// it still runs. Released code that runs again is usually in the page cache; otherwise, the kernel reads it from the
/// file.
package enum IdleCode {
    /// Releases the pages of code.
    ///
    /// This loses no data: nothing writes to code, so the kernel can read it from its file again.
    package static func giveBack() {
        for range in mappedCode {
            guard let start = unsafe UnsafeMutableRawPointer(bitPattern: range.lowerBound) else { continue }
            // The call is only advice, so it does no harm if the system ignores it.
            _ = unsafe madvise(start, range.count, MADV_DONTNEED)
        }
    }

    /// The address ranges of executable mappings of files that can't be written.
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
