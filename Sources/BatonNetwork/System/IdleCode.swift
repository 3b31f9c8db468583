import Glibc

/// The code that an idle process has no use for.
///
/// The system maps whole neighbourhoods of code that runs once, for example while the process starts or a peer connects. A
/// process that becomes idle gives them back, and so keeps only what it runs while it is idle. Code that is run again is
/// still in the system's memory as a rule, or else is read from the file.
package enum IdleCode {
    /// Gives the pages of code back; only those, because nothing was ever written to them.
    package static func giveBack() {
        for range in mappedCode {
            guard let start = unsafe UnsafeMutableRawPointer(bitPattern: range.lowerBound) else { continue }
            // This is only advice: if the system ignores it, nothing is lost.
            _ = unsafe madvise(start, range.count, MADV_DONTNEED)
        }
    }

    /// The address ranges of files that are mapped to be run and can't be written.
    private static var mappedCode: [Range<UInt>] {
        // Where the system doesn't tell what is mapped, nothing is given back.
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
