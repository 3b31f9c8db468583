/// Finds secrets in the addresses of pages, and removes them before other machines are told an address.
///
/// `secrets.js` of the extension has the same rules; the host applies them again, in case the extension is older.
package enum AddressSecrets {
    /// Returns an address that other machines may know: without query and fragment if they have a secret; nil if the
    /// path has one.
    package static func told(_ address: String) -> String? {
        let place = address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        if hasSecret(Array(place)) { return nil }
        let rest = Array(address.utf8.dropFirst(place.count))
        return hasSecret(rest) ? String(Substring(place)) : address
    }

    /// Names of parameters whose values are secrets, as small letters and digits.
    private static let names: Set<String> = [
        "accesscode", "assertion", "auth", "authcode", "authorization", "authorizationcode", "awsaccesskeyid",
        "code", "devicecode", "googleaccessid", "hmac", "jwt", "key", "keypairid", "otp", "pass", "pin",
        "policy",
        "pwd", "resetcode", "samlrequest", "samlresponse", "se", "session", "sid", "sig", "ticket",
        "usercode",
        "verificationcode",
    ]
    /// Parts of names that stand for secrets.
    private static let parts = [
        "accesskey", "apikey", "credential", "oauth", "passphrase", "passwd", "password", "privatekey",
        "secret",
        "sessionid", "signature", "token",
    ]
    private static let beginnings = ["xamz", "xgoog"]
    /// Beginnings of values that are secrets, whatever their parameter is named.
    private static let marks = [
        "AIza", "AKIA", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "sk-", "sk_live_", "xoxa-",
        "xoxb-", "xoxp-", "ya29.",
    ]
    private static let valueBytes = 20
    private static let separators = Array("?&#;/,".utf8)

    /// Whether a part of an address has a secret, also in an address that is encoded within it.
    private static func hasSecret(_ text: [UInt8]) -> Bool {
        var text = text
        for _ in 0..<4 {
            if text.split(whereSeparator: separators.contains).contains(where: isSecret) { return true }
            let decoded = decoded(text)
            if decoded == text { return false }
            text = decoded
        }
        // An address that is encoded more than three times probably hides something.
        return true
    }

    private static func isSecret(_ piece: ArraySlice<UInt8>) -> Bool {
        let sign = piece.firstIndex(of: UInt8(ascii: "="))
        let value = sign.map { piece[($0 + 1)...] } ?? piece
        if let sign, !value.isEmpty, isSecretName(piece[..<sign]) { return true }
        guard value.count >= valueBytes else { return false }
        return value.starts(with: "eyJ".utf8) && value.contains(UInt8(ascii: "."))
            || marks.contains { value.starts(with: $0.utf8) }
    }

    private static func isSecretName(_ bytes: ArraySlice<UInt8>) -> Bool {
        let letters = bytes.map { 0x41...0x5a ~= $0 ? $0 + 0x20 : $0 }.filter {
            0x61...0x7a ~= $0 || 0x30...0x39 ~= $0
        }
        let name = String(decoding: letters, as: UTF8.self)
        return names.contains(name) || parts.contains { name.contains($0) }
            || beginnings.contains { name.hasPrefix($0) }
    }

    /// Decodes the escapes of visible ASCII characters, and leaves everything else unchanged.
    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        var (bytes, rest): ([UInt8], ArraySlice<UInt8>) = ([], text[...])
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard byte == UInt8(ascii: "%"), digits.count == 2, 0x21...0x7e ~= digits[0] << 4 | digits[1]
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(UInt8(digits[0] << 4 | digits[1]))
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
