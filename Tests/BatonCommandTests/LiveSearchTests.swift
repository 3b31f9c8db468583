import BatonCommand
import BatonCore
import BatonTerminal
import ClientSupport
import Support
import Testing

/// The results of a search, and how a person chooses among them while they type.
@Suite struct `A search while typing` {
    private static func result(
        _ title: String?, url: String? = nil, snippet: Snippet? = nil, identifier: String = "1"
    ) -> SearchResult {
        let item = FoundItem(
            app: "org.example.notes", index: "main", identifier: identifier, title: title, url: url,
            indexed: Example.now)
        return SearchResult(.item(item), devices: [Example.desktop], snippet: snippet)
    }

    private static func typing(_ text: String, _ results: [SearchResult] = []) -> LiveSearch {
        var live = LiveSearch()
        _ = live.press(.text(text))
        _ = live.receiveReply(SearchReply(results, isWhole: true))
        return live
    }

    private static func lines(_ live: LiveSearch, width: Int = 80, height: Int = 12) -> [String] {
        live.screen(width: width, height: height, at: Example.present).lines.map(\.text.text)
    }

    @Test func `a corrected text counts as the text of the search while its results are shown`() {
        var live = LiveSearch()
        _ = live.press(.text("anual"))
        _ = live.receiveReply(SearchReply([Self.result("Annual report")], isWhole: true, corrected: "annual"))
        #expect(live.text == "anual" && live.soughtText == "annual")
        _ = live.press(.text(" rep"))
        _ = live.receiveReply(SearchReply([], isWhole: true))
        #expect(live.soughtText == "anual rep")
    }

    @Test func `the chosen result stays chosen when it moves in the next answer`() {
        var live = LiveSearch()
        _ = live.press(.text("a"))
        let (one, two) = (Self.result("A one"), Self.result("A two", identifier: "2"))
        _ = live.receiveReply(SearchReply([one, two], isWhole: true))
        _ = live.press(.down)
        _ = live.receiveReply(SearchReply([two, one], isWhole: true))
        #expect(live.press(.enter) == .open(two))
        _ = live.press(.down)
        _ = live.receiveReply(SearchReply([two], isWhole: true))
        #expect(live.press(.enter) == .open(two), "the chosen one is gone")
    }

    @Test func `every change of the search line starts a search, and Enter opens the chosen result`() {
        var live = LiveSearch()
        #expect(live.press(.text("a")) == .search && live.text == "a" && live.hasWords)
        #expect(live.press(.left) == .stay)
        #expect(live.press(.enter) == .stay, "there is no answer yet")
        let (one, two) = (Self.result("A one"), Self.result("A two", identifier: "2"))
        #expect(
            live.receiveReply(SearchReply([one, two], isWhole: true)) == .open(one),
            "Enter was pressed before")
        #expect(live.press(.enter) == .open(one))
        _ = live.press(.down)
        _ = live.press(.down)
        #expect(live.press(.enter) == .open(two))
        #expect(live.press(.text("b")) == .search && live.press(.enter) == .stay)
        #expect(live.press(.up) == .stay)
        #expect(live.receiveReply(SearchReply([two], isWhole: true)) == .stay, "another key came after Enter")
        #expect(live.press(.deleteToStart) == .search && live.text == "a")
        #expect(live.press(.deleteToEnd) == .search && !live.hasWords && live.press(.enter) == .stay)
        #expect(
            live.press(.end) == .leave && live.press(.escape) == .leave && live.press(.interrupt) == .leave)
        #expect(live.press(.suspend) == .suspend)
    }

    @Test func `a click chooses a result, a second click opens it, and the wheel scrolls`() {
        let many = (0..<50).map { Self.result("Note \($0)", identifier: "\($0)") }
        var live = Self.typing("note", many)
        #expect(live.click(0) == .stay && live.click(9) == .stay && live.click(11) == .stay)
        #expect(live.click(3) == .stay && Self.lines(live)[3].hasPrefix("▌ * Note 2 "))
        #expect(live.click(3) == .open(many[2]))
        for _ in 0..<10 { _ = live.press(.wheelDown) }
        let chosen = Self.lines(live)
        #expect(chosen[7].hasPrefix("▌ * Note 32 "), "\(chosen)")
        #expect(live.click(2) == .stay)
        #expect(Self.lines(live)[2].hasPrefix("▌ * Note 27 "), "no row has moved: \(Self.lines(live))")
        #expect(live.click(2) == .open(many[27]))
        _ = live.press(.wheelUp)
        #expect(Self.lines(live).contains { $0.hasPrefix("▌ * Note 24 ") })
    }

    @Test func `a preview shows a result's address and texts, and the result's line then shows no address`() {
        let snippet = Snippet("… the annual figures", [8..<14])
        let result = Self.result("Annual report", url: "https://example.org/7", snippet: snippet)
        var live = Self.typing("annual", [result])
        #expect(live.press(.preview) == .stay)
        let below = Self.lines(live, height: 24)
        #expect(below.contains("… the annual figures") && below.contains("https://example.org/7"))
        #expect(below.last == "Enter opens, ^O closes the preview, Esc leaves.")
        #expect(Self.lines(live, width: 120).contains { $0.hasSuffix(" │ https://example.org/7") })
        #expect(!live.hasShownAddress(of: result, width: 80, height: 12))
        _ = live.press(.preview)
        #expect(live.hasShownAddress(of: result, width: 80, height: 12))
    }

    @Test
    func `a result's address counts as shown only if the result was on the screen when Enter was pressed`() {
        let result = Self.result("Annual report", url: "https://example.org/7")
        var live = LiveSearch()
        _ = live.press(.text("annual"))
        _ = live.press(.enter)
        #expect(live.receiveReply(SearchReply([result], isWhole: true)) == .open(result))
        #expect(!live.hasShownAddress(of: result, width: 80, height: 12))
        #expect(live.press(.enter) == .open(result))
        #expect(live.hasShownAddress(of: result, width: 80, height: 12))
    }

    @Test func `the screen shows the search line, results with snippets, and the chosen result's address`() {
        let snippet = Snippet("… the annual figures", [8..<14])
        var live = Self.typing(
            "annual",
            [
                Self.result("Annual report", url: "https://example.org/7"),
                Self.result("Report", snippet: snippet, identifier: "2"),
            ])
        let lines = Self.lines(live)
        #expect(lines.count == 12)
        #expect(lines[0].hasPrefix("Search: annual  ") && lines[0].hasSuffix("  2 results"))
        #expect(lines[1].hasPrefix("▌ * Annual report  ") && lines[1].hasSuffix("  desktop  now"))
        #expect(lines[2].hasPrefix("  * Report         … the annual figures  ") && lines[3] == "")
        #expect(lines[2].hasSuffix("  desktop  now"), "the columns line up")
        #expect(lines[9] == "org.example.notes, on desktop, just now")
        #expect(lines[10] == "https://example.org/7" && lines[11] == "Enter opens, ^O previews, Esc leaves.")
        let screen = live.screen(width: 80, height: 12, at: Example.present)
        #expect(screen.cursor == 14)
        #expect(
            screen.lines[1].shown(isStyled: true).text.hasPrefix(
                "\u{1b}[36m▌ \u{1b}[39m\u{1b}[7m*\u{1b}[27m\u{1b}[7m \u{1b}[27m"
                    + "\u{1b}[1;4;7mAnnual\u{1b}[22;24;27m\u{1b}[7m report\u{1b}[27m"))
        #expect(screen.lines[2].shown(isStyled: true).text.contains("\u{1b}[1mannual\u{1b}[22m"))
        #expect(screen.lines[2].shown(isStyled: false).text == lines[2])
        #expect(live.hasShownAddress(of: Self.result("x", url: "https://a.b"), width: 40, height: 12))
        #expect(!live.hasShownAddress(of: Self.result("x", url: "https://a.b"), width: 40, height: 6))
        let long = Self.result("x", url: "https://" + String(repeating: "a", count: 40))
        #expect(!live.hasShownAddress(of: long, width: 40, height: 12))
        live.handleLoss()
        #expect(Self.lines(live)[11].hasPrefix("The node has stopped."))
        _ = live.press(.text("x"))
        #expect(Self.lines(live)[11].hasPrefix("The node has stopped."), "it is still gone")
        live.handleReturn()
        #expect(Self.lines(live)[11] == "Enter opens, ^O previews, Esc leaves.")
        #expect(Self.lines(Self.typing("zzz"))[11] == "Nothing found.")
        live.receiveFailure(LocalFailure(.failed, "a\nb\u{1b}"))
        #expect(Self.lines(live)[11] == "a b\\u{1b}")
    }

    @Test func `the chosen result stays on the screen at every height`() {
        let many = (0..<50).map { Self.result("Note \($0)", identifier: "\($0)") }
        var live = Self.typing("note", many)
        for _ in 0..<30 { _ = live.press(.down) }
        for height in 2...40 {
            let lines = Self.lines(live, height: height)
            #expect(lines.count == height && lines.contains { $0.hasPrefix("▌ * Note 30") }, "\(height)")
        }
        #expect(Self.lines(live, height: 1).count == 1)
        _ = live.press(.pageUp)
        #expect(Self.lines(live).contains { $0.hasPrefix("▌ * Note 20") })
        for _ in 0..<9 { _ = live.press(.pageDown) }
        #expect(Self.lines(live).contains { $0.hasPrefix("▌ * Note 49") })
    }

    @Test func `no result makes a line wider than the screen or sends control characters to the terminal`() {
        let hostile =
            "\u{1b}]0;x\u{7}\u{1b}[2J\n\u{202e}東京都東京都\u{301}\u{301}👩‍👩‍👧שלום" + String(repeating: "長", count: 200)
        let result = SearchResult(
            .both(
                FoundItem(app: hostile, index: hostile, identifier: hostile, title: hostile, url: hostile),
                FoundActivity(identifier: "x", app: hostile, type: hostile, ended: Example.now)),
            devices: [DeviceReference(identifier: Example.desktop.identifier, name: hostile, isHere: false)],
            snippet: Snippet(hostile, [1..<3, 20..<26]))
        var live = Self.typing(hostile, [result, Self.result(nil)])
        for width in [1, 2, 5, 10, 20, 40, 80, 300] {
            for height in [1, 2, 3, 8, 24] {
                let (lines, cursor) = live.screen(width: width, height: height, at: Example.present)
                #expect(lines.count == height && cursor < max(width, 1))
                for line in lines {
                    #expect(line.width <= width)
                    #expect(!line.text.text.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202e}" })
                }
            }
        }
        _ = live.press(.down)
        #expect(Self.lines(live)[2].hasPrefix("▌ * 1"), "a result without a title is named by its identifier")
    }
}

extension LiveSearch {
    /// Clicks at a line of a screen of 80 × 12.
    fileprivate mutating func click(_ line: Int) -> Step {
        click(line: line, cell: 5, width: 80, height: 12, at: Example.present)
    }
}
