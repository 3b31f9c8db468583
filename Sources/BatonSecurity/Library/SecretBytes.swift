import COpenSSL

/// Bytes that nobody should find in memory later: wiped when the last owner lets go.
@safe package final class SecretBytes: @unchecked Sendable {
    // Sendable, because nothing changes the bytes between `init` and `deinit`.

    /// The bytes; owned, never moved and never handed out.
    private let storage: UnsafeMutableRawBufferPointer

    /// As many bytes as asked, filled by the closure; wiped also if it throws.
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

    /// A copy of these bytes; the caller wipes its own, if they are secret there too.
    package convenience init(copying bytes: some Collection<UInt8>) throws(SecurityError) {
        try unsafe self.init(count: bytes.count) {
            (buffer: UnsafeMutableRawBufferPointer) throws(SecurityError) in
            unsafe buffer.copyBytes(from: bytes)
        }
    }

    /// Bytes that nobody can guess, from OpenSSL's generator for secrets.
    package static func random(count: Int) throws(SecurityError) -> SecretBytes {
        try unsafe SecretBytes(count: count) {
            (buffer: UnsafeMutableRawBufferPointer) throws(SecurityError) in
            let start = unsafe buffer.bindMemory(to: UInt8.self).baseAddress
            try OpenSSL.succeed("make random bytes") { unsafe RAND_priv_bytes(start, CInt(count)) }
        }
    }

    /// How many bytes there are.
    package var count: Int { unsafe storage.count }

    /// Lends the bytes for the length of the closure.
    @unsafe func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(UnsafeRawBufferPointer(storage))
    }

    /// An ordinary copy, which nobody wipes: for tests, and for what is about to be shown to the person.
    package func copy() -> [UInt8] { unsafe [UInt8](storage) }
}

/// Wipes the bytes of an array that held a secret, where it stands.
func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
    }
}
