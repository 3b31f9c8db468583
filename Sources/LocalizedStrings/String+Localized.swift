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
            localized: keyAndValue, options: LocalizationOptions(), table: table, bundle: bundle,
            locale: locale)
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
    ) {
        self = defaultValue.translated(
            key.description, in: table, of: bundle ?? .main, locale: locale, options: LocalizationOptions())
    }

    /// Creates the translation of a text, with values for its placeholders.
    ///
    /// - Parameters:
    ///   - keyAndValue: The text, which is the key of its translation, and is used if there is no translation.
    ///   - options: The values for the placeholders.
    ///   - table: The table with the translation; nil for `Localizable`.
    ///   - bundle: The bundle with the table; nil for the bundle of the program.
    ///   - locale: The way in which numbers are written.
    ///   - comment: A note for translators.
    public init(
        localized keyAndValue: LocalizationValue, options: LocalizationOptions, table: String? = nil,
        bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil
    ) {
        self = keyAndValue.translated(
            keyAndValue.key, in: table, of: bundle ?? .main, locale: locale, options: options)
    }

    /// Creates the translation of a text into the language of the resource's locale.
    @_disfavoredOverload
    public init(localized resource: LocalizedStringResource) {
        self = resource.translated(options: LocalizationOptions())
    }

    /// Creates the translation of a text into the language of the resource's locale, with values for the placeholders.
    public init(localized resource: LocalizedStringResource, options: LocalizationOptions) {
        self = resource.translated(options: options)
    }
}

extension LocalizedStringResource {
    /// Returns the translation into the language of the locale, with each value as `transform` changes it.
    func translated(
        options: String.LocalizationOptions, transform: @escaping (String) -> String = { $0 }
    ) -> String {
        let bundle = bundle.bundle ?? .main
        let translated =
            locale.identifier == Locale.current.identifier ? bundle : bundle.translated(into: locale)
        return defaultValue.translated(
            key, in: table, of: translated, locale: locale, options: options, transform: transform)
    }
}

extension String.LocalizationValue {
    /// Returns the translation that has a key, with each value as `transform` changes it.
    func translated(
        _ key: String, in table: String?, of bundle: Bundle, locale: Locale,
        options: String.LocalizationOptions, transform: @escaping (String) -> String = { $0 }
    ) -> String {
        let text = bundle.localizedString(forKey: key, value: self.key, table: table)
        // Foundation on Linux does not read rules for plurals. A translation that refers to one can't be shown to a
        // person, so the default is used.
        let format = text.contains("%#@") ? self.key : text
        guard let arguments else { return format }
        return LocalizedFormat(arguments: options.filling(arguments), locale: locale, transform: transform)
            .text(of: format)
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
