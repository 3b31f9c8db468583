package import BatonCore

/// The calls to a node that an `IndexWriter` needs.
///
/// The node answers the calls in their order, and all closures are called on one thread. `NodeClient` makes the calls
/// over a connection; simulated worlds make them without one.
package protocol WriterNode: Sendable {
    /// Makes a call; the closure is called once with its outcome.
    func outcome<Call: LocalCall>(
        of call: Call, answer: @escaping @Sendable (NodeClient.Outcome<Call.Reply>) -> Void)
    /// Calls the closure with each event from now on.
    func listen(isLasting: Bool, _ listener: @escaping @Sendable (NodeClient.Event) -> Void)
    /// Keeps trying to connect until a node answers.
    func seekNode()
    /// Calls a closure on the thread of the writer, immediately or after a pause.
    func run(after pause: Duration, _ body: @escaping @Sendable () -> Void)
}

extension NodeClient: WriterNode {}

/// A queue of an app's writes that no node has taken yet.
///
/// `IndexSpool` keeps them in a file.
package protocol WriterSpool: Sendable {
    /// Whether no write is left.
    var isEmpty: Bool { get }
    /// Adds writes in their order until there is no more room, and returns how many writes were added.
    func append(_ writes: [MarkedWrite]) throws(LocalFailure) -> Int
    /// Returns the first entry, which is a write or damage; nil if nothing is left.
    func first() throws(LocalFailure) -> (entry: IndexSpool.Entry, place: IndexSpool.Place)?
    /// Removes the first entry, a write or damage, unless it was already removed.
    func remove(_ place: IndexSpool.Place) throws(LocalFailure)
}

extension IndexSpool: WriterSpool {}
