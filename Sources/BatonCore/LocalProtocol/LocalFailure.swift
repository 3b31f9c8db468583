/// The reason why a call failed.
///
/// The text is for a person: it says what happened, the likely reason, and what to type next.
package struct LocalFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package var code: Code
    package var text: String

    /// The kind of failure, for programs; the raw value is the exit status of the command.
    package enum Code: UInt64, Equatable, Sendable, CaseIterable {
        /// A failure without a code of its own; the text explains it.
        case failed = 1
        /// The command or the request is invalid.
        case usage = 2
        /// No node is running on this home.
        case noNode = 3
        /// The home has no account.
        case notInitialised = 4
        /// The home already has an account.
        case alreadyInitialised = 5
        /// Another node is running on this home.
        case nodeRunning = 6
        /// Another program uses the port.
        case portTaken = 7
        /// The code differs from the one that the inviter shows.
        case wrongCode = 8
        /// No invitation is open: it was used or has expired.
        case invitationOver = 9
        /// Nothing answers at the address.
        case unreachable = 10
        /// Nothing matches, or more than one activity does.
        case notFound = 11
        /// The node has a different version from the command.
        case versionMismatch = 12
        /// The data could not be read from the disk or written to it.
        case storage = 13
        /// This device is not allowed to do what was requested.
        case notAllowed = 14
        /// The request or its answer is larger than a limit allows.
        case tooLarge = 15
        /// The client state differs from the expected one.
        case otherState = 16
        /// The app has reached its limit for indexes, or the device its limit for activities.
        case quota = 17
        /// The home has no account with that name, or has several and none was named.
        case unknownAccount = 18
        /// Another device took over the activity.
        case takenOver = 19
        /// A stream between two apps broke before everything was received.
        case streamBroken = 20
        /// `baton doctor` found something that does not work.
        case problemFound = 21
        /// The connection has not begun the batch, or the batch has ended: its app must begin it again.
        case batchNotBegun = 22
    }

    package init(_ code: Code, _ text: String) { (self.code, self.text) = (code, text) }

    /// The text on one line, for logs; `text` has a line of its own for a command to type.
    package var description: String { text.split(separator: "\n").joined(separator: " ") }
}

extension LocalFailure {
    /// The failure for a request that is too large and does not change an index.
    package static var requestTooLarge: LocalFailure {
        LocalFailure(
            .tooLarge,
            "The request is larger than \(Limits.requestBytes >> 10) KiB, the limit for requests that do not change an index. Split it into several."
        )
    }

    /// The failure for an activity that is too large; reported by the node, or by a client before it calls the node.
    package static var activityTooLarge: LocalFailure {
        LocalFailure(
            .tooLarge,
            "The activity is larger than \(Limits.activityBytes >> 10) KiB. Put large content in a file, and refer to the file."
        )
    }

    /// The failure for a donated action that is too large, or whose names are too long.
    package static var donationTooLarge: LocalFailure {
        LocalFailure(
            .tooLarge,
            "A donated action may have at most \(Limits.donationBytes >> 10) KiB, and its identifier and group \(Limits.donationNameBytes) bytes each. Refer to large content by an identifier."
        )
    }

    /// The failure for changes to a batch, or the end of a batch, that the connection has not begun.
    package static func notBegun(_ batch: UInt64, of index: ClientStateName) -> LocalFailure {
        LocalFailure(
            .batchNotBegun,
            """
            The node knows no batch \(batch) of the index “\(index.index)” over this connection: it has restarted, has \
            restored a backup, or the batch has ended. Nothing has changed. Begin the batch again, from its first change.
            """)
    }

    /// The failure for a device that has reached its limit for current activities or for their size.
    package static var tooManyActivities: LocalFailure {
        LocalFailure(
            .quota,
            """
            This machine has reached its limit for activities: \(Limits.deviceActivities), with \
            \(Limits.deviceActivitiesBytes >> 20) MiB together.
            `baton list` shows them; `baton finish ID` ends one.
            """)
    }
}

/// A closure that is called once with the reply to a call, or with the failure.
package typealias Answer<Reply> = (Result<Reply, LocalFailure>) -> Void
