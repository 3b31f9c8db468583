import COpenSSL

/// Reads the properties of a certificate from an OpenSSL object.
@safe struct CertificateReader {
    /// The OpenSSL object, which the caller keeps alive.
    let handle: OpaquePointer

    /// The properties of a certificate.
    struct Contents {
        /// These are the properties of the same names of `Certificate`.
        let der: [UInt8], publicKey: PublicKey, commonName: String, uris: [String]
        let notBefore: Int64, notAfter: Int64, isAuthority: Bool, isForSessions: Bool
    }

    /// Reads all properties; throws if the certificate can't belong to an account.
    func contents() throws(SecurityError) -> Contents {
        unsafe Contents(
            der: try der(), publicKey: try publicKey(), commonName: commonName(),
            uris: uris(), notBefore: try seconds(X509_get0_notBefore(handle)),
            notAfter: try seconds(X509_get0_notAfter(handle)),
            isAuthority: X509_check_ca(handle) == 1, isForSessions: isForSessions())
    }

    /// Whether the certificate's key may be used in handshakes, both as a client and as a server.
    ///
    /// OpenSSL accepts a certificate that has no key usage extensions. Here, both extensions must be present.
    private func isForSessions() -> Bool {
        let present = CUnsignedInt(EXFLAG_KUSAGE | EXFLAG_XKUSAGE)
        guard unsafe X509_get_extension_flags(handle) & present == present else { return false }
        let both = CUnsignedInt(XKU_SSL_CLIENT | XKU_SSL_SERVER)
        return unsafe X509_get_key_usage(handle) & CUnsignedInt(KU_DIGITAL_SIGNATURE) != 0
            && X509_get_extended_key_usage(handle) & both == both
    }

    private func der() throws(SecurityError) -> [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_X509(handle, &start)
        guard count > 0 else {
            throw SecurityError(
                .malformed, "OpenSSL could not write a certificate in DER.", reasons: OpenSSL.drainReasons())
        }
        defer { unsafe COpenSSL_OPENSSL_free(start) }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    private func publicKey() throws(SecurityError) -> PublicKey {
        let key = try unsafe OpenSSL.make("read a certificate's key", as: .malformed) {
            unsafe X509_get_pubkey(handle)
        }
        return try unsafe KeyHandle(owning: key).publicKey()
    }

    /// Returns the subject's last common name; an empty string if there is none.
    private func commonName() -> String {
        let subject = unsafe X509_get_subject_name(handle)
        let index = unsafe X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        guard index >= 0, let entry = unsafe X509_NAME_get_entry(subject, index) else { return "" }

        var start: UnsafeMutablePointer<UInt8>?
        let count = unsafe ASN1_STRING_to_UTF8(&start, X509_NAME_ENTRY_get_data(entry))
        guard count >= 0 else {
            ERR_clear_error()
            return ""
        }
        defer { unsafe COpenSSL_OPENSSL_free(start) }
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    /// Returns the URIs among the subject's alternative names; a zero byte does not end a URI.
    private func uris() -> [String] {
        guard let list = unsafe X509_get_ext_d2i(handle, NID_subject_alt_name, nil, nil) else {
            ERR_clear_error()
            return []
        }
        let names = OpaquePointer(list)
        defer { unsafe GENERAL_NAMES_free(names) }

        var texts: [String] = []
        for index in 0..<(unsafe COpenSSL_sk_GENERAL_NAME_num(names)) {
            var kind: CInt = 0
            let name = unsafe COpenSSL_sk_GENERAL_NAME_value(names, index)
            guard let value = unsafe GENERAL_NAME_get0_value(name, &kind), kind == GEN_URI else { continue }
            let text = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
            let count = unsafe Int(ASN1_STRING_length(text))
            let bytes = unsafe UnsafeRawBufferPointer(start: ASN1_STRING_get0_data(text), count: count)
            unsafe texts.append(String(decoding: bytes, as: UTF8.self))
        }
        return texts
    }

    /// Converts a time of a certificate to seconds since 1970.
    private func seconds(_ time: UnsafePointer<ASN1_TIME>?) throws(SecurityError) -> Int64 {
        let epoch = unsafe try OpenSSL.make("create a time") { unsafe ASN1_TIME_set(nil, 0) }
        defer { unsafe ASN1_STRING_free(epoch) }

        var (days, seconds): (CInt, CInt) = (0, 0)
        try OpenSSL.succeed("read a certificate's time", as: .malformed) {
            unsafe ASN1_TIME_diff(&days, &seconds, epoch, time)
        }
        return Int64(days) * 86_400 + Int64(seconds)
    }
}
