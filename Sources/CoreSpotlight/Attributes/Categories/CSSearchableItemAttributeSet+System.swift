import BatonCore
public import Foundation

// Attributes that an operating system may add to an item; on Linux, nothing adds them.

extension CSSearchableItemAttributeSet {
    /// Whether the operating system judged that the item needs attention soon: 0 or 1.
    public var isPriority: NSNumber? { self[.isPriority] }

    /// A summary of the item's text, written by the operating system.
    public var textContentSummary: String? { self[.textContentSummary] }

    /// The text that was recognised in the audio or the pictures of the item.
    public var transcribedTextContent: String? {
        get { self[.transcribedTextContent] }
        set { self[.transcribedTextContent] = newValue }
    }
}
