import BatonClient
import BatonCore

extension JSONError {
    /// The error as visible text that ends with a punctuation mark.
    var sentence: String {
        let shown = VisibleText(text).text
        return shown.hasSuffix("?") || shown.hasSuffix(".") ? shown : shown + "."
    }
}
