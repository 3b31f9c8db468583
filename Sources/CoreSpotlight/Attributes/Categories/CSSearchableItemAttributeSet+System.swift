import BatonCore
public import Foundation

// Attributes that a system may add to an item by itself; nothing on Linux does.

extension CSSearchableItemAttributeSet {
    /// Whether the item needs attention soon, as a system judged it: 0 or 1.
    public var isPriority: NSNumber? { self[.isPriority] }

    /// A summary of the item's text that a system wrote.
    public var textContentSummary: String? { self[.textContentSummary] }

    /// The text that was recognised in the item's sound or pictures.
    public var transcribedTextContent: String? {
        get { self[.transcribedTextContent] }
        set { self[.transcribedTextContent] = newValue }
    }
}
