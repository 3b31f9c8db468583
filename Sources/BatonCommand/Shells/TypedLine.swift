/// A command line, split into the commands that it may run.
///
/// The line may be for bash, zsh or fish. Parsing stops where these shells would disagree, or where the parser can't be
/// certain. The rest of the line is neither shown to other machines nor compared with processes.
struct TypedLine {
    /// The commands of the line.
    ///
    /// Empty commands are left out.
    private(set) var commands: [Command] = []
    /// Whether parsing stopped before the end of the line.
    private(set) var isCut = false
    /// Whether a word of the line contains other commands, which the shell runs to expand the word.
    private(set) var hasSubstitution = false

    struct Command {
        var words: [Word] = []
        /// Whether the command is connected to another command by a pipe.
        var isPiped = false
        /// Whether the command runs in the background.
        var isInBackground = false
    }

    struct Word {
        /// The range of the word in the line.
        ///
        /// It includes quotation marks.
        var place: Range<Int>
        var text = ""
        /// The reason why the shell changes the word, or nil if the program gets the word as it was typed.
        var mark: HiddenPart?
    }

    private let bytes: [UInt8]
    private var at = 0
    /// The word that is being parsed, and the command to which it belongs.
    private var word: Word?
    private var command = Command()

    init(_ text: String) {
        bytes = Array(text.utf8)
        while at < bytes.count { step() }
        endCommand()
    }

    /// Returns the text in a range of the line.
    func text(_ place: Range<Int>) -> String { String(decoding: bytes[place], as: UTF8.self) }

    /// The keywords that may precede a command.
    static let keywords: Set<String> = [
        "if", "then", "elif", "else", "while", "until", "do", "!", "{", "}", "begin", "and", "or", "not",
        "time",
        "fi", "done", "esac", "end",
    ]

    // MARK: Bytes

    private func byte(_ distance: Int = 0) -> Character? {
        at + distance < bytes.count ? Character(Unicode.Scalar(bytes[at + distance])) : nil
    }

    private mutating func step() {
        switch byte() {
        case " ", "\t", "\r":
            endWord()
            at += 1
        case "\n", ";", ")":
            endCommand()
            at += 1
        case "|": endAtPipe()
        case "&": endAtAmpersand()
        case "<", ">": redirect()
        case "(": openParenthesis()
        case "#" where word == nil: skipComment()
        case "\\":
            mark(.quotation)
            at += 2
        case "'": quote()
        case "\"": quoteTwice()
        case "`": substituteBackwards()
        case "$": expand()
        default:
            if word == nil { word = Word(place: at..<at) }
            at += 1
        }
    }

    private mutating func mark(_ mark: HiddenPart) {
        var marked = word ?? Word(place: at..<at)
        marked.mark = marked.mark ?? mark
        word = marked
    }

    private mutating func cut() { (at, isCut) = (bytes.count, true) }

    private mutating func endWord() {
        at = min(at, bytes.count)
        guard var word else { return }
        word.place = word.place.lowerBound..<at
        word.text = text(word.place)
        command.words.append(word)
        self.word = nil
    }

    private mutating func endCommand() {
        endWord()
        if !command.words.isEmpty { commands.append(command) }
        command = Command()
    }

    // MARK: Between words

    private mutating func endAtPipe() {
        let isOr = byte(1) == "|"
        endWord()
        if !isOr { command.isPiped = true }
        endCommand()
        command.isPiped = !isOr
        at += isOr || byte(1) == "&" ? 2 : 1
    }

    private mutating func endAtAmpersand() {
        if byte(1) == ">" { return redirect() }
        let isAnd = byte(1) == "&"
        endWord()
        command.isInBackground = !isAnd
        endCommand()
        at += isAnd ? 2 : 1
    }

    private mutating func redirect() {
        if let word,
            bytes[word.place.lowerBound..<at].allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        {
            // The digits before the sign are the number of a descriptor. They are part of the redirection.
            mark(.redirection)
        } else {
            endWord()
            mark(.redirection)
        }
        let start = at
        while let next = byte(), "<>&|".contains(next) { at += 1 }
        if byte() == "(" {
            skipParentheses()
        } else if bytes[start..<at].elementsEqual("<<".utf8) {
            // The text of a here-document is on the next lines. It is not parsed.
            cut()
        }
        endWord()
    }

    private mutating func openParenthesis() {
        if word == nil, command.words.allSatisfy({ Self.keywords.contains($0.text) }) {
            endCommand()
            at += 1
        } else {
            mark(.substitution)
            skipParentheses()
        }
    }

    /// Skips a comment.
    ///
    /// Zsh may run a comment as commands, so parsing stops if the comment contains special characters.
    private mutating func skipComment() {
        mark(.comment)
        while let next = byte(), next != "\n" {
            if ";&|()'\"`$".contains(next) { return cut() }
            at += 1
        }
    }

    // MARK: Within words

    /// Skips everything up to the closing parenthesis.
    private mutating func skipParentheses() {
        hasSubstitution = true
        var depth = 0
        repeat {
            switch byte() {
            case "(": (depth, at) = (depth + 1, at + 1)
            case ")": (depth, at) = (depth - 1, at + 1)
            case "'": quote()
            case "\"": quoteTwice()
            case "\\": at += 2
            case nil, "`", "#": return cut()
            default: at += 1
            }
        } while depth > 0
    }

    private mutating func quote() {
        mark(.quotation)
        let start = at + 1
        guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "'")) else { return cut() }
        // Between apostrophes, a backslash is special only in some shells.
        guard !bytes[start..<end].contains(UInt8(ascii: "\\")), at == 0 || bytes[at - 1] != UInt8(ascii: "$")
        else {
            return cut()
        }
        at = end + 1
    }

    private mutating func quoteTwice() {
        mark(.quotation)
        at += 1
        while let next = byte(), next != "\"" {
            if next == "`" || next == "$" && byte(1) == "(" { return cut() }
            if next == "$", byte(1) == "{" {
                at += 1
                skipBraces()
            } else {
                at += next == "\\" ? 2 : 1
            }
        }
        guard at < bytes.count else { return cut() }
        at += 1
    }

    private mutating func substituteBackwards() {
        mark(.substitution)
        hasSubstitution = true
        let start = at + 1
        guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "`")),
            !bytes[start..<end].contains(UInt8(ascii: "\\"))
        else { return cut() }
        at = end + 1
    }

    private mutating func expand() {
        mark(.expansion)
        at += 1
        switch byte() {
        case "(": skipParentheses()
        case "{": skipBraces()
        default: break
        }
    }

    /// Skips the braces of an expansion.
    ///
    /// If they contain quotation marks or another expansion, parsing stops.
    private mutating func skipBraces() {
        guard let end = bytes[at...].firstIndex(of: UInt8(ascii: "}")),
            !bytes[(at + 1)..<end].contains(where: { "'\"`\\({".utf8.contains($0) })
        else { return cut() }
        at = end + 1
    }
}
