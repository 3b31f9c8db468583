import BatonCore
import COpenSSL
import Glibc
import SecuritySupport
import Testing

@testable import BatonSecurity

/// A peer that keeps to no rule of ours: OpenSSL with what a test asks for, and nothing else.
final class RawPeer {
    private let context: OpaquePointer
    private let session: OpaquePointer

    /// A client or a server with this newest version, these protocols offered or selected, and this chain shown.
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
        for (place, certificate) in certificates.enumerated() {
            var start: UnsafePointer<UInt8>?
            let x509 = certificate.der.withUnsafeBufferPointer { bytes in
                start = bytes.baseAddress
                return d2i_X509(nil, &start, bytes.count)
            }
            if place == 0 {
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

    /// What the peer showed: its certificate and all that came with it, in DER.
    var presentedCertificates: [[UInt8]] {
        guard let chain = SSL_get_peer_cert_chain(session) else { return [] }
        return (0..<COpenSSL_sk_X509_num(chain)).compactMap { place in
            guard let certificate = COpenSSL_sk_X509_value(chain, place) else { return nil }
            var bytes: UnsafeMutablePointer<UInt8>?
            let count = i2d_X509(certificate, &bytes)
            defer { CRYPTO_free(bytes, nil, 0) }
            return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
    }

    /// Says that it means the server of this name, as a hint is told.
    func setServerName(_ server: String) { _ = COpenSSL_SSL_set_tlsext_host_name(session, server) }

    /// Goes on from a session of ours, as if that were its own.
    func offer(_ ticket: SessionTicket) {
        // OpenSSL itself minds that a client of one account does not go on from a session of another.
        let account = ticket.peer.identity.account.bytes
        SSL_set_session_id_context(session, account, CUnsignedInt(account.count))
        ticket.withHandle { handle in
            // A copy, because a handshake that breaks off marks its session as spent, and it would not be offered again.
            let copy = SSL_SESSION_dup(handle)
            _ = SSL_set_session(session, copy)
            SSL_SESSION_free(copy)
        }
    }

    /// Goes on from a session of ours, of which it saw the ticket on the wire and not the secret.
    func offerWithoutSecret(_ ticket: SessionTicket) {
        let guess = [UInt8](repeating: 7, count: 32)
        ticket.withHandle { _ = SSL_SESSION_set1_master_key($0, guess, guess.count) }
        offer(ticket)
    }

    /// Says something before the handshake has begun, as if the server had said that it may.
    func sendEarlyData(_ bytes: [UInt8], with ticket: SessionTicket) -> Bool {
        ticket.withHandle { _ = SSL_SESSION_set_max_early_data($0, 1000) }
        offer(ticket)
        var written = 0
        return SSL_write_early_data(session, bytes, bytes.count, &written) == 1 && written == bytes.count
    }

    /// Whether the server took what was said early.
    var isEarlyDataAccepted: Bool { SSL_get_early_data_status(session) == SSL_EARLY_DATA_ACCEPTED }

    /// What our side read.
    private(set) var plaintext: [UInt8] = []

    /// Whether its handshake went on from that session.
    var isResumed: Bool { SSL_session_reused(session) == 1 }

    /// How many bytes our side has sent to this peer.
    private(set) var receivedByteCount = 0

    /// As a server, answers a client of ours; answers what it threw.
    func answer(_ ours: TLSSession) -> SecurityError? {
        if let hello = ours.nextCiphertext() { BIO_write(SSL_get_rbio(session), hello, CInt(hello.count)) }
        return handshake(with: ours)
    }

    /// Carries bytes to and fro until nothing moves; answers what our side threw.
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

    /// The first words of a client.
    func clientHello() -> [UInt8] {
        SSL_do_handshake(session)
        ERR_clear_error()
        return outgoing()
    }

    /// The group in which both sides agreed on a key, by its number in TLS.
    var negotiatedGroup: CInt { CInt(SSL_ctrl(session, SSL_CTRL_GET_NEGOTIATED_GROUP, 0, nil)) }

    private func outgoing() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = BIO_read(SSL_get_wbio(session), &bytes, CInt(bytes.count))
        return Array(bytes.prefix(max(0, Int(count))))
    }
}

/// Selects `baton-pair/1`, whatever was offered.
private func selectPairing(
    _: OpaquePointer?, _ name: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ count: UnsafeMutablePointer<UInt8>?,
    _: UnsafePointer<UInt8>?, _: CUnsignedInt, _: UnsafeMutableRawPointer?
) -> CInt {
    name?.pointee = pairingName
    count?.pointee = 12
    return SSL_TLSEXT_ERR_OK
}

/// Selects `baton/1`, whatever was offered.
private func selectDevices(
    _: OpaquePointer?, _ name: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ count: UnsafeMutablePointer<UInt8>?,
    _: UnsafePointer<UInt8>?, _: CUnsignedInt, _: UnsafeMutableRawPointer?
) -> CInt {
    name?.pointee = devicesName
    count?.pointee = 7
    return SSL_TLSEXT_ERR_OK
}

/// Never freed, because OpenSSL keeps pointing to it.
nonisolated(unsafe) private let devicesName = UnsafePointer<UInt8>(
    UnsafeRawPointer(strdup("baton/1")).assumingMemoryBound(to: UInt8.self))

/// Never freed, because OpenSSL keeps pointing to it.
nonisolated(unsafe) private let pairingName = UnsafePointer<UInt8>(
    UnsafeRawPointer(strdup("baton-pair/1")).assumingMemoryBound(to: UInt8.self))
