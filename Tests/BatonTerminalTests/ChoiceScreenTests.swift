import BatonCore
import BatonTerminal
import Testing

@Suite struct `An agreement at a terminal` {
    @Test func `is yes or the app's word, and never the Enter key alone`() {
        for answer in ["y", "Yes", "send"] {
            #expect(TerminalPrompt.isAgreement(answer, accept: "Send"))
        }
        #expect(!TerminalPrompt.isAgreement("no", accept: "Send"))
        #expect(!TerminalPrompt.isAgreement("", accept: ""))
    }
}

@Suite struct `The list of answers` {
    private static let choices = ["Harbour", "Market", "Market Hall"].map {
        ChoiceScreen.Choice($0)
    }

    private static func lines(_ screen: inout ChoiceScreen) -> [String] {
        screen.screen(width: 40, height: 6).lines.map { $0.text.text }
    }

    @Test func `shows the question, the answers and the keys`() {
        var screen = ChoiceScreen("Which shop?", Self.choices)
        let lines = Self.lines(&screen)
        #expect(lines[0].hasPrefix("Which shop? "))
        #expect(lines[1].contains("Harbour"))
        #expect(lines[3].contains("Market Hall"))
        #expect(lines.last == "Enter chooses, Esc leaves.")
    }

    @Test func `chooses with keys, and stays at its ends`() {
        var screen = ChoiceScreen("Which shop?", Self.choices)
        #expect(screen.press(.up) == .stay)
        #expect(screen.press(.enter) == .choose(0))
        _ = screen.press(.pageDown)
        #expect(screen.press(.enter) == .choose(2))
        #expect(screen.press(.escape) == .leave)
        #expect(screen.press(.interrupt) == .leave)
        #expect(screen.press(.end) == .leave)
    }

    @Test func `finds an answer by a part of its title, and keeps its index`() {
        var screen = ChoiceScreen("Which shop?", Self.choices)
        for letter in ["h", "a", "l"] { _ = screen.press(.text(letter)) }
        #expect(screen.press(.enter) == .choose(2))
        _ = screen.press(.text("zzz"))
        #expect(screen.press(.enter) == .stay)
        #expect(Self.lines(&screen).last == "Nothing matches. Esc leaves.")
    }

    @Test func `chooses a row that is clicked twice`() {
        var screen = ChoiceScreen("Which shop?", Self.choices)
        #expect(screen.click(line: 2, cell: 3, width: 40, height: 6) == .stay)
        #expect(screen.click(line: 2, cell: 3, width: 40, height: 6) == .choose(1))
        #expect(screen.click(line: 0, cell: 3, width: 40, height: 6) == .stay)
    }
}
