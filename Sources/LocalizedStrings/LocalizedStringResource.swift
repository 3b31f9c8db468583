public import Foundation

/// A text to be translated, with the place of its translation, which is looked up when it is needed.
public struct LocalizedStringResource: Equatable, Codable, Sendable {
    /// The key of the translation.
    public let key: String
    /// The text that is used if there is no translation.
    public let defaultValue: String.LocalizationValue
    /// The table with the translation; nil for `Localizable`.
    public let table: String?
    /// The language of the translation, and the way in which numbers are written.
    public var locale: Locale
    /// The bundle with the table.
    public let bundle: BundleDescription

    /// Creates a text with a key of its own.
    public init(
        _ key: StaticString, defaultValue: String.LocalizationValue, table: String? = nil,
        locale: Locale = .current, bundle: BundleDescription = .main, comment: StaticString? = nil
    ) {
        (self.key, self.defaultValue, self.table) = (key.description, defaultValue, table)
        (self.locale, self.bundle) = (locale, bundle)
    }

    /// Creates a text that is the key of its translation.
    public init(
        _ keyAndValue: String.LocalizationValue, table: String? = nil, locale: Locale = .current,
        bundle: BundleDescription = .main, comment: StaticString? = nil
    ) {
        (key, defaultValue, self.table) = (keyAndValue.key, keyAndValue, table)
        (self.locale, self.bundle) = (locale, bundle)
    }

    /// The place of a bundle.
    public enum BundleDescription: Sendable {
        /// The bundle of the program.
        case main
        /// The bundle of a class.
        case forClass(AnyClass)
        /// The bundle in a folder.
        case atURL(URL)
    }
}

extension LocalizedStringResource: ExpressibleByStringInterpolation {
    /// Creates a text that is the key of its translation, in the bundle of the program.
    public init(stringLiteral value: String) { self.init(String.LocalizationValue(value)) }

    /// Creates a text that is the key of its translation, in the bundle of the program.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(String.LocalizationValue(stringInterpolation: stringInterpolation))
    }
}

extension LocalizedStringResource.BundleDescription: Equatable, Codable {
    /// The bundle; nil if the folder has none.
    var bundle: Bundle? {
        switch self {
        case .main: .main
        case .forClass(let type): Bundle(for: type)
        case .atURL(let url): Bundle(url: url)
        }
    }

    /// The folder of the bundle; nil for the bundle of the program, whose folder differs between processes.
    private var url: URL? {
        switch self {
        case .main: nil
        case .forClass(let type): Bundle(for: type).bundleURL
        case .atURL(let url): url
        }
    }

    /// Compares the folders.
    public static func == (one: Self, other: Self) -> Bool { one.url == other.url }

    /// Writes the folder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(url)
    }

    /// Reads the folder.
    public init(from decoder: any Decoder) throws {
        let url = try decoder.singleValueContainer().decode(URL?.self)
        self = url.map { .atURL($0) } ?? .main
    }
}

/// Something that has a text to be translated.
public protocol CustomLocalizedStringResourceConvertible {
    /// The text.
    var localizedStringResource: LocalizedStringResource { get }
}

extension LocalizedStringResource: CustomLocalizedStringResourceConvertible {
    /// The text itself.
    public var localizedStringResource: LocalizedStringResource { self }
}
