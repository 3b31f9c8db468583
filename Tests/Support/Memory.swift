import Glibc

/// The memory that this process uses.
package enum Memory {
    /// The most address space that the process ever held, in kilobytes; reserved memory counts, touched or not.
    package static var peakKilobytes: Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix("VmPeak:") else { continue }
            return Int(text.filter(\.isNumber)) ?? 0
        }
        return 0
    }
}
