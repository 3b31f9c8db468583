/// The reason why a call failed.
///
/// The text is for a person. It says what happened, the likely reason, and what to type next.
package struct LocalFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package var code: Code
    package var text: String

    /// The kind of failure, which programs read; the raw value is the exit status of the command.
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
        /// The typed code differs from the code that the inviter shows.
        case wrongCode = 8
        /// No invitation is open, because it was used or has expired.
        case invitationOver = 9
        /// Nothing answers at the address.
        case unreachable = 10
        /// Nothing matches, or more than one activity matches.
        case notFound = 11
        /// The node and the command have different versions.
        case versionMismatch = 12
        /// The data could not be read from the disk or written to it.
        case storage = 13
        /// This device is not allowed to do what was requested.
        case notAllowed = 14
        /// The request or its answer is larger than a limit allows.
        case tooLarge = 15
        /// The client state of the index differs from the state that the app expected.
        case otherState = 16
        /// The app has reached its limit for indexes, or the device has reached its limit for activities.
        case quota = 17
        /// The home has no account with this name; or it has several accounts, and none was named.
        case unknownAccount = 18
        /// Another device took over the activity.
        case takenOver = 19
        /// A stream between two apps broke before the receiver had everything.
        case streamBroken = 20
        /// `baton doctor` found a problem.
        case problemFound = 21
        /// The connection has not begun the batch, or the batch has ended; the app must begin the batch again.
        case batchNotBegun = 22
        /// The content is protected, and the account is locked.
        case locked = 23
    }

    package init(_ code: Code, _ text: String) { (self.code, self.text) = (code, text) }

    /// The text on one line, for logs; in `text`, a command to type has a line of its own.
    package var description: String { text.split(separator: "\n").joined(separator: " ") }
}

extension LocalFailure {
    /// The failure for a request that is too large; requests that change an index have another limit and another
    /// failure.
    package static var requestTooLarge: LocalFailure {
        LocalFailure(
            .tooLarge,
            "The request is larger than \(Limits.requestBytes >> 10) KiB, the limit for requests that do not change an index. Split it into several."
        )
    }

    /// The failure for an activity that is too large.
    ///
    /// The node reports it, or a client reports it before it calls the node.
    package static var activityTooLarge: LocalFailure {
        LocalFailure(
            .tooLarge,
            "The activity is larger than \(Limits.activityBytes >> 10) KiB. Put large content in a file, and refer to the file."
        )
    }

    /// The failure for a donated action that is too large or has an identifier or a group that is too long.
    package static var donationTooLarge: LocalFailure {
        LocalFailure(
            .tooLarge,
            "A donated action may have at most \(Limits.donationBytes >> 10) KiB, and its identifier and group \(Limits.donationNameBytes) bytes each. Refer to large content by an identifier."
        )
    }

    /// The failure for descriptions of types of entities that are too large, or too many.
    package static var entityTypesTooLarge: LocalFailure {
        LocalFailure(
            .tooLarge,
            """
            An app may describe at most \(Limits.appEntityTypes) types of entities, each with at most \
            \(Limits.entityTypeBytes >> 10) KiB, and all in a call with at most \(Limits.requestBytes >> 10) KiB. Nothing \
            has changed: other machines don't know the types of this app.
            """)
    }

    /// The failure for changing or ending a batch that the connection has not begun.
    package static func notBegun(_ batch: UInt64, of index: ClientStateName) -> LocalFailure {
        LocalFailure(
            .batchNotBegun,
            """
            The node knows no batch \(batch) of the index “\(index.index)” over this connection: it has restarted, has \
            restored a backup, or the batch has ended. Nothing has changed. Begin the batch again, from its first change.
            """)
    }

    /// The failure for something that needs the content key while the account is locked.
    ///
    /// `options` names the home and the account.
    package static func locked(_ subject: String, options: String) -> LocalFailure {
        LocalFailure(.locked, "\(subject) is locked.\nType `baton unlock\(options)` first.")
    }

    /// The failure for a device that has reached its limit for the number or the size of its current activities.
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

/// A closure that is called once, with the reply to a call or with a failure.
package typealias Answer<Reply> = (Result<Reply, LocalFailure>) -> Void
