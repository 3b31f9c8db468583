import BatonCommand
import Support
import Testing

/// Differences between texts, made and applied.
@Suite struct `Unified diffs` {
    private func diff(_ old: String, _ new: String) -> String {
        UnifiedDiff.text(from: Array(old.utf8), to: Array(new.utf8), name: "a")
    }

    private func applied(_ diff: String, _ text: String) -> String? {
        UnifiedDiff.apply(diff, to: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static let lines = (1...12).map { "\($0)\n" }

    @Test func `a diff has three lines of context, and separate hunks for changes far apart`() {
        let old = Self.lines.joined()
        #expect(diff(old, old) == "")
        #expect(
            diff(old, old.replacing("6\n", with: "six\n"))
                == "--- a\n+++ a\n@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-6\n+six\n 7\n 8\n 9\n")
        #expect(
            diff(old, old.replacing("12\n", with: "") + "x\n")
                == "--- a\n+++ a\n@@ -9,4 +9,4 @@\n 9\n 10\n 11\n-12\n+x\n")
        let two = diff(old, "0\n" + old + "13\n")
        #expect(
            two == "--- a\n+++ a\n@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -10,3 +11,4 @@\n 10\n 11\n 12\n+13\n")
        #expect(diff("", "a\n") == "--- a\n+++ a\n@@ -0,0 +1,1 @@\n+a\n")
        #expect(diff("a\n", "a") == "--- a\n+++ a\n@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n")
    }

    @Test func `a diff of any two texts turns the old text into the new one`() {
        var generator = SeededGenerator(seed: 27)
        for _ in 0..<3000 {
            let text = { (generator: inout SeededGenerator) -> String in
                let lines = (0..<generator.number(0...20)).map { _ in
                    ["a\n", "b\n", "\n", "@@ -1,1 +1,1 @@\n", "--- a\n", "c\r\n", "é\n"][
                        generator.number(0...6)]
                }
                return lines.joined() + (generator.chance(30) ? "end" : "")
            }
            let (old, new) = (text(&generator), text(&generator))
            let diff = diff(old, new)
            #expect(diff.isEmpty ? old == new : applied(diff, old) == new, "\(diff)")
        }
    }

    @Test func `a diff of long texts without a common line replaces the whole text`() {
        let old = (0..<3000).map { "a\($0)\n" }.joined()
        let new = (0..<3000).map { "b\($0)\n" }.joined()
        #expect(applied(diff(old, new), old) == new)
    }

    @Test func `a diff applies at the place to which its lines have moved, and nowhere else`() {
        let old = Self.lines.joined()
        let change = diff(old, old.replacing("6\n", with: "six\n"))
        #expect(applied(change, "new\n" + old) == "new\n" + old.replacing("6\n", with: "six\n"))
        #expect(applied(change, old.replacing("7\n", with: "seven\n")) == nil)
        #expect(applied(change, "") == nil)
    }

    @Test(arguments: [
        "", "text", "--- a\n+++ a\n", "@@", "@@ -1 +1 @@\nx\n", "@@ -x,1 +1,1 @@\n-a\n",
        "@@ -99999999999999999999,1 +1,1 @@\n-a\n", "@@ --1,1 +1,1 @@\n-a\n", "@@ -1,1 +1,1 @@\n-b\n",
        "@@ -1,1 +1,1 @@\n-a\n-a\n",
    ])
    func `a malformed diff is not applied`(diff: String) { #expect(applied(diff, "a\n") == nil) }

    @Test func `applying a damaged diff never crashes`() {
        var generator = SeededGenerator(seed: 28)
        let old = Self.lines.joined()
        let whole = Array(diff(old, "0\n" + old.replacing("9\n", with: "")).utf8)
        for _ in 0..<3000 {
            var bytes = whole
            for _ in 0..<generator.number(1...4) {
                bytes[generator.number(0...(bytes.count - 1))] = UInt8(generator.number(0...255))
            }
            _ = applied(String(decoding: bytes, as: UTF8.self), old)
        }
    }

    @Test func `a diff of one file gets the file's name on this machine`() {
        let whole = diff(Self.lines.joined(), "0\n" + Self.lines.joined() + "13")
        #expect(
            UnifiedDiff.plain(whole, named: "/x/b")
                == whole.replacing("--- a\n+++ a", with: "--- /x/b\n+++ /x/b"))
        let evil = "--- a\n+++ /home/me/.bashrc\n@@ -1 +1 @@\n-1\n+2\n"
        #expect(UnifiedDiff.plain(evil, named: "b") == "--- b\n+++ b\n@@ -1 +1 @@\n-1\n+2\n")
        #expect(applied(evil, "1\n") == "2\n")
    }

    @Test(arguments: [
        "", "x", "--- a\n+++ a\n", "@@ -1 +1 @@\n-1\n+2\n",
        // Heads of git: names, renames, modes and binary files.
        "diff --git a/a b/.bashrc\n--- a\n+++ a\n@@ -1 +1 @@\n-1\n+2\n",
        "rename from a\nrename to .bashrc\n--- a\n+++ a\n@@ -1 +1 @@\n-1\n+2\n",
        "--- a\n+++ a\nold mode 100644\nnew mode 100755\n@@ -1 +1 @@\n-1\n+2\n",
        "--- a\n+++ a\nGIT binary patch\nliteral 1\n",
        // A second file, and one that looks like lines of a hunk.
        "--- a\n+++ a\n@@ -1 +1 @@\n-1\n+2\n--- b\n+++ .bashrc\n@@ -1 +1 @@\n-1\n+2\n",
        "--- a\n+++ a\n@@ -1,2 +1,2 @@\n 1\n--- b\n+++ .bashrc\n",
        // Hunks that are shorter or longer than they say.
        "--- a\n+++ a\n@@ -1,2 +1 @@\n-1\n+2\n", "--- a\n+++ a\n@@ -1 +1 @@\n-1\n+2\n+3\n",
        "--- a\n+++ a\n@@ -1 +99999999999999999999 @@\n-1\n+2\n", "--- a\n+++ a\n@@ -1 @@\n-1\n",
        "--- a\n+++ a\n@@ -99999999999999999999,1 +1 @@\n-1\n+2\n",
        "--- a\n+++ a\n@@ -1,99999999999999999999 +1 @@\n-1\n+2\n",
        "--- a\n+++ a\n@@ -x +1 @@\n-1\n+2\n", "--- a\n+++ a\n@@ -1, +1 @@\n-1\n+2\n",
        "--- a\n+++ a\n@@ --1 ++1 @@\n-1\n+2\n",
    ]) func `a diff that may change another file is refused`(diff: String) {
        #expect(UnifiedDiff.plain(diff, named: "b") == nil)
    }
}
