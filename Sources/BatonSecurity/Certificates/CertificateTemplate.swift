import COpenSSL

/// The contents of a certificate that is to be signed.
package struct CertificateTemplate: Sendable {
    /// The purpose of a certificate, which decides its extensions.
    package enum Kind: Sendable {
        /// The account's root, which signs owners.
        case root
        /// An owner, which signs only devices.
        case owner
        /// A device, which is a client and a server in TLS sessions.
        case device
    }

    package var kind: Kind
    package var commonName: String
    package var uris: [CertificateURI]
    package var publicKey: PublicKey
    /// The start of the certificate's validity, in seconds since 1970.
    package var notBefore: Int64
    /// The end of the certificate's validity, in seconds since 1970.
    package var notAfter: Int64

    /// Makes a template.
    package init(
        kind: Kind, commonName: String, uris: [CertificateURI], publicKey: PublicKey,
        notBefore: Int64, notAfter: Int64
    ) {
        (self.kind, self.commonName, self.uris) = (kind, commonName, uris)
        (self.publicKey, self.notBefore, self.notAfter) = (publicKey, notBefore, notAfter)
    }

    /// The number of random bytes in a serial number.
    private static let serialByteCount = 16

    /// Returns the certificate, signed by the issuer's key; without an issuer, the certificate is self-signed.
    package func signed(
        by key: PrivateKey, issuer: Certificate? = nil
    ) throws(SecurityError) -> Certificate {
        let handle = unsafe try OpenSSL.make("create a certificate") { unsafe X509_new() }
        defer { unsafe X509_free(handle) }

        try OpenSSL.succeed("set a version") { unsafe X509_set_version(handle, CLong(X509_VERSION_3)) }
        try unsafe setSerialNumber(handle)
        try unsafe setTime(handle)
        try unsafe setNames(handle, issuer: issuer)
        try OpenSSL.succeed("set a public key") {
            unsafe publicKey.withHandle { unsafe X509_set_pubkey(handle, $0) }
        }
        for (kind, value) in extensions { try unsafe add(kind, value, to: handle, issuer: issuer) }

        ERR_clear_error()
        let signatureByteCount = unsafe key.withHandle { unsafe X509_sign(handle, $0, key.signatureDigest) }
        guard signatureByteCount > 0 else {
            throw SecurityError(
                .openSSL, "OpenSSL could not sign a certificate.", reasons: OpenSSL.drainReasons())
        }
        return try unsafe Certificate(retaining: handle)
    }

    /// The extensions, in their order in the certificate.
    ///
    /// The subject's key identifier precedes the authority's, because in a self-signed certificate the latter refers to
    /// the former.
    private var extensions: [(CInt, String)] {
        let names = uris.map { "URI:\($0.text)" }.joined(separator: ",")
        let authority = "critical,keyCertSign,cRLSign"
        let limits: [(CInt, String)] =
            switch kind {
            case .root:
                [(NID_basic_constraints, "critical,CA:TRUE,pathlen:1"), (NID_key_usage, authority)]
            case .owner:
                [(NID_basic_constraints, "critical,CA:TRUE,pathlen:0"), (NID_key_usage, authority)]
            case .device:
                [
                    (NID_basic_constraints, "critical,CA:FALSE"),
                    (NID_key_usage, "critical,digitalSignature"),
                    (NID_ext_key_usage, "clientAuth,serverAuth"),
                ]
            }
        let keys = [(NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid:always")]
        return limits + keys + (names.isEmpty ? [] : [(NID_subject_alt_name, names)])
    }

    /// Adds an extension, whose value is written in the syntax of OpenSSL's configuration files.
    @unsafe private func add(
        _ kind: CInt, _ value: String, to handle: OpaquePointer, issuer: Certificate?
    ) throws(SecurityError) {
        let entry = try unsafe OpenSSL.make("create an extension") {
            var context = unsafe X509V3_CTX()
            func make(_ authority: OpaquePointer) -> OpaquePointer? {
                unsafe X509V3_set_ctx(&context, authority, handle, nil, nil, 0)
                return unsafe X509V3_EXT_conf_nid(nil, &context, kind, value)
            }
            return unsafe issuer?.withHandle(make) ?? make(handle)
        }
        defer { unsafe X509_EXTENSION_free(entry) }
        try OpenSSL.succeed("add an extension") { unsafe X509_add_ext(handle, entry, -1) }
    }

    /// Sets a random serial number, which must be positive according to the standard.
    @unsafe private func setSerialNumber(_ handle: OpaquePointer) throws(SecurityError) {
        var bytes = try Cryptography.randomBytes(count: Self.serialByteCount)
        bytes[0] &= 0x7F
        let number = try unsafe OpenSSL.make("create a number") {
            unsafe BN_bin2bn(bytes, CInt(bytes.count), nil)
        }
        defer { unsafe BN_free(number) }
        let serial = try unsafe OpenSSL.make("create a number") { unsafe BN_to_ASN1_INTEGER(number, nil) }
        defer { unsafe ASN1_INTEGER_free(serial) }
        try OpenSSL.succeed("set a serial number") { unsafe X509_set_serialNumber(handle, serial) }
    }

    @unsafe private func setTime(_ handle: OpaquePointer) throws(SecurityError) {
        _ = try unsafe OpenSSL.make("set a time") {
            unsafe ASN1_TIME_set(X509_getm_notBefore(handle), Int(notBefore))
        }
        _ = try unsafe OpenSSL.make("set a time") {
            unsafe ASN1_TIME_set(X509_getm_notAfter(handle), Int(notAfter))
        }
    }

    @unsafe private func setNames(_ handle: OpaquePointer, issuer: Certificate?) throws(SecurityError) {
        let subject = unsafe X509_get_subject_name(handle)
        let name = Array(commonName.utf8)
        try OpenSSL.succeed("set a name", as: .malformed) {
            unsafe X509_NAME_add_entry_by_NID(
                subject, NID_commonName, MBSTRING_UTF8, name, CInt(name.count), -1, 0)
        }
        try OpenSSL.succeed("set an issuer") {
            let issuer = unsafe issuer?.withHandle { unsafe X509_get_subject_name($0) } ?? subject
            return unsafe X509_set_issuer_name(handle, issuer)
        }
    }
}
