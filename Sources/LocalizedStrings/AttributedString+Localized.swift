public import Foundation

extension AttributedString {
    /// Creates the translation of a text, with its links as attributes and without the other marks of Markdown.
    ///
    /// Values are inserted as they are, even if they look like Markdown. Words that ask for an inflection, such as
    /// `^[3 note](inflect: true)`, stay as they are.
    ///
    /// - Parameters:
    ///   - keyAndValue: The text, which is the key of its translation, and is used if there is no translation.
    ///   - table: The table with the translation; nil for `Localizable`.
    ///   - bundle: The bundle with the table; nil for the bundle of the program.
    ///   - locale: The way in which numbers are written.
    ///   - comment: A note for translators.
    public init(
        localized keyAndValue: String.LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
        locale: Locale? = nil, comment: StaticString? = nil
    ) {
        let text = keyAndValue.translated(
            keyAndValue.key, in: table, of: bundle ?? .main, locale: locale ?? .current,
            options: String.LocalizationOptions(), transform: InlineMarkup.escaped)
        self = InlineMarkup(text).attributed
    }

    /// Creates the translation of a text that has a key of its own.
    ///
    /// - Parameters:
    ///   - key: The key of the translation.
    ///   - defaultValue: The text that is used if there is no translation.
    ///   - table: The table with the translation; nil for `Localizable`.
    ///   - bundle: The bundle with the table; nil for the bundle of the program.
    ///   - locale: The way in which numbers are written.
    ///   - comment: A note for translators.
    public init(
        localized key: StaticString, defaultValue: String.LocalizationValue, table: String? = nil,
        bundle: Bundle? = nil, locale: Locale? = nil, comment: StaticString? = nil
    ) {
        let text = defaultValue.translated(
            key.description, in: table, of: bundle ?? .main, locale: locale ?? .current,
            options: String.LocalizationOptions(), transform: InlineMarkup.escaped)
        self = InlineMarkup(text).attributed
    }

    /// Creates the translation of a text into the language of its locale.
    @_disfavoredOverload
    public init(localized resource: LocalizedStringResource) {
        let text = resource.translated(
            options: String.LocalizationOptions(), transform: InlineMarkup.escaped)
        self = InlineMarkup(text).attributed
    }
}
