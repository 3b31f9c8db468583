import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

/// `baton doctor --item` and `--activity`.
@Suite struct `Explanations of search results` {
    private static func explanation(
        _ outcome: SearchExplanation.Outcome, words: [String] = [], place: Int? = nil
    ) -> SearchExplanation {
        var explanation = SearchExplanation(
            outcome, title: "Annual report", app: "org.example.notes", index: "main")
        (explanation.words, explanation.place) = (words, place)
        return explanation
    }

    @Test func `each outcome has its own tag and text, and is marked ok only if the search shows the item`() {
        let findings = SearchExplanation.Outcome.allCases.map {
            Self.explanation($0, words: ["tea"]).finding(of: "note-7", options: " --home /a")
        }
        #expect(Set(findings.map(\.outcome)).count == findings.count)
        #expect(Set(findings.map { "\($0.found)" }).count == findings.count)
        #expect(findings.filter { $0.mark == .ok }.map(\.outcome) == ["shown", "joined"])
        #expect(
            findings.filter { $0.mark == .warning }.map(\.outcome)
                == ["gathering", "merging", "rankedBelow", "goingOn"])
        for finding in findings {
            #expect(finding.check == .search && finding.found.text.last != ".")
            #expect(finding.subject.text == "“Annual report” in the index main")
            if let advice = finding.advice { #expect(advice.text.last == ".") }
        }
        let unknown = SearchExplanation(.unknown).finding(of: "note-7", options: "")
        #expect(unknown.subject.text == "note-7")
    }

    @Test func `doctor --item explains an app's item, once for each index`() throws {
        let node = try FakeNode { _ in
            .reply(
                ExplanationReply([
                    Self.explanation(.shown, place: 3), Self.explanation(.lacksWords, words: ["tea"]),
                ]))
        }
        let typed = Typed(
            node, "doctor", "--item", "org.example.notes", "note-7", "--words", "annual tea")
        #expect(typed.status == 21 && typed.errors.isEmpty, "\(typed)")
        #expect(
            typed.output == """
                ✓ “Annual report” in the index main: a search shows it at place 3
                ✗ “Annual report” in the index main: it does not have “tea”

                """)
        #expect(
            node.calls.equals(ExplainItem(app: "org.example.notes", "note-7", words: "annual tea")))
    }

    @Test func `doctor --activity explains an activity, also as JSON`() throws {
        let node = try FakeNode { _ in .reply(ExplanationReply([Self.explanation(.shown)])) }
        let typed = Typed(node, "doctor", "--activity", "yhd", "--json")
        #expect(typed.status == 0, "\(typed)")
        #expect(typed.output.hasPrefix(#"{"check":"search","outcome":"shown","mark":"ok","subject":""#))
        #expect(node.calls.equals(ExplainActivity("yhd")))
    }

    @Test func `doctor refuses conflicting or incomplete --item, --activity and --words`() throws {
        let node = try FakeNode { _ in nil }
        for words in [
            ["--item", "a"], ["--activity", "x", "y"], ["--item", "a", "b", "--activity", "x"],
            ["--words", "x"], ["desktop", "--words", "x"], ["--item", "a", "b", "--words", "!"],
            ["--activity", "x", "--words", ""],
        ] {
            let typed = Typed(["doctor"] + words + ["--home", node.folder.path])
            #expect(typed.status == 2 && !typed.errors.isEmpty, "\(words)")
        }
        #expect(node.calls.isEmpty)
    }
}
