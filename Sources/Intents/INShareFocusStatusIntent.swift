public import Foundation

/// Tells an app whether the person wishes to be undisturbed; nothing on Linux sends it.
open class INShareFocusStatusIntent: INIntent {
    /// The person's wish; nil if it is not known.
    public let focusStatus: INFocusStatus?

    /// Creates an intent with the person's wish.
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

/// Whether a person wishes to be undisturbed.
open class INFocusStatus: NSObject, NSCopying, NSSecureCoding {
    /// The person's wish; nil if the app may not know it.
    public let isFocused: Bool?

    /// Creates a status.
    public init(isFocused: Bool?) {
        self.isFocused = isFocused
        super.init()
    }

    /// Returns the status itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether a status can be read securely from an archive.
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
