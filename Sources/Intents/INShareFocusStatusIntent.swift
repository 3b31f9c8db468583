public import Foundation

/// An intent that tells an app whether the person wants not to be disturbed; on Linux, nothing sends it.
open class INShareFocusStatusIntent: INIntent {
    /// The status of the person; nil if it is not known.
    public let focusStatus: INFocusStatus?

    /// Creates an intent with the status of the person.
    public init(focusStatus: INFocusStatus?) {
        self.focusStatus = focusStatus
        super.init()
    }

    /// Returns an intent with the same properties.
    open override func copy(with zone: NSZone? = nil) -> Any {
        guard type(of: self) == INShareFocusStatusIntent.self else { return self }
        return INShareFocusStatusIntent(focusStatus: focusStatus).taking(self)
    }

    /// Writes the intent to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(focusStatus, forKey: "focusStatus")
    }

    /// Reads an intent from an archive.
    public required init?(coder: NSCoder) {
        focusStatus = coder.decodeObject(of: INFocusStatus.self, forKey: "focusStatus")
        super.init(coder: coder)
    }
}

/// A status that says whether a person wants not to be disturbed.
open class INFocusStatus: NSObject, NSCopying, NSSecureCoding {
    /// Whether the person wants not to be disturbed; nil if the app is not allowed to know.
    public let isFocused: Bool?

    /// Creates a status.
    public init(isFocused: Bool?) {
        self.isFocused = isFocused
        super.init()
    }

    /// Returns the status itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether statuses can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the status to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(isFocused.map { NSNumber(value: $0) }, forKey: "isFocused")
    }

    /// Reads a status from an archive.
    public required init?(coder: NSCoder) {
        isFocused = coder.decodeObject(of: NSNumber.self, forKey: "isFocused")?.boolValue
        super.init()
    }
}
