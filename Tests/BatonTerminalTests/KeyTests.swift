import BatonTerminal
import Testing

@Suite struct `Keys of a terminal` {
    @Test func `keys are read however their bytes are divided`() {
        let bytes = Array("aé東👩‍👩‍👧\u{1b}[A\u{1b}OB\u{1b}[3~\u{1b}[1;5C\r\u{7f}\u{3}\u{1b}[99;99Z\u{1b}xb".utf8)
        var whole = KeyReader()
        let keys = whole.decodeBytes(bytes)
        let family = "👩‍👩‍👧".unicodeScalars.map { Key.text(String($0)) }
        #expect(
            keys == [.text("a"), .text("é"), .text("東")] + family + [
                .up, .down, .delete, .right, .enter, .backspace, .interrupt, .text("b"),
            ])
        var parts = KeyReader()
        #expect(bytes.flatMap { parts.decodeBytes([$0]) } == keys)
    }

    @Test func `an escape byte is the Escape key only if no escape sequence follows`() {
        var reader = KeyReader()
        #expect(reader.decodeBytes([0x1b]).isEmpty && reader.isInEscape)
        let escape = reader.handleSilence()
        #expect(escape == [.escape] && !reader.isInEscape)
        let both = reader.decodeBytes([0x1b, 0x1b])
        #expect(both == [.escape] && reader.isInEscape)
        let up = reader.decodeBytes(Array("[A".utf8))
        #expect(up == [.up] && reader.handleSilence().isEmpty)
        // A sequence that breaks off, or never ends, is no key.
        _ = reader.decodeBytes(Array("\u{1b}[1".utf8))
        #expect(reader.handleSilence().isEmpty && !reader.isInEscape)
        let endless = reader.decodeBytes(Array(("\u{1b}[" + String(repeating: "1", count: 1000)).utf8))
        #expect(endless.count > 900 && endless.allSatisfy { $0 == .text("1") })
        let broken = reader.decodeBytes([0xff, 0xc3, 0x28, 0x80, 0x61])
        #expect(broken == [.text("("), .text("a")])
    }

    @Test func `pasted text is never read as keys, and long pasted text is cut`() {
        var reader = KeyReader()
        let pasted = reader.decodeBytes(Array("\u{1b}[200~rm -rf\r\u{3}x\u{1b}[A\u{1b}[201~y".utf8))
        #expect(pasted == [.text("rm -rf  x [A"), .text("y")])
        let long = "\u{1b}[200~" + String(repeating: "z", count: 1_000_000) + "\u{1b}[201~q"
        let keys = reader.decodeBytes(Array(long.utf8))
        guard keys.count == 2, case .text(let text) = keys[0] else {
            return #expect(Bool(false), "\(keys.count)")
        }
        #expect(text.utf8.count <= 70_000 && keys[1] == .text("q"))
    }

    @Test(.timeLimit(.minutes(1)))
    func `pasting a megabyte takes linear time, however its bytes are divided`() {
        let mark = "\u{1b}[201~"
        for count in [131_060, 131_065, 131_066, 131_067, 131_072, 1_000_000] {
            var reader = KeyReader()
            let long = "\u{1b}[200~" + String(repeating: "~", count: count) + mark + "q"
            #expect(
                reader.decodeBytes(Array(long.utf8)) == [
                    .text(String(repeating: "~", count: 65_536)), .text("q"),
                ])
        }
    }

    @Test func `clicks and turns of the wheel are decoded, and other mouse events are ignored`() {
        var reader = KeyReader()
        let keys = reader.decodeBytes(
            Array("\u{1b}[<0;1;1M\u{1b}[<0;200;50M\u{1b}[<64;3;4Ma\u{1b}[<65;3;4M".utf8))
        #expect(
            keys == [
                .click(line: 0, cell: 0), .click(line: 49, cell: 199), .wheelUp, .text("a"), .wheelDown,
            ])
        for hostile in [
            "<0;1;1m", "<1;1;1M", "<2;1;1M", "<4;1;1M", "<32;1;1M", "<0;0;1M", "<0;1;0M", "<0;1M",
            "<0;1;1;1M", "<;;M", "<M", "<0;-1;1M", "<0;1;99999999999999999999M", "<64M", "<0:1:1M",
            "<+0;1;1M", "M !!", "M\r\u{3}\u{4}",
        ] {
            #expect(reader.decodeBytes(Array("\u{1b}[\(hostile)x".utf8)) == [.text("x")], "\(hostile)")
        }
        // A sequence that is cut is no key, and neither is its rest another one.
        _ = reader.decodeBytes(Array("\u{1b}[<0;1".utf8))
        #expect(reader.handleSilence().isEmpty && !reader.isInEscape)
        _ = reader.decodeBytes(Array("\u{1b}[M!".utf8))
        #expect(reader.handleSilence().isEmpty && reader.decodeBytes([0x61]) == [.text("a")])
    }
}
