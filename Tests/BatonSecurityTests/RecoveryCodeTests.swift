import BatonSecurity
import Testing

@Suite struct `A recovery code` {
    /// A fixed code, so that each run tries the same words.
    private static let fixed =
        "abacus accent ahead aunt crew mask input island aisle artist buffalo flavor saturn pretzel yacht basil"

    @Test func `the text of a recovery code gives the same root key`() throws {
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

    @Test func `any wrong word in a recovery code is detected and named`() throws {
        let words = Self.fixed.split(separator: " ").map(String.init)
        let right = try RecoveryCode(text: Self.fixed)
        for index in words.indices {
            for step in [1, 7, 100, 255, 511] {
                var wrong = words
                let number = try #require(Words.all.firstIndex(of: words[index]))
                wrong[index] = Words.all[(number + step) % 512]
                let text = wrong.joined(separator: " ")
                #expect(throws: SecurityError.self) { try RecoveryCode(text: text) }
                let error = #expect(throws: SecurityError.self) { try right.compare(with: text) }
                #expect(error?.message == "Word \(index + 1) is wrong.")
            }
        }
    }

    @Test func `any two swapped words in a recovery code are detected`() throws {
        let words = Self.fixed.split(separator: " ").map(String.init)
        for index in words.indices {
            for other in words.indices where other > index {
                var wrong = words
                wrong.swapAt(index, other)
                #expect(throws: SecurityError.self, "\(index), \(other)") {
                    try RecoveryCode(text: wrong.joined(separator: " "))
                }
            }
        }
    }

    @Test func `a recovery code that is too short, too long or misspelled is refused with the reason`() throws
    {
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
