import CLinux
import Glibc

/// The program as it is in the memory of this process.
package enum ProgramImage {
    /// The path of the file that the program was loaded from; nil if the system does not tell it.
    ///
    /// It is the path of the executable of this process, unless another program has loaded this one, as `ld.so PROGRAM`
    /// does.
    package static var path: String? {
        // The kernel tells the program its own headers, and so does `ld.so`.
        let headers = UInt(getauxval(UInt(AT_PHDR)))
        guard let maps = unsafe fopen("/proc/self/maps", "re") else { return nil }
        defer { unsafe fclose(maps) }
        var (line, capacity): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        defer { unsafe free(line) }
        while unsafe getline(&line, &capacity, maps) > 0, let text = unsafe line {
            // The addresses, the rights, the offset, the device, the number of the file, and its path.
            let words = unsafe String(cString: text).split(separator: " ", maxSplits: 5)
            let ends = (words.first ?? "").split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard ends.count == 2, ends[0] <= headers, headers < ends[1] else { continue }
            return words.count == 6 ? String(words[5].drop { $0 == " " }.prefix { $0 != "\n" }) : nil
        }
        return nil
    }
}
