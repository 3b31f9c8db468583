/// Names a focus of the person: a set of settings that is switched on by its name.
package struct FocusName: RecordName {
    package let name: String

    package static let kind = RecordKind.focus
    package static let partCount = 1

    package init(_ name: String) { self.name = name }

    package func encode(to writer: inout CBORWriter) { writer.text(name) }

    package init(from reader: inout CBORReader) throws(CBORError) { self.init(try reader.text()) }

    /// The words that `baton focus` takes for something else, so that no focus can have them as its name.
    package static let reserved: Set<String> = ["off", "list", "show", "add", "remove", "set", "unset"]

    /// The most focuses of an account.
    package static let most = 64

    /// Whether a person may give a focus this name: it is visible, short, and no word of the command.
    package var isAllowed: Bool {
        !name.isEmpty && name.utf8.count <= Limits.nameBytes && !name.hasPrefix("-")
            && VisibleText(name).text == name && !Self.reserved.contains(name)
    }
}
