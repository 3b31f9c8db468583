import BatonSecurity
import Support
import Testing

/// A test vector of RFC 9382, appendix B, for P-256, SHA-256, HKDF and HMAC.
struct SPAKE2Vector: CustomTestStringConvertible, Sendable {
    let first: String, second: String
    let password: String, firstScalar: String, secondScalar: String
    let firstShare: String, secondShare: String
    let sessionKey: String, firstConfirmation: String, secondConfirmation: String

    var testDescription: String { "“\(first)” and “\(second)”" }

    static let all = [
        SPAKE2Vector(
            first: "server", second: "client",
            password: "2ee57912099d31560b3a44b1184b9b4866e904c49d12ac5042c97dca461b1a5f",
            firstScalar: "43dd0fd7215bdcb482879fca3220c6a968e66d70b1356cac18bb26c84a78d729",
            secondScalar: "dcb60106f276b02606d8ef0a328c02e4b629f84f89786af5befb0bc75b6e66be",
            firstShare: "04a56fa807caaa53a4d28dbb9853b9815c61a411118a6fe516a8798434751470f9"
                + "010153ac33d0d5f2047ffdb1a3e42c9b4e6be662766e1eeb4116988ede5f912c",
            secondShare: "0406557e482bd03097ad0cbaa5df82115460d951e3451962f1eaf4367a420676d0"
                + "9857ccbc522686c83d1852abfa8ed6e4a1155cf8f1543ceca528afb591a1e0b7",
            sessionKey: "0e0672dc86f8e45565d338b0540abe69",
            firstConfirmation: "58ad4aa88e0b60d5061eb6b5dd93e80d9c4f00d127c65b3b35b1b5281fee38f0",
            secondConfirmation: "d3e2e547f1ae04f2dbdbf0fc4b79f8ecff2dff314b5d32fe9fcef2fb26dc459b"),
        SPAKE2Vector(
            first: "", second: "client",
            password: "0548d8729f730589e579b0475a582c1608138ddf7054b73b5381c7e883e2efae",
            firstScalar: "403abbe3b1b4b9ba17e3032849759d723939a27a27b9d921c500edde18ed654b",
            secondScalar: "903023b6598908936ea7c929bd761af6039577a9c3f9581064187c3049d87065",
            firstShare: "04a897b769e681c62ac1c2357319a3d363f610839c4477720d24cbe32f5fd85f44"
                + "fb92ba966578c1b712be6962498834078262caa5b441ecfa9d4a9485720e918a",
            secondShare: "04e0f816fd1c35e22065d5556215c097e799390d16661c386e0ecc84593974a61b"
                + "881a8c82327687d0501862970c64565560cb5671f696048050ca66ca5f8cc7fc",
            sessionKey: "642f05c473c2cd79909f9a841e2f30a7",
            firstConfirmation: "47d29e6666af1b7dd450d571233085d7a9866e4d49d2645e2df975489521232b",
            secondConfirmation: "3313c5cefc361d27fb16847a91c2a73b766ffa90a4839122a9b70a2f6bd1d6df"),
        SPAKE2Vector(
            first: "server", second: "",
            password: "626e0cdc7b14c9db3e52a0b1b3a768c98e37852d5db30febe0497b14eae8c254",
            firstScalar: "07adb3db6bc623d3399726bfdbfd3d15a58ea776ab8a308b00392621291f9633",
            secondScalar: "b6a4fc8dbb629d4ba51d6f91ed1532cf87adec98f25dd153a75accafafedec16",
            firstShare: "04f88fb71c99bfffaea370966b7eb99cd4be0ff1a7d335caac4211c4afd855e2e1"
                + "5a873b298503ad8ba1d9cbb9a392d2ba309b48bfd7879aefd0f2cea6009763b0",
            secondShare: "040c269d6be017dccb15182ac6bfcd9e2a14de019dd587eaf4bdfd353f031101e7"
                + "cca177f8eb362a6e83e7d5e729c0732e1b528879c086f39ba0f31a9661bd34db",
            sessionKey: "005184ff460da2ce59062c87733c299c",
            firstConfirmation: "bc9f9bbe99f26d0b2260e6456e05a86196a3307ec6663a18bf6ac825736533b2",
            secondConfirmation: "c2370e1bf813b086dff0d834e74425a06e6390f48f5411900276dcccc5a297ec"),
        SPAKE2Vector(
            first: "", second: "",
            password: "7bf46c454b4c1b25799527d896508afd5fc62ef4ec59db1efb49113063d70cca",
            firstScalar: "8cef65df64bb2d0f83540c53632de911b5b24b3eab6cc74a97609fd659e95473",
            secondScalar: "d7a66f64074a84652d8d623a92e20c9675c61cb5b4f6a0063e4648a2fdc02d53",
            firstShare: "04a65b367a3f613cf9f0654b1b28a1e3a8a40387956c8ba6063e8658563890f46c"
                + "a1ef6a676598889fc28de2950ab8120b79a5ef1ea4c9f44bc98f585634b46d66",
            secondShare: "04589f13218822710d98d8b2123a079041052d9941b9cf88c6617ddb2fcc049466"
                + "2eea8ba6b64692dc318250030c6af045cb738bc81ba35b043c3dcb46adf6f58d",
            sessionKey: "fc6374762ba5cf11f4b2caa08b2cd1b9",
            firstConfirmation: "dfb4db8d48ae5a675963ea5e6c19d98d4ea028d8e898dad96ea19a80ade95dca",
            secondConfirmation: "d0f0609d1613138d354f7e95f19fb556bf52d751947241e8c7118df5ef0ae175"),
    ]
}

@Suite struct `A SPAKE2 exchange` {
    private func secret(_ hex: String) throws -> SecretBytes { try SecretBytes(copying: [UInt8](hex: hex)) }

    @Test(arguments: SPAKE2Vector.all)
    func `the test vectors of RFC 9382 are reproduced on both sides`(_ vector: SPAKE2Vector) throws {
        let password = try secret(vector.password)
        let first = try SPAKE2(.first, password: password, scalar: try secret(vector.firstScalar))
        let second = try SPAKE2(.second, password: password, scalar: try secret(vector.secondScalar))
        #expect(first.share.hex == vector.firstShare)
        #expect(second.share.hex == vector.secondShare)
        let identities = (first: Array(vector.first.utf8), second: Array(vector.second.utf8))
        for agreement in [
            try first.agree(withShare: second.share, identities: identities, additional: []),
            try second.agree(withShare: first.share, identities: identities, additional: []),
        ] {
            #expect(agreement.sessionKey.copy().hex == vector.sessionKey)
            #expect(agreement.firstConfirmation.hex == vector.firstConfirmation)
            #expect(agreement.secondConfirmation.hex == vector.secondConfirmation)
        }
    }

    @Test func `a different password, identity or share gives a different key`() throws {
        let (password, other) = (try secret("11"), try secret("12"))
        let first = try SPAKE2(.first, password: password)
        let identities = (first: [UInt8](), second: [UInt8]())
        func key(_ second: SPAKE2, _ name: [UInt8] = []) throws -> (SPAKE2Agreement, SPAKE2Agreement) {
            (
                try first.agree(withShare: second.share, identities: identities, additional: []),
                try second.agree(withShare: first.share, identities: (name, []), additional: [])
            )
        }
        let right = try key(try SPAKE2(.second, password: password))
        #expect(right.0.sessionKey.copy() == right.1.sessionKey.copy())
        let wrong = try key(try SPAKE2(.second, password: other))
        #expect(wrong.0.sessionKey.copy() != wrong.1.sessionKey.copy())
        #expect(wrong.0.firstConfirmation != wrong.1.firstConfirmation)
        let named = try key(try SPAKE2(.second, password: password), [1])
        #expect(named.0.sessionKey.copy() != named.1.sessionKey.copy())
    }

    @Test func `the confirmations change with the additional data`() throws {
        let password = try secret("11")
        let (first, second) = (
            try SPAKE2(.first, password: password), try SPAKE2(.second, password: password)
        )
        let identities = (first: [UInt8](), second: [UInt8]())
        let one = try first.agree(withShare: second.share, identities: identities, additional: [1])
        let other = try second.agree(withShare: first.share, identities: identities, additional: [2])
        #expect(one.firstConfirmation != other.firstConfirmation)
        #expect(one.secondConfirmation != other.secondConfirmation)
    }

    @Test func `an invalid share is refused`() throws {
        let first = try SPAKE2(.first, password: try secret("11"))
        let valid = try SPAKE2(.second, password: try secret("11")).share
        var offCurve = valid
        offCurve[64] ^= 1
        let compressed = [2 + valid[64] & 1] + valid[1...32]
        let hybrid = [6 + valid[64] & 1] + valid[1...]
        let beyond = [4] + [UInt8](repeating: 0xff, count: 64)
        // This share is only the password's mask and leads to the point at infinity, so its sender would know the key.
        let mask = try SPAKE2(
            .second, password: try secret("11"), scalar: try SecretBytes(copying: [0])
        ).share
        for share in [
            [], [0], [UInt8](repeating: 0, count: 65), [4] + [UInt8](repeating: 0, count: 64), offCurve,
            compressed, hybrid, beyond, mask, Array(valid.dropLast()), valid + [0],
        ] {
            #expect(throws: SecurityError(.malformed, "")) {
                try first.agree(withShare: share, identities: ([], []), additional: [])
            }
        }
    }
}
