import Foundation

// On Apple's systems, any object can be an argument of `NSLog("%@", …)`. On Linux, only strings can. So these classes
// pass their descriptions in their place.

/// Keeps the descriptions of objects alive while they are being formatted.
enum FormatArguments {
    private static let key = "org.baton.FormatArguments"
    /// The number of descriptions that each thread keeps, which is larger than the number of arguments of any call.
    private static let kept = 64

    private final class Descriptions {
        var texts: [NSString] = []
    }

    /// Returns the encoding of an object's description, which this thread keeps alive during the formatting.
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
    /// The encoding of the person's description, so that `%@` formats the person.
    public var _cVarArgEncoding: [Int] { FormatArguments.encoding(of: self) }
}
