/// Removes secrets from the addresses of pages before other machines get the addresses.
///
/// `secrets.js` of the extension applies the same rules. This program applies them again, because the extension may be
/// older than the program.
package enum AddressSecrets {
    /// Returns the address that other machines may get.
    ///
    /// If the query or the fragment contains a secret, both are removed. If the path contains a secret, the result is
    /// nil.
    package static func told(_ address: String) -> String? {
        let place = address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        if hasSecret(Array(place)) { return nil }
        let rest = Array(address.utf8.dropFirst(place.count))
        return hasSecret(rest) ? String(Substring(place)) : address
    }

    /// The names of parameters whose values are secrets, reduced to small letters and digits.
    private static let names: Set<String> = [
        "accesscode", "assertion", "auth", "authcode", "authorization", "authorizationcode", "awsaccesskeyid",
        "code", "devicecode", "googleaccessid", "hmac", "jwt", "key", "keypairid", "otp", "pass", "pin",
        "policy",
        "pwd", "resetcode", "samlrequest", "samlresponse", "se", "session", "sid", "sig", "ticket",
        "usercode",
        "verificationcode",
    ]
    /// A parameter is secret, too, if its name contains one of these texts.
    private static let parts = [
        "accesskey", "apikey", "credential", "oauth", "passphrase", "passwd", "password", "privatekey",
        "secret",
        "sessionid", "signature", "token",
    ]
    private static let beginnings = ["xamz", "xgoog"]
    /// A value that begins with one of these texts is a secret, whatever the name of its parameter is.
    private static let marks = [
        "AIza", "AKIA", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "sk-", "sk_live_", "xoxa-",
        "xoxb-", "xoxp-", "ya29.",
    ]
    private static let valueBytes = 20
    private static let separators = Array("?&#;/,".utf8)

    /// Whether a part of an address contains a secret.
    ///
    /// An address may contain another address, whose characters are escaped. So the escapes are decoded up to three
    /// times.
    private static func hasSecret(_ text: [UInt8]) -> Bool {
        var text = text
        for _ in 0..<4 {
            if text.split(whereSeparator: separators.contains).contains(where: isSecret) { return true }
            let decoded = decoded(text)
            if decoded == text { return false }
            text = decoded
        }
        // The text is still encoded after three decodings. It probably hides something.
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

    /// Decodes escapes such as `%41` if they are visible ASCII characters, and leaves all other bytes unchanged.
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
