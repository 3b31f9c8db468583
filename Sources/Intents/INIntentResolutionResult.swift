public import Foundation

/// The answer of an app to the question whether it can use a detail of an intent.
open class INIntentResolutionResult: NSObject {
    /// Creates an answer.
    public override required init() { super.init() }

    /// The detail has to be given.
    open class func needsValue() -> Self { self.init() }
    /// The detail is not needed.
    open class func notRequired() -> Self { self.init() }
    /// The app can't use the detail.
    open class func unsupported() -> Self { self.init() }
}

/// The answer about a text.
open class INStringResolutionResult: INIntentResolutionResult {
    /// The app uses this text.
    open class func success(with resolvedString: String) -> Self { self.init() }
    /// The person chooses one of these texts.
    open class func disambiguation(with stringsToDisambiguate: [String]) -> Self { self.init() }
    /// The person confirms this text.
    open class func confirmationRequired(with stringToConfirm: String?) -> Self { self.init() }
}

/// The answer about a number.
open class INIntegerResolutionResult: INIntentResolutionResult {
    /// The app uses this number.
    open class func success(with resolvedValue: Int) -> Self { self.init() }
    /// The person confirms this number.
    open class func confirmationRequired(with valueToConfirm: Int?) -> Self { self.init() }
}

/// The answer about a choice of yes or no.
open class INBooleanResolutionResult: INIntentResolutionResult {
    /// The app uses this choice.
    open class func success(with resolvedValue: Bool) -> Self { self.init() }
    /// The person confirms this choice.
    open class func confirmationRequired(with valueToConfirm: Bool?) -> Self { self.init() }
}

/// The part of an app that carries out intents; nothing on Linux starts it.
open class INExtension: NSObject {
    /// Creates the part.
    public override init() { super.init() }

    /// Returns the object that carries out an intent.
    open func handler(for intent: INIntent) -> Any? { nil }
}

extension NSString {
    /// Returns a text in the language of the person, from the tables of the main bundle.
    public class func deferredLocalizedIntentsString(with format: String, _ arguments: any CVarArg...)
        -> NSString
    {
        let text = Bundle.main.localizedString(forKey: format, value: format, table: nil)
        return arguments.isEmpty ? text as NSString : String(format: text, arguments: arguments) as NSString
    }
}
