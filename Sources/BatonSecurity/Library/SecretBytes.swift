import COpenSSL

/// Secret bytes, whose memory is wiped when the last owner releases them.
@safe package final class SecretBytes: @unchecked Sendable {
    // Sendable, because nothing changes the bytes after `init`, until `deinit` wipes them.

    /// The memory, which this object owns; it is never moved, and is passed only to closures.
    private let storage: UnsafeMutableRawBufferPointer

    /// Allocates this number of bytes, and lets the closure fill them; if the closure throws, the bytes are wiped, too.
    @unsafe init(count: Int, filling fill: (UnsafeMutableRawBufferPointer) throws(SecurityError) -> Void)
        throws(SecurityError)
    {
        unsafe storage = .allocate(byteCount: count, alignment: 1)
        unsafe storage.initializeMemory(as: UInt8.self, repeating: 0)
        unsafe try fill(storage)
    }

    deinit {
        unsafe OPENSSL_cleanse(storage.baseAddress, storage.count)
        unsafe storage.deallocate()
    }

    /// Copies these bytes; if the caller's own copy is secret, the caller must wipe it.
    package convenience init(copying bytes: some Collection<UInt8>) throws(SecurityError) {
        try unsafe self.init(count: bytes.count) {
            (buffer: UnsafeMutableRawBufferPointer) throws(SecurityError) in
            unsafe buffer.copyBytes(from: bytes)
        }
    }

    /// Returns secret random bytes, from OpenSSL's generator for private values.
    package static func random(count: Int) throws(SecurityError) -> SecretBytes {
        try unsafe SecretBytes(count: count) {
            (buffer: UnsafeMutableRawBufferPointer) throws(SecurityError) in
            let start = unsafe buffer.bindMemory(to: UInt8.self).baseAddress
            try OpenSSL.succeed("generate random bytes") { unsafe RAND_priv_bytes(start, CInt(count)) }
        }
    }

    /// The number of bytes.
    package var count: Int { unsafe storage.count }

    /// Calls the closure with the bytes.
    @unsafe func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(UnsafeRawBufferPointer(storage))
    }

    /// Returns an ordinary copy, which is not wiped; for tests, and for text that is about to be shown to a person.
    package func copy() -> [UInt8] { unsafe [UInt8](storage) }
}

/// Overwrites the bytes of an array that held a secret.
func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
    }
}
