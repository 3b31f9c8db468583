import COpenSSL

/// A memory BIO, for OpenSSL's PEM and DER functions.
///
/// OpenSSL wipes its memory when it is freed, so it may contain secrets.
@safe struct MemoryStream: ~Copyable {
    /// The BIO; owned.
    private let handle: OpaquePointer

    /// Makes an empty stream to write to.
    init() throws(SecurityError) {
        unsafe handle = try OpenSSL.make("create a buffer") { unsafe BIO_new(BIO_s_mem()) }
    }

    /// Makes a stream to read from, with a copy of these bytes.
    @unsafe static func reading(_ bytes: UnsafeRawBufferPointer) throws(SecurityError) -> MemoryStream {
        let stream = try MemoryStream()
        guard bytes.count > 0 else { return stream }
        var written = 0
        try OpenSSL.succeed("fill a buffer") {
            unsafe BIO_write_ex(stream.handle, bytes.baseAddress, bytes.count, &written)
        }
        return stream
    }

    /// Makes a stream to read from, with a copy of these bytes.
    static func reading(_ bytes: [UInt8]) throws(SecurityError) -> MemoryStream {
        try unsafe bytes.span.withUnsafeBytes { (bytes) throws(SecurityError) -> MemoryStream in
            unsafe try reading(bytes)
        }
    }

    deinit { unsafe BIO_free(handle) }

    /// Lends the BIO to the closure.
    @unsafe func withHandle<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(handle)
    }

    /// The number of unread bytes.
    var count: Int { unsafe COpenSSL_BIO_pending(handle) }

    /// Returns a copy of the unread bytes.
    func bytes() -> [UInt8] {
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe COpenSSL_BIO_get_mem_data(handle, &start)
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Returns a copy of the unread bytes as a secret.
    func secretBytes() throws(SecurityError) -> SecretBytes {
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe COpenSSL_BIO_get_mem_data(handle, &start)
        let contents = unsafe UnsafeRawBufferPointer(start: start, count: count)
        return try unsafe SecretBytes(count: count) {
            (buffer: UnsafeMutableRawBufferPointer) throws(SecurityError) in
            unsafe buffer.copyMemory(from: contents)
        }
    }
}

/// Refuses OpenSSL's request for a passphrase, which it would otherwise read from the terminal.
func refusePassphrase(
    _: UnsafeMutablePointer<CChar>?, _: CInt, _: CInt, _: UnsafeMutableRawPointer?
) -> CInt {
    -1
}
