import COpenSSL

/// What stands in the place of a socket: the ciphertext that came and was not read yet, and that which is to go.
///
/// OpenSSL has buffers of its own for that, but they never shrink, are copied once more on the way out, and are wiped
/// whole each time they are emptied.
@safe final class CipherStream {
    private var incoming: [UInt8] = []
    /// How many of the incoming bytes were read.
    private var readOffset = 0
    private var outgoing: [UInt8] = []

    // MARK: The driver's side

    /// Takes what came from the peer.
    ///
    /// What was read before makes room, so that the memory does not grow while records are cut off at its end.
    func receive(_ bytes: Span<UInt8>) {
        if readOffset > 0 { incoming.removeFirst(readOffset) }
        readOffset = 0
        unsafe bytes.withUnsafeBufferPointer { unsafe incoming.append(contentsOf: $0) }
    }

    /// So much is about to be sent: with nothing before it, it stays where it is put first.
    func reserve(toSend count: Int) {
        if outgoing.isEmpty { outgoing.reserveCapacity(count) }
    }

    /// All that is to be sent to the peer; the memory goes with it.
    func takeOutgoing() -> [UInt8] {
        let bytes = outgoing
        outgoing = []
        return bytes
    }

    // MARK: OpenSSL's side

    /// A new BIO over this stream, which does not keep it alive.
    @unsafe func makeHandle() throws(SecurityError) -> OpaquePointer {
        let handle = unsafe try OpenSSL.make("make a stream") { unsafe BIO_new(Self.method) }
        unsafe BIO_set_data(handle, Unmanaged.passUnretained(self).toOpaque())
        unsafe BIO_set_init(handle, 1)
        return unsafe handle
    }

    // Unchecked, because it is made once and never changed or freed.
    nonisolated(unsafe) private static let method: OpaquePointer? = {
        let method = unsafe BIO_meth_new(BIO_get_new_index() | CInt(BIO_TYPE_SOURCE_SINK), "session")
        unsafe BIO_meth_set_read(method, readIncoming)
        unsafe BIO_meth_set_write(method, writeOutgoing)
        unsafe BIO_meth_set_ctrl(method, control)
        return unsafe method
    }()

    /// The stream of a BIO; it can't be gone, because it outlives the SSL that owns the BIO.
    fileprivate static func of(_ handle: OpaquePointer?) -> CipherStream? {
        guard let pointer = unsafe BIO_get_data(handle) else { return nil }
        return unsafe Unmanaged<CipherStream>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Moves incoming bytes to a buffer, as many as it holds, and tells how many those were.
    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, incoming.count - readOffset)
        guard count > 0 else { return 0 }
        unsafe incoming.withUnsafeBytes { bytes in
            unsafe buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[readOffset..<readOffset + count]))
        }
        readOffset += count
        if readOffset == incoming.count { (incoming, readOffset) = ([], 0) }
        return count
    }

    fileprivate func write(_ bytes: UnsafeRawBufferPointer) { unsafe outgoing.append(contentsOf: bytes) }
}

/// What OpenSSL calls to read; with nothing to read it is to try again later.
private func readIncoming(_ handle: OpaquePointer?, _ start: UnsafeMutablePointer<CChar>?, _ count: CInt)
    -> CInt
{
    unsafe BIO_clear_flags(handle, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
    guard let stream = unsafe CipherStream.of(handle), count > 0 else { return 0 }
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: start, count: Int(count))
    let read = unsafe stream.read(into: buffer)
    guard read == 0 else { return CInt(read) }
    unsafe BIO_set_flags(handle, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
    return -1
}

/// What OpenSSL calls to write: everything is taken.
private func writeOutgoing(_ handle: OpaquePointer?, _ start: UnsafePointer<CChar>?, _ count: CInt) -> CInt {
    unsafe BIO_clear_flags(handle, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
    guard let stream = unsafe CipherStream.of(handle), count > 0 else { return 0 }
    unsafe stream.write(UnsafeRawBufferPointer(start: start, count: Int(count)))
    return count
}

/// What OpenSSL calls for all else; it wants to hear that what was written is on its way.
private func control(
    _: OpaquePointer?, _ command: CInt, _: CLong, _: UnsafeMutableRawPointer?
) -> CLong {
    command == BIO_CTRL_FLUSH ? 1 : 0
}
