import CLinux

/// Controls what the C library does with freed memory.
package enum FreedMemory {
    /// The maximum number of bytes of freed memory that the process keeps.
    private static let keptMost: Int32 = 4 << 20

    /// Keeps up to four mebibytes of freed memory for later allocations.
    ///
    /// By default, the memory of each piece of a stream may be returned to the kernel, and the next piece needs new
    /// memory. The kernel must provide every page of new memory, which was a large part of the cost of a stream. The
    /// setting is global, so only the program itself may call this, before it starts threads.
    package static func keep() {
        mallopt(M_TRIM_THRESHOLD, keptMost)
        // With this threshold, only larger blocks are allocated directly from the kernel.
        mallopt(M_MMAP_THRESHOLD, keptMost)
    }

    /// Returns freed memory to the kernel now.
    package static func giveBack() { malloc_trim(0) }
}
