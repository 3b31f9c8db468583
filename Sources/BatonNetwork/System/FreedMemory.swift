import CLinux

/// Controls what the C library does with freed memory.
package enum FreedMemory {
    /// The most freed memory that is kept, in bytes.
    private static let keptMost: Int32 = 4 << 20

    /// Keeps up to four mebibytes of freed memory for the next allocations.
    ///
    /// A process that returns the memory of each piece of a stream to the kernel, and takes fresh memory for the next,
    /// pays for every page; that was a good part of the cost of a stream. The setting is global, so only the program
    /// itself calls this, before it starts threads.
    package static func keep() {
        mallopt(M_TRIM_THRESHOLD, keptMost)
        // Only larger blocks come from the kernel each time.
        mallopt(M_MMAP_THRESHOLD, keptMost)
    }

    /// Returns freed memory to the kernel.
    package static func giveBack() { malloc_trim(0) }
}
