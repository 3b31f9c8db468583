import BatonCore
import COpenSSL
import Glibc
import SecuritySupport
import Testing

@testable import BatonSecurity

/// A TLS peer by plain OpenSSL that breaks Baton's rules as a test requires.
final class RawPeer {
    private let context: OpaquePointer
    private let session: OpaquePointer

    /// Makes a client or a server with this newest TLS version, these protocols and this chain.
    init(
        isServer: Bool = false, version: CInt = TLS1_3_VERSION, protocols: [String] = ["baton/1"],
        groups: String? = nil, certificates: [Certificate] = [], key: PrivateKey? = nil
    ) throws {
        context = try #require(SSL_CTX_new(TLS_method()))
        _ = COpenSSL_SSL_CTX_set_max_proto_version(context, version)
        if let groups { try #require(COpenSSL_SSL_CTX_set1_groups_list(context, groups) == 1) }
        var offer: [UInt8] = []
        for name in protocols { offer += [UInt8(name.utf8.count)] + Array(name.utf8) }
        if !offer.isEmpty { SSL_CTX_set_alpn_protos(context, offer, CUnsignedInt(offer.count)) }
        if isServer, protocols == ["baton/1"] {
            SSL_CTX_set_alpn_select_cb(context, selectDevices, nil)
        } else {
            SSL_CTX_set_alpn_select_cb(context, selectPairing, nil)
        }
        for (index, certificate) in certificates.enumerated() {
            var start: UnsafePointer<UInt8>?
            let x509 = certificate.der.withUnsafeBufferPointer { bytes in
                start = bytes.baseAddress
                return d2i_X509(nil, &start, bytes.count)
            }
            if index == 0 {
                SSL_CTX_use_certificate(context, x509)
            } else {
                _ = COpenSSL_SSL_CTX_add1_chain_cert(context, x509)
            }
            X509_free(x509)
        }
        if let key {
            key.withHandle { [context] in _ = SSL_CTX_use_PrivateKey(context, $0) }
        }
        session = try #require(SSL_new(context))
        SSL_set_bio(session, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()))
        if isServer { SSL_set_accept_state(session) } else { SSL_set_connect_state(session) }
    }

    deinit {
        SSL_free(session)
        SSL_CTX_free(context)
    }

    /// The certificates that the other side presented, in DER.
    var presentedCertificates: [[UInt8]] {
        guard let chain = SSL_get_peer_cert_chain(session) else { return [] }
        return (0..<COpenSSL_sk_X509_num(chain)).compactMap { index in
            guard let certificate = COpenSSL_sk_X509_value(chain, index) else { return nil }
            var bytes: UnsafeMutablePointer<UInt8>?
            let count = i2d_X509(certificate, &bytes)
            defer { CRYPTO_free(bytes, nil, 0) }
            return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
    }

    /// Sends this server name, which may be a hint.
    func setServerName(_ server: String) { _ = COpenSSL_SSL_set_tlsext_host_name(session, server) }

    /// Offers to resume one of our sessions, as if this peer owned it.
    func offer(_ ticket: SessionTicket) {
        // OpenSSL itself refuses to resume a session with another session identifier context.
        let account = ticket.peer.identity.account.bytes
        SSL_set_session_id_context(session, account, CUnsignedInt(account.count))
        ticket.withHandle { handle in
            // A copy, because an aborted handshake marks its session as not resumable.
            let copy = SSL_SESSION_dup(handle)
            _ = SSL_set_session(session, copy)
            SSL_SESSION_free(copy)
        }
    }

    /// Offers to resume one of our sessions with a copied ticket, but without its secret.
    func offerWithoutSecret(_ ticket: SessionTicket) {
        let guess = [UInt8](repeating: 7, count: 32)
        ticket.withHandle { _ = SSL_SESSION_set1_master_key($0, guess, guess.count) }
        offer(ticket)
    }

    /// Sends early data, as if the server had allowed it.
    func sendEarlyData(_ bytes: [UInt8], with ticket: SessionTicket) -> Bool {
        ticket.withHandle { _ = SSL_SESSION_set_max_early_data($0, 1000) }
        offer(ticket)
        var written = 0
        return SSL_write_early_data(session, bytes, bytes.count, &written) == 1 && written == bytes.count
    }

    /// Whether the server accepted the early data.
    var isEarlyDataAccepted: Bool { SSL_get_early_data_status(session) == SSL_EARLY_DATA_ACCEPTED }

    /// The plaintext that our side received.
    private(set) var plaintext: [UInt8] = []

    /// Whether this peer's handshake resumed a session.
    var isResumed: Bool { SSL_session_reused(session) == 1 }

    /// The number of bytes that our side has sent to this peer.
    private(set) var receivedByteCount = 0

    /// As a server, shakes hands with one of our clients; returns the error that our side threw.
    func answer(_ ours: TLSSession) -> SecurityError? {
        if let hello = ours.nextCiphertext() { BIO_write(SSL_get_rbio(session), hello, CInt(hello.count)) }
        return handshake(with: ours)
    }

    /// Exchanges bytes until nothing moves any more; returns the error that our side threw.
    func handshake(with ours: TLSSession) -> SecurityError? {
        var error: SecurityError?
        for _ in 0..<20 {
            SSL_do_handshake(session)
            do throws(SecurityError) {
                try ours.receive(outgoing())
                while let part = try ours.nextPlaintext() { plaintext += part }
            } catch let thrown {
                error = thrown
            }
            if let answer = ours.nextCiphertext() {
                receivedByteCount += answer.count
                BIO_write(SSL_get_rbio(session), answer, CInt(answer.count))
            }
        }
        ERR_clear_error()
        return error
    }

    /// Returns a client hello.
    func clientHello() -> [UInt8] {
        SSL_do_handshake(session)
        ERR_clear_error()
        return outgoing()
    }

    /// The negotiated group, by its TLS number.
    var negotiatedGroup: CInt { CInt(SSL_ctrl(session, SSL_CTRL_GET_NEGOTIATED_GROUP, 0, nil)) }

    private func outgoing() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = BIO_read(SSL_get_wbio(session), &bytes, CInt(bytes.count))
        return Array(bytes.prefix(max(0, Int(count))))
    }
}

/// Selects `baton-pair/1`, whatever the client offers.
private func selectPairing(
    _: OpaquePointer?, _ name: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ count: UnsafeMutablePointer<UInt8>?,
    _: UnsafePointer<UInt8>?, _: CUnsignedInt, _: UnsafeMutableRawPointer?
) -> CInt {
    name?.pointee = pairingName
    count?.pointee = 12
    return SSL_TLSEXT_ERR_OK
}

/// Selects `baton/1`, whatever the client offers.
private func selectDevices(
    _: OpaquePointer?, _ name: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ count: UnsafeMutablePointer<UInt8>?,
    _: UnsafePointer<UInt8>?, _: CUnsignedInt, _: UnsafeMutableRawPointer?
) -> CInt {
    name?.pointee = devicesName
    count?.pointee = 7
    return SSL_TLSEXT_ERR_OK
}

/// Never freed, because OpenSSL keeps a pointer to it.
nonisolated(unsafe) private let devicesName = UnsafePointer<UInt8>(
    UnsafeRawPointer(strdup("baton/1")).assumingMemoryBound(to: UInt8.self))

/// Never freed, because OpenSSL keeps a pointer to it.
nonisolated(unsafe) private let pairingName = UnsafePointer<UInt8>(
    UnsafeRawPointer(strdup("baton-pair/1")).assumingMemoryBound(to: UInt8.self))
