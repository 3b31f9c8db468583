import BatonCore
import BatonNetwork
import BatonSecurity
import Support
import Testing

@testable import BatonNode

/// Renewing certificates while the clock is wrong.
@Suite struct `Renewing certificates with a wrong clock` {
    /// A scripted owner of an account whose writes are stored at once.
    private final class ActedOwner: RenewalOwner {
        var credentials: Credentials
        private(set) var membership: Membership
        private(set) var statements = 0

        init(_ credentials: Credentials) throws {
            self.credentials = credentials
            membership = Membership(own: credentials.device)
            enter(try credentials.chain.admission())
        }

        func enter(_ statement: RosterStatement) {
            let verifier = RosterVerifier(root: credentials.root)
            guard case .admission(let admission) = verifier.verify(statement) else { return }
            _ = membership.meet(admission.device, showing: statement, by: verifier)
        }

        func publish(
            _ drafts: [Journal.Draft], notes: [LocalNote], then: @escaping (StoreFailure?) -> Void
        ) {
            statements += drafts.count
            for draft in drafts {
                if let statement = try? RosterStatement(draft.key) { enter(statement) }
            }
            then(nil)
        }

        func takeOver(_ credentials: Credentials) { self.credentials = credentials }

        func name(of device: DeviceIdentifier) -> String { device.short }
    }

    private let account: AgedAccount
    private let owner: ActedOwner
    private let laptop: Credentials
    private let loop: EventLoop
    private let clock: Clock

    private final class Clock { var now = AgedAccount.now }

    init() throws {
        account = try AgedAccount(days: 0)
        owner = try ActedOwner(try account.device("owner", days: 0, hasKey: true))
        laptop = try account.device("laptop", days: 0)
        owner.enter(try laptop.chain.admission())
        (loop, clock) = (try EventLoop(), Clock())
    }

    private func renewal(_ change: (inout Limits) -> Void = { _ in }) -> CertificateRenewal {
        var limits = Limits()
        change(&limits)
        return CertificateRenewal(
            on: loop, limits: limits, log: Log { _ in },
            clock: { [clock] in WallTime(milliseconds: clock.now * 1000) }, owner: owner)
    }

    private let day = AgedAccount.day

    @Test func `a certificate is renewed once, after two thirds of its validity`() {
        let renewal = renewal()
        let start = clock.now
        for days in [0, 1, 100, 243] as [Int64] {
            clock.now = start + days * day
            renewal.consider()
            #expect(owner.statements == 0)
        }
        clock.now = start + 244 * day
        for _ in 0..<5 { renewal.consider() }
        #expect(owner.statements == 2)
        #expect(owner.credentials.certificate.notAfter == clock.now + Validity.device)
        loop.close()
    }

    @Test func `certificates are renewed about twice a year until the owner's certificate ends`() {
        let renewal = renewal()
        let start = clock.now
        for days in stride(from: Int64(0), to: 12 * 365, by: 1) {
            clock.now = start + days * day
            renewal.consider()
        }
        #expect((26...40).contains(owner.statements), "\(owner.statements)")
        #expect(owner.credentials.certificate.notAfter == account.owner.certificate.notAfter)
        loop.close()
    }

    @Test
    func `a clock that jumps and returns leaves the certificates unchanged`() {
        let renewal = renewal()
        let (start, certificate) = (clock.now, owner.credentials.certificate)
        for time in [start + 11 * 365 * day, 0, -1_000_000, start - 365 * day, start + 40 * 365 * day] {
            clock.now = time
            renewal.consider()
        }
        #expect(owner.statements == 0)
        // Within the ten years one certificate is made for each device, and used again after later jumps to that time.
        for _ in 0..<50 {
            clock.now = start + 5 * 365 * day
            renewal.consider()
            #expect(owner.credentials.certificate.notBefore > start + 4 * 365 * day)
            clock.now = start
            renewal.consider()
            #expect(owner.credentials.certificate == certificate)
        }
        #expect(owner.statements == 2)
        loop.close()
    }

    @Test(arguments: [1, 2, 3]) func `a clock that jumps repeatedly causes a limited number of renewals`(
        seed: UInt64
    ) {
        let renewal = renewal { $0.renewalsMost = 20 }
        var generator = SeededGenerator(seed: seed)
        let start = clock.now
        // Each jump goes back by more than an hour, so that no existing certificate is valid.
        for step in 0..<400 {
            clock.now =
                step < 200
                ? start + 9 * 365 * day - Int64(step) * 3 * day
                : start + Int64(generator.number(0...3650)) * day
            renewal.consider()
        }
        #expect(owner.statements <= 40 && owner.statements > 20, "\(owner.statements)")
        clock.now = start + 300 * day
        #expect(renewal.troubles.contains { $0.contains("check the clock here") })
        loop.close()
    }

    @Test func `a clock earlier than the start of the certificate is reported`() {
        let renewal = renewal()
        clock.now -= 3 * day
        #expect(renewal.troubles.contains { $0.contains("is valid only from") && $0.contains("set it") })
        clock.now += 3 * day
        #expect(renewal.troubles.isEmpty)
        loop.close()
    }
}
