public import Foundation

extension String {
    /// Creates the translation of a text into the language of the program.
    ///
    /// - Parameters:
    ///   - keyAndValue: The text, which is the key of its translation, and is used if there is no translation.
    ///   - table: The table with the translation; nil for `Localizable`.
    ///   - bundle: The bundle with the table; nil for the bundle of the program.
    ///   - locale: The way in which numbers are written.
    ///   - comment: A note for translators.
    public init(
        localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
        locale: Locale = .current, comment: StaticString? = nil
    ) {
        self.init(
            keyAndValue.key, keyAndValue, in: table, of: bundle ?? .main, locale: locale)
    }

    /// Creates the translation of a text that has a key of its own.
    ///
    /// - Parameters:
    ///   - key: The key of the translation.
    ///   - defaultValue: The text that is used if there is no translation; its values are inserted into a translation,
    ///     too.
    ///   - table: The table with the translation; nil for `Localizable`.
    ///   - bundle: The bundle with the table; nil for the bundle of the program.
    ///   - locale: The way in which numbers are written.
    ///   - comment: A note for translators.
    public init(
        localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil,
        bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil
    ) { self.init(key.description, defaultValue, in: table, of: bundle ?? .main, locale: locale) }

    /// Creates the translation of a text into the language of the resource's locale.
    @_disfavoredOverload
    public init(localized resource: LocalizedStringResource) {
        let bundle = resource.bundle.bundle ?? .main
        let translated =
            resource.locale.identifier == Locale.current.identifier
            ? bundle : bundle.translated(into: resource.locale)
        self.init(
            resource.key, resource.defaultValue, in: resource.table, of: translated, locale: resource.locale)
    }

    private init(
        _ key: String, _ value: LocalizationValue, in table: String?, of bundle: Bundle, locale: Locale
    ) {
        let text = bundle.localizedString(forKey: key, value: value.key, table: table)
        // Foundation on Linux does not support rules for plurals. A translation that uses such a rule can't be shown to
        // a person, so the default text is used.
        let format = text.contains("%#@") ? value.key : text
        self =
            value.arguments.map { LocalizedFormat(arguments: $0, locale: locale).text(of: format) } ?? format
    }
}

extension Bundle {
    /// Returns the part of the bundle with the translations into a language; if there is none, returns the bundle
    /// itself.
    ///
    /// This does not use `preferredLocalizations`. On Linux, that method returns the same language for any requested
    /// language.
    fileprivate func translated(into locale: Locale) -> Bundle {
        let languages = localizations
        var wish = locale.identifier.replacingOccurrences(of: "_", with: "-").split(separator: "-")
        while !wish.isEmpty {
            let name = wish.joined(separator: "-").lowercased()
            let language = languages.first {
                $0.replacingOccurrences(of: "_", with: "-").lowercased() == name
            }
            if let path = language.flatMap({ path(forResource: $0, ofType: "lproj") }),
                let part = Bundle(path: path)
            {
                return part
            }
            wish.removeLast()
        }
        return self
    }
}
