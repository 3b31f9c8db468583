extension Journal {
    /// The content of a write that has no dot and no stamp yet.
    package struct Draft: Equatable, Sendable {
        package let key: RecordKey
        let subject: Subject

        enum Subject: Equatable, Sendable {
            case action(Write.Action)
            /// Counters that begin with the write.
            case counting(Write.Content)
            /// The client state at the end of a batch.
            ///
            /// The store writes it when it knows which transactions the state covers.
            case ending(ClientState, ClientStateName)
            /// A write whose content the store decides when it stores the write, from the records that it has then.
            case late(LateAction)
        }

        package init(_ action: Write.Action, _ key: RecordKey) { self.init(.action(action), key) }

        /// Creates the client state at the end of a batch.
        ///
        /// The store fills in which transactions the state covers.
        package init(
            ending state: [UInt8], of name: ClientStateName, changed: WallTime
        ) throws(ClientState.TooLong) {
            let state = try ClientState(state, covers: VersionVector(), changed: changed)
            self.init(.ending(state, name), name.key)
        }

        /// Creates a draft of counters that begin with this write.
        package init(counting content: Write.Content, _ key: RecordKey) { self.init(.counting(content), key) }

        /// Creates a draft that the store turns into a write when it stores it, from the records that it has then.
        package init(late action: LateAction) { self.init(.late(action), action.key) }

        init(_ subject: Subject, _ key: RecordKey) { (self.subject, self.key) = (subject, key) }

        /// The scope to which the draft moves an item; nil if it does not move an item.
        package var movesTo: Scope? {
            guard case .late(.update(let name, let domain?, _)) = subject else { return nil }
            return Scope.items(app: name.app, index: name.index, domain: domain)
        }

        /// Whether peers would accept the write.
        ///
        /// A write that peers refuse would end every session from then on.
        package var isWithinLimits: Bool {
            guard key.name.count <= RecordKey.nameBytes, key.isReadable else { return false }
            return switch subject {
            case .action(let action): action.isWithinLimits()
            case .counting(let content): Write.Action.full(content).isWithinLimits()
            case .ending(let state, let name):
                Write.Action.full(state.content(name)).isWithinLimits(beside: EndingState.coversBytesMost)
            case .late(let action): action.isWithinLimits
            }
        }

        /// The approximate memory use of the draft, in bytes.
        package var byteCount: Int {
            switch subject {
            case .action(let action): key.name.count + action.contentBytes
            case .counting(let content): key.name.count + content.encodedCount
            case .ending: key.name.count + ClientState.bytesMost
            case .late(.update(_, _, let fields)): key.name.count + fields.encodedCount
            case .late(.opening), .late(.activityOpening): key.name.count
            }
        }

        /// Whether the draft says by itself which transactions a client state covers.
        ///
        /// Only the store may decide that.
        var isGuessed: Bool {
            if case .action(.full) = subject { key.kind == .clientState } else { false }
        }

        /// Whether the draft is a full write.
        package var isFull: Bool { if case .action(.full) = subject { true } else { false } }

        /// Returns the write with this dot and this stamp, created from the current records; nil if there is nothing to
        /// write.
        package func write(
            _ dot: Dot, at stamp: Stamp, _ record: (RecordIdentity) throws(StoreFailure) -> Record?
        ) throws(StoreFailure) -> Write? {
            guard case .late(let action) = subject else { return write(dot, at: stamp) }
            return try LateWrite(action, dot: dot, stamp: stamp).write(record)
        }

        /// Returns the draft in the form in which this device must write it with this stamp.
        ///
        /// The device's own record is signed, and the records of its current activities are marked.
        ///
        /// Returns nil if signing fails. Without a signer, nothing is signed. This is the case in simulated worlds
        /// without a roster.
        func signed(by signer: (any DeviceSigner)?, at stamp: Stamp) -> Draft? {
            guard let signer, case .action(.full(let content)) = subject else { return self }
            let fields: Fields?
            switch key.kind {
            case .currentActivity: fields = signer.mark(content.fields, of: key, at: stamp)
            case .device:
                do throws(CBORError) {
                    fields = signer.prove(content.fields, of: try DeviceName(key).identifier, at: stamp)
                } catch {
                    return nil
                }
            default: return self
            }
            return fields.map { Draft(.full(Write.Content(scope: content.scope, fields: $0)), key) }
        }

        /// Returns the write with this dot and this stamp; nil if only the store can create the write.
        package func write(_ dot: Dot, at stamp: Stamp) -> Write? {
            switch subject {
            case .action(let action): Write(dot: dot, key: key, stamp: stamp, action: action)
            case .counting(let content):
                Write(dot: dot, key: key, stamp: stamp, action: .count(begun: stamp, content))
            case .ending, .late: nil
            }
        }
    }
}

extension Write.Action {
    /// Whether peers would accept a write that has this action and `others` more bytes.
    package func isWithinLimits(beside others: Int = 0) -> Bool {
        guard contentBytes + others <= Limits.writeBytes, fieldCount <= Fields.countMost else { return false }
        return switch self {
        case .full(let content), .count(_, let content):
            content.scope.isWithinLimits && content.fields.isReadable
        case .partial(_, let fields): fields.isReadable
        case .deletion: true
        }
    }
}

extension RecordKey {
    fileprivate var isReadable: Bool {
        do throws(CBORError) {
            try CBORReader.whole(name[...]) { (reader) throws(CBORError) in try reader.skip() }
            return true
        } catch {
            return false
        }
    }
}
