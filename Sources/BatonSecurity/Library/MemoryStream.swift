import COpenSSL

/// A memory BIO, for OpenSSL's PEM and DER functions.
///
/// It may contain secrets, because OpenSSL wipes its memory when it is freed.
@safe struct MemoryStream: ~Copyable {
    /// The BIO, which this value owns.
    private let handle: OpaquePointer

    /// Makes an empty stream to write to.
    init() throws(SecurityError) {
        unsafe handle = try OpenSSL.make("create a buffer") { unsafe BIO_new(BIO_s_mem()) }
    }

    /// Makes a stream that reads a copy of these bytes.
    @unsafe static func reading(_ bytes: UnsafeRawBufferPointer) throws(SecurityError) -> MemoryStream {
        let stream = try MemoryStream()
        guard bytes.count > 0 else { return stream }
        var written = 0
        try OpenSSL.succeed("fill a buffer") {
            unsafe BIO_write_ex(stream.handle, bytes.baseAddress, bytes.count, &written)
        }
        return stream
    }

    /// Makes a stream that reads a copy of these bytes.
    static func reading(_ bytes: [UInt8]) throws(SecurityError) -> MemoryStream {
        try unsafe bytes.span.withUnsafeBytes { (bytes) throws(SecurityError) -> MemoryStream in
            unsafe try reading(bytes)
        }
    }

    deinit { unsafe BIO_free(handle) }

    /// Calls the closure with the BIO.
    @unsafe func withHandle<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(handle)
    }

    /// The number of bytes that have not been read.
    var count: Int { unsafe COpenSSL_BIO_pending(handle) }

    /// Returns a copy of the bytes that have not been read.
    func bytes() -> [UInt8] {
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe COpenSSL_BIO_get_mem_data(handle, &start)
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Returns a secret with a copy of the bytes that have not been read.
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

/// Answers OpenSSL's request for a passphrase with an error; otherwise, OpenSSL would ask at the terminal.
func refusePassphrase(
    _: UnsafeMutablePointer<CChar>?, _: CInt, _: CInt, _: UnsafeMutableRawPointer?
) -> CInt {
    -1
}
