public import Foundation

/// A text that can be translated, and the place of its translation.
///
/// The translation is looked up only when it is needed.
public struct LocalizedStringResource: Equatable, Codable, Sendable {
    /// The key of the translation.
    public let key: String
    /// The text that is used if there is no translation.
    public let defaultValue: String.LocalizationValue
    /// The string table with the translation; nil for `Localizable`.
    public let table: String?
    /// The language of the translation, and the rules for writing numbers.
    public var locale: Locale
    /// The bundle that contains the string table.
    public let bundle: BundleDescription

    /// Creates a text whose translation has a separate key.
    public init(
        _ key: StaticString, defaultValue: String.LocalizationValue, table: String? = nil,
        locale: Locale = .current, bundle: BundleDescription = .main, comment: StaticString? = nil
    ) {
        (self.key, self.defaultValue, self.table) = (key.description, defaultValue, table)
        (self.locale, self.bundle) = (locale, bundle)
    }

    /// Creates a text that is itself the key of its translation.
    public init(
        _ keyAndValue: String.LocalizationValue, table: String? = nil, locale: Locale = .current,
        bundle: BundleDescription = .main, comment: StaticString? = nil
    ) {
        (key, defaultValue, self.table) = (keyAndValue.key, keyAndValue, table)
        (self.locale, self.bundle) = (locale, bundle)
    }

    /// The place where a bundle is found.
    public enum BundleDescription: Sendable {
        /// The main bundle of the program.
        case main
        /// The bundle that contains a class.
        case forClass(AnyClass)
        /// The bundle at the address of a folder.
        case atURL(URL)
    }
}

extension LocalizedStringResource: ExpressibleByStringInterpolation {
    /// Creates a text that is itself the key of its translation, in the main bundle of the program.
    public init(stringLiteral value: String) { self.init(String.LocalizationValue(value)) }

    /// Creates a text that is itself the key of its translation, in the main bundle of the program.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(String.LocalizationValue(stringInterpolation: stringInterpolation))
    }
}

extension LocalizedStringResource.BundleDescription: Equatable, Codable {
    /// The bundle; nil if there is no bundle in the folder.
    var bundle: Bundle? {
        switch self {
        case .main: .main
        case .forClass(let type): Bundle(for: type)
        case .atURL(let url): Bundle(url: url)
        }
    }

    /// The folder of the bundle; nil for the main bundle, whose folder differs between processes.
    private var url: URL? {
        switch self {
        case .main: nil
        case .forClass(let type): Bundle(for: type).bundleURL
        case .atURL(let url): url
        }
    }

    /// Compares the folders of the bundles.
    public static func == (one: Self, other: Self) -> Bool { one.url == other.url }

    /// Encodes the folder of the bundle.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(url)
    }

    /// Decodes the folder of a bundle.
    public init(from decoder: any Decoder) throws {
        let url = try decoder.singleValueContainer().decode(URL?.self)
        self = url.map { .atURL($0) } ?? .main
    }
}

/// A type whose values have a text that can be translated.
public protocol CustomLocalizedStringResourceConvertible {
    /// The text of the value.
    var localizedStringResource: LocalizedStringResource { get }
}

extension LocalizedStringResource: CustomLocalizedStringResourceConvertible {
    /// The text itself.
    public var localizedStringResource: LocalizedStringResource { self }
}
