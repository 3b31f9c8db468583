package import BatonCore

/// The alerts by which the other side of a TLS connection ends it (RFC 8446, section 6).
package enum TLSAlert {
    /// The name of an alert.
    package static func name(of number: UInt8) -> VisibleText {
        names[number].map { "\($0)" } ?? "unknown"
    }

    /// Returns a sentence about the most likely cause if the other side was expected to be a node.
    static func meaning(of number: UInt8) -> VisibleText {
        switch number {
        case 112, 120: "The program there speaks TLS, but is no node."
        case 70, 71, 40: "The program there speaks another version of TLS, so it is no node."
        case 42, 43, 44, 45, 46, 48, 51, 116:
            "It does not trust the certificate of this machine: look at `baton status` here and at both clocks."
        default: "The program there may be no node."
        }
    }

    package static let names: [UInt8: String] = [
        0: "close notify", 10: "unexpected message", 20: "bad record MAC", 22: "record overflow",
        40: "handshake failure", 42: "bad certificate", 43: "unsupported certificate",
        44: "certificate revoked", 45: "certificate expired", 46: "certificate unknown",
        47: "illegal parameter", 48: "unknown CA", 49: "access denied", 50: "decode error",
        51: "decrypt error", 70: "protocol version", 71: "insufficient security", 80: "internal error",
        86: "inappropriate fallback", 90: "user canceled", 109: "missing extension",
        110: "unsupported extension", 112: "unrecognized name", 113: "bad certificate status response",
        115: "unknown PSK identity", 116: "certificate required", 120: "no application protocol",
    ]
}
