public import Foundation

/// An app's answer to the question whether it can use a detail of an intent.
open class INIntentResolutionResult: NSObject {
    /// Creates an answer.
    public override required init() { super.init() }

    /// The person must give the detail.
    open class func needsValue() -> Self { self.init() }
    /// The detail is not needed.
    open class func notRequired() -> Self { self.init() }
    /// The app can't use the detail.
    open class func unsupported() -> Self { self.init() }
}

/// An answer about a detail that is a text.
open class INStringResolutionResult: INIntentResolutionResult {
    /// The app can use this text.
    open class func success(with resolvedString: String) -> Self { self.init() }
    /// The person must choose one of these texts.
    open class func disambiguation(with stringsToDisambiguate: [String]) -> Self { self.init() }
    /// The person must confirm this text.
    open class func confirmationRequired(with stringToConfirm: String?) -> Self { self.init() }
}

/// An answer about a detail that is an integer.
open class INIntegerResolutionResult: INIntentResolutionResult {
    /// The app can use this number.
    open class func success(with resolvedValue: Int) -> Self { self.init() }
    /// The person must confirm this number.
    open class func confirmationRequired(with valueToConfirm: Int?) -> Self { self.init() }
}

/// An answer about a detail that is true or false.
open class INBooleanResolutionResult: INIntentResolutionResult {
    /// The app can use this value.
    open class func success(with resolvedValue: Bool) -> Self { self.init() }
    /// The person must confirm this value.
    open class func confirmationRequired(with valueToConfirm: Bool?) -> Self { self.init() }
}

/// The part of an app that handles intents; on Linux, nothing starts it.
open class INExtension: NSObject {
    /// Creates an extension.
    public override init() { super.init() }

    /// Returns the object that handles an intent.
    open func handler(for intent: INIntent) -> Any? { nil }
}

extension NSString {
    /// Returns a text in the person's language, from the string tables of the main bundle.
    public class func deferredLocalizedIntentsString(with format: String, _ arguments: any CVarArg...)
        -> NSString
    {
        let text = Bundle.main.localizedString(forKey: format, value: format, table: nil)
        return arguments.isEmpty ? text as NSString : String(format: text, arguments: arguments) as NSString
    }
}
