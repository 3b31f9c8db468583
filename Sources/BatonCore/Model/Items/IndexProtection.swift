/// The protection of an app's index whose content is sealed.
///
/// An index with a protection is another index than the one of the same name without it, or with another protection.
/// So the protection is a part of the index's name, behind a character that no name for people has. The name itself is
/// not sealed.
package enum IndexProtection: String, CaseIterable, Sendable {
    /// The index is neither read nor written while the account is locked.
    case complete
    /// The index is not read while the account is locked, but it may be written.
    case completeUnlessOpen

    /// The character between the name and the protection: the unit separator of ASCII.
    private static let separator: UInt8 = 0x1f

    /// Returns the name under which the index with this name and protection is stored.
    package func name(of index: String) -> String {
        index + String(UnicodeScalar(Self.separator)) + rawValue
    }

    /// Reads the protection from the stored name of an index; nil if the index has none.
    package init?(ofIndex name: String) {
        guard let place = name.utf8.lastIndex(of: Self.separator) else { return nil }
        self.init(rawValue: String(name[name.utf8.index(after: place)...]))
    }

    /// Returns the stored name of an index without its protection, as the app chose it.
    package static func bareName(of index: String) -> String {
        guard Self(ofIndex: index) != nil, let place = index.utf8.lastIndex(of: separator) else {
            return index
        }
        return String(index[..<place])
    }

    /// Returns the name of an index for people, who see that it is protected.
    package static func shownName(of index: String) -> String {
        Self(ofIndex: index) == nil ? index : "\(bareName(of: index)) (protected)"
    }
}

extension ClientStateName {
    /// Whether the content of the index is sealed.
    package var isProtected: Bool { IndexProtection(ofIndex: index) != nil }
}

extension ItemName {
    /// Whether the item belongs to an index whose content is sealed.
    package var isProtected: Bool { IndexProtection(ofIndex: index) != nil }
}
