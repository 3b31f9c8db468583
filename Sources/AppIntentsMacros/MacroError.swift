/// A declaration that a macro can't expand.
struct MacroError: Error {
    /// The error in words, with a way out.
    let message: String
    /// The place in the declaration in bytes; nil for the attribute itself.
    var offset: Int?
}
