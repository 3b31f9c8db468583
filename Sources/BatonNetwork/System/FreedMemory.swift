import CLinux

/// What becomes of memory that this process has freed.
package enum FreedMemory {
    /// How much of it is kept.
    private static let keptMost: Int32 = 4 << 20

    /// Has up to four mebibytes of it kept for whoever needs some next.
    ///
    /// A process that gives memory back for each piece of a stream, and takes fresh memory for the next, pays the kernel
    /// for every page of it; that was a good part of what a stream cost. This holds for the whole process, so it is for
    /// its owner to call, before other threads begin.
    package static func keep() {
        mallopt(M_TRIM_THRESHOLD, keptMost)
        // What is larger is taken from the kernel each time.
        mallopt(M_MMAP_THRESHOLD, keptMost)
    }

    /// Gives back what can be.
    package static func giveBack() { malloc_trim(0) }
}
