import AppIntents
import Support
import Testing

@Suite struct `Phrases of shortcuts` {
    private func matches(_ phrase: String) -> [PhraseMatch] {
        PhraseMatch.matches(
            phrase, among: LibraryShortcuts.appShortcuts, except: LibraryShortcuts.negativePhrases,
            app: "My Books")
    }

    @Test(arguments: [
        "Add a book in My Books", "add a book in my books!", "Add a book in", "ADD, A BOOK — IN MY BOOKS.",
    ]) func `match whatever their capitals and punctuation, with or without the app's name`(phrase: String) {
        let found = matches(phrase)
        #expect(found.map { $0.shortcut.shortTitle.map { String(localized: $0) } } == ["Add Book"])
        #expect(found.first?.values == [:])
        #expect(found.first?.shortcut.intent is AddBook)
    }

    @Test func `give values to parameters`() {
        #expect(matches("New poetry in My Books").first?.values == ["genre": .text("poetry")])
        #expect(
            matches("Open The Art in War in My Books").first?.values == ["target": .text("the art in war")])
    }

    @Test(arguments: ["", "Add a cook", "New in My Books", "Add a book", "Open"])
    func
        `match nothing if no shortcut has them`(phrase: String)
    { #expect(matches(phrase).isEmpty) }

    @Test func `match nothing if they are listed as negative`() {
        let phrases: [NegativeAppShortcutPhrase] = ["open the door in my books"]
        func count(_ phrase: String) -> Int {
            PhraseMatch.matches(
                phrase, among: LibraryShortcuts.appShortcuts, except: phrases, app: "My Books"
            ).count
        }
        #expect(count("Open the door in My Books!") == 0)
        #expect(count("Open the window in My Books!") == 1)
    }

    @Test(arguments: 0..<50) func `accept any words as a parameter`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let words = (0..<random.number(1...4)).map { _ in random.pick(["red", "in", "my", "open", "x1"]) }
        let found = matches("Open \(words.joined(separator: " ")) in My Books")
        #expect(found.first?.values == ["target": .text(words.joined(separator: " "))])
    }
}
