import BatonCore
import BatonTerminal
import Testing

@Suite struct `Tables` {
    private func table(_ rows: [[VisibleText]]) -> Table {
        var table = Table([.init("ID"), .init("TITLE", least: 5), .init("NOTE")])
        for row in rows { table.add(row) }
        return table
    }

    @Test func `columns line up in any script`() {
        let lines = table([["a", "日本語", "x"], ["b", "plain", "y"], ["c", "🙂", "z"]]).lines(width: nil).map(
            \.text)
        #expect(lines == ["ID  TITLE   NOTE", "a   日本語  x", "b   plain   y", "c   🙂      z"])
    }

    @Test func `at a terminal, columns keep their order in lines with text from right to left`() {
        var table = Table([Table.Column("TITLE"), Table.Column("DEVICE")])
        table.add(["דוח", "desktop"])
        table.add(["Report", "محمول"])
        let mark = "\u{200e}"
        #expect(
            table.lines(width: 40).map(\.text) == [
                "TITLE   DEVICE", "\(mark)דוח\(mark)     desktop", "Report  \(mark)محمول\(mark)",
            ])
        #expect(
            table.lines(width: nil).map(\.text) == ["TITLE   DEVICE", "דוח     desktop", "Report  محمول"])
    }

    @Test func `empty columns are left out, and no line ends with spaces`() {
        let lines = table([["a", "one", ""], ["b", "", ""]]).lines(width: nil).map(\.text)
        #expect(lines == ["ID  TITLE", "a   one", "b"])
    }

    @Test func `an empty cell in the middle is filled with spaces`() {
        let lines = table([["a", "", "x"], ["b", "middle", "y"]]).lines(width: nil).map(\.text)
        #expect(lines == ["ID  TITLE   NOTE", "a           x", "b   middle  y"])
    }

    @Test(arguments: 1...60) func `a table is never wider than the terminal`(width: Int) {
        let lines = table([["abc", "a long title that goes on", "note"], ["d", "日本語のとても長いタイトル", "x"]])
            .lines(width: width)
        for line in lines { #expect(line.width <= width) }
    }

    @Test func `optional columns are dropped once all columns are at their narrowest`() {
        var table = Table([.init("ID"), .init("TITLE", least: 5), .init("WHEN", isOptional: true)])
        table.add(["abc", "a long title", "yesterday"])
        #expect(table.lines(width: 21).map(\.text)[1] == "abc  a lo…  yesterday")
        #expect(table.lines(width: 20).map(\.text)[1] == "abc  a long title")
    }

    @Test func `columns that may be narrowed are narrowed before other columns`() {
        let lines = table([["abc", "a long title", "note"]]).lines(width: 20).map(\.text)
        #expect(lines == ["ID   TITLE      NOTE", "abc  a long t…  note"])
    }
}
