/// Why a call of a person or an app was not carried out.
///
/// The text is for a person: what happened, the likely reason, and what to type next.
package struct LocalFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package var code: Code
    package var text: String

    /// What went wrong, as far as a program can act on it; the command exits with the raw value.
    package enum Code: UInt64, Equatable, Sendable, CaseIterable {
        /// Something else, which the text explains.
        case failed = 1
        /// The command or the request makes no sense.
        case usage = 2
        /// No node answers on this home.
        case noNode = 3
        /// The home holds no account.
        case notInitialised = 4
        /// The home holds an account already.
        case alreadyInitialised = 5
        /// Another node runs on this home.
        case nodeRunning = 6
        /// Another program has the port.
        case portTaken = 7
        /// The inviter shows another code.
        case wrongCode = 8
        /// No invitation is open: used already, or its time is over.
        case invitationOver = 9
        /// Nothing answers at that address.
        case unreachable = 10
        /// No activity fits, or more than one does.
        case notFound = 11
        /// The node is of another version than the command.
        case versionMismatch = 12
        /// The disk refused.
        case storage = 13
        /// This device has not the right to do so.
        case notAllowed = 14
        /// What was asked is larger than the limits allow.
        case tooLarge = 15
        /// The client state is another one than was expected.
        case otherState = 16
        /// The app would have more in its indexes, or the device more activities, than it may.
        case quota = 17
        /// The home holds no account of that name, or several and none was named.
        case unknownAccount = 18
        /// The activity was taken over by another device.
        case takenOver = 19
        /// A stream between two apps ended before both had everything.
        case streamBroken = 20
    }

    package init(_ code: Code, _ text: String) { (self.code, self.text) = (code, text) }

    /// The text in one line, for logs; in `text`, what to type stands on a line of its own.
    package var description: String { text.split(separator: "\n").joined(separator: " ") }
}

extension LocalFailure {
    /// A request that does not change an index is too large.
    package static var requestTooLarge: LocalFailure {
        LocalFailure(
            .tooLarge,
            "One call may have \(Limits.requestBytes >> 10) KiB, unless it changes an index. Make several of it."
        )
    }

    /// An activity is too large; the node says so, or a client before it asks the node.
    package static var activityTooLarge: LocalFailure {
        LocalFailure(
            .tooLarge,
            "The activity is larger than \(Limits.activityBytes >> 10) KiB. Put what is large in a file, and say where it is."
        )
    }

    /// The device has as many current activities, or as many bytes of them, as it may have.
    package static var tooManyActivities: LocalFailure {
        LocalFailure(
            .quota,
            """
            This machine has as many activities as it may have: \(Limits.deviceActivities), of \
            \(Limits.deviceActivitiesBytes >> 20) MiB together.
            `baton list` shows them; `baton finish ID` ends one.
            """)
    }
}
