import BatonCore

/// What a person reads on one machine and types on the other: 60 random bits, good for one guess.
package struct PairingCode: Hashable, Sendable {
    /// The twelve characters, in their one spelling.
    let characters: String

    /// How many characters a code has; each is worth five bits.
    private static let characterCount = 12
    /// How many bytes hold a code, with some bits to spare.
    private static let byteCount = 8

    /// A new code, for a new invitation.
    package static func random() throws(SecurityError) -> PairingCode {
        let secret = try SecretBytes.random(count: byteCount)
        return PairingCode(characters: String(Base32.encode(secret.copy()).prefix(characterCount)))
    }

    private init(characters: String) { self.characters = characters }

    /// The code that was typed, or nothing if it can't be one.
    ///
    /// Case, dashes, spaces and look-alikes don't matter.
    package init?(text: some StringProtocol) {
        let typed = String(text).filter { !$0.isWhitespace && $0 != "-" }
        // One character more makes whole bytes, so that any twelve are read.
        guard typed.utf8.count == Self.characterCount, let bytes = Base32.decode(typed + "0") else {
            return nil
        }
        characters = String(Base32.encode(bytes).prefix(Self.characterCount))
    }

    /// The code as it is shown: `abcd-efgh-jkmn`.
    package var text: String {
        var text = ""
        for (place, character) in characters.enumerated() {
            if place > 0, place.isMultiple(of: 4) { text.append("-") }
            text.append(character)
        }
        return text
    }
}
