import BatonCore
import BatonSecurity
import Support
import Testing

/// Nodes with old or expired certificates.
@Suite struct `Renewing certificates` {
    @Test func `an owner renews an old certificate without closing the connection`() throws {
        let account = try AgedAccount(days: 300)
        let owner = try account.device("owner", days: 300, hasKey: true)
        let laptop = try account.device("laptop", days: 300)
        let young = try account.device("young", days: 200)
        for device in [owner, young] { try account.makeHome(device) }
        let node = try account.start(owner)
        for device in [laptop] { try account.makeHome(device, meeting: [(owner, node.port)]) }
        // The owner renews its own certificate at once.
        let end = AgedAccount.now + 360 * AgedAccount.day
        try eventually("an owner's certificate: \(node.lines)") {
            try account.identity(owner).certificate.notAfter > end
        }
        let other = try account.start(laptop)
        try eventually("a device's certificate: \(other.lines)") {
            try account.identity(laptop).certificate.notAfter > end
        }
        #expect(try account.identity(laptop).device == laptop.device)
        #expect(!other.hasLogged("no longer connected") && !node.hasLogged("no longer connected"))
        try eventually("a node in step with the owner") { try other.inStep() == ["owner"] }
        // The next connection uses the new certificate on both sides.
        other.stop()
        let again = try account.start(laptop)
        try eventually("a connection") { try again.inStep() == ["owner"] }
        #expect(try account.identity(laptop).certificate.notAfter > end)
        #expect(!again.hasLogged("was renewed"))
        // A certificate that is young enough is not renewed.
        #expect(!node.hasLogged("renewed: “young”"))
    }

    @Test func `a timer renews a certificate repeatedly`() throws {
        let account = try AgedAccount(days: 1)
        let owner = try account.device("owner", days: 400, hasKey: true)
        try account.makeHome(owner)
        let node = try account.start(owner) { limits in
            limits.certificateTime = .seconds(3)
            limits.renewalTime = .milliseconds(50)
        }
        try eventually("three renewals: \(node.lines)") {
            node.lines.count { $0.contains("the certificate of this device was renewed") } > 2
        }
        #expect(try !node.troubles().contains { $0.contains("certificate of this device expired") })
    }

    @Test func `an expired certificate is renewed when the device connects to an owner`() throws {
        let account = try AgedAccount(days: 800)
        let owner = try account.device("owner", days: 800, hasKey: true)
        let laptop = try account.device("laptop", days: 500)
        try account.makeHome(owner)
        let node = try account.start(owner)
        try account.makeHome(laptop, meeting: [(owner, node.port)])
        let other = try account.start(laptop)
        try eventually("a connection: \(other.lines), \(node.lines)") { try other.inStep() == ["owner"] }
        try eventually("a certificate") {
            try account.identity(laptop).certificate.notAfter > AgedAccount.now
        }
        #expect(try other.troubles() == [])
        guard case .success(let devices) = try node.ask(ListDevices()).map(\.devices) else {
            return #expect(Bool(false), "the devices were not listed")
        }
        #expect(Set(devices.map(\.device.name)) == ["owner", "laptop"])
        try eventually("an owner in step with the device") { try node.inStep() == ["laptop"] }
    }

    @Test
    func
        `a device that is not an owner refuses an expired certificate with a reason until an owner renews it`()
        throws
    {
        let account = try AgedAccount(days: 800)
        let owner = try account.device("owner", days: 800, hasKey: true)
        let (valid, laptop) = (
            try account.device("valid", days: 10), try account.device("laptop", days: 500)
        )
        try account.makeHome(valid)
        let node = try account.start(valid)
        try account.makeHome(laptop, meeting: [(valid, node.port)])
        let other = try account.start(laptop)
        try eventually("a refusal: \(node.lines)") {
            node.hasLogged("is refused: the certificate of that device expired on 20")
        }
        try eventually("a reason in the status: \(other.lines)") {
            try other.troubles().contains {
                $0.hasPrefix("the certificate of this device expired on 20") && $0.contains("`baton promote")
            }
        }
        #expect(try node.inStep().isEmpty && other.inStep().isEmpty)
        // An owner that never connected to it renews the certificate, with what the other device knows of it.
        try account.makeHome(owner, meeting: [(valid, node.port)])
        let third = try account.start(owner)
        try eventually("a connection: \(third.lines), \(node.lines), \(other.lines)") {
            try node.inStep() == ["owner", "laptop"]
        }
        try eventually("a certificate") {
            try account.identity(laptop).certificate.notAfter > AgedAccount.now
        }
    }

    @Test func `an owner refuses the expired certificate of a revoked device, and does not renew it`() throws
    {
        let account = try AgedAccount(days: 800)
        let owner = try account.device("owner", days: 800, hasKey: true)
        let laptop = try account.device("laptop", days: 500)
        let revocation = try account.owner.revoke(
            laptop.device, now: WallTime(milliseconds: AgedAccount.now * 1000))
        try account.makeHome(owner, knowing: [revocation])
        let node = try account.start(owner)
        try account.makeHome(laptop, meeting: [(owner, node.port)])
        let other = try account.start(laptop)
        try eventually("a refusal: \(node.lines)") {
            node.hasLogged("is refused: that device was revoked")
        }
        try eventually("a reason in the status: \(other.lines)") {
            try other.troubles().contains {
                $0.contains("that device was revoked") && $0.contains("`baton leave")
            }
        }
        #expect(try account.identity(laptop).certificate == laptop.certificate)
        #expect(try node.inStep().isEmpty)
    }

    @Test func `an owner's key that expires soon is reported with the command that renews it`() throws {
        let account = try AgedAccount(days: 3600)
        let owner = try account.device("owner", days: 3600, hasKey: true)
        try account.makeHome(owner)
        let node = try account.start(owner)
        #expect(try node.troubles().contains { $0.contains("expires on") && $0.contains("`baton promote") })
        let words = try account.code.text()
        guard case .success(let promotion) = try node.ask(PromoteDevice(code: words)) else {
            return #expect(Bool(false), "the right code was refused")
        }
        #expect(
            promotion.wasOwner
                && promotion.ends.milliseconds / 1000 > AgedAccount.now + 3600 * AgedAccount.day)
        #expect(try node.troubles() == [])
        let now = try account.identity(owner)
        #expect(now.ownerAuthority?.owner == account.owner.owner && now.device == owner.device)
    }

    @Test
    func `a device refused because of a revoked owner connects with another owner's certificate`()
        throws
    {
        let account = try AgedAccount(days: 100)
        let second = try account.root.makeOwner(now: AgedAccount.now - 50 * AgedAccount.day)
        let desktop = try account.device("desktop", days: 50, by: second, hasKey: true)
        let laptop = try account.device("laptop", days: 1)
        let (other, _) = try second.admit(
            laptop.deviceKey.publicKey, name: "laptop", now: AgedAccount.now - 40 * AgedAccount.day)
        let now = WallTime(milliseconds: AgedAccount.now * 1000)
        try account.makeHome(desktop, knowing: [try second.revoke(account.owner.owner, kept: [], now: now)])
        let node = try account.start(desktop)
        try account.makeHome(laptop, knowing: [other], meeting: [(desktop, node.port)])
        let caller = try account.start(laptop)
        try eventually("a refusal, and then a connection: \(node.lines), \(caller.lines)") {
            try caller.inStep() == ["desktop"]
        }
        #expect(node.hasLogged("is refused: the owner that admitted that device was revoked"))
        // It has the revocation now, and uses the valid certificate from now on.
        try eventually("the other chain") { try account.identity(laptop).owner == second.certificate }
        let troubles = try caller.troubles()
        #expect(troubles == [], "\(troubles)")
    }
}
