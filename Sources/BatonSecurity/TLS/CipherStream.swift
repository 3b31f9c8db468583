import COpenSSL

/// The BIO of a session, with the ciphertext that OpenSSL has not read yet and the ciphertext that must be sent.
///
/// OpenSSL's memory BIOs could do the same. But they never shrink, copy the output once more, and wipe the whole buffer
/// each time it becomes empty.
@safe final class CipherStream {
    private var incoming: [UInt8] = []
    /// The number of incoming bytes that OpenSSL has already read.
    private var readOffset = 0
    private var outgoing: [UInt8] = []

    // MARK: For the session

    /// Appends ciphertext from the peer.
    ///
    /// The bytes that OpenSSL has already read are removed first. So the buffer does not grow if records arrive in
    /// pieces.
    func receive(_ bytes: Span<UInt8>) {
        if readOffset > 0 { incoming.removeFirst(readOffset) }
        readOffset = 0
        unsafe bytes.withUnsafeBufferPointer { unsafe incoming.append(contentsOf: $0) }
    }

    /// Reserves memory for this number of bytes that are about to be written, unless other bytes wait to be sent.
    func reserve(toSend count: Int) {
        if outgoing.isEmpty { outgoing.reserveCapacity(count) }
    }

    /// Returns all bytes that must be sent to the peer, and releases the buffer.
    func takeOutgoing() -> [UInt8] {
        let bytes = outgoing
        outgoing = []
        return bytes
    }

    // MARK: For OpenSSL

    /// Makes a BIO that uses this stream; the BIO does not keep the stream alive.
    @unsafe func makeHandle() throws(SecurityError) -> OpaquePointer {
        let handle = unsafe try OpenSSL.make("create a stream") { unsafe BIO_new(Self.method) }
        unsafe BIO_set_data(handle, Unmanaged.passUnretained(self).toOpaque())
        unsafe BIO_set_init(handle, 1)
        return unsafe handle
    }

    // `nonisolated(unsafe)`, because the value is created once and never changed or freed.
    nonisolated(unsafe) private static let method: OpaquePointer? = {
        let method = unsafe BIO_meth_new(BIO_get_new_index() | CInt(BIO_TYPE_SOURCE_SINK), "session")
        unsafe BIO_meth_set_read(method, readIncoming)
        unsafe BIO_meth_set_write(method, writeOutgoing)
        unsafe BIO_meth_set_ctrl(method, control)
        return unsafe method
    }()

    /// Returns the stream of a BIO; the stream still exists, because it outlives the SSL that owns the BIO.
    fileprivate static func of(_ handle: OpaquePointer?) -> CipherStream? {
        guard let pointer = unsafe BIO_get_data(handle) else { return nil }
        return unsafe Unmanaged<CipherStream>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Moves incoming bytes into a buffer until the buffer is full, and returns their number.
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

/// The read callback of the BIO; if there is nothing to read, it tells OpenSSL to try again later.
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

/// The write callback of the BIO; it accepts all bytes.
private func writeOutgoing(_ handle: OpaquePointer?, _ start: UnsafePointer<CChar>?, _ count: CInt) -> CInt {
    unsafe BIO_clear_flags(handle, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
    guard let stream = unsafe CipherStream.of(handle), count > 0 else { return 0 }
    unsafe stream.write(UnsafeRawBufferPointer(start: start, count: Int(count)))
    return count
}

/// The control callback of the BIO; it only reports that a flush has succeeded, as OpenSSL requires.
private func control(
    _: OpaquePointer?, _ command: CInt, _: CLong, _: UnsafeMutableRawPointer?
) -> CLong {
    command == BIO_CTRL_FLUSH ? 1 : 0
}
