import BatonSecurity
import Testing

@Suite struct `A recovery code` {
    @Test func `makes the same root again from its text`() throws {
        let code = try RecoveryCode.random()
        let text = try code.text()
        #expect(text.split(separator: "-").count == 14)
        let again = try #require(try RecoveryCode(text: " " + text.uppercased().replacing("-", with: " ")))
        #expect(try again.rootKey().publicKey == code.rootKey().publicKey)
        #expect(try again.text() == text)
    }

    @Test func `tells when any one character is wrong, or two were swapped`() throws {
        let characters = Array(try RecoveryCode.random().text().filter { $0 != "-" })
        for place in characters.indices {
            var wrong = characters
            wrong[place] = wrong[place] == "7" ? "8" : "7"
            #expect(try RecoveryCode(text: String(wrong)) == nil)
            wrong = characters
            wrong.swapAt(place, (place + 1) % wrong.count)
            if wrong != characters { #expect(try RecoveryCode(text: String(wrong)) == nil) }
        }
    }

    @Test func `is nothing if it is too short, too long, or not text of its kind`() throws {
        let text = try RecoveryCode.random().text()
        for wrong in ["", String(text.dropLast()), text + "0", text + "00000000", "hello, world"] {
            #expect(try RecoveryCode(text: wrong) == nil)
        }
    }
}
