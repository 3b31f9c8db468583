import Glibc

/// The code that was needed only while the process started.
///
/// The system maps whole neighbourhoods of code that runs once. An idle node keeps the pages that it still uses, and
/// gives the rest back; code that is run again is read from the file by the system.
enum StartingCode {
    /// Gives the pages of code back; only those, because nothing was ever written to them.
    static func releasePages() {
        for range in mappedCode {
            guard let start = UnsafeMutableRawPointer(bitPattern: range.lowerBound) else { continue }
            // This is only advice: if the system ignores it, nothing is lost.
            _ = madvise(start, Int(range.count), MADV_DONTNEED)
        }
    }

    /// The address ranges of files that are mapped to be run and can't be written.
    private static var mappedCode: [Range<UInt>] {
        guard let file = fopen("/proc/self/maps", "r") else { return [] }
        defer { fclose(file) }
        var (ranges, line): ([Range<UInt>], [CChar]) = ([], [CChar](repeating: 0, count: 4096))
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            let fields = text.split(whereSeparator: \.isWhitespace)
            guard fields.count > 5, fields[1] == "r-xp", fields[5].hasPrefix("/") else { continue }
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            if ends.count == 2, ends[0] < ends[1] { ranges.append(ends[0]..<ends[1]) }
        }
        return ranges
    }
}
