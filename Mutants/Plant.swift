import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Plants mistakes in a copy of the sources, each behind a switch: `Plant TREE COUNT SEED WITHOUT PART...`.
///
/// TREE is the copy, which is changed in place from the sources in the current folder. WITHOUT are numbers of mutants,
/// with commas between them, that are drawn and left out. A line is printed for each mutant, with tabs between: the
/// number, the file, the line, the kind, the original, the changed line, and its first and last line in the copy.
@main struct Plant {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 5, let count = Int(arguments[2]), let seed = UInt64(arguments[3]) else {
            print("usage: Plant TREE COUNT SEED WITHOUT PART...")
            exit(2)
        }
        let tree = arguments[1]
        let without = Set(arguments[4].split(separator: ",").compactMap { Int($0) })
        let files = try arguments.dropFirst(4).flatMap(sources(in:)).map(SourceFile.init(path:))
        for (index, mutants) in draw(count, from: files, seed) {
            let file = files[index]
            let kept = mutants.filter { !without.contains($0.number) }
            let (text, lines) = file.planting(kept)
            try text.write(toFile: "\(tree)/\(file.path)", atomically: true, encoding: .utf8)
            for (mutant, span) in zip(kept, lines) {
                let (line, original, changed) = file.account(of: mutant.mutation)
                let columns = [
                    "\(mutant.number)", file.path, "\(line)", mutant.mutation.kind.rawValue, original,
                    changed,
                    "\(span.lowerBound)", "\(span.upperBound)",
                ]
                print(columns.joined(separator: "\t"))
            }
        }
    }

    /// The Swift files below a folder, or the one file, in an order that doesn't depend on the file system.
    private static func sources(in part: String) throws -> [String] {
        if part.hasSuffix(".swift") { return [part] }
        return try FileManager.default.subpathsOfDirectory(atPath: part)
            .filter { $0.hasSuffix(".swift") }.sorted().map { "\(part)/\($0)" }
    }

    /// Draws mutations that do not overlap, for each file in the order of its text.
    private static func draw(
        _ count: Int, from files: [SourceFile], _ seed: UInt64
    ) -> [(file: Int, mutants: [Mutant])] {
        var generator = SplitMix(state: seed)
        let all = files.indices.flatMap { file in files[file].mutations.map { (file, $0) } }
        var drawn: [Int: [Mutant]] = [:]
        var number = 0
        for (file, mutation) in all.shuffled(using: &generator) where number < count {
            if drawn[file, default: []].contains(where: { $0.mutation.range.overlaps(mutation.range) }) {
                continue
            }
            number += 1
            drawn[file, default: []].append(Mutant(number: number, mutation: mutation))
        }
        // A file without a mutant is written, too, as an earlier run may have planted some in it.
        return files.indices.map { file in
            (
                file,
                drawn[file, default: []].sorted {
                    $0.mutation.range.lowerBound < $1.mutation.range.lowerBound
                }
            )
        }
    }
}

/// SplitMix64; the library's own generator has no seed.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

/// A mutation that was drawn.
struct Mutant {
    let number: Int
    let mutation: Mutation
}

/// A source file and all that can be changed in it.
struct SourceFile {
    let path: String
    let mutations: [Mutation]
    private let bytes: [UInt8]

    init(path: String) throws {
        self.path = path
        let text = try String(contentsOfFile: path, encoding: .utf8)
        bytes = Array(text.utf8)
        // An operator of our own stays where it is in the text, however it is folded.
        let folded = OperatorTable.standardOperators.foldAll(Parser.parse(source: text)) { _ in }
        let finder = MutationFinder(viewMode: .sourceAccurate)
        finder.walk(folded)
        mutations = finder.found
    }

    /// The text with mutants in the order of the text, and the lines that each takes there.
    func planting(_ mutants: [Mutant]) -> (text: String, lines: [ClosedRange<Int>]) {
        var (text, place, lines): (String, Int, [ClosedRange<Int>]) = ("", 0, [])
        var line = 1
        func append(_ piece: String) {
            text += piece
            line += piece.utf8.count { $0 == UInt8(ascii: "\n") }
        }
        for mutant in mutants {
            append(string(place..<mutant.mutation.range.lowerBound))
            let first = line
            append(mutant.mutation.form.code(original: string(mutant.mutation.range), mutant.number))
            lines.append(first...line)
            place = mutant.mutation.range.upperBound
        }
        append(string(place..<bytes.count))
        return (text, lines)
    }

    /// The lines that a mutation touches, as they are and as it makes them, each as one line.
    func account(of mutation: Mutation) -> (line: Int, original: String, changed: String) {
        let newline = UInt8(ascii: "\n")
        let range = mutation.range
        let start = bytes[..<range.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? 0
        let end = bytes[range.upperBound...].firstIndex(of: newline) ?? bytes.count
        let changed =
            string(start..<range.lowerBound) + mutation.form.changed + string(range.upperBound..<end)
        return (
            bytes[..<start].count { $0 == newline } + 1, oneLine(string(start..<end)), oneLine(changed)
        )
    }

    private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
