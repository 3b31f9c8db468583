/// The kind of the first part of a command that other machines don't see.
package enum HiddenPart: String, Equatable, Sendable {
    case option, assignment, quotation, expansion, substitution, redirection, pipe, comment
    /// A word that is not plain, because it looks random or has characters that names don't have.
    case word
    /// A word that may be a text or a secret, judging by the word or program before it.
    case argument
    /// A word that names a private file or folder.
    case place
    /// The rest of a command, because the command is too long or can't be parsed with certainty.
    case rest

    /// The name of the kind, for a person.
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
