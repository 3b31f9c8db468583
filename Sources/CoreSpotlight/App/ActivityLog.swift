import BatonClient
import BatonCore
import BatonNetwork
import Foundation

/// Reports faults to the developer that no caller gets as errors, and gives advice on request.
///
/// Each text is written only once. Advice is given if the environment variable `BATON_DEBUG` is set.
struct ActivityLog: Sendable {
    private let told = Told()

    private final class Told: Sendable {
        let texts = Monitor<Set<String>>([])
        let advice = Monitor(AppAdvice())
    }

    /// Whether the developer wants advice.
    private static let isAdvising = Environment.variable("BATON_DEBUG").map { !$0.isEmpty } ?? false

    /// Gives advice about a call that the app makes.
    func advise(on call: any LocalCall) { advise { $0.advice(on: call) } }

    /// Gives advice about an activity that was released while it was current.
    func adviseOnRelease(ofType type: String) { advise { $0.adviceOnRelease(ofType: type) } }

    /// Gives advice about an item of which a text was cut, because the item was too large.
    func adviseOnCutting(_ text: Attribute, ofItem identifier: String) {
        advise { $0.adviceOnCutting(text, ofItem: identifier) }
    }

    /// Says that changes of indexes are kept on the disk, and gives the reason.
    func adviseOnKeeping(because failure: LocalFailure) { advise { $0.adviceOnKeeping(because: failure) } }

    private func advise(_ advice: (inout AppAdvice) -> [String]) {
        guard Self.isAdvising else { return }
        for text in told.advice.change({ advice(&$0) }) { fault("Advice: \(text)") }
    }

    /// Writes a fault to standard error, unless the same text was written before.
    func fault(_ text: String) {
        let isNews = told.texts.change { $0.insert(text).inserted }
        if isNews { FileHandle.standardError.write(Data("CoreSpotlight: \(text)\n".utf8)) }
    }
}
