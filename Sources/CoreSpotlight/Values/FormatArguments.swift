import Foundation

// On Apple's systems every object can be an argument of `NSLog("%@", …)`. On Linux only strings can, so these classes
// pass their descriptions.

/// Keeps the descriptions of objects for as long as they are formatted.
enum FormatArguments {
    private static let key = "org.baton.FormatArguments"
    /// The number of descriptions that a thread keeps: more than a single formatting call has arguments.
    private static let kept = 64

    private final class Descriptions {
        var texts: [NSString] = []
    }

    /// Returns the encoding of an object's description, which this thread keeps until it has formatted many others.
    static func encoding(of object: NSObject) -> [Int] {
        let dictionary = Thread.current.threadDictionary
        let descriptions = dictionary[key] as? Descriptions ?? Descriptions()
        dictionary[key] = descriptions
        let text = object.description as NSString
        if descriptions.texts.count >= kept { descriptions.texts.removeFirst() }
        descriptions.texts.append(text)
        return [Int(bitPattern: Unmanaged.passUnretained(text).toOpaque())]
    }
}

extension CSPerson: CVarArg {
    /// The encoding of the description, for `%@`.
    public var _cVarArgEncoding: [Int] { FormatArguments.encoding(of: self) }
}
