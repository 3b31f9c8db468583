import BatonCore
import BatonNetwork
import BatonSecurity

/// The account whose certificates are renewed.
protocol RenewalOwner: AnyObject {
    /// The present credentials of this device.
    var credentials: Credentials { get }
    /// The present members of the account.
    var membership: Membership { get }
    /// Stores drafts, and sends them to other devices.
    func publish(
        _ drafts: [Journal.Draft], notes: [LocalNote], then: @escaping (StoreFailure?) -> Void)
    /// Switches to a newer certificate of this device, and stores the certificate.
    func takeOver(_ credentials: Credentials)
    func name(of device: DeviceIdentifier) -> String
}

/// Renews certificates before they expire, without a person's help.
///
/// The roster has admissions of each device, which contain its certificates. From its own admissions, each device picks
/// the one that it presents first. The choice changes when an owner has renewed the certificate of the device.
///
/// An owner also readmits members: if a member's newest admission has less than a third of its time left, the owner
/// adds a new statement to the roster. Several owners may do so, because the roster accepts all their statements.
///
/// Certificates are checked when the node starts, once a day, and whenever the roster changes. The decisions depend on
/// the clock, and clocks can be wrong. Therefore, an owner renews only while its own certificate is valid, and only if
/// no known admission is valid for long enough at that time. If a clock jumps back and forth, the owner finds the
/// admissions that it made before. If the clock jumps to a new time again and again, `Limits.renewalsMost` ends the
/// renewals.
///
/// Admissions that were made while a clock was wrong stay in the roster and do no harm: a device that presents or
/// checks admissions skips those that are not valid by its own clock.
final class CertificateRenewal {
    private let limits: Limits
    private let log: Log
    /// The options that name this home and account, to print in advice to a person.
    private let options: String
    private let clock: () -> WallTime
    private unowned let owner: any RenewalOwner
    /// The devices whose new admissions are being stored.
    private var renewing: Set<DeviceIdentifier> = []
    /// The timer for the next check of all certificates.
    private let timer: OwnedTimer
    private var isStopped = false

    /// The largest number of devices that are renewed in one transaction.
    private static let atOnce = 32

    init(
        on loop: EventLoop, limits: Limits, log: Log, options: String = "",
        clock: @escaping () -> WallTime = { .now }, owner: any RenewalOwner
    ) {
        (timer, self.limits) = (OwnedTimer(on: loop), limits)
        self.log = log
        self.options = options
        self.clock = clock
        self.owner = owner
    }

    func start() {
        consider()
        timer.set(after: limits.renewalTime) { [unowned self] in start() }
    }

    func stop() {
        isStopped = true
        timer.cancel()
    }

    // MARK: Commands

    /// Switches to a newer certificate of this device, and renews other devices' certificates that need it.
    func consider() {
        guard !isStopped else { return }
        let now = clock()
        useNewest(at: now)
        guard let authority = authority(at: now) else { return }
        let membership = owner.membership
        let due = membership.roster.members.filter { device in
            !renewing.contains(device) && membership.left(device) == nil
                && isDue(device, in: membership.roster, authority, at: now)
        }
        renew(Array(due.prefix(Self.atOnce)), authority, at: now)
    }

    /// Returns whether a member whose certificate has expired may connect anyway.
    ///
    /// The member may connect if the roster has a newer certificate for it, or if this device is an owner and renews
    /// the certificate now.
    func admits(_ device: DeviceIdentifier) -> Bool {
        let now = clock()
        let roster = owner.membership.roster
        if roster.newestAdmission(of: device, at: now)?.holds(at: now) ?? false { return true }
        guard let authority = authority(at: now), mayRenew(device, in: roster, authority) else {
            return false
        }
        if !renewing.contains(device) { renew([device], authority, at: now) }
        return renewing.contains(device)
    }

    // MARK: This device

    /// Switches to the certificate that this device should present first, unless the certificate is in use already.
    private func useNewest(at now: WallTime) {
        let current = owner.credentials
        do throws(SecurityError) {
            let shown = try current.chain.admission()
            // The certificate in use counts, too, even if the roster does not have it yet.
            var roster = owner.membership.roster
            roster.add(shown, by: RosterVerifier(root: current.root))
            guard let best = admissions(of: current, in: roster, at: now).first, best.statement != shown
            else { return }
            // A thief of an owner's key may have displaced the valid admissions by making too many others.
            guard best.holds(at: now) || !current.holds(at: now) else { return }
            owner.takeOver(try current.renewed(by: best.chain(under: current.root)))
            log.tell("the certificate of this device was renewed and is valid until \(best.ends.date)")
        } catch {
            log.warn("can't use a newer certificate of this device: \(error)")
        }
    }

    /// Returns the admissions that this device may present, best first.
    ///
    /// The device of an owner presents only admissions that its own key signed.
    private func admissions(of own: Credentials, in roster: Roster, at now: WallTime) -> [Admission] {
        let owner = own.ownerAuthority?.owner
        return roster.admissions(of: own.device, at: now).filter { owner == nil || $0.owner == owner }
    }

    /// Returns the credentials to present to a peer that has refused this device `count` times.
    ///
    /// The result is nil once all credentials were presented.
    func credentials(afterRefusals count: Int) -> Credentials? {
        let (now, current) = (clock(), owner.credentials)
        do throws(SecurityError) {
            let shown = try current.chain.admission()
            let roster = owner.membership.roster
            let others = roster.admissions(of: current.device, at: now)
                .filter { $0.statement != shown && $0.holds(at: now) }
            guard count >= 1, count <= others.count else { return nil }
            return try current.renewed(by: others[count - 1].chain(under: current.root))
        } catch {
            log.warn("can't present another certificate of this device: \(error)")
            return nil
        }
    }

    // MARK: Other devices

    /// Returns the authority that renews certificates.
    ///
    /// The result is nil unless this device is an owner, and both the roster and the owner's certificate allow it to
    /// renew.
    private func authority(at now: WallTime) -> OwnerAuthority? {
        guard let authority = owner.credentials.ownerAuthority, authority.holds(at: now) else { return nil }
        let standing = owner.membership.roster.standing(of: authority.owner)
        if case .revoked = standing { return nil }
        return authority
    }

    /// Returns the end of the validity of a certificate that is signed now.
    private func nextEnd(_ authority: OwnerAuthority, at now: WallTime) -> WallTime {
        min(now.advanced(by: limits.certificateTime), WallTime(seconds: authority.certificate.notAfter))
    }

    /// Whether a device needs an admission that is valid for longer than its present ones.
    ///
    /// An owner can't sign anything that is valid beyond the end of the owner's own certificate. Therefore, an
    /// admission is made only if it would be valid for longer.
    private func isDue(
        _ device: DeviceIdentifier, in roster: Roster, _ authority: OwnerAuthority, at now: WallTime
    ) -> Bool {
        let all = roster.admissions(of: device, at: now)
        let usable = device == owner.credentials.device ? all.filter { $0.owner == authority.owner } : all
        guard mayRenew(device, in: roster, authority) else { return false }
        guard let newest = usable.first, newest.holds(at: now) else { return true }
        return newest.ends < now.advanced(by: limits.certificateTime / 3)
            && newest.ends < nextEnd(authority, at: now)
    }

    /// Whether a device is a member that the present certificate of this owner has not renewed too often.
    private func mayRenew(
        _ device: DeviceIdentifier, in roster: Roster, _ authority: OwnerAuthority
    ) -> Bool {
        roster.isMember(device) && renewals(of: device, in: roster, authority) < limits.renewalsMost
    }

    private func renewals(
        of device: DeviceIdentifier, in roster: Roster, _ authority: OwnerAuthority
    ) -> Int {
        roster.admissions(of: device, at: clock()).count { admission in
            if case .admission(let owner, _) = admission.statement {
                owner.bytes == authority.certificate.der
            } else {
                false
            }
        }
    }

    /// Readmits members.
    ///
    /// When that is stored, continues with further members.
    private func renew(_ devices: [DeviceIdentifier], _ authority: OwnerAuthority, at now: WallTime) {
        var drafts: [Journal.Draft] = []
        var renewed: [DeviceIdentifier] = []
        let roster = owner.membership.roster
        for device in devices {
            guard let admission = roster.newestAdmission(of: device, at: now) else { continue }
            do throws(SecurityError) {
                let made = try authority.readmit(
                    admission.statement, now: now.seconds,
                    lasting: limits.certificateTime.components.seconds)
                drafts.append(Journal.Draft(made.statement))
                renewed.append(device)
            } catch {
                log.warn("can't renew the certificate of “\(owner.name(of: device))”: \(error)")
            }
        }
        guard !drafts.isEmpty else { return }
        renewing.formUnion(renewed)
        let names = renewed.map { "“\(owner.name(of: $0))”" }.joined(separator: ", ")
        owner.publish(drafts, notes: []) { [self] failure in
            renewing.subtract(renewed)
            guard let failure else {
                log.tell("renewed the certificates of these devices: \(names)")
                return consider()
            }
            // The next check tries again.
            log.warn("could not save the renewed certificates: \(failure)")
        }
    }

    // MARK: Queries

    /// The problems with this device's own certificates, in words for a person.
    var troubles: [String] {
        let (now, current) = (clock(), owner.credentials)
        var troubles: [String] = []
        let ends = WallTime(seconds: min(current.certificate.notAfter, current.owner.notAfter))
        let begins = WallTime(seconds: max(current.certificate.notBefore, current.owner.notBefore))
        let isOwner = current.ownerKey != nil
        if now < begins {
            troubles.append(
                """
                the certificate of this device is valid only from \(begins.date) on, and the clock here shows \(now.date); \
                if the clock is wrong, set it
                """)
        } else if ends < now, !isOwner {
            troubles.append(
                """
                the certificate of this device expired on \(ends.date), and the clock here shows \(now.date). If the clock \
                is wrong, set it. If not, start the node of an owner's machine: when the two connect, the certificate \
                is renewed. If no owner is left, type `baton promote\(options)` here, with your recovery code
                """)
        }
        guard isOwner else { return troubles }
        let last = WallTime(seconds: current.owner.notAfter)
        if last < now.advanced(by: limits.certificateTime / 4), begins <= now {
            troubles.append(
                """
                the right of this machine to admit and renew others \(last < now ? "expired" : "expires") on \
                \(last.date): type `baton promote\(options)` here, with your recovery code
                """)
        }
        if let authority = authority(at: now), let (device, _) = exhausted(authority) {
            troubles.append(
                """
                this machine has renewed “\(owner.name(of: device))” \(limits.renewalsMost) times, more often than ten \
                years require: check the clock here, and type `baton promote\(options)`
                """)
        }
        return troubles
    }

    private func exhausted(_ authority: OwnerAuthority) -> (DeviceIdentifier, Int)? {
        let roster = owner.membership.roster
        return roster.members.lazy.map { ($0, self.renewals(of: $0, in: roster, authority)) }
            .first { $0.1 >= self.limits.renewalsMost }
    }
}

extension Credentials {
    /// Whether the certificates of this device are valid at a time.
    fileprivate func holds(at now: WallTime) -> Bool {
        let begins = max(certificate.notBefore, owner.notBefore)
        return begins <= now.seconds && now.seconds <= min(certificate.notAfter, owner.notAfter)
    }
}

extension OwnerAuthority {
    /// Whether statements that the owner signs are valid at a time.
    fileprivate func holds(at now: WallTime) -> Bool {
        certificate.notBefore <= now.seconds && now.seconds < certificate.notAfter
    }
}

extension Admission {
    /// Returns the certificate chain that this admission contains.
    fileprivate func chain(under root: Certificate) throws(SecurityError) -> AccountChain {
        guard case .admission(let owner, let device) = statement else {
            throw SecurityError(.malformed, "The statement of an admission is of another kind.")
        }
        return AccountChain(
            root: root, owner: try Certificate(der: owner.bytes), device: try Certificate(der: device.bytes))
    }
}

extension AccountCore: RenewalOwner {
    func takeOver(_ credentials: Credentials) { identity.takeOver(credentials) }
}
