import COpenSSL

/// A memory BIO: what OpenSSL's readers and writers of PEM and DER work on.
///
/// OpenSSL wipes the memory of such a BIO when it frees it, so secrets may pass through.
@safe struct MemoryStream: ~Copyable {
    /// The BIO; owned.
    private let handle: OpaquePointer

    /// An empty stream, to be written.
    init() throws(SecurityError) {
        unsafe handle = try OpenSSL.make("make a buffer") { unsafe BIO_new(BIO_s_mem()) }
    }

    /// A stream that holds a copy of these bytes, to be read.
    @unsafe static func reading(_ bytes: UnsafeRawBufferPointer) throws(SecurityError) -> MemoryStream {
        let stream = try MemoryStream()
        guard bytes.count > 0 else { return stream }
        var written = 0
        try OpenSSL.succeed("fill a buffer") {
            unsafe BIO_write_ex(stream.handle, bytes.baseAddress, bytes.count, &written)
        }
        return stream
    }

    /// A stream that holds a copy of these bytes, to be read.
    static func reading(_ bytes: [UInt8]) throws(SecurityError) -> MemoryStream {
        try unsafe bytes.span.withUnsafeBytes { (bytes) throws(SecurityError) -> MemoryStream in
            unsafe try reading(bytes)
        }
    }

    deinit { unsafe BIO_free(handle) }

    /// Lends the BIO for the length of the closure.
    @unsafe func withHandle<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(handle)
    }

    /// How many bytes wait to be read.
    var count: Int { unsafe COpenSSL_BIO_pending(handle) }

    /// A copy of what waits to be read.
    func bytes() -> [UInt8] {
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe COpenSSL_BIO_get_mem_data(handle, &start)
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// A copy of what waits to be read, to be wiped by its owner.
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

/// Answers OpenSSL's question for a passphrase with none: it would otherwise ask on the terminal.
func refusePassphrase(
    _: UnsafeMutablePointer<CChar>?, _: CInt, _: CInt, _: UnsafeMutableRawPointer?
) -> CInt {
    -1
}
