import BatonCore
import BatonSecurity

/// The reasons why nobody has joined by an invitation.
///
/// The texts are for the person who invites, and name the next command to type.
enum InvitationFailure {
    static var unused: LocalFailure {
        LocalFailure(.invitationOver, "The code was not used in time.\n`baton invite` shows a new one.")
    }

    /// The failure if this device or its owner key was revoked.
    ///
    /// Other devices ignore everything that it signs.
    static var revoked: LocalFailure {
        LocalFailure(
            .notAllowed,
            "This machine can't admit others any more: it was revoked, or its owner key was.\n"
                + "`baton status` says more. Type `baton invite` on the machine of another owner.")
    }

    /// The failure if this owner has admitted `Limits.ownerDevices` devices.
    ///
    /// Devices that have left are included in the count.
    static var full: LocalFailure {
        LocalFailure(
            .notAllowed,
            "This machine has admitted \(Limits.ownerDevices) devices since it became an owner, which is its limit.\n"
                + "Make another machine an owner with `baton promote` and the recovery code, and type `baton invite` there."
        )
    }

    static func late(_ name: String) -> LocalFailure {
        LocalFailure(
            .invitationOver,
            "“\(name)” got no answer in time, and has not joined.\n"
                + "`baton invite` shows a new code.")
    }

    static func declined(_ name: String) -> LocalFailure {
        LocalFailure(
            .notAllowed, "“\(name)” was not admitted.\nType `baton invite` to invite another machine.")
    }

    /// Explains a refusal that was sent to the joiner.
    static func refused(_ refusal: PairingRefusal) -> LocalFailure {
        switch refusal {
        case .wrongCode:
            LocalFailure(
                .wrongCode,
                "A wrong code was entered, and each code can be tried only once.\n`baton invite` shows a new one."
            )
        case .failed, .clock, .declined:
            LocalFailure(
                .failed, "The certificate of the new device could not be created.\nTry `baton invite` again.")
        case .joinerRevoked:
            LocalFailure(
                .notAllowed,
                "A machine whose key was revoked entered the code. It was not admitted, and nothing was written.\n"
                    + "To admit that machine with a new key, type `baton leave` there and `baton invite` here."
            )
        case .inviterRevoked: revoked
        case .ended: unused
        }
    }

    /// Explains that the joiner gave up.
    ///
    /// `refusal` is the reason that the joiner sent.
    static func givenUp(_ refusal: PairingRefusal, by name: String?) -> LocalFailure {
        let name = name.map { "“\($0)”" } ?? "The other machine"
        return switch refusal {
        case .clock:
            LocalFailure(
                .failed,
                "\(name) has not joined: its clock and the one here are too far apart.\n"
                    + "Correct the wrong clock, then type `baton invite` again.")
        case .wrongCode, .failed, .ended, .declined, .joinerRevoked, .inviterRevoked:
            LocalFailure(
                .failed,
                "\(name) could not join; its screen shows the reason.\n`baton invite` shows a new code.")
        }
    }

    static var goneUnproven: LocalFailure {
        LocalFailure(
            .failed,
            "A machine began to join, and disconnected before it proved that it knows the code. It has not joined.\n"
                + "`baton invite` shows a new code.")
    }

    static func gone(_ name: String) -> LocalFailure {
        LocalFailure(
            .failed,
            "“\(name)” disconnected before it was admitted, and has not joined.\n`baton invite` shows a new code."
        )
    }

    /// Explains that the joiner was admitted, but disconnected before it received or confirmed its admission.
    static func goneGranted(_ name: String) -> LocalFailure {
        LocalFailure(
            .failed,
            "“\(name)” was admitted, but disconnected before it confirmed that it joined.\n"
                + "If it says that it joined, all is well; otherwise invite it again with `baton invite`.")
    }

    static func notKept(_ name: String, _ failure: StoreFailure) -> LocalFailure {
        LocalFailure(.storage, "“\(name)” has joined, but this could not be saved: \(failure).")
    }
}
