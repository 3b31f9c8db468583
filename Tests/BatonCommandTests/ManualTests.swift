import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Testing

@Suite struct `The manual page` {
    private let page = Typed(["manual"]).output

    /// The commands, as the help lists them.
    private var commands: [String] {
        Typed(["help"]).output.split(separator: "\n").drop { $0 != "Commands:" }.dropFirst()
            .prefix { $0.hasPrefix("  ") }.filter { !$0.hasPrefix("   ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    @Test func `the manual has every command, option and exit status`() {
        #expect(commands.count > 25)
        for command in commands {
            let title = command.split(separator: "-").joined(separator: "\\-")
            #expect(page.contains(".SS \"baton \(title)\"\n"), "\(command)")
            let help = Typed(["help", command]).output
            #expect(help.split(separator: "\n").count { $0.contains("Exit status") } <= 1, "\(command)")
            for line in help.split(separator: "\n") where line.hasPrefix("  --") {
                let option = String(line.dropFirst(2).prefix { $0 != " " })
                let escaped = option.split(separator: "-", omittingEmptySubsequences: false).joined(
                    separator: "\\-")
                #expect(page.contains(".TP\n\\fB\(escaped)\\fR"), "\(command) \(option)")
            }
        }
        for code in LocalFailure.Code.allCases {
            #expect(page.contains(".TP\n\\fB\(code.rawValue)\\fR\n"), "\(code)")
        }
        for variable in ["BATON_HOME", "BATON_ACCOUNT", "BATON_CONFIG"] {
            #expect(page.contains("\\fB\(variable)\\fR"))
        }
    }

    @Test func `the manual lists the keys of printed JSON`() {
        #expect(JSON(Example.status([])).keys == JSONKeys.status)
        #expect(JSON(Example.peer()).keys == JSONKeys.deviceState)
        #expect(JSON(Example.laptop).keys == JSONKeys.device)
        #expect(JSON(Example.summary()).keys == JSONKeys.activity)
        var peer = Example.peer(inStep: false)
        peer.backlog = SyncBacklog(toSend: 1)
        guard case .object(let members) = JSON(peer) else { return }
        #expect(members.first { $0.key == "backlog" }?.value.keys == JSONKeys.backlog)
        peer.attempts = [
            AddressAttempt(
                address: "10.0.0.2:4817", source: .met, outcome: .noAnswer, text: "no answer",
                time: Example.now)
        ]
        guard case .object(let states) = JSON(peer),
            case .array(let attempts) = states.first(where: { $0.key == "attempts" })?.value
        else { return }
        #expect(attempts.first?.keys == JSONKeys.attempt)
    }

    @Test func `no line of the manual is read as a roff request by accident`() {
        for line in page.split(separator: "\n") where line.hasPrefix(".") {
            let macro = line.dropFirst().prefix { $0 != " " }
            #expect(
                ["\\\"", "TH", "nh", "ad", "ss", "SH", "SS", "PP", "TP", "nf", "fi"].contains(String(macro)),
                "\(line)")
        }
        #expect(!page.unicodeScalars.contains { !$0.isASCII })
    }
}
