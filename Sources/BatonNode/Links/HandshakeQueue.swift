import BatonNetwork

/// The connections whose handshakes wait for their turn.
///
/// Sources take turns, so that a source with many connections does not delay a source with few. Every other turn
/// belongs to the sources from which members have connected. Within a source, clients that sent the hint come first.
struct HandshakeQueue<Connection: AnyObject> {
    /// The waiting connections of one source.
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
    /// The sources with waiting connections, next first: those of members, and all others.
    private var (members, strangers): ([SocketAddress.Host], [SocketAddress.Host]) = ([], [])
    /// Whether the next turn belongs to a member's source.
    private var isMembersTurn = true

    init() {}

    var isEmpty: Bool { lines.isEmpty }

    /// Puts a connection at the end of its source's line.
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

    /// Takes out the connection whose turn it is, or returns nil if none waits.
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

    /// Removes a connection that has ended, if it waits.
    mutating func remove(_ connection: Connection, from source: SocketAddress.Host) {
        guard var line = lines[source] else { return }
        line.remove(connection)
        guard line.isEmpty else { return lines[source] = line }
        lines[source] = nil
        members.removeAll { $0 == source }
        strangers.removeAll { $0 == source }
    }
}
