public import LocalizedStrings

/// A value that has a title for people.
public protocol InstanceDisplayRepresentable: CustomLocalizedStringResourceConvertible {
    /// The title of the value, with what else a list shows.
    var displayRepresentation: DisplayRepresentation { get }
}

extension InstanceDisplayRepresentable {
    /// The title.
    public var localizedStringResource: LocalizedStringResource { displayRepresentation.title }
}
