extension EventLoop {
    /// How long memory is kept for the next who needs some.
    static let spareTime = Duration.seconds(1)

    /// An empty array for what is to be sent on a connection of this loop, with room for so many bytes if they are
    /// many.
    ///
    /// Its memory is used again when the connection has written it.
    package func takeMemory(for count: Int) -> [UInt8] { spareMemory.take(for: count) }

    /// How much memory is kept for the next who needs some.
    package var spareByteCount: Int { spareMemory.byteCount }

    /// Keeps the memory of bytes that were written, until nobody has needed any for a while.
    func keepMemory(of bytes: consuming [UInt8]) {
        spareMemory.keep(bytes)
        planRelease()
    }

    /// Looks once more when some time has passed, as long as there is something to release; so an idle loop sleeps on.
    private func planRelease() {
        guard !isReleasePlanned, spareMemory.byteCount > 0 else { return }
        isReleasePlanned = true
        schedule(after: Self.spareTime) { [unowned self] in
            isReleasePlanned = false
            spareMemory.releaseIfUnused()
            planRelease()
        }
    }
}
