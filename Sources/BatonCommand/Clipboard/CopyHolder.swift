import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// Holds content that was copied, offers it to the other machines, and sends it to the machines that paste it.
///
/// The offer ends after some time, or when something else is copied on any machine. It also ends with this process,
/// because the activity for the content lasts only as long as the process's connection to the node.
package struct CopyHolder: ~Copyable {
    private let home: Home
    private let held: HeldContent
    private let name: HolderName
    /// The time when the offer ends.
    private let end: MonotonicTime
    private var link: NodeLink
    private var watch = ActivityWatch()
    /// The identifiers of the earlier copies that this copy replaces.
    private var replaced: [String] = []
    /// The activity that offers the content, or nil before the node has started it.
    private var own: ActivitySummary?
    private var asked: [UInt64: Question] = [:]
    private var isOver = false
    private let servings: Servings

    private enum Question { case start, event, watch, other }

    /// How long copied content can be pasted, unless the person chooses a shorter time.
    package static let patience = Duration.seconds(120)
    /// The largest number of machines that get the content at the same time.
    ///
    /// Streams of further machines are not accepted.
    private static let servingsMost = 8
    /// How long to wait, after the offer has ended, while no transfer makes progress.
    private static let stall = Duration.seconds(60)
    /// How long other machines still show the copy after its end, if this machine can't tell them about the end.
    ///
    /// It is longer than the usual difference between the clocks of two machines.
    private static let leeway = Duration.seconds(600)
    /// The largest number of earlier copies that are listed as replaced.
    private static let replacedMost = 32
    /// The longest time between two looks at the clock.
    ///
    /// A wait does not count the time in which the machine sleeps, so the clock must be looked at again.
    private static let look = Duration.seconds(10)

    /// Prepares to hold content for the given time.
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

    /// Offers the content, and ends the earlier copies of this machine; returns the activity that offers the content.
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

    /// Offers the content until the end, and then waits until the machines that are receiving it have received it.
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
        // The node ends the activity when the connection is closed.
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

    /// Called when the node has stopped.
    ///
    /// The link then looks for a node that runs.
    private mutating func lose(_ failure: LocalFailure) {
        asked = [:]
        do throws(LocalFailure) {
            try link.lose(failure)
        } catch {
            // The running node has another version, or this process may not use it. So the content can't be offered.
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

    /// Ends the offer if the activity is a copy that was made later.
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

    /// Sends the content to a machine, in a thread of its own.
    private func serve(_ number: UInt64) {
        // This machine may have slept, so that the end has passed.
        guard end > .now, servings.count < Self.servingsMost else { return }
        let (home, held, servings) = (home, held, servings)
        servings.begin()
        do throws(NetworkError) {
            try SystemThread(name: "baton-paste") {
                Self.serve(number, held, in: home, servings)
                servings.finish()
            }.detach()
        } catch {
            // The node tells the other machine that the stream was not accepted.
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
            // The other machine notices that the stream is incomplete, and tells the person.
        }
    }
}

/// Counts the machines that are receiving the content.
private final class Servings: Sendable {
    private let number = Monitor(0)
    /// Rung after each piece that was sent, and at the end of each transfer.
    let bell: Bell

    init(_ bell: Bell) { self.bell = bell }

    var count: Int { number.change { $0 } }

    func begin() { number.change { $0 += 1 } }

    func finish() {
        number.change { $0 -= 1 }
        bell.ring()
    }
}
