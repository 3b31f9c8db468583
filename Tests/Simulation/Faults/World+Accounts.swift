import BatonCore
import Support

/// Two accounts whose devices meet each other by mistake.
extension World {
    /// Whether there is another account beside this one.
    var isBesideAnother: Bool { neighbour != nil || host != nil || profile.neighbours > 0 }

    /// Makes a connection between devices of two accounts, which no TLS handshake should have allowed.
    ///
    /// The ports are shared, and a hint led to the wrong account. Some of the neighbour's devices say that they belong
    /// to this account.
    func misdial() {
        guard let neighbour, let node = victim(of: .misdial, where: \.isReachable),
            let other = neighbour.victim(of: .misdial, where: \.isReachable)
        else { return }
        let isPretending = streams[Fault.misdial.rawValue].chance(50)
        tell(
            "\(node.name) comes upon \(other.name), of another account\(isPretending ? ", which denies it" : "")"
        )
        if isPretending { marks[.pretenders] += 1 }
        let link = Link(node, other)
        wrongLinks.append(link)
        link.connectAcross(numbered: wrongLinks.count, isPretending: isPretending)
    }
}

extension Link {
    /// Both sides begin to talk, each in its own world; the second may say that it belongs to the first one's account.
    fileprivate func connectAcross(numbered number: Int, isPretending: Bool) {
        let (own, other) = (one.identity, two.identity)
        let pretended = SessionIdentity(
            account: own.account, device: other.device, name: other.name, port: nil, features: other.features)
        let name = "connection \(number) across, of \(one.number) and \(two.number)"
        let ends = (
            Endpoint(one, to: two, over: self, streaming: name + ", there", in: one.world),
            Endpoint(
                two, as: isPretending ? pretended : nil, to: one, over: self, streaming: name + ", back",
                in: two.world)
        )
        keep(ends)
        Endpoint.begin(ends.0, ends.1)
    }
}
