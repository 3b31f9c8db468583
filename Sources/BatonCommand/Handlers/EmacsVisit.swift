/// The arguments by which Emacs opens a file without asking a version control system about the file.
///
/// Normally, Emacs asks as soon as it visits a file. It would start git or a similar program, and this would start any
/// program that the settings of the repository name.
enum EmacsVisit {
    /// Returns the arguments for a new Emacs.
    ///
    /// Version control is turned off only while Emacs visits the file.
    static func arguments(for opening: FileOpening) -> [String] {
        var place: [String] = []
        if let line = opening.line { place = ["+\(line)" + (opening.column.map { ":\($0)" } ?? "")] }
        return [
            "--eval", "(defvar baton--backends (prog1 vc-handled-backends (setq vc-handled-backends nil)))",
        ] + place + [opening.path, "--eval", "(setq vc-handled-backends baton--backends)"]
    }

    /// Returns the arguments by which `emacsclient` asks a running Emacs to visit the file.
    ///
    /// The path is a string within a Lisp expression. An alternate editor would get the whole expression as the name of
    /// a file. So no alternate editor is allowed, except for a new Emacs.
    static func request(for opening: FileOpening, startsServer: Bool) -> [String] {
        var steps = "(find-file \(literal(opening.path)))"
        if let line = opening.line {
            steps += " (widen) (goto-char (point-min)) (forward-line \(line - 1))"
            if let column = opening.column {
                steps += " (forward-char (min \(column - 1) (- (line-end-position) (point))))"
            }
        }
        let alternative = startsServer ? [] : ["--alternate-editor=false"]
        return alternative + [
            "--suppress-output", "--eval", "(let ((vc-handled-backends nil)) \(steps) nil)",
        ]
    }

    /// Returns the alternate editor that the arguments of `emacsclient` name, or nil if they name none.
    static func alternative(of words: [String]) -> String? {
        let long = "--alternate-editor"
        var found: String?
        for (place, word) in words.enumerated() {
            if word == "-a" || word == long {
                found = place + 1 < words.count ? words[place + 1] : nil
            } else if word.hasPrefix(long + "=") {
                found = String(word.dropFirst(long.count + 1))
            }
        }
        return found
    }

    /// Returns a text as a string literal of Lisp.
    ///
    /// In such a literal, only quotation marks and backslashes must be escaped. The text is searched scalar by scalar,
    /// because a quotation mark with an accent after it is one Swift character.
    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { literal.unicodeScalars.append("\\") }
            literal.unicodeScalars.append(scalar)
        }
        return literal + "\""
    }
}
