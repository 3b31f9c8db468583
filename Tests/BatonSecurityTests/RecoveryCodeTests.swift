import BatonSecurity
import Testing

@Suite struct `A recovery code` {
    /// A code that is the same each time, so that what is tried is, too.
    private static let fixed =
        "abacus accent ahead aunt crew mask input island aisle artist buffalo flavor saturn pretzel yacht basil"

    @Test func `makes the same root again from its text`() throws {
        let code = try RecoveryCode.random()
        let text = try code.text()
        let words = text.split(separator: " ")
        #expect(words.count == RecoveryCode.wordCount && words.allSatisfy { Words.all.contains(String($0)) })
        let short = words.map { $0.prefix(4).uppercased() }.joined(separator: "-")
        let numbered = words.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: "\n")
        for typed in [text, short, numbered, " \(text)\n"] {
            let again = try RecoveryCode(text: typed)
            #expect(try again.rootKey().publicKey == code.rootKey().publicKey)
            #expect(try again.text() == text)
            try code.compare(with: typed)
        }
    }

    @Test func `tells when any one word is another`() throws {
        let words = Self.fixed.split(separator: " ").map(String.init)
        let right = try RecoveryCode(text: Self.fixed)
        for place in words.indices {
            for step in [1, 7, 100, 255, 511] {
                var wrong = words
                let number = try #require(Words.all.firstIndex(of: words[place]))
                wrong[place] = Words.all[(number + step) % 512]
                let text = wrong.joined(separator: " ")
                #expect(throws: SecurityError.self) { try RecoveryCode(text: text) }
                let error = #expect(throws: SecurityError.self) { try right.compare(with: text) }
                #expect(error?.message == "Word \(place + 1) is wrong.")
            }
        }
    }

    @Test func `tells when any two words were swapped`() throws {
        let words = Self.fixed.split(separator: " ").map(String.init)
        for place in words.indices {
            for other in words.indices where other > place {
                var wrong = words
                wrong.swapAt(place, other)
                #expect(throws: SecurityError.self, "\(place), \(other)") {
                    try RecoveryCode(text: wrong.joined(separator: " "))
                }
            }
        }
    }

    @Test func `says what is wrong with one that is too short, too long, or misspelt`() throws {
        func message(_ text: String) -> String? {
            do {
                _ = try RecoveryCode(text: text)
                return nil
            } catch {
                return error.message
            }
        }
        #expect(message("")?.contains("has 16 words; these are 0") == true)
        #expect(message(Self.fixed + " lemon")?.contains("these are 17") == true)
        #expect(message("lemn " + Self.fixed)?.contains("did you mean “lemon”?") == true)
        #expect(message(Self.fixed) == nil)
    }
}
