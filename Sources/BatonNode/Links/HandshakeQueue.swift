import BatonNetwork

/// The connections whose handshakes wait for their turn.
///
/// Sources take turns. This keeps a source with many connections from delaying a source with few. Every second turn
/// belongs to a source from which a member has connected. Within a source, clients that sent the hint come first.
struct HandshakeQueue<Connection: AnyObject> {
    /// The waiting connections from one source.
    private struct Line {
        var hinted: [Connection] = []
        var others: [Connection] = []

        var isEmpty: Bool { hinted.isEmpty && others.isEmpty }

        mutating func removeFirst() -> Connection {
            hinted.isEmpty ? others.removeFirst() : hinted.removeFirst()
        }

        mutating func remove(_ connection: Connection) {
            hinted.removeAll { $0 === connection }
            others.removeAll { $0 === connection }
        }
    }

    private var lines: [SocketAddress.Host: Line] = [:]
    /// The sources with waiting connections, in the order of their turns.
    ///
    /// `members` has the sources from which members have connected, and `strangers` has all other sources.
    private var (members, strangers): ([SocketAddress.Host], [SocketAddress.Host]) = ([], [])
    /// Whether the next turn belongs to a source from which a member has connected.
    private var isMembersTurn = true

    init() {}

    var isEmpty: Bool { lines.isEmpty }

    /// Appends a connection to the line of its source.
    mutating func append(
        _ connection: Connection, from source: SocketAddress.Host, isMembers: Bool, isHinted: Bool
    ) {
        if lines[source] == nil {
            if isMembers { members.append(source) } else { strangers.append(source) }
        }
        if isHinted {
            lines[source, default: Line()].hinted.append(connection)
        } else {
            lines[source, default: Line()].others.append(connection)
        }
    }

    /// Removes and returns the connection whose turn it is; nil if no connection waits.
    mutating func removeFirst() -> Connection? {
        let takesMember = strangers.isEmpty || (isMembersTurn && !members.isEmpty)
        isMembersTurn = !takesMember
        guard let source = takesMember ? members.first : strangers.first, var line = lines[source] else {
            return nil
        }
        let connection = line.removeFirst()
        if takesMember { members.removeFirst() } else { strangers.removeFirst() }
        lines[source] = line.isEmpty ? nil : line
        if !line.isEmpty {
            if takesMember { members.append(source) } else { strangers.append(source) }
        }
        return connection
    }

    /// Removes a connection that has ended, if the connection waits.
    mutating func remove(_ connection: Connection, from source: SocketAddress.Host) {
        guard var line = lines[source] else { return }
        line.remove(connection)
        guard line.isEmpty else { return lines[source] = line }
        lines[source] = nil
        members.removeAll { $0 == source }
        strangers.removeAll { $0 == source }
    }
}
