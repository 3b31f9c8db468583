package import BatonClient

extension DeclaredValueType {
    /// Describes the kind of a value.
    package init(form: _IntentValueForm) {
        switch form {
        case .optional(let inner):
            self.init(form: inner)
            isOptional = true
        case .list(let inner):
            self.init(form: inner)
            // A list is not optional because its elements are.
            (isOptional, isList) = (false, true)
        case .choice(let type): self.init(.choice, named: type.persistentIdentifier)
        case .entity(let type): self.init(.entity, named: type.persistentIdentifier)
        case .text: self.init(.text)
        case .integer: self.init(.integer)
        case .real: self.init(.real)
        case .flag: self.init(.flag)
        case .date: self.init(.date)
        case .components: self.init(.components)
        case .url: self.init(.url)
        case .measurement: self.init(.measurement)
        case .money: self.init(.money)
        case .file: self.init(.file)
        case .person: self.init(.person)
        case .paymentMethod: self.init(.paymentMethod)
        case .identifier: self.init(.identifier)
        case .union: self.init(.union)
        case .nothing: self.init(.nothing)
        }
    }
}
