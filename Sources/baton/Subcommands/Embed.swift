import BatonClient
import BatonCommand
import BatonCore

/// `baton embed`: lets a program of the person compute the meanings of texts, by which searches find texts with other
/// words.
enum Embed {
    static var specification: CommandSpecification {
        CommandSpecification(
            "embed", "Have a program of yours say what texts mean, so that searches use it.",
            options: [HandlerOptions.file],
            notes: [
                "Runs until it is stopped, beside the node. The program and its arguments are",
                "`embed` in the configuration file, such as embed: [\"my-model\", \"--small\"].", "",
                "It gets a line of JSON, {\"text\": TEXT}, for each text of an item or of an",
                "activity that ended and for the words of a search, and answers each with a",
                "line {\"vector\": [NUMBER, …]}, of always the same 8 to 1024 numbers, or with",
                "null in the place of the list. Lines that do not begin with { are passed over.", "",
                "The vectors stay on this machine. They are made anew if `embed` changes, or",
                "how many numbers they have.",
                "A search waits at most 50 milliseconds for the program. `baton search --explain`",
                "shows what the meaning adds to a rank. `baton service install` has systemd run",
                "it beside the node.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        guard let words = try call.configuration()?.embed else {
            throw LocalFailure(
                .usage,
                "The configuration file names no program.\nAdd a line such as embed: [\"my-model\"] to it."
            )
        }
        var node = try call.connect()
        node.waited = nil
        let program = EmbeddingProgram(words)
        let model = try program.model()
        var vectors: [TextVector] = []
        while true {
            let texts = try node.ask(AwaitTexts(model: model, vectors), within: patience).texts
            vectors = []
            for text in texts {
                vectors.append(TextVector(text.number, try program.vector(of: text.text)))
            }
        }
    }

    /// The node answers only when there are texts, which may never happen.
    ///
    /// So the wait is practically unlimited.
    private static let patience = Duration.seconds(100 * 365 * 86_400)
}
