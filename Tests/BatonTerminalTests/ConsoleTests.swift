import BatonCore
import BatonTerminal
import Synchronization
import Testing

@Suite struct `Error messages of a console` {
    private func report(_ failure: LocalFailure, width: Int?) -> String {
        let errors = Mutex("")
        let console = Console(
            width: { nil }, errorWidth: { width }, output: { _ in },
            errors: { text in errors.withLock { $0 += text } })
        console.report(failure)
        return errors.withLock { $0 }
    }

    @Test func `an error message is wrapped only at a terminal`() {
        let failure = LocalFailure(.failed, "The disk of this machine is full.\nDelete what you can spare.")
        #expect(
            report(failure, width: 26)
                == "baton: The disk of this\n       machine is full.\nDelete what you can spare.\n")
        #expect(
            report(failure, width: 20)
                == "baton: The disk of\n       this machine\n       is full.\nDelete what you can\n  spare.\n"
        )
        #expect(
            report(failure, width: nil)
                == "baton: The disk of this machine is full.\nDelete what you can spare.\n")
    }

    @Test func `the line above a caret is not broken`() {
        let failure = LocalFailure(.failed, "The file can't be read.\n{a b c d e f g h i\n     ^")
        #expect(
            report(failure, width: 14)
                == "baton: The\n       file\n       can't\n       be\n       read.\n{a b c d e f g h i\n     ^\n"
        )
    }
}
