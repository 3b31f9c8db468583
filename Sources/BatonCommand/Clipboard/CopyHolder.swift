import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// Holds what was copied, offers it to the other machines, and sends it to those that paste it.
///
/// It ends after some time, with the next copy on any machine, or with its process: the activity that stands for the
/// content is bound to the connection of this process.
package struct CopyHolder: ~Copyable {
    private let home: Home
    private let held: HeldContent
    private let name: HolderName
    /// When it ends.
    private let end: MonotonicTime
    private var link: NodeLink
    private var watch = ActivityWatch()
    /// The identifiers of the earlier copies that this one replaces.
    private var replaced: [String] = []
    /// The activity that stands for the content.
    private var own: ActivitySummary?
    private var asked: [UInt64: Question] = [:]
    private var isOver = false
    private let servings: Servings

    private enum Question { case start, event, watch, other }

    /// How long something can be pasted.
    package static let patience = Duration.seconds(120)
    /// The most machines that get the content at the same time; others are told that this one is busy.
    private static let servingsMost = 8
    /// How long to wait, after the end, for a pasting machine that reads nothing.
    private static let stall = Duration.seconds(60)
    /// How long other machines still show the copy if this one can't report its end; longer than clocks usually differ.
    private static let leeway = Duration.seconds(600)
    /// The most activities that are listed as replaced.
    private static let replacedMost = 32
    /// The longest wait between two looks at the clock, because a wait does not count the time while the machine
    /// sleeps.
    private static let look = Duration.seconds(10)

    /// Prepares to hold content for this long.
    package init(_ held: HeldContent, for time: Duration, in home: Home) throws(LocalFailure) {
        let bell: Bell
        do throws(NetworkError) {
            bell = try Bell()
        } catch {
            throw LocalFailure(.failed, "The content can't be offered: \(error)")
        }
        let name = try HolderName(holdingAt: held.descriptor)
        self.held = held
        self.home = home
        self.name = name
        servings = Servings(bell)
        end = .now + time
        link = NodeLink(home)
    }

    // MARK: The beginning

    /// Offers the content, and ends earlier copies of this machine; returns the activity.
    package mutating func start() throws(LocalFailure) -> ActivitySummary {
        var node = try NodeConnection(home)
        let before = try node.activities(.withForgotten).filter(\.activity.isClipboard)
        replaced = Array(before.map(\.identifier).prefix(Self.replacedMost))
        try link.connect()
        asked[try link.send(starting)] = .start
        let patience = MonotonicTime.now + NodeConnection.patience
        while own == nil {
            let (_, event) = link.wait(within: max(patience - .now, .zero), reconnects: false)
            switch event {
            case .answers(let answers)?: for answer in answers { try receiveAnswer(answer) }
            case .failed(let failure)?: throw failure
            case .returned?: break
            case nil:
                guard patience > .now else {
                    throw LocalFailure(.failed, "The node does not answer. See its log.")
                }
            }
        }
        for last in before where last.device.isHere {
            do throws(LocalFailure) {
                _ = try node.ask(FinishActivity(.identifier(last.identifier)))
            } catch  where error.code == .notFound {
                // The earlier copy has already ended.
            }
        }
        guard let own else { throw LocalFailure(.failed, "The node did not offer what was copied.") }
        return own
    }

    private var starting: StartActivity {
        let rest = max(end - .now, .zero) + Self.leeway
        return StartActivity(
            app: HolderName.app, instance: name.text, lifetime: .connection, type: Activity.clipboardType,
            change: held.content.change(replacing: replaced, until: LocalClock.now.advanced(by: rest)))
    }

    // MARK: Until the end

    /// Offers the content until the end; then waits for the machines that are still receiving it.
    package mutating func run() {
        ask(AwaitEvent(), .event)
        ask(watch.begin(), .watch)
        while !isOver, end > .now {
            let (_, event) = link.wait(within: min(end - .now, Self.look))
            switch event {
            case .answers(let answers)?:
                for answer in answers {
                    do throws(LocalFailure) { try receiveAnswer(answer) } catch { lose(error) }
                }
            case .returned?:
                ask(starting, .start)
                ask(AwaitEvent(), .event)
                ask(watch.begin(), .watch)
            case .failed(let failure)?: lose(failure)
            case nil: break
            }
        }
        // The activity ends with the connection.
        link = NodeLink(home)
        while servings.count > 0 {
            let ready = Waiting.forOne(of: [(servings.bell.descriptor, Int16(POLLIN))], within: Self.stall)
            guard ready[0] else { return }
            servings.bell.clear()
        }
    }

    private mutating func ask(_ call: some LocalCall, _ question: Question) {
        do throws(LocalFailure) {
            asked[try link.send(call)] = question
        } catch {
            lose(error)
        }
    }

    /// Called when the node has stopped; the link looks for the next one.
    private mutating func lose(_ failure: LocalFailure) {
        asked = [:]
        do throws(LocalFailure) {
            try link.lose(failure)
        } catch {
            // A node of another version, or one that may not be used, can't offer the content.
            isOver = true
        }
    }

    private mutating func receiveAnswer(_ answer: LocalAnswer) throws(LocalFailure) {
        switch asked.removeValue(forKey: answer.number) {
        case .start?: own = try answer.reply(to: StartActivity.self)
        case .event?:
            handleEvent(try answer.reply(to: AwaitEvent.self))
            if !isOver { ask(AwaitEvent(), .event) }
        case .watch?:
            let (happenings, next) = try watch.receiveAnswer(answer)
            for case .changed(let summary) in happenings { notice(summary) }
            if !isOver { ask(next, .watch) }
        case .other?, nil: break
        }
    }

    /// Ends the offer once something was copied later.
    private mutating func notice(_ summary: ActivitySummary) {
        guard let own, summary.activity.isClipboard, summary.identifier != own.identifier else { return }
        if summary.isCopied(after: own) { isOver = true }
    }

    private mutating func handleEvent(_ event: AppEvent) {
        switch event {
        case .streamWanted(let number, _, _): serve(number)
        case .ended, .wasContinued(_, _, isTaken: true): isOver = true
        case .save(let number, _): ask(ReportSaved(number, nil), .other)
        case .wasContinued, .continues, .opens: break
        }
    }

    // MARK: Serving

    /// Sends the content to a machine, in a separate thread.
    private func serve(_ number: UInt64) {
        // The machine may have slept past the end.
        guard end > .now, servings.count < Self.servingsMost else { return }
        let (home, held, servings) = (home, held, servings)
        servings.begin()
        do throws(NetworkError) {
            try SystemThread(name: "baton-paste") {
                Self.serve(number, held, in: home, servings)
                servings.finish()
            }.detach()
        } catch {
            // The other machine is told that the stream was not accepted.
            servings.finish()
        }
    }

    private static func serve(_ number: UInt64, _ held: HeldContent, in home: Home, _ servings: Servings) {
        do throws(LocalFailure) {
            let stream = try AppStream.accept(number, in: home)
            stream.closeInput()
            try held.send { (bytes) throws(LocalFailure) in
                var rest = bytes
                while !rest.isEmpty {
                    rest = rest.dropFirst(try stream.write(rest))
                    servings.bell.ring()
                }
            }
            stream.closeOutput()
            stream.awaitTaken()
        } catch {
            // The other machine notices that the stream is incomplete, and reports it.
        }
    }
}

/// The machines that get the content just now.
private final class Servings: Sendable {
    private let number = Monitor(0)
    /// Rung after each piece sent, and at the end of each transfer.
    let bell: Bell

    init(_ bell: Bell) { self.bell = bell }

    var count: Int { number.change { $0 } }

    func begin() { number.change { $0 += 1 } }

    func finish() {
        number.change { $0 -= 1 }
        bell.ring()
    }
}
