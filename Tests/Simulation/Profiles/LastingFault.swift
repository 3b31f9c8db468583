/// A fault that stays with one device while all the others recover.
package enum LastingFault: String, CaseIterable, Sendable {
    /// Its disk is full, and stays so.
    case full
    /// Its disk never answers; the process goes on.
    case stuck
    /// Its process stands still, and its connections stay open.
    case still
    /// Nothing that it sends arrives, without notice.
    case mute
    /// Nothing that is sent to it arrives, without notice.
    case deaf
    /// It is gone for good.
    case gone
    /// Its clock is years ahead or behind; everything else works.
    case clock

    /// Whether the device takes part like all others.
    var takesPart: Bool { self == .clock }

    /// Whether connections with it stay open, although nothing that is sent has an effect.
    var isSilent: Bool {
        switch self {
        case .stuck, .still, .mute, .deaf: true
        case .full, .gone, .clock: false
        }
    }
}
