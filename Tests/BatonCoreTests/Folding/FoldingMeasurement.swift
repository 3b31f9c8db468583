import BatonCore
import Foundation
import Testing

/// A measurement of folding: `BATON_MEASURE=1 swift test -c release --filter 'what folding costs'` prints it.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BATON_MEASURE"] != nil))
struct `Folding cost` {
    @Test(arguments: [
        ("ASCII", "The quick brown Fox jumps over the lazy dog. "),
        ("mixed", "Report Überblick 日本語のタイトル Отчёт за год, café; résumé 한국어 Łódź. "),
    ])
    func `the time for folding long texts is measured`(name: String, sentence: String) {
        let text = String(repeating: sentence, count: 100)
        let rounds = 20_000_000 / text.utf8.count
        var (bytes, total) = ([UInt8](), 0)
        let time = ContinuousClock().measure {
            for _ in 0..<rounds {
                bytes.removeAll(keepingCapacity: true)
                Folding.search.fold(text, into: &bytes)
                total += bytes.count
            }
        }
        let megabytes = Double(rounds * text.utf8.count) / 1e6
        print("folding \(name): \(Int(megabytes / (time / .seconds(1)))) MB/s, \(total) bytes")
        #expect(total > 0)
    }
}
