/// The first part of a command that is not told.
package enum HiddenPart: String, Equatable, Sendable {
    case option, assignment, quotation, expansion, substitution, redirection, pipe, comment
    /// A word that is not plain: it looks random, or has characters that names do not have.
    case word
    /// A word that may be a text or a secret, because of the word or the program before it.
    case argument
    /// A file or folder that is private.
    case place
    /// The rest of a command that is too long, or that can't be parsed for certain.
    case rest

    /// Its name for a person.
    package var title: String {
        switch self {
        case .option: "an option"
        case .assignment: "an assignment"
        case .quotation: "a quotation"
        case .expansion: "an expansion"
        case .substitution: "a substitution"
        case .redirection: "a redirection"
        case .pipe: "a pipe"
        case .comment: "a comment"
        case .word: "a word that is not plain"
        case .argument: "a word that may be a secret"
        case .place: "a private file or folder"
        case .rest: "the rest"
        }
    }
}
